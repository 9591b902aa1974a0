//! The answer to a query, its plots, and the answer as JSON.

use display::plot::{Plot, Shape};
use estimate::{Convention, Entry, Imported, Query, Question, Refusal};

use super::answer::{Answer, Depth, Drag, Drawing, Number};
use super::report::report;
use super::table::{Table, TableId};
use super::{comparison, failures, invalid, lengths, model, plots, tables};

/// Returns the answer to a query. A model in `file` replaces the query's model.
#[must_use]
pub fn answer(query: &Query, file: Option<&Imported>, depth: Depth) -> Answer {
    let answer = match query {
        Query::Model(query) => tables::of_model(query, file, depth),
        Query::Lengths(query) => lengths::answer(query),
        Query::Failures(query) => failures::answer(query),
    };
    let mut beside_entries: Vec<(Entry, String)> = Vec::new();
    let mut refused = Vec::new();
    for one in query.invalid() {
        match one.entry().filter(|entry| ![Entry::Own, Entry::View].contains(entry)) {
            Some(entry) => beside_entries.push((entry, invalid::beside(one))),
            None => refused.push(invalid::in_link(one)),
        }
    }
    beside_entries.extend(answer.beside_entries);
    refused.extend(answer.refused);
    let title = if answer.title.is_empty() { model::NO_ANSWER.to_owned() } else { answer.title };
    Answer { title, beside_entries, refused, ..answer }
}

/// Returns the plots of an answer. This function is separate because plots take longer than the rest of the answer.
#[must_use]
pub fn drawings(query: &Query, file: Option<&Imported>) -> Vec<Drawing> {
    let Query::Model(query) = query else { return Vec::new() };
    let Ok(answer) = query.answer(file) else { return Vec::new() };
    let estimate = &answer.estimate;
    let convention = query.page.axis.unwrap_or(Convention::Mfu(estimate.question.attention));
    let against = plots::against_chips(estimate, convention, |question| query.estimate(question, file).ok());
    // Only training has published runs with an MFU.
    let has_published = estimate.share.is_some();
    let first = Drawing { plot: against.plot, dots: against.dots, table: None, notes: against.notes, drag: None };
    let all = answer.side_by_side();
    let runs: Vec<_> = all.iter().copied().zip(tables::names(&all)).collect();
    // Runs on the chip of the question have its roof.
    let is_other = |run: &&(&estimate::Estimate, &str)| !run.0.question.is_on_chip_of(&estimate.question);
    let others: Vec<_> = runs.iter().skip(1).filter(is_other).copied().collect();
    let roof = plots::roofline(estimate, &others).map(|(plot, rows)| {
        let table = Table::new(TableId::Roofline, &plots::ROOF_HEADS, rows);
        Drawing { plot, dots: Vec::new(), table: Some(table), notes: vec![plots::AREA.to_owned()], drag: None }
    });
    let drawn =
        |one: plots::Against| Drawing { plot: one.plot, dots: one.dots, table: None, notes: one.notes, drag: None };
    let published = plots::published_runs(&runs).map(drawn);
    let usd = (all.len() > 1).then(|| plots::useful_pflop_hours(&runs)).flatten().map(drawn);
    published.into_iter().chain(roof).chain(has_published.then_some(first)).chain(usd).collect()
}

/// Returns the curves of an answer, which a person can drag.
#[must_use]
pub fn curves(query: &Query, file: Option<&Imported>) -> Vec<Drawing> {
    let Query::Model(query) = query else { return Vec::new() };
    let Ok(answer) = query.answer(file) else { return Vec::new() };
    let question = &answer.estimate.question;
    if question.is_product {
        return Vec::new();
    }
    let all = answer.side_by_side();
    let runs: Vec<_> = all.iter().copied().zip(tables::names(&all)).collect();
    let drag = Drag { entry: query.page.curve.entry(), values: query.page.curve.values(query.page.curve.of(question)) };
    let drawn = |plot: Plot| {
        // Without its point, the first run cannot be dragged.
        let is_dragged = plot.dots.iter().any(|dot| dot.shape == Shape::Subject);
        let notes = if is_dragged { vec![plots::CURVE_DRAG.to_owned()] } else { Vec::new() };
        Drawing { plot, dots: Vec::new(), table: None, notes, drag: is_dragged.then(|| drag.clone()) }
    };
    let again = |question: &Question| query.estimate(question, file).ok();
    plots::curves(&runs, query.page.curve, again).into_iter().map(drawn).collect()
}

/// Returns the comparison of runs as CSV: a line for each run and measure, with the ends of the 80 % interval. `None`
/// without an answer about a model.
#[must_use]
pub fn csv(query: &Query, file: Option<&Imported>) -> Option<String> {
    let columns = answer(query, file, Depth::Figures).columns;
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let count = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    let mut lines = vec![comparison::CSV_HEAD.to_owned()];
    for column in &columns.columns {
        let run = [quoted(&columns.model), quoted(column.name), count(Some(column.chips))];
        let setting = [number(column.usd_per_chip_hour), count(column.sequences)];
        let fits = if column.has_room { "yes" } else { "no" };
        let run: Vec<String> = run.into_iter().chain(setting).chain([fits.to_owned()]).collect();
        for cell in &column.cells {
            let Some((figure, Number { value, ends, unit })) = cell.figure.as_ref().zip(cell.number) else { continue };
            let values = [value, ends.map(|ends| ends.0), ends.map(|ends| ends.1)].map(number);
            lines.push(format!("{},{},{unit},{}", run.join(","), quoted(figure.name), values.join(",")));
        }
    }
    (lines.len() > 1).then(|| lines.join("\n") + "\n")
}

/// Returns the answer about a model as JSON.
///
/// # Errors
/// Fails if the answer is missing, or if the query is not about a model. [`Refusal`] names the reason.
pub fn json(query: &Query, file: Option<&Imported>) -> Result<String, Refusal> {
    match query {
        Query::Model(query) => Ok(report(&query.answer(file)?, &query.cost_inputs).to_text()),
        Query::Lengths(_) | Query::Failures(_) => Err(Refusal::NoModel),
    }
}

#[cfg(test)]
mod tests {
    use super::super::form::{FormEntry, form};
    use super::*;
    use estimate::custom::CustomEntry;
    use estimate::{Topic, View, imported};
    use perfmodel::{CustomValue, PeakDtype};
    use proptest::prelude::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const PEAK: CustomEntry = CustomEntry::of(CustomValue::Peak(PeakDtype::Bf16));
    const BANDWIDTH: CustomEntry = CustomEntry::of(CustomValue::Bandwidth);
    const CLOCK: CustomEntry = CustomEntry::of(CustomValue::Clock);

    fn model(text: &str) -> Query {
        Query::parse(Topic::Model, text)
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
            let query = Query::parse(topic, "");
            let answer = answer(&query, None, Depth::Tables);
            assert!(answer.beside_entries.is_empty() && answer.refused.is_empty(), "{topic:?}: {answer:?}");
            assert!(!answer.figures.is_empty() && !answer.tables.is_empty(), "{topic:?}");
            for one in form(&query) {
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
        // v5e: 819 GB/s, 393 TOPS in int8 and 197 TFLOPS in bf16.
        assert_eq!(set(&query, BANDWIDTH), ("1200".to_owned(), "819".to_owned()));
        assert_eq!(set(&query, PEAK), ("400".to_owned(), "393".to_owned()));
        let in_bf16 = model(&query.with(Entry::Dtype, "bf16"));
        assert_eq!(set(&in_bf16, PEAK), (String::new(), "197".to_owned()));
        assert_eq!(set(&model("chip=own"), CLOCK), (String::new(), "unknown".to_owned()));
        assert_eq!(model("own=hbm.1200").with(Entry::Custom(BANDWIDTH), ""), "");
        // The page refuses a wrong text next to its entry, and keeps the text.
        let typed = model(&model("").with(Entry::Custom(PEAK), "many"));
        let answer = answer(&typed, None, Depth::Figures);
        let [(beside, sentence)] = &answer.beside_entries[..] else { panic!("{:?}", answer.beside_entries) };
        assert_eq!(*beside, Entry::Custom(PEAK));
        assert!(
            sentence.starts_with("peak in this format (10¹² operations per second) = many: use a number from "),
            "{sentence}"
        );
        assert_eq!(set(&typed, PEAK).0, "many");
        let strange = super::answer(&model("own=speed.9&zebra=1"), None, Depth::Figures);
        assert!(strange.refused.iter().any(|one| one.starts_with("own speed")), "{:?}", strange.refused);
    }

    #[test]
    fn a_chip_of_which_too_little_is_known_is_answered_as_far_as_it_goes() {
        let shown = |text: &str| answer(&model(text), None, Depth::Tables);
        let answer = shown("chip=own&own=peak-bf16.200_rows.128_cols.128_arrays.4_clock.1526");
        assert!(answer.refused[0].starts_with("The chip's memory bandwidth is not published"), "{:?}", answer.refused);
        assert_eq!(figure(&answer, "mfu"), "unknown");
        // 2 · 65 536 · 1526 MHz = 200.0 TFLOPS.
        assert_eq!(figure(&answer, "peak-identity"), "consistent with the published clock");
        // 16 bytes for each of 8.03 G weights over 64 chips.
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
        assert_eq!(choices[0].1, "$1.20: on demand, us-central1, 2025-26");
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
    fn an_answer_of_figures_has_the_titles_of_all_tables() {
        let (whole, part) = (answer(&model(""), None, Depth::Tables), answer(&model(""), None, Depth::Figures));
        let titles = |answer: &Answer| answer.tables.iter().map(|table| table.id).collect::<Vec<_>>();
        assert_eq!((titles(&part), &part.figures), (titles(&whole), &whole.figures));
        assert!(part.tables.iter().all(|table| table.rows.is_empty()));
    }

    #[test]
    fn a_list_shows_its_default_for_a_text_that_it_does_not_have() {
        let text = |query: &str, of| entry(&model(query), of).text;
        assert_eq!(text("chip=zebra", Entry::Chip), "tpu-v5e");
        assert_eq!(text("chip=v5p&versus=h100", Entry::Chip), "tpu-v5p");
        assert_eq!(text("chip=v5p&versus=h100", Entry::Versus), "h100-sxm");
        assert_eq!(text("versus=zebra", Entry::Versus), "");
        assert_eq!(text("split=zebra", Entry::Split), text("", Entry::Split));
        let said = answer(&model("chip=zebra"), None, Depth::Figures).beside_entries;
        assert!(said.iter().any(|(entry, said)| *entry == Entry::Chip && said.contains("zebra")), "{said:?}");
    }

    #[test]
    fn a_view_is_part_of_the_link_and_not_of_the_question() {
        for (id, view) in View::ALL {
            let Query::Model(query) = model(&format!("view={id}")) else { panic!("a model") };
            assert_eq!(query.page.view, Some(view));
            assert_eq!(json(&model(&format!("view={id}")), None), json(&model(""), None));
        }
        let refused = answer(&model("view=zebra"), None, Depth::Figures).refused;
        assert!(refused[0].contains("zebra") && refused[0].contains("comparison"), "{refused:?}");
    }

    #[test]
    fn the_comparison_is_saved_with_a_line_for_each_run_and_measure() {
        let saved = csv(&model("chip=tpu-v5e&chips=64&versus=h100-sxm&chips2=1"), None).expect("an answer");
        let lines: Vec<Vec<&str>> = saved.lines().map(|line| line.split(',').collect()).collect();
        assert!(lines.iter().all(|line| line.len() == 11), "{saved}");
        // Two runs with five measures each; the second run does not fit, so it has only its memory.
        assert_eq!(lines.len(), 1 + 5 + 1, "{saved}");
        assert_eq!(lines[1][..8], ["\"LLaMA 3 8B\"", "\"TPU v5e\"", "64", "1.2", "4", "yes", "\"MFU\"", "%"]);
        let mfu: f64 = lines[1][8].parse().expect("a number");
        let Query::Model(query) = model("chip=tpu-v5e&chips=64") else { panic!("a model") };
        let exact = query.answer(None).expect("an answer").estimate.mfu.expect("possible").ratio;
        assert_eq!(mfu, exact * 100.0);
        for line in &lines[1..6] {
            let ends = &line[8..];
            let is_number = |text: &&&str| text.parse::<f64>().is_ok();
            assert_eq!(ends.iter().filter(is_number).count(), if line[7] == "GB" { 1 } else { 3 }, "{line:?}");
        }
        assert_eq!((lines[6][2], lines[6][5], lines[6][7]), ("1", "no", "GB"));
        assert_eq!(csv(&Query::parse(Topic::Failures, ""), None), None);
    }

    #[test]
    fn what_the_plot_counts_is_no_part_of_the_question() {
        assert_eq!(json(&model("axis=hfu"), None), json(&model(""), None));
        let refused = answer(&model("axis=zebra"), None, Depth::Figures).beside_entries;
        assert_eq!(refused.iter().map(|(entry, _)| *entry).collect::<Vec<_>>(), [Entry::Axis]);
        let title = |text: &str| {
            let all = drawings(&model(text), None);
            all.into_iter().find(|one| one.plot.id == "plot-mfu").map(|one| one.plot.title).unwrap_or_default()
        };
        assert!(title("").starts_with("MFU, full") && title("attention=causal").starts_with("MFU, causal"));
        assert!(title("attention=causal&axis=hfu").starts_with("HFU"));
    }

    #[test]
    fn a_model_from_a_file_has_its_plots_and_its_bill_too() {
        let list = imported(b"M,K,N,count,name\n512,1024,4096,2,up\n");
        let query = model("");
        // A list of matmuls is not a training step, so no published run is beside it.
        assert_eq!(drawings(&query, Some(&list)).len(), 1);
        assert!(answer(&query, Some(&list), Depth::Tables).bill.is_some() && json(&query, Some(&list)).is_ok());
        let zebra = imported(b"zebra");
        assert!(drawings(&query, Some(&zebra)).is_empty() && json(&query, Some(&zebra)).is_err());
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
                let bytes = imported(&bytes);
                for topic in Topic::ALL {
                    let mut query = Query::parse(topic, "");
                    for (entry, text) in &set {
                        query = Query::parse(topic, &query.with(*entry, text));
                    }
                    for file in [None, Some(&bytes)] {
                        let answer = answer(&query, file, Depth::Tables);
                        let sentences = answer.beside_entries.iter().map(|(_, sentence)| sentence);
                        for sentence in sentences.chain(&answer.refused) {
                            prop_assert!(sentence.ends_with('.'), "{sentence}");
                        }
                        // Whatever has an answer can be saved.
                        let is_saved = topic != Topic::Model || json(&query, file).is_ok();
                        prop_assert!(is_saved || !answer.refused.is_empty(), "{:?}", query.entries());
                        for one in drawings(&query, file) {
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
