//! The answer about a model: its figures, and its tables row by row.

use super::figures::{assumptions as assumed, figures, figures_without_times, rows};
use super::invalid::why;
use super::memory::{misfit, no_room_for_activations};
use super::why::sentence as why_sentence;
use super::{answer as words, batches, bill, bill_lines, chip, runs};
use crate::answer::{Answer, Depth, Table};
use crate::{Accuracy, Entry, Estimate, Imported, ModelQuery, Question, Refusal, accuracy, splits, work_of};
use display::figure::{Figure, duration};
use display::number::{grouped, percent, readable};
use perfmodel::{Attention, Chip, PublishedMfu};
use workload::PassKind;

/// Products that are listed.
const LISTED_MAX: usize = 40;

/// The answer about a model.
#[must_use]
pub(crate) fn of_model(query: &ModelQuery, file: Option<&Imported>, depth: Depth) -> Answer {
    let answer = match query.answer(file) {
        Ok(answer) => answer,
        Err(refusal) => {
            let rest = if file.is_none() { without_times(&query.question) } else { Answer::default() };
            return Answer { refused: why(&refusal), ..rest };
        }
    };
    let first = &answer.estimate;
    let mut tables = Vec::new();
    let mut show = |title: &'static str, table: &dyn Fn() -> Table| {
        let empty = || Table { title, ..Table::default() };
        tables.push(if depth == Depth::Tables { table() } else { empty() });
    };
    let all = answer.side_by_side();
    if all.len() > 1 {
        show(words::BESIDE, &|| beside(&all));
    }
    for table in runs::tables(&answer) {
        show(table.title, &|| table.clone());
    }
    show(words::PRODUCTS, &|| products(first));
    if let Some(found) = accuracy(first) {
        show(words::ERRORS, &|| errors(&found));
    }
    if file.is_none() && !first.question.is_product {
        if first.question.pass == PassKind::Decode {
            show(words::BATCHES, &|| batches::table(first));
        }
        show(words::SCALING, &|| scaling(first));
    }
    if !first.question.chip.is_custom && PublishedMfu::all().iter().any(|row| row.chip == first.question.chip.id) {
        show(words::PUBLISHED, &|| published(&first.question.chip));
    }
    show(words::ASSUMPTIONS, &|| assumptions(first));
    show(words::SHEET, &|| chip::sheet(&first.question.chip));
    let title = words::headline(first);
    let bill = bill_lines::bill(&answer, &query.cost_inputs);
    let too_large = bill.is_none().then(|| bill::TOO_LARGE.to_owned());
    let second = answer.beside().and_then(|(second, _)| misfit(second));
    let misfits = misfit(first).into_iter().chain(second).chain(words::no_progress(answer.cost.failures));
    let unused = first.question.tokens.filter(|_| first.tokens.is_none());
    let unused = unused.map(|_| words::TOKENS_UNUSED.to_owned());
    let refused = misfits.chain(too_large).chain(unused).collect();
    let no_other = answer.other.as_ref().and_then(|other| other.as_ref().err()).map(why).unwrap_or_default();
    let further = answer.others.iter().filter_map(|(entry, other)| Some((*entry, why(other.as_ref().err()?))));
    let none_on = core::iter::once((Entry::Versus, no_other)).chain(further);
    let beside_entries = none_on.flat_map(|(entry, all)| all.into_iter().map(move |sentence| (entry, sentence)));
    let runs = runs::beside_entries(&answer);
    let beside_entries = runs.into_iter().chain(beside_entries).collect();
    let too_few = splits::too_few(first).map(|sentence| (Entry::Chips, sentence));
    let no_room = no_room_for_activations(first).map(|sentence| (Entry::Batch, sentence));
    let notes = too_few.into_iter().chain(no_room).chain(runs::claim_note(&answer)).collect();
    let warnings = splits::dear(first).into_iter().collect();
    let own = answer.own_run.iter().flatten().flat_map(|run| runs::own_figures(run, first));
    Answer {
        title,
        figures: own.chain(figures(first)).collect(),
        why: why_sentence(first).unwrap_or_default(),
        tables,
        bill,
        beside_entries,
        notes,
        warnings,
        refused,
        ..Answer::default()
    }
}

/// As much of an answer as there is where the chip's known values give no times.
fn without_times(question: &Question) -> Answer {
    let Ok((question, work)) = work_of(question) else { return Answer::default() };
    let Err(Refusal::Chip(refusal)) = Estimate::of(&question, work.clone()) else { return Answer::default() };
    Answer {
        title: words::headline_of(&work.name, &question),
        figures: figures_without_times(&question, Some(&work), &refusal),
        tables: vec![chip::sheet(&question.chip)],
        ..Answer::default()
    }
}

/// Figures that rank no chip: powers are published on different bases, and links are those of one network.
const ALONE: [&str; 2] = ["picojoules-per-mac", "critical-tokens-per-chip"];

/// The name of each of several runs side by side; the first is the run in question.
pub(crate) fn names(all: &[&Estimate]) -> Vec<&'static str> {
    let is_first_chip = |one: &Estimate| all.first().is_some_and(|first| one.question.is_on_chip_of(&first.question));
    let name = |(index, one): (usize, &&Estimate)| {
        if index > 0 && is_first_chip(one) { runs::OTHER_SETTINGS } else { one.question.chip.name }
    };
    all.iter().enumerate().map(name).collect()
}

/// Chips side by side.
fn beside(estimates: &[&Estimate]) -> Table {
    let all: Vec<Vec<Figure>> = estimates.iter().map(|one| figures(one)).collect();
    // Any may have a figure that the others have not: the power of some chips is not published.
    let mut measures: Vec<(&str, &str)> = Vec::new();
    for figure in all.iter().flatten().filter(|figure| !ALONE.contains(&figure.id)) {
        if measures.iter().all(|(id, _)| *id != figure.id) {
            measures.push((figure.id, figure.name));
        }
    }
    let value = |all: &[Figure], id: &str| {
        all.iter().find(|one| one.id == id).map_or_else(|| words::NOT_PUBLISHED.to_owned(), Figure::shown)
    };
    let row = |(id, name): (&str, &str)| {
        (false, core::iter::once(name.to_owned()).chain(all.iter().map(|figures| value(figures, id))).collect())
    };
    // Behind arithmetic it may hide in all of them, and differs all the same.
    let exchanges = estimates.iter().any(|one| one.exchange.is_some()).then(|| {
        let times = estimates.iter().map(|one| one.exchange_time().map_or_else(none_counted, |time| duration(time.0)));
        (false, core::iter::once(words::EXCHANGE_OF_A_STEP.to_owned()).chain(times).collect())
    });
    Table {
        title: words::BESIDE,
        heads: core::iter::once(words::BESIDE_HEAD).chain(names(estimates)).collect(),
        rows: measures.into_iter().map(row).chain(exchanges).collect(),
    }
}

fn none_counted() -> String {
    words::NONE_COUNTED.to_owned()
}

/// The same question on other numbers of chips.
fn scaling(estimate: &Estimate) -> Table {
    let row = |chips: u64| {
        let other = estimate.on_chips(chips).ok()?;
        let mfu = other.mfu.map_or_else(|_| "unknown".to_owned(), |mfu| format!("{} %", percent(mfu.ratio)));
        let cells = [
            grouped(chips),
            possible(&other).to_owned(),
            duration(other.step.0),
            other.exchange_time().map_or_else(none_counted, |time| duration(time.0)),
            mfu,
            other.tokens_per_sec().map_or_else(|| words::UNKNOWN.to_owned(), |all| readable(all, 4)),
        ];
        Some((chips == estimate.question.chips, cells.into()))
    };
    let mut counts = vec![1, 4, 16, 64, 256, 1024, 4096, estimate.question.chips];
    counts.sort_unstable();
    counts.dedup();
    let rows = counts.into_iter().filter_map(row).collect();
    Table { title: words::SCALING, heads: words::SCALING_HEADS.to_vec(), rows }
}

/// Whether a run of that many chips can be.
fn possible(estimate: &Estimate) -> &'static str {
    let question = &estimate.question;
    if misfit(estimate).is_some() {
        words::NO_ROOM
    } else if question.chip.pod_chips.value.is_some_and(|most| question.chips > most.into()) {
        words::BEYOND_A_POD
    } else {
        words::POSSIBLE
    }
}

/// What others published of a chip, each with how it counts attention: those that differ in that are not comparable.
fn published(chip: &Chip) -> Table {
    let rows = PublishedMfu::all()
        .iter()
        .filter(|row| row.chip == chip.id)
        .map(|row| {
            let percent = row.mfu_percent.value.map_or_else(|| "unknown".to_owned(), |percent| readable(percent, 4));
            let chips = row.chips.map_or_else(|| words::NOT_PUBLISHED.to_owned(), |chips| grouped(chips.into()));
            let counted = row.attention.map_or(words::NOT_STATED, Attention::word).to_owned();
            let source = row.mfu_percent.source.text.to_owned();
            (false, vec![row.model.to_owned(), chips, format!("{percent} %"), counted, source])
        })
        .collect();
    Table { title: words::PUBLISHED, heads: words::PUBLISHED_HEADS.to_vec(), rows }
}

fn products(estimate: &Estimate) -> Table {
    let mut rows = rows(estimate);
    let rest = rows.split_off(rows.len().min(LISTED_MAX));
    let mut rows: Vec<(bool, Vec<String>)> = rows
        .into_iter()
        .map(|row| {
            let [m, k, n] = row.sizes.map(grouped);
            let eta = row.eta_tile.map_or_else(|| "unknown".to_owned(), |eta| format!("{} %", percent(eta)));
            let time = format!("{} %", percent(row.share));
            let cells = [row.name, format!("{m} × {k} × {n}"), grouped(row.count), time, duration(row.seconds)];
            (false, cells.into_iter().chain([row.bound.to_owned(), eta]).collect())
        })
        .collect();
    if !rest.is_empty() {
        let share: f64 = rest.iter().map(|row| row.share).sum();
        let time = format!("{} %", percent(share));
        rows.push((false, vec![words::more(rest.len()), String::new(), String::new(), time]));
    }
    Table { title: words::PRODUCTS, heads: words::PRODUCT_HEADS.to_vec(), rows }
}

/// How far the times are off.
fn errors(found: &Accuracy) -> Table {
    let rows = found.rows().into_iter().map(|cells| (false, cells)).collect();
    Table { title: words::ERRORS, heads: found.heads().to_vec(), rows }
}

fn assumptions(estimate: &Estimate) -> Table {
    let rows = assumed(estimate).into_iter().map(|(what, value)| (false, vec![what, value]));
    Table { title: words::ASSUMPTIONS, heads: words::ASSUMPTION_HEADS.to_vec(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Query, Topic, imported};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn all(text: &str) -> Answer {
        Query::parse(Topic::Model, text).shown(None, Depth::Tables)
    }

    #[test]
    fn two_chips_are_compared_measure_by_measure() {
        // The power of an H100 is published, that of a TPU v5e is not: their lists of figures differ.
        let answer = all("chip=tpu-v5e&versus=h100-sxm");
        let table = answer.tables.first().expect("two chips");
        let row = |name: &str| {
            let cells = table.rows.iter().map(|(_, cells)| cells).find(|cells| cells[0] == name);
            cells.unwrap_or_else(|| panic!("{name} in {table:?}")).clone()
        };
        assert_eq!(row("Tile efficiency")[2], "unknown", "tensor cores are no arrays");
        let energy = row("kWh per million tokens");
        assert!(energy[2].contains("kWh") && energy[1] == words::NOT_PUBLISHED);
    }

    #[test]
    fn up_to_four_chips_stand_side_by_side_once_each() {
        let heads = |text: &str| {
            let tables = all(text).tables;
            tables.into_iter().find(|table| table.title == words::BESIDE).map(|table| table.heads[1..].to_vec())
        };
        assert_eq!(
            heads("chip=tpu-v5e&versus=h100-sxm&third=tpu-v6e&fourth=tpu-v4"),
            Some(vec!["TPU v5e", "H100 80GB SXM5", "TPU v6e Trillium", "TPU v4"])
        );
        assert_eq!(heads("chip=tpu-v5e&third=tpu-v4").map(|heads| heads.len()), Some(2));
        assert_eq!(heads("chip=tpu-v5e&versus=tpu-v4&third=tpu-v4&fourth=tpu-v5e").map(|heads| heads.len()), Some(2));
        assert_eq!(heads("chip=tpu-v5e&versus=tpu-v5e"), None, "a chip beside itself says nothing");
        let alone = |chip: &str| {
            let figures = all(&format!("chip={chip}")).figures;
            figures.into_iter().find(|one| one.id == "mfu").expect("a figure").shown()
        };
        let answer = all("chip=tpu-v5e&versus=h100-sxm&third=tpu-v6e&fourth=tpu-v4");
        let (_, mfu) = answer.tables[0].rows.iter().find(|(_, cells)| cells[0] == "MFU").expect("a row").clone();
        assert_eq!(mfu[1..], ["tpu-v5e", "h100-sxm", "tpu-v6e", "tpu-v4"].map(alone));
        assert_eq!(all("third=abacus").beside_entries.len(), 1);
    }

    #[test]
    fn numbers_of_chips_that_cannot_be_say_so() {
        let answer = all("model=llama3-8b&chip=tpu-v5e&chips=64");
        let table = answer.tables.iter().find(|table| table.title == words::SCALING).expect("a table");
        let possible = |chips: &str| {
            let row = table.rows.iter().find(|(_, cells)| cells[0] == chips).expect("a row");
            row.1[1].clone()
        };
        // 16 bytes for each of 7.5 G weights are 120 GB; a pod has 256 chips.
        assert_eq!([possible("1"), possible("4")], [words::NO_ROOM; 2]);
        assert_eq!([possible("16"), possible("256")], [words::POSSIBLE; 2]);
        assert_eq!(possible(&grouped(4096)), words::BEYOND_A_POD);
    }

    #[test]
    fn a_list_does_not_say_how_many_tokens_it_is_for() {
        let list = imported(b"M,K,N\n128,256,512\n");
        let values = |text: &str| {
            let answer = Query::parse(Topic::Model, text).shown(Some(&list), Depth::Tables);
            let find = |id: &str| answer.figures.iter().find(|one| one.id == id).map(|one| one.value.clone());
            let million =
                answer.bill.as_ref().map(|bill| bill.table.rows.iter().all(|(_, cells)| cells[2] == "unknown"));
            (find("step-time"), find("tokens-per-second"), find("usd-per-million-tokens"), million)
        };
        let one = values("chip=tpu-v5e&batch=1");
        assert_eq!(one, values("chip=tpu-v5e&batch=1000"), "sequences per chip do not change a list");
        let unknown = Some("unknown".to_owned());
        assert!(one.0.is_some() && one.1 == unknown && one.2 == unknown && one.3 == Some(true), "{one:?}");
        let refused = Query::parse(Topic::Model, "tokens=1e9").shown(Some(&list), Depth::Figures).refused;
        assert_eq!(refused, [words::TOKENS_UNUSED]);
    }
}
