//! The answer to a query, and the comparison of an answer as CSV.

use estimate::{Answered, ChosenForRate, Entry, ModelAnswer, Number, Query, Question, Refusal};
use perfmodel::Sharding;
use plain::OrEmpty;
use workload::PassKind;

use super::answer::{Answer, Columns};
use super::bill_lines::bill as bill_of;
use super::figures::{figures, figures_without_times};
use super::{advice, bill, columns, failures, invalid, lengths, model, runs, why};

/// Returns the answer to a query.
#[must_use]
pub fn answer(answered: &Answered) -> Answer {
    let answer = match answered.query() {
        Query::Model(_) => match answered.model() {
            Ok(answer) => of_model(answered, answer),
            Err(refusal) => without_estimate(answered, refusal),
        },
        Query::Lengths(query) => lengths::answer(query),
        Query::Failures(query) => failures::answer(query, answered.failures()),
    };
    let mut beside_entries: Vec<(Entry, String)> = Vec::new();
    let mut refused = Vec::new();
    for one in answered.query().invalid() {
        match one.entry().filter(|entry| ![Entry::Own, Entry::View].contains(entry)) {
            Some(entry) => beside_entries.push((entry, invalid::beside(one))),
            None => refused.push(invalid::in_link(one)),
        }
    }
    beside_entries.extend(answer.beside_entries);
    refused.extend(answer.refused);
    let title = if answer.title.is_empty() { "No answer".to_owned() } else { answer.title };
    Answer { title, beside_entries, refused, ..answer }
}

fn of_model(answered: &Answered, answer: &ModelAnswer) -> Answer {
    let first = &answer.estimate;
    let is_alone = answer.runs().len() == 1;
    let title =
        if is_alone { model::headline_of(&first.work.name, &first.question) } else { model::headline_of_all(first) };
    // A run that is impossible has no bill.
    let can_run = first.misfit().is_none();
    let bill = can_run.then(|| bill_of(answer)).flatten();
    let too_large = (can_run && bill.is_none()).then(|| bill::TOO_LARGE.to_owned());
    let hindered = model::no_progress(answer.cost.failures);
    let unused = first.question.tokens.filter(|_| first.tokens.is_none());
    let unused = unused.map(|_| model::TOKENS_UNUSED.to_owned());
    let refused = hindered.into_iter().chain(too_large).chain(unused).collect();
    let no_other = answer.other.as_ref().and_then(|other| other.as_ref().err()).map_or_else(Vec::new, invalid::why);
    let further =
        answer.others.iter().filter_map(|(column, other)| Some((column.chip(), invalid::why(other.as_ref().err()?))));
    let none_on = core::iter::once((Entry::Versus, no_other)).chain(further);
    let beside_entries = none_on.flat_map(|(entry, all)| all.into_iter().map(move |sentence| (entry, sentence)));
    let beside_entries = runs::beside_entries(answer).into_iter().chain(beside_entries).collect();
    let too_few = first.too_few().map(|few| (Entry::Chips, model::too_few(first.question.chips, few.enough)));
    let disagree = runs::disagreement(answer).map(|sentence| (Entry::Measured, sentence));
    let serves = first.question.pass == PassKind::Decode && first.question.split == Sharding::Tensor;
    let begun = serves.then(|| {
        (
            Entry::Pass,
            match first.question.rate_of_user() {
                Some(_) => "Decode starts with tensor parallelism. If you set no number of chips, the answer chooses the number with the lowest cost, for each column.",
                None => "Decode starts with tensor parallelism. In the form, each column starts with the fewest chips that can hold the model and as many users. Your own numbers stay.",
            }
            .to_owned(),
        )
    });
    let second = answer.comparison().map(|(second, _)| &second.question);
    let is_chosen = |one: &Question| one.chosen != ChosenForRate::default();
    let apart = second.filter(|second| is_chosen(second) || is_chosen(&first.question));
    let apart = apart.map(|_| (Entry::Rate, model::NOT_APART.to_owned()));
    let batch = model::batch_note(&answer.runs()).map(|sentence| (Entry::Batch, sentence));
    let repeated = answer.repeated.iter().map(|column| (column.chip(), model::REPEATED.to_owned()));
    let notes = too_few
        .into_iter()
        .chain(begun)
        .chain(batch)
        .chain(apart)
        .chain(repeated)
        .chain(disagree)
        .chain(runs::claim_note(answer))
        .collect();
    let own = answer.own_run.iter().flatten().flat_map(|run| runs::own_figures(run, first));
    Answer {
        title,
        figures: own.chain(figures(first)).collect(),
        columns: Columns { remedy: advice::remedy(answered), ..columns::columns(answer) },
        why: why::sentence(first).or_empty(),
        bill,
        beside_entries,
        notes,
        refused,
        ..Answer::default()
    }
}

/// Returns an answer without an estimate, with the reasons. If only a value of the chip is unknown, the answer has the
/// figures that need no times.
fn without_estimate(answered: &Answered, refusal: &Refusal) -> Answer {
    let refused = invalid::why(refusal);
    let beside = refused.iter().filter(|_| matches!(refusal, Refusal::Groups(_)));
    let notes = beside.map(|sentence| (Entry::Groups, sentence.clone())).collect();
    let (title, figures) = match answered.without_times() {
        Some((question, work, missing)) => {
            let title = model::headline_of(&work.name, &question);
            (title, figures_without_times(&question, Some(&work), missing))
        }
        None => Default::default(),
    };
    Answer { title, figures, notes, refused, ..Answer::default() }
}

/// Returns the comparison of an answer as CSV: a line for each run and measure, with the ends of the 80% interval.
/// `None` if the answer has no comparison.
#[must_use]
pub fn csv(answer: &Answer) -> Option<String> {
    let columns = &answer.columns;
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let count = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    let mut lines =
        vec!["model,run,chips,usd_per_chip_hour,sequences_per_chip,fits,measure,unit,value,low,high".to_owned()];
    for column in &columns.columns {
        let run = [quoted(&columns.model), quoted(column.name), count(Some(column.chips))];
        let setting = [number(column.usd_per_chip_hour), count(column.sequences)];
        let fits = if column.has_room { "yes" } else { "no" };
        let run: Vec<String> = run.into_iter().chain(setting).chain([fits.to_owned()]).collect();
        for cell in &column.cells {
            let Some((figure, Number { value, ends })) = cell.figure.as_ref().zip(cell.number) else { continue };
            let values = [value, ends.map(|ends| ends.0), ends.map(|ends| ends.1)].map(number);
            let (name, unit) = (quoted(figure.name), cell.measure.unit());
            lines.push(format!("{},{name},{unit},{}", run.join(","), values.join(",")));
        }
    }
    (lines.len() > 1).then(|| lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::super::form::{FormEntry, form, form_with};
    use super::super::json::json;
    use super::super::plots::drawings;
    use super::super::tables::tables;
    use super::*;
    use estimate::custom::CustomEntry;
    use estimate::{CostInput, Topic, View, imported};
    use perfmodel::{CustomValue, PeakDtype};
    use proptest::prelude::*;
    use std::sync::Arc;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const PEAK: CustomEntry = CustomEntry::of(CustomValue::Peak(PeakDtype::Bf16));
    const BANDWIDTH: CustomEntry = CustomEntry::of(CustomValue::Bandwidth);
    const CLOCK: CustomEntry = CustomEntry::of(CustomValue::Clock);

    fn model(text: &str) -> Query {
        Query::parse(Topic::Model, text)
    }

    fn asked(text: &str) -> Answered {
        Answered::parse(Topic::Model, text)
    }

    fn saved(text: &str) -> String {
        json(asked(text).model().expect("an answer"))
    }

    fn entry(query: &Query, entry: Entry) -> FormEntry {
        form(query).into_iter().find(|one| one.entry == entry).expect("an entry of the form")
    }

    fn figure(answer: &Answer, id: &str) -> String {
        answer.figures.iter().find(|figure| figure.id == id).map(|figure| figure.value.clone()).unwrap_or_default()
    }

    #[test]
    fn every_topic_has_an_answer_as_it_stands() {
        for topic in Topic::ALL {
            let answered = Answered::parse(topic, "");
            let (answer, query) = (answer(&answered), answered.query());
            assert!(answer.beside_entries.is_empty() && answer.refused.is_empty(), "{topic:?}: {answer:?}");
            assert!(!answer.figures.is_empty() && !tables(&answered).is_empty(), "{topic:?}");
            for one in form(query) {
                // The text of an entry can be set again.
                let again = Query::parse(topic, &query.with(one.entry, &one.text));
                assert!(again.invalid().is_empty(), "{topic:?} {:?}: {:?}", one.entry, again.invalid());
            }
        }
    }

    #[test]
    fn a_value_of_the_chip_is_set_in_its_own_entry_and_its_peak_is_that_of_the_format() {
        let set = |query: &Query, custom| {
            let entry = entry(query, Entry::Custom(custom));
            (entry.text, entry.hint)
        };
        let text = model("dtype=int8").with(Entry::Custom(BANDWIDTH), "1200");
        let query = model(&model(&text).with(Entry::Custom(PEAK), "400"));
        assert_eq!(query.entries().text(Entry::Own), Some("hbm.1200_peak-int8.400"));
        // TPU v5e has 819 GB/s, 393 TOPS in int8 and 197 TFLOPS in bf16.
        assert_eq!(set(&query, BANDWIDTH), ("1200".to_owned(), "819".to_owned()));
        assert_eq!(set(&query, PEAK), ("400".to_owned(), "393".to_owned()));
        let in_bf16 = model(&query.with(Entry::Dtype, "bf16"));
        assert_eq!(set(&in_bf16, PEAK), (String::new(), "197".to_owned()));
        assert_eq!(set(&model("chip=own"), CLOCK), (String::new(), "unknown".to_owned()));
        assert_eq!(model("own=hbm.1200").with(Entry::Custom(BANDWIDTH), ""), "");
        // The page refuses a wrong text next to its entry, and keeps the text.
        let typed = model(&model("").with(Entry::Custom(PEAK), "many"));
        let answer = answer(&Answered::new(typed.clone(), None));
        let [(beside, sentence)] = &answer.beside_entries[..] else { panic!("{:?}", answer.beside_entries) };
        assert_eq!(*beside, Entry::Custom(PEAK));
        assert!(
            sentence.starts_with("peak in this format (10¹² operations per second) = many: use a number from "),
            "{sentence}"
        );
        assert_eq!(set(&typed, PEAK).0, "many");
        let strange = super::answer(&asked("own=speed.9&zebra=1"));
        assert!(strange.refused.iter().any(|one| one.starts_with("own speed")), "{:?}", strange.refused);
    }

    #[test]
    fn a_chip_of_which_too_little_is_known_is_answered_as_far_as_it_goes() {
        let shown = |text: &str| answer(&asked(text));
        let answer = shown("chip=own&own=peak-bf16.200_rows.128_cols.128_arrays.4_clock.1526");
        assert!(answer.refused[0].starts_with("The chip's memory bandwidth is not published"), "{:?}", answer.refused);
        assert_eq!(figure(&answer, "mfu"), "unknown");
        // The identity gives 2 · 65,536 · 1526 MHz = 200.0 TFLOPS.
        assert_eq!(figure(&answer, "peak-identity"), "consistent with the published clock");
        // Each of 8.03 G weights has 16 bytes, divided over 64 chips.
        assert_eq!(figure(&answer, "weights-per-chip"), "2.01 GB");
        assert_eq!(answer.title, "LLaMA 3 8B on 64 × your chip");
        let more = shown("own=peak-bf16.250");
        assert!(more.refused.is_empty() && figure(&more, "mfu").ends_with('%'));
        assert_eq!(figure(&more, "peak-identity"), "not consistent with the published clock");
        assert_eq!(more.title, "LLaMA 3 8B on 64 × TPU v5e with your values");
    }

    #[test]
    fn the_price_is_chosen_among_those_of_the_chip() {
        let prices = |text: &str| {
            let entry = entry(&model(text), Entry::Price);
            (entry.text, entry.choices)
        };
        let (set, choices) = prices("chip=tpu-v5e");
        assert_eq!((set.as_str(), choices.len()), ("", 6));
        assert_eq!(choices[0].1, "$1.20: on demand, us-central1, 2026-09-18");
        assert_eq!(choices[1].0, "spot.us-central1.2025-26");
        assert_eq!(prices("chip=tpu-v5e&price=spot").0, "spot.us-central1.2025-26");
        assert_eq!(prices("chip=gaudi3").1[0].1, "no known price");
        assert_eq!(prices("own=price.0.8").1[0].1, "$0.80: yours");
    }

    #[test]
    fn a_slider_stands_at_the_last_step_that_is_not_beyond_what_is_set() {
        let at = |text: &str| {
            let entry = entry(&model(text), Entry::Seq);
            entry.steps[entry.step()]
        };
        assert_eq!((at(""), at("seq=2600"), at("seq=1"), at("seq=many")), (2048, 2560, 128, 128));
        for text in ["chip=tpu-v4&chips=v4-128", "chips=v5p-128&chip=tpu-v5p", "chip=tpu-v6e&chips=v6e-64", "chips=64"]
        {
            let entry = entry(&model(text), Entry::Chips);
            assert_eq!(entry.steps[entry.step()], 64, "{text}");
        }
        let query = model("");
        for one in form(&query) {
            assert!(one.steps.is_sorted_by(|a, b| a < b), "{:?}", one.entry);
            for step in one.steps {
                let again = model(&query.with(one.entry, &step.to_string()));
                assert!(again.invalid().is_empty(), "{:?} {step}", one.entry);
            }
        }
    }

    #[test]
    fn a_list_shows_its_default_for_a_text_that_it_does_not_have() {
        let text = |query: &str, of| entry(&model(query), of).text;
        assert_eq!(text("chip=zebra", Entry::Chip), "tpu-v5e");
        assert_eq!(text("chip=v5p&versus=h100", Entry::Chip), "tpu-v5p");
        assert_eq!(text("chip=v5p&versus=h100", Entry::Versus), "h100-sxm");
        assert_eq!(text("versus=zebra", Entry::Versus), "");
        assert_eq!(text("split=zebra", Entry::Split), text("", Entry::Split));
        let said = answer(&asked("chip=zebra")).beside_entries;
        assert!(said.iter().any(|(entry, said)| *entry == Entry::Chip && said.contains("zebra")), "{said:?}");
    }

    #[test]
    fn a_view_is_part_of_the_link_and_not_of_the_question() {
        for (id, view) in View::ALL {
            let Query::Model(query) = model(&format!("view={id}")) else { panic!("a model") };
            assert_eq!(query.page.view, Some(view));
            assert_eq!(saved(&format!("view={id}")), saved(""));
        }
        let refused = answer(&asked("view=zebra")).refused;
        assert!(refused[0].contains("zebra") && refused[0].contains("comparison"), "{refused:?}");
    }

    #[test]
    fn the_form_has_the_sequences_of_a_log_line_and_says_how_many_users_decode_at_once() {
        let batch = |text: &str| {
            let answered = asked(text);
            let field = form_with(&answered).into_iter().find(|one| one.entry == Entry::Batch).expect("an entry");
            let notes = answer(&answered).notes;
            let note = notes.into_iter().find(|(entry, _)| *entry == Entry::Batch);
            (field.text, note.map_or_else(String::new, |(_, note)| note))
        };
        // 3.10 s at 5287.2 tokens/s are 16,390 tokens, or 8 sequences of 2048.
        let line = "measured=completed step: 12, seconds: 3.10, TFLOP/s/device: 243.1, Tokens/s/device: 5287.2";
        let (text, note) = batch(&format!("chip=tpu-v5p&{line}"));
        assert!(text == "8" && note.contains("log line"), "{text} {note}");
        // A number in the link takes precedence, even if it contradicts the line.
        assert_eq!(batch(&format!("chip=tpu-v5p&batch=4&{line}")), ("4".to_owned(), String::new()));
        assert_eq!(batch("pass=decode&chips=8&batch=16").1, "128 users at once on 8 chips.");
        assert_eq!(batch("pass=decode&chips=1&batch=16").1 + &batch("chips=8").1, "");
    }

    #[test]
    fn the_form_of_another_topic_does_not_ask_for_the_values_of_the_run() {
        let fields = |topic: Topic, text: &str| {
            let query = Query::parse(topic, text).of_run(&asked("chip=tpu-v5e&chips=64&mtbf=1000"));
            let shown = form(&query).into_iter().filter(|one| !one.is_idle);
            shown.map(|one| (one.entry, one.text)).collect::<Vec<_>>()
        };
        let has = |all: &[(Entry, String)], entry: Entry| all.iter().any(|(one, _)| *one == entry);
        let all = fields(Topic::Failures, "");
        assert!(!has(&all, Entry::RunChips) && !has(&all, Entry::RunUsd) && has(&all, Entry::Hours), "{all:?}");
        assert!(all.contains(&(Entry::Cost(CostInput::Mtbf), "1000".to_owned())), "{all:?}");
        // A value of the link stays, with its field.
        assert!(fields(Topic::Failures, "chips=128").contains(&(Entry::RunChips, "128".to_owned())));
        let all = fields(Topic::Lengths, "");
        assert!(!has(&all, Entry::Rows) && !has(&all, Entry::LongestStep) && !has(&all, Entry::Longest), "{all:?}");
        assert!(all.contains(&(Entry::Median, "384".to_owned())), "96 of 512 tokens, as in the default: {all:?}");
    }

    #[test]
    fn the_comparison_is_saved_with_a_line_for_each_run_and_measure() {
        let saved = csv(&answer(&asked("chip=tpu-v5e&chips=64&versus=h100-sxm&chips2=1"))).expect("an answer");
        let lines: Vec<Vec<&str>> = saved.lines().map(|line| line.split(',').collect()).collect();
        assert!(lines.iter().all(|line| line.len() == 11), "{saved}");
        // Two runs have six measures each. The second run does not fit, so it has only its memory.
        assert_eq!(lines.len(), 1 + 6 + 1, "{saved}");
        assert_eq!(lines[1][..8], ["\"LLaMA 3 8B\"", "\"TPU v5e\"", "64", "1.2", "4", "yes", "\"MFU\"", "%"]);
        let mfu: f64 = lines[1][8].parse().expect("a number");
        let Query::Model(query) = model("chip=tpu-v5e&chips=64") else { panic!("a model") };
        let exact = query.answer(None).expect("an answer").estimate.mfu.expect("possible").ratio;
        assert_eq!(mfu, exact * 100.0);
        for line in &lines[1..7] {
            let ends = &line[8..];
            let is_number = |text: &&&str| text.parse::<f64>().is_ok();
            assert_eq!(ends.iter().filter(is_number).count(), if line[7] == "GB" { 1 } else { 3 }, "{line:?}");
        }
        assert_eq!((lines[7][2], lines[7][5], lines[7][7]), ("1", "no", "GB"));
        assert_eq!(csv(&answer(&Answered::parse(Topic::Failures, ""))), None);
    }

    #[test]
    fn what_the_plot_counts_is_no_part_of_the_question() {
        assert_eq!(saved("axis=hfu"), saved(""));
        let refused = answer(&asked("axis=zebra")).beside_entries;
        assert_eq!(refused.iter().map(|(entry, _)| *entry).collect::<Vec<_>>(), [Entry::Axis]);
        let title = |text: &str| {
            let all = drawings(&asked(text));
            all.into_iter().find(|one| one.plot.id == "plot-mfu").map(|one| one.plot.title).unwrap_or_default()
        };
        assert!(title("").starts_with("MFU, full") && title("attention=causal").starts_with("MFU, causal"));
        assert!(title("attention=causal&axis=hfu").starts_with("HFU"));
    }

    #[test]
    fn a_model_from_a_file_has_its_plots_and_its_bill_too() {
        let of = |file: &[u8]| Answered::new(model(""), Some(Arc::new(imported(file))));
        let list = of(b"M,K,N,count,name\n512,1024,4096,2,up\n");
        // A list of matmuls is not a training step, so the plot has no published runs next to it.
        assert_eq!(drawings(&list).len(), 1);
        assert!(answer(&list).bill.is_some() && list.model().is_ok());
        let zebra = of(b"zebra");
        assert!(drawings(&zebra).is_empty() && zebra.model().is_err());
    }

    #[test]
    fn nothing_that_is_typed_stops_an_answer() {
        let config = proptest::test_runner::Config { cases: 120, failure_persistence: None, ..Default::default() };
        let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[5; 32]);
        let value = prop_oneof!["[0-9]{1,9}", "[ -~]{0,12}", "[0-9]{1,3}\\.[0-9]e[0-9]{1,3}", Just("0".to_owned())];
        let entries: Vec<Entry> = Topic::ALL.into_iter().flat_map(Topic::entries).collect();
        let set = (prop::sample::select(entries), value);
        proptest::test_runner::TestRunner::new_with_rng(config, rng)
            .run(&(prop::collection::vec(set, 0..6), prop::collection::vec(any::<u8>(), 0..60)), |(set, bytes)| {
                let bytes = Arc::new(imported(&bytes));
                for topic in Topic::ALL {
                    let mut query = Query::parse(topic, "");
                    for (entry, text) in &set {
                        query = Query::parse(topic, &query.with(*entry, text));
                    }
                    for file in [None, Some(Arc::clone(&bytes))] {
                        let answered = Answered::new(query.clone(), file);
                        let answer = answer(&answered);
                        let sentences = answer.beside_entries.iter().map(|(_, sentence)| sentence);
                        for sentence in sentences.chain(&answer.refused) {
                            prop_assert!(sentence.ends_with('.'), "{sentence}");
                        }
                        // Any answer can be saved.
                        let is_saved = topic != Topic::Model || answered.model().map(json).is_ok();
                        prop_assert!(is_saved || !answer.refused.is_empty(), "{:?}", query.entries());
                        for one in drawings(&answered) {
                            let svg = one.plot.svg(330.0);
                            prop_assert!(!svg.contains("NaN") && !svg.contains('∞'), "{:?}: {svg}", query.entries());
                        }
                    }
                }
                Ok(())
            })
            .expect("total");
    }
}
