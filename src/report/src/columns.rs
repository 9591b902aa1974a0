//! The comparison of an answer: one column for each chip, and a row for each measure.

use super::answer::{ColumnBar, ColumnCell, ColumnView, Columns, Factor, Number};
use super::comparison::{MEASURED, MEMORY, MFU, NEEDS_A_PRICE, YOUR_RUN};
use super::figures::figures;
use super::{entry, forecast, model, runs, sentence, why};
use display::amount::Amount;
use display::figure::Figure;
use estimate::{Column, Entry, Estimate, Inputs, ModelAnswer, OwnRun, Part};
use perfmodel::usd_per_million_tokens;
use plain::OrEmpty;
use workload::PassKind;

/// Measures in the order of the rows.
const MEASURES: [&str; 6] =
    [MFU, "step-time", "tokens-per-second", "tokens-per-second-per-user", "usd-per-million-tokens", MEMORY];

/// Difference of two costs that is too small to rank two runs whose intervals overlap.
pub(super) const CLOSE: f64 = 0.1;

/// Returns the comparison of the runs of an answer, without its remedy.
pub(crate) fn columns(answer: &ModelAnswer) -> Columns {
    let all = side_by_side(answer);
    let of: Vec<Vec<Figure>> = all.iter().map(|(_, one)| figures(one)).collect();
    let first = of.first().map_or(&[][..], Vec::as_slice);
    let of_measure = |id: &&str| {
        let found = of.iter().flatten().find(|one| one.id == *id)?;
        Some((found.id, found.name))
    };
    let measures: Vec<(&'static str, &'static str)> = MEASURES.iter().filter_map(of_measure).collect();
    let ids: Vec<&'static str> = measures.iter().map(|(id, _)| *id).collect();
    let best = best(&all, &ids);
    let view = |(nth, ((_, one), figures)): (usize, (&(Entry, &Estimate), &Vec<Figure>))| {
        let question = &one.question;
        let mfu = one.mfu.ok().filter(|_| one.misfit().is_none()).map(|mfu| mfu.ratio);
        let cell = |(id, winner): (&&'static str, &Option<usize>)| {
            // A run that cannot run says so once.
            let is_said = one.misfit().is_some() && ![MFU, MEMORY].contains(id);
            let mut figure = figures.iter().find(|figure| figure.id == *id && !is_said).cloned();
            // The first row says why a run has ranges.
            if let Some(figure) = figure.as_mut().filter(|_| is_wide(one) && *id != MFU) {
                figure.range = None;
            }
            let (bar, note) = match *id {
                _ if is_said => (None, "–".to_owned()),
                MFU => (mfu.and_then(|mfu| range(one, mfu)), evidence(one)),
                MEMORY => (used(one), figure.as_ref().map_or_else(String::new, |figure| figure.note.clone())),
                _ if figure.is_some() => (None, String::new()),
                _ if id.starts_with("usd") => (None, NEEDS_A_PRICE.to_owned()),
                _ => (None, model::NOT_PUBLISHED.to_owned()),
            };
            let number = number(id, one).filter(|_| figure.is_some());
            ColumnCell { id, figure, number, is_best: *winner == Some(nth), bar, note }
        };
        ColumnView {
            name: question.chip.name,
            chips: question.chips,
            usd_per_chip_hour: question.usd_per_chip_hour(),
            sequences: sequences(one),
            price_note: model::at_price(question),
            cells: ids.iter().zip(&best).map(cell).collect(),
            has_room: has_room(one),
            recomputation: recomputation(one),
            factors: if mfu.is_some() && !is_wide(one) { factors(one) } else { Vec::new() },
        }
    };
    let mut views: Vec<ColumnView> = all.iter().zip(&of).enumerate().map(view).collect();
    if let Some(Ok(run)) = &answer.own_run {
        let own = own(run, &answer.estimate, &ids, first);
        views.insert(1.min(views.len()), own);
    }
    let model = answer.estimate.work.name.clone();
    let (setting, sentence) = (sentence::setting(&all), sentence::sentence(answer, &all));
    Columns { model, setting, sentence, measures, columns: views, remedy: None }
}

/// Returns the runs of an answer, each with the entry that sets its number of chips.
pub(super) fn side_by_side(answer: &ModelAnswer) -> Vec<(Entry, &Estimate)> {
    let second = answer.comparison().map(|(second, _)| (Entry::ChipsOf(Column::Second), second));
    let further = answer.others.iter();
    let further = further.filter_map(|(column, other)| Some((Entry::ChipsOf(*column), other.as_ref().ok()?)));
    core::iter::once((Entry::Chips, &answer.estimate)).chain(second).chain(further).collect()
}

/// Returns the column of a measured run of the first chips: its figures have no interval.
fn own(run: &OwnRun, estimate: &Estimate, measures: &[&'static str], predicted: &[Figure]) -> ColumnView {
    let question = &estimate.question;
    let tokens = run.tokens_per_sec;
    let usd = tokens
        .zip(question.usd_per_chip_hour())
        .and_then(|(tokens, usd)| usd_per_million_tokens(usd, tokens / question.chips as f64));
    let of = |id: &str, value: Option<Amount>| {
        let figure = predicted.iter().find(|figure| figure.id == id)?;
        let value = value.filter(|_| run.mfu.is_ok())?.to_string();
        Some(Figure { worked: MEASURED.to_owned(), note: String::new(), range: None, value, ..figure.clone() })
    };
    let ratio = run.mfu.ok().map(|mfu| mfu.ratio);
    let cell = |id: &&'static str| {
        let figure = match *id {
            MFU => runs::own_figures(run, estimate).into_iter().next(),
            "step-time" => of(id, Some(Amount::Time(run.step.0))),
            "tokens-per-second" => of(id, tokens.map(|all| Amount::Number(all, 4, ""))),
            "usd-per-million-tokens" => of(id, usd.map(Amount::Usd)),
            _ => None,
        };
        let bar = ratio.filter(|_| *id == MFU).map(|ratio| ColumnBar::Range(ratio, Some(ratio), ratio));
        let value = match *id {
            MFU => ratio.map(|ratio| (ratio * 100.0, "%")),
            "step-time" => Some((run.step.0, "s")),
            "tokens-per-second" => tokens.map(|all| (all, "tokens/s")),
            "usd-per-million-tokens" => usd.map(|usd| (usd, "USD")),
            _ => None,
        };
        let number = value.filter(|_| figure.is_some());
        let number = number.map(|(value, unit)| Number { value: Some(value), ends: None, unit });
        ColumnCell { id, figure, number, is_best: false, bar, note: String::new() }
    };
    ColumnView {
        name: YOUR_RUN,
        chips: question.chips,
        usd_per_chip_hour: question.usd_per_chip_hour(),
        sequences: sequences(estimate),
        price_note: model::at_price(question),
        cells: measures.iter().map(cell).collect(),
        has_room: has_room(estimate),
        recomputation: recomputation(estimate),
        factors: named(&run.factors, estimate),
    }
}

/// True if the interval of a run is too wide for one number.
pub(super) fn is_wide(estimate: &Estimate) -> bool {
    estimate.interval().is_some_and(|found| found.is_wide())
}

/// Returns the bar of an MFU with its interval.
fn range(estimate: &Estimate, mfu: f64) -> Option<ColumnBar> {
    let interval = estimate.interval()?;
    let (low, high) = interval.rate(mfu);
    Some(ColumnBar::Range(low, (!interval.is_wide()).then_some(mfu), high))
}

/// Returns what the backward pass recomputes.
fn recomputation(estimate: &Estimate) -> &'static str {
    let is_step = estimate.question.pass == PassKind::Training && estimate.share.is_some();
    let is_training = is_step && estimate.misfit().is_none();
    if is_training { entry::remat(Some(estimate.question.recomputes())) } else { "" }
}

/// Returns the bar of the memory that each chip needs, with the activations.
fn used(estimate: &Estimate) -> Option<ColumnBar> {
    let held = estimate.held();
    let needed = held.in_all()? + held.activations.unwrap_or(0.0);
    Some(ColumnBar::Used(needed / estimate.question.chip.memory.bytes()?))
}

/// True if a run fits in memory with its activations. Only such runs are ranked.
pub(super) fn has_room(estimate: &Estimate) -> bool {
    estimate.misfit().is_none() && estimate.activations_without_room().is_none()
}

/// Returns the number of a measure, with its interval.
fn number(id: &str, estimate: &Estimate) -> Option<Number> {
    let interval = estimate.interval();
    let rate = |value: f64, unit| Number { value: Some(value), ends: interval.map(|found| found.rate(value)), unit };
    let time = |value: f64, unit| Number { value: Some(value), ends: interval.map(|found| found.time(value)), unit };
    let is_memory = id == MEMORY;
    if estimate.misfit().is_some() && !is_memory {
        return None;
    }
    let number = match id {
        MFU => rate(estimate.mfu.ok()?.ratio * 100.0, "%"),
        "step-time" => time(estimate.step.0, "s"),
        "tokens-per-second" => rate(estimate.tokens_per_sec()?, "tokens/s"),
        "tokens-per-second-per-user" => rate(1.0 / estimate.step.0, "tokens/s"),
        "usd-per-million-tokens" => time(estimate.usd_per_million_tokens()?, "USD"),
        MEMORY => Number { value: Some(estimate.held().in_all()? / 1e9), ends: None, unit: "GB" },
        _ => return None,
    };
    // One number in the middle of a wide interval would mislead.
    let is_hidden = is_wide(estimate) && !is_memory;
    Some(Number { value: number.value.filter(|_| !is_hidden), ..number })
}

/// Returns the number of sequences on each chip; `None` if the model has no sequences.
fn sequences(estimate: &Estimate) -> Option<u64> {
    (estimate.inputs == Inputs::Sequences).then_some(estimate.question.batch)
}

/// Says which published runs are behind the MFU.
fn evidence(estimate: &Estimate) -> String {
    let near = forecast::nearest(estimate);
    let lent = estimate.share.as_ref().map(|share| forecast::lent(share, &estimate.question.chip)).or_empty();
    let apart = if estimate.misfit().is_none() { forecast::apart(estimate) } else { "" };
    format!("{near}{apart}{lent}").trim_start_matches(['·', ';', ',', ' ']).replace(" %", "\u{a0}%")
}

fn factors(estimate: &Estimate) -> Vec<Factor> {
    named(&estimate.factors(), estimate)
}

/// Returns factors with their names.
fn named(all: &[estimate::Factor], estimate: &Estimate) -> Vec<Factor> {
    let least = all.iter().map(|one| one.factor).fold(1.0, f64::min);
    let is_counted = estimate.exchange.is_some() || !estimate.needs_exchange();
    let of = |one: &estimate::Factor| Factor {
        name: why::name(one.part),
        factor: (one.part != Part::Exchange || is_counted).then_some(one.factor),
        left: one.left,
        is_largest_loss: one.factor <= least && least < why::WHOLE,
    };
    all.iter().map(of).collect()
}

/// Returns the dollars for a million tokens of a run that fits in memory.
pub(super) fn usd(estimate: &Estimate) -> Option<f64> {
    estimate.usd_per_million_tokens().filter(|_| has_room(estimate) && !is_wide(estimate))
}

/// Returns the index of the best run for each measure; `None` with fewer than two runs that can be compared.
fn best(all: &[(Entry, &Estimate)], measures: &[&str]) -> Vec<Option<usize>> {
    let of = |value: &dyn Fn(&Estimate) -> Option<f64>| {
        let values = all.iter().enumerate().filter(|(_, (_, one))| has_room(one) && !is_wide(one));
        let values: Vec<(usize, f64)> = values.filter_map(|(nth, (_, one))| Some((nth, value(one)?))).collect();
        let (nth, best) = values.iter().copied().reduce(|best, one| if one.1 > best.1 { one } else { best })?;
        // A small difference ranks nothing, because each value has an interval.
        let is_clear = |other: f64| (best - other).abs() >= CLOSE * best.abs().max(other.abs());
        let others = || values.iter().filter(|(other, _)| *other != nth);
        (values.len() > 1 && others().all(|(_, other)| is_clear(*other))).then_some(nth)
    };
    let winner = |id: &&str| match *id {
        MFU => of(&|one| one.mfu.ok().map(|mfu| mfu.ratio)),
        // Steps of different numbers of tokens are no comparison.
        "step-time" if all.iter().all(|(_, one)| one.tokens == all[0].1.tokens) => of(&|one| Some(-one.step.0)),
        "tokens-per-second" => of(&|one| one.tokens_per_sec()),
        "usd-per-million-tokens" => of(&|one| usd(one).map(|usd| -usd)),
        _ => None,
    };
    measures.iter().map(winner).collect()
}

#[cfg(test)]
mod tests {
    use super::super::comparison::TOO_WIDE;
    use super::super::query::answer;
    use super::super::report::json;
    use super::*;
    use display::number::grouped;
    use estimate::{Answered, SPLITS, Topic, models};
    use perfmodel::Chip;
    use proptest::prelude::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn of(text: &str) -> Columns {
        answer(&Answered::parse(Topic::Model, text)).columns
    }

    #[test]
    fn the_setting_names_what_all_runs_share() {
        let one = of("chip=tpu-v5e&chips=64&seq=4096").setting;
        assert_eq!(
            one,
            "bf16 training, 4096 tokens per sequence, fully sharded. Ranges in parentheses are 80 % intervals."
        );
        let alone = of("chip=tpu-v5e&chips=64&versus=h100-sxm&chips2=1&pass=decode").setting;
        assert!(alone.starts_with("bf16 decode, 2048 tokens per sequence."), "one chip has no parallelism: {alone}");
        let grouped = of("model=llama3-70b&chip=h100-sxm&chips=64&groups=tensor=8,pipeline=4").setting;
        assert!(grouped.contains("tensor 8 · pipeline 4"), "{grouped}");
        let product = of("model=product&m=4096&k=4096&n=4096&chip=tpu-v5e").setting;
        assert!(product.starts_with("bf16.") && !product.contains("training"), "{product}");
    }

    #[test]
    fn the_setting_names_each_chip_that_runs_another_format() {
        let says = " TPU v4 runs fp8 widened to bf16: its MFU is a share of the bf16 peak.";
        let alone = of("chip=tpu-v4&dtype=fp8").setting;
        assert!(alone.ends_with(says), "{alone}");
        let mixed = of("chip=h100-sxm&dtype=fp8&versus=tpu-v4").setting;
        assert!(mixed.ends_with(says) && !mixed.contains("H100"), "{mixed}");
        assert!(!of("chip=tpu-v4").setting.contains(" runs "));
    }

    #[test]
    fn a_run_that_cannot_be_ranked_is_named() {
        let wide = of("chip=tpu-v5e&chips=64&versus=h100-sxm&pass=prefill");
        assert_eq!(wide.sentence, TOO_WIDE);
        let small = of("model=llama3-8b&chip=tpu-v5p&chips=64&versus=h100-sxm&third=tpu-v6e&batch=4");
        assert!(small.sentence.ends_with("too little memory: TPU v6e Trillium."), "{}", small.sentence);
        assert!(small.sentence.contains("TPU v5p"), "{}", small.sentence);
    }

    #[test]
    fn the_cheaper_run_is_named_and_marked() {
        let found = of("model=llama3-8b&chip=tpu-v5e&chips=64&versus=tpu-v6e&chips2=64&batch=2");
        let says = &found.sentence;
        assert!(says.starts_with("64 × TPU v6e Trillium is cheaper: $"), "{says}");
        assert!(says.ends_with(" % less than 64 × TPU v5e."), "{says}");
        let close = of("model=llama3-70b&chip=tpu-v5p&chips=64&versus=h100-sxm&remat=full&batch=2").sentence;
        assert!(close.contains("cost about the same"), "the intervals overlap: {close}");
        let row = found.columns[0]
            .cells
            .iter()
            .position(|cell| cell.figure.as_ref().is_some_and(|figure| figure.id == "usd-per-million-tokens"));
        let row = row.expect("a row of dollars");
        assert_eq!(found.columns.iter().filter(|column| column.cells[row].is_best).count(), 1);
    }

    #[test]
    fn the_factors_of_each_column_multiply_to_its_mfu() {
        for column in of("chip=tpu-v5e&versus=h100-sxm&third=tpu-7x&fourth=mi300x&measured=41 %").columns {
            let Some(ColumnBar::Range(_, Some(mfu), _)) = column.cells[0].bar else { continue };
            // Communication counts as 1 if it is not counted.
            let product: f64 = column.factors.iter().filter_map(|one| one.factor).product();
            assert!((product - mfu).abs() < 1e-9, "{}", column.name);
            assert!(column.factors.iter().filter(|one| one.is_largest_loss).count() >= 1);
        }
    }

    #[test]
    fn a_measured_run_is_in_the_sentence_and_has_its_factors() {
        let found = of("chip=tpu-v5e&chips=64&batch=4&measured=5.67 s");
        assert!(
            found.sentence.starts_with("Your run: 35.4 % MFU, 1.5 × the predicted time, outside the"),
            "{}",
            found.sentence
        );
        assert_eq!(found.columns[1].name, YOUR_RUN);
        assert!(!found.columns[1].factors.is_empty());
    }

    #[test]
    fn communication_that_is_not_counted_says_so() {
        let factor = |text: &str| {
            let factors = of(text).columns[0].factors.clone();
            factors.into_iter().find(|one| one.name == why::name(Part::Exchange)).expect("a factor").factor
        };
        assert_eq!(factor("chip=l40s&chips=1024&batch=1&remat=full"), None);
        assert!(factor("chip=h100-sxm&chips=1024").is_some() && factor("chip=h100-sxm&chips=8").is_some());
    }

    #[test]
    fn every_value_is_in_its_row_if_the_first_run_does_not_fit() {
        let found = of("model=llama3-70b&chip=tpu-v5e&chips=8&versus=b200-sxm&chips2=64");
        assert_eq!(found.measures.len(), found.columns[0].cells.len());
        for column in &found.columns {
            for ((id, name), cell) in found.measures.iter().zip(&column.cells) {
                assert_eq!(cell.id, *id);
                assert!(cell.figure.as_ref().is_none_or(|figure| figure.name == *name), "{name}");
            }
        }
        assert!(found.columns[0].cells[1].figure.is_none() && found.columns[1].cells[1].figure.is_some());
        // A user of a server asks for the cost, too.
        let decode = of("pass=decode&split=tensor&chips=8&chip=h100-sxm");
        assert!(decode.measures.iter().any(|(id, _)| *id == "usd-per-million-tokens"), "{:?}", decode.measures);
    }

    fn any_chip() -> impl Strategy<Value = &'static str> {
        (0..Chip::all().len()).prop_map(|nth| Chip::all()[nth].id)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        /// No run that cannot run has a headline, and every figure is the figure of the JSON.
        #[test]
        fn a_run_that_cannot_run_has_no_headline(
            model in 0..models().count(),
            chips in prop::collection::vec((any_chip(), 0_u32..13), 1..=4),
            (batch, seq) in (0_u32..8, 7_u32..16),
            pass in prop::sample::select(vec!["train", "prefill", "decode"]),
            split in prop::sample::select(SPLITS.map(|(id, _)| id).to_vec()),
        ) {
            let model = models().nth(model).expect("counted").id;
            let mut text = format!("model={model}&pass={pass}&split={split}&batch={}&seq={}", 1 << batch, 1 << seq);
            let names = [["chip", "chips"], ["versus", "chips2"], ["third", "chips3"], ["fourth", "chips4"]];
            for ([chip, count], (id, log)) in names.into_iter().zip(&chips) {
                text += &format!("&{chip}={id}&{count}={}", 1 << log);
            }
            let answered = Answered::parse(Topic::Model, &text);
            let Ok(found) = answered.model() else { return Ok(()) };
            let shown = columns(found);
            for ((_, run), column) in side_by_side(found).into_iter().zip(&shown.columns) {
                if run.misfit().is_some() {
                    prop_assert!(column.cells.iter().all(|cell| !cell.is_best) && column.factors.is_empty(), "{text}");
                    prop_assert!(!matches!(column.cells[0].bar, Some(ColumnBar::Range(..))), "{text}");
                    let mfu = column.cells[0].figure.as_ref().expect("a cell");
                    prop_assert!(!mfu.value.contains('%') && mfu.range.is_none(), "{text}: {}", mfu.value);
                    let praise = format!("{} × {} is cheap", grouped(run.question.chips), column.name);
                    prop_assert!(!shown.sentence.starts_with(&praise), "{text}: {}", shown.sentence);
                }
            }
            let json = json(found);
            for figure in shown.columns[0].cells.iter().filter_map(|cell| cell.figure.as_ref()) {
                let line = format!("\"value\": \"{}\"", figure.value);
                prop_assert!(json.contains(&line), "{text}: {line}");
            }
        }
    }
}
