//! The comparison of an answer: one column for each chip, and a row for each measure.

use super::answer::{ColumnBar, ColumnCell, ColumnView, Columns, Factor};
use super::comparison::YOUR_RUN;
use super::figures::figure;
use super::{entry, forecast, model, runs, sentence, why};
use display::amount::Amount;
use display::figure::Figure;
use estimate::{Estimate, Inputs, Measure, ModelAnswer, Number, OwnRun, Part, Run};
use plain::OrEmpty;
use workload::PassKind;

/// Returns the comparison of the runs of an answer, without its remedy.
pub(crate) fn columns(answer: &ModelAnswer) -> Columns {
    let runs = answer.runs();
    let first = &answer.estimate;
    let measures = || Measure::ALL.into_iter().filter(|measure| measure.is_of(first));
    let best: Vec<Option<usize>> = measures().map(|measure| measure.best(&runs)).collect();
    // The rows of all columns have the order of the first column.
    let order: Vec<Part> = first.factors().iter().map(|one| one.part).collect();
    let view = |(nth, run): (usize, &Run<'_>)| {
        let cells = measures().zip(&best).map(|(measure, best)| cell(measure, run.estimate, *best == Some(nth)));
        let is_shown = run.estimate.misfit().is_none() && !run.estimate.is_wide();
        let factors = if is_shown {
            named(&run.estimate.factors(), &order, run.estimate.largest_loss(), run.estimate)
        } else {
            Vec::new()
        };
        view(run.estimate.question.chip.name, run.estimate, cells.collect(), factors)
    };
    let mut columns: Vec<ColumnView> = runs.iter().enumerate().map(view).collect();
    if let Some(Ok(run)) = &answer.own_run {
        let cells = measures().map(|measure| measured(measure, run, first));
        columns.insert(
            1,
            self::view(YOUR_RUN, first, cells.collect(), named(&run.factors, &order, run.largest_loss, first)),
        );
    }
    Columns {
        model: first.work.name.clone(),
        setting: sentence::setting(&runs),
        sentence: sentence::sentence(answer, &runs),
        measures: measures().map(|measure| (measure, figure(measure, first).name)).collect(),
        columns,
        remedy: None,
    }
}

fn view(name: &'static str, estimate: &Estimate, cells: Vec<ColumnCell>, factors: Vec<Factor>) -> ColumnView {
    let question = &estimate.question;
    ColumnView {
        name,
        chips: question.chips,
        usd_per_chip_hour: question.usd_per_chip_hour(),
        sequences: (estimate.inputs == Inputs::Sequences).then_some(question.batch),
        price_note: model::at_price(question),
        cells,
        has_room: estimate.has_room(),
        recomputation: recomputation(estimate),
        factors,
    }
}

/// Returns the cell of a predicted run.
fn cell(measure: Measure, estimate: &Estimate, is_best: bool) -> ColumnCell {
    let number = measure.number(estimate);
    // An impossible run has only the figures of MFU and memory.
    if estimate.misfit().is_some() && !matches!(measure, Measure::Mfu | Measure::Memory) {
        return ColumnCell { measure, figure: None, number, is_best, bar: None, note: "–".to_owned() };
    }
    let mut figure = figure(measure, estimate);
    // The row of the MFU has the range and its reason, so the other rows omit a wide range.
    if estimate.is_wide() && measure != Measure::Mfu {
        figure.range = None;
    }
    let (bar, note) = match measure {
        Measure::Mfu => (range(estimate), evidence(estimate)),
        Measure::Memory => (used(estimate), figure.note.clone()),
        _ => (None, String::new()),
    };
    ColumnCell { measure, figure: Some(figure), number, is_best, bar, note }
}

/// Returns the cell of a measured run, whose figures have no interval.
fn measured(measure: Measure, run: &OwnRun, estimate: &Estimate) -> ColumnCell {
    let value = measure.measured(run, estimate);
    let shown = value.map(|value| match measure {
        Measure::StepTime => Amount::Time(value),
        Measure::UsdPerStep | Measure::UsdPerMillionTokens => Amount::Usd(value),
        _ => Amount::Number(value, 4, ""),
    });
    let figure = match measure {
        Measure::Mfu => runs::own_figures(run, estimate).into_iter().next(),
        _ => shown.map(|shown| Figure {
            value: shown.to_string(),
            worked: "computed from your measurement".to_owned(),
            note: String::new(),
            range: None,
            ..figure(measure, estimate)
        }),
    };
    let ratio = run.mfu.ok().map(|mfu| mfu.ratio).filter(|_| measure == Measure::Mfu);
    let bar = ratio.map(|ratio| ColumnBar::Range(ratio, Some(ratio), ratio));
    let number = value.map(|value| Number { value: Some(value), ends: None });
    ColumnCell { measure, figure, number, is_best: false, bar, note: String::new() }
}

/// Returns the bar of an MFU with its interval.
fn range(estimate: &Estimate) -> Option<ColumnBar> {
    let mfu = estimate.mfu.ok().filter(|_| estimate.misfit().is_none())?.ratio;
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

/// Describes the basis of the MFU: the published runs, and the parallelism and network if they are not the default.
fn evidence(estimate: &Estimate) -> String {
    let layout = if estimate.misfit().is_none() { model::layout(estimate) } else { String::new() };
    let near = forecast::nearest(estimate);
    let lent = estimate.share.as_ref().map(|share| forecast::lent(share, &estimate.question.chip)).or_empty();
    let apart = if estimate.misfit().is_none() { forecast::apart(estimate) } else { "" };
    format!("{layout}{near}{apart}{lent}").trim_start_matches(['·', ';', ',', ' ']).replace(" %", "\u{a0}%")
}

/// Returns the factors with their names, in the given order of parts.
fn named(all: &[estimate::Factor], order: &[Part], largest: Option<Part>, estimate: &Estimate) -> Vec<Factor> {
    let is_counted = estimate.exchange.is_some() || !estimate.needs_exchange();
    let of = |one: &estimate::Factor| Factor {
        name: why::name(one.part),
        factor: (one.part != Part::Exchange || is_counted).then_some(one.factor),
        left: one.left,
        is_largest_loss: largest == Some(one.part) && one.factor < why::WHOLE,
    };
    estimate::Factor::in_order(all, order).iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::comparison::TOO_WIDE;
    use super::super::form::form_with;
    use super::super::json::json;
    use super::super::query::answer;
    use super::*;
    use display::number::{grouped, percent};
    use estimate::{Answered, Column, Entry, Question, SPLITS, Topic, models};
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
    fn a_chosen_parallelism_and_a_network_are_next_to_the_mfu() {
        let notes = |text: &str| {
            let columns = of(text).columns;
            columns.iter().map(|column| column.cells[0].note.clone()).collect::<Vec<_>>()
        };
        let slow = "model=llama2-70b&chip=a100-80&chips=2048&batch=1&network=p4d";
        let chosen = &notes(slow)[0];
        assert!(chosen.starts_with("parallelism chosen by the estimate: tensor 8 · pipeline "), "{chosen}");
        // AWS p4d has four adapters of 100 Gbit/s.
        assert!(chosen.contains("; AWS p4d: 50 GB/s out of a node; "), "{chosen}");
        let set = &notes(&format!("{slow}&split=fsdp"))[0];
        assert!(set.starts_with("AWS p4d: 50 GB/s"), "{set}");
        // A torus has no network between nodes. A single node does not have one either.
        for text in ["chip=tpu-v5e&chips=64", "chip=h100-sxm&chips=8"] {
            let note = &notes(text)[0];
            assert!(!note.contains("GB/s") && !note.contains("chosen"), "{note}");
        }
    }

    #[test]
    fn the_setting_names_each_chip_that_runs_another_format() {
        let says = " TPU v4 runs fp8 widened to bf16: the MFU is a share of the bf16 peak.";
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
        let row = found.measures.iter().position(|(measure, _)| *measure == Measure::UsdPerMillionTokens);
        let row = row.expect("a row of dollars");
        assert_eq!(found.columns.iter().filter(|column| column.cells[row].is_best).count(), 1);
    }

    #[test]
    fn a_comparison_of_decode_says_what_each_user_gets_and_why_the_mfu_is_low() {
        let columns = "model=llama3-70b&chip=tpu-v5p&versus=h100-sxm&pass=decode&split=tensor&chips=2&chips2=4";
        let found = of(&format!("{columns}&batch=32"));
        let row = |wanted: Measure| {
            let row = found.measures.iter().position(|(measure, _)| *measure == wanted).expect("a row");
            let number = |column: &ColumnView| column.cells[row].number.and_then(|one| one.value).expect("a number");
            found.columns.iter().map(number).collect::<Vec<_>>()
        };
        assert_eq!(row(Measure::UsersAtOnce), [64.0, 64.0]);
        // A user gets one token per step.
        for (rate, step) in row(Measure::TokensPerSecPerUser).into_iter().zip(row(Measure::StepTime)) {
            assert!((rate * step - 1.0).abs() < 1e-9);
        }
        let says = &found.sentence;
        let cell = |nth: usize| {
            let row = found.measures.iter().position(|(measure, _)| *measure == Measure::TokensPerSecPerUser);
            found.columns[nth].cells[row.expect("a row")].figure.as_ref().expect("a figure").value.clone()
        };
        let gets = format!(" Each of 64 users gets {} tokens/s on 2 × TPU v5p and {} on ", cell(0), cell(1));
        assert!(says.contains(&gets), "{says}");
        // The model has 139 GB of weights. Its keys and values are 64 · 2049 · 80 · 2 · 1024 values of 2 bytes, on 2 or
        // 4 chips.
        for (nth, (chips, reads)) in [
            ("2 × TPU v5p", "69.5 GB of weights once for 64 users, and 21.5 GB of cache"),
            ("4 × H100 80GB SXM5", "34.8 GB of weights once for 64 users, and 10.7 GB of cache"),
        ]
        .into_iter()
        .enumerate()
        {
            let mfu = percent(row(Measure::Mfu)[nth] / 100.0);
            let because =
                format!("{chips} has {mfu} % MFU because of memory bandwidth. In each step, a chip reads {reads}.");
            assert!(says.contains(&because), "{says} {because}");
        }
        let other = of(&format!("{columns}&batch=1"));
        assert!(
            other
                .sentence
                .starts_with("The runs are not ranked, because one decodes for 2 users at once and one for 4."),
            "{}",
            other.sentence
        );
        assert!(other.columns.iter().flat_map(|column| &column.cells).all(|cell| !cell.is_best), "{other:?}");
    }

    #[test]
    fn a_comparison_at_a_rate_names_its_chips_its_sequences_and_what_each_user_gets() {
        let columns = "model=llama3-70b&pass=decode&chip=h100-sxm&versus=tpu-v5e";
        let answered = Answered::parse(Topic::Model, &format!("{columns}&rate=30"));
        let found = answered.model().expect("an answer");
        let shown = super::columns(found);
        let says = &shown.sentence;
        assert!(says.starts_with("8 × H100 80GB SXM5 is cheaper at 30 tokens/s per user or more: $"), "{says}");
        for run in found.runs() {
            let (one, rate) = (run.estimate, 1.0 / run.estimate.step.0);
            let Question { chips, batch, .. } = one.question;
            let says_rate = format!(
                "{chips} × {}, {batch} sequences per chip: {} tokens/s per user.",
                one.question.chip.name,
                super::super::figures::user_rate(rate)
            );
            assert!(rate >= 30.0 && says.contains(&says_rate), "{says} {says_rate}");
            let because = format!("{chips} × {} has ", one.question.chip.name);
            let (_, because) = says.split_once(&because).expect("an MFU");
            let because = because.split_once(" % MFU because of ").expect("a cause").1;
            assert!(because.starts_with("memory bandwidth. In each step, a chip reads "), "{says}");
        }
        // The form shows the chosen numbers as hints. A shared link does not need them.
        let fields = form_with(&answered);
        let field = |entry: Entry| fields.iter().find(|one| one.entry == entry).expect("a field");
        let shown = [Entry::Chips, Entry::Batch, Entry::ChipsOf(Column::Second)].map(field);
        assert_eq!(shown.map(|one| (one.text.as_str(), one.hint.as_str())), [("", "8"), ("", "23"), ("", "16")]);
        assert_eq!(shown[0].steps[shown[0].step()], 8, "the slider is at the number");
        assert_eq!(field(Entry::Split).text, "tensor");
        assert!(!field(Entry::Rate).is_idle && field(Entry::Rate).text == "30");

        let too_fast = of(&format!("{columns}&rate=1000"));
        assert!(too_fast.sentence.starts_with("H100 80GB SXM5 reaches at most "), "{}", too_fast.sentence);
        assert!(
            !too_fast.sentence.contains("cheap") && !too_fast.sentence.contains("because of"),
            "{}",
            too_fast.sentence
        );
        assert!(too_fast.columns.iter().flat_map(|column| &column.cells).all(|cell| !cell.is_best));
        let set = of("model=llama3-70b&pass=decode&chip=h100-sxm&rate=30&chips=8&batch=60").sentence;
        assert!(set.starts_with("H100 80GB SXM5 reaches only ") && set.contains("60 sequences per chip"), "{set}");
        let one = of(&format!("{columns}&rate=50")).sentence;
        assert!(
            one.starts_with("Only 8 × H100 80GB SXM5 has a price, fits in memory and reaches the rate: $"),
            "{one}"
        );
    }

    #[test]
    fn the_sentence_names_the_factor_that_the_table_marks_in_many_questions_about_decode() {
        let mut named = Vec::new();
        for [first, second] in [["h100-sxm", "tpu-v5e"], ["tpu-v5e", "h100-sxm"], ["tpu-v6e", "b200-sxm"]] {
            for model in ["llama3-8b", "llama3-70b"] {
                for rest in [
                    "rate=10",
                    "rate=30",
                    "rate=60",
                    "split=tensor&chips=16&batch=4",
                    "split=tensor&chips=64&batch=16&seq=512",
                ] {
                    let found = of(&format!("model={model}&pass=decode&chip={first}&versus={second}&{rest}"));
                    for (nth, column) in found.columns.iter().enumerate().filter(|(_, one)| !one.factors.is_empty()) {
                        let factor = |one: &Factor| one.factor.unwrap_or(1.0);
                        let least = column.factors.iter().map(factor).fold(1.0, f64::min);
                        let [marked] = column.factors.iter().filter(|one| one.is_largest_loss).collect::<Vec<_>>()[..]
                        else {
                            panic!("one mark: {column:?}")
                        };
                        assert!((factor(marked) - least).abs() < 1e-12, "{column:?}");
                        // The bar of a factor is the share of the peak that this factor loses.
                        let bars = column.factors.iter().map(|one| one.left / factor(one) - one.left);
                        let longest = bars.fold(0.0, f64::max);
                        assert!(nth > 0 || marked.left / least - marked.left >= longest, "{column:?}");
                        let run = format!("{} × {} has ", grouped(column.chips), column.name);
                        let Some((_, because)) = found.sentence.split_once(&run) else { continue };
                        let because = because.split_once(" % MFU because of ").expect("a cause").1;
                        assert!(because.starts_with(marked.name), "{}: {}", marked.name, found.sentence);
                        named.push(marked.name);
                    }
                }
            }
        }
        named.sort_unstable();
        named.dedup();
        assert!(named.len() > 1, "{named:?}");
    }

    #[test]
    fn single_changes_between_columns_with_chosen_numbers_are_left_out_with_the_reason() {
        let asked = |rest: &str| {
            let answered = Answered::parse(
                Topic::Model,
                &format!("model=llama3-70b&pass=decode&chip=h100-sxm&versus=tpu-v5e&{rest}"),
            );
            let note = answer(&answered).notes.into_iter().find(|(entry, _)| *entry == Entry::Rate);
            (answered.model().expect("an answer").changes.len(), note.map(|(_, note)| note))
        };
        let (changes, note) = asked("rate=30");
        assert_eq!(changes, 0);
        assert!(note.expect("a note").contains("one change at a time"));
        let (changes, note) = asked("rate=30&chips=16&chips2=16&batch=2");
        assert!(changes > 0 && note.is_none());
    }

    #[test]
    fn a_column_that_repeats_another_column_says_so() {
        let notes = |text: &str| answer(&Answered::parse(Topic::Model, text)).notes;
        let said = |text: &str| notes(text).into_iter().find(|(entry, _)| *entry == Entry::Versus);
        let (_, sentence) = said("chip=h100-sxm&versus=h100-sxm").expect("a note");
        assert!(sentence.contains("left out"), "{sentence}");
        assert_eq!(said("chip=h100-sxm&versus=h100-sxm&chips2=8"), None);
        assert_eq!(said("chip=h100-sxm&versus=tpu-v5e"), None);
        let users = notes("pass=decode&split=tensor&chip=tpu-v5e&chips=16&batch=4&versus=h100-sxm&chips2=4");
        let (_, sentence) = users.into_iter().find(|(entry, _)| *entry == Entry::Batch).expect("a note");
        assert_eq!(
            sentence,
            "64 users at once on 16 chips. Each column has as many: 4 × H100 80GB SXM5 with 16 per chip."
        );
    }

    #[test]
    fn the_factors_of_each_column_multiply_to_its_mfu() {
        for column in of("chip=tpu-v5e&versus=h100-sxm&third=tpu-7x&fourth=mi300x&measured=41 %").columns {
            let Some(ColumnBar::Range(_, Some(mfu), _)) = column.cells[0].bar else { continue };
            // If communication is not counted, its factor is 1.
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
            for ((measure, name), cell) in found.measures.iter().zip(&column.cells) {
                assert_eq!(cell.measure, *measure);
                assert!(cell.figure.as_ref().is_none_or(|figure| figure.name == *name), "{name}");
            }
        }
        assert!(found.columns[0].cells[1].figure.is_none() && found.columns[1].cells[1].figure.is_some());
        // A user of a server asks for the cost, too.
        let decode = of("pass=decode&split=tensor&chips=8&chip=h100-sxm");
        assert!(
            decode.measures.iter().any(|(measure, _)| *measure == Measure::UsdPerMillionTokens),
            "{:?}",
            decode.measures
        );
    }

    fn any_chip() -> impl Strategy<Value = &'static str> {
        (0..Chip::all().len()).prop_map(|nth| Chip::all()[nth].id)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        /// An impossible run has no headline, and every figure equals the figure of the JSON.
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
            for (Run { estimate: run, .. }, column) in found.runs().into_iter().zip(&shown.columns) {
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
