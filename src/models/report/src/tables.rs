//! The tables of an answer.

use super::figures::{assumptions, figures};
use super::table::{Cell, Row, Table, TableId};
use super::{accuracy, chip, comparison, failures, forecast, lengths, model as words, runs};
use display::amount::Amount;
use display::figure::Figure;
use display::number::grouped;
use estimate::{Accuracy, Answered, Estimate, ModelAnswer, PartTime, Query, Run, StepParts, product_name, rows};
use perfmodel::Attention;
use workload::PassKind;

/// Maximum number of listed matmuls.
const LISTED_MAX: usize = 40;

/// Returns the tables of an answer, in the order of the page. Computing the rows takes longer than computing all
/// figures.
#[must_use]
pub fn tables(answered: &Answered) -> Vec<Table> {
    match (answered.query(), answered.model()) {
        (Query::Lengths(query), _) => lengths::table(query).into_iter().collect(),
        (Query::Failures(_), _) => answered.failures().as_ref().map_or_else(Vec::new, failures::tables),
        (Query::Model(_), Ok(answer)) => of_model(answer, answered.file().is_some()),
        (Query::Model(_), Err(_)) => {
            answered.without_times().map(|(question, ..)| chip::sheet(&question.chip)).into_iter().collect()
        }
    }
}

fn of_model(answer: &ModelAnswer, has_file: bool) -> Vec<Table> {
    let first = &answer.estimate;
    let all = answer.runs();
    let beside = (all.len() > 1).then(|| beside(&all));
    let step_parts = step_parts(&all);
    let published = (!first.nearest(1).is_empty()).then(|| published(first));
    let errors = estimate::accuracy(first).map(|found| errors(&found));
    let is_listed = !has_file && !first.question.is_product;
    let batches = (is_listed && first.question.pass == PassKind::Decode).then(|| batches(&all));
    let scaling = is_listed.then(|| scaling(first));
    let answers = beside.into_iter().chain(step_parts).chain(published).chain(runs::tables(answer));
    let details = [products(first)].into_iter().chain(errors).chain(batches).chain(scaling);
    answers.chain(details).chain([assumption_table(first), chip::sheet(&first.question.chip)]).collect()
}

/// Ids of figures that the comparison of chips leaves out, because the figures are not comparable. Published power
/// values have different definitions, and critical tokens depend on the network.
const ALONE: [&str; 2] = ["picojoules-per-mac", "critical-tokens-per-chip"];

/// Returns the name of a compared run.
pub(crate) fn name(run: &Run<'_>) -> &'static str {
    if run.has_other_settings { runs::OTHER_SETTINGS } else { run.estimate.question.chip.name }
}

/// Returns the table that compares chips or runs.
fn beside(runs: &[Run<'_>]) -> Table {
    let estimates = || runs.iter().map(|run| run.estimate);
    let all: Vec<Vec<Figure>> = estimates().map(figures).collect();
    // The power of some chips is not published, so they lack figures that other chips have. The table has a row for
    // every figure.
    let mut measures: Vec<(&str, &str)> = Vec::new();
    for figure in all.iter().flatten().filter(|figure| !ALONE.contains(&figure.id)) {
        if measures.iter().all(|(id, _)| *id != figure.id) {
            measures.push((figure.id, figure.name));
        }
    }
    let value = |all: &[Figure], id: &str| {
        all.iter().find(|one| one.id == id).map_or_else(|| words::NOT_PUBLISHED.to_owned(), Figure::shown)
    };
    let row = |(id, name): (&str, &str)| Row::new(name, all.iter().map(|figures| value(figures, id)));
    // Communication has its own row, because it may differ even if it overlaps with arithmetic on all chips.
    let has_exchange = estimates().any(|one| one.exchange.is_some());
    let exchanges = has_exchange.then(|| Row::new("communication per step", estimates().map(exchange)));
    let heads: Vec<&'static str> = core::iter::once(words::BESIDE_HEAD).chain(runs.iter().map(name)).collect();
    Table::new(TableId::Beside, &heads, measures.into_iter().map(row).chain(exchanges))
}

/// Returns the table with the parts of a step of prefill or decode, for each run that fits in memory. `None` if no run
/// has such parts.
#[must_use]
pub fn step_parts(runs: &[Run<'_>]) -> Option<Table> {
    let of_run = |run: &Run<'_>| {
        let parts = run.estimate.step_parts().filter(|_| run.estimate.misfit().is_none());
        parts.map_or_else(Vec::new, |StepParts { parts, step, .. }| {
            let row = |what: &'static str, part: PartTime| {
                let is_read =
                    |cell: Option<Amount>| cell.filter(|_| part.bytes > 0.0).map_or(Cell::from("–"), Cell::from);
                let cells = [
                    name(run).into(),
                    Amount::Time(part.time.0).into(),
                    Amount::Share(part.time.0 / step.time.0).into(),
                    is_read(Some(Amount::Number(part.bytes / 1e9, 3, "GB"))),
                    is_read(part.bandwidth_share.map(Amount::Share)),
                ];
                Row::new(what, cells)
            };
            let all = parts.into_iter().map(|(part, time)| row(words::step_part(part), time));
            all.chain([row(words::WHOLE_STEP, step).marked(true)]).collect()
        })
    };
    let rows: Vec<Row> = runs.iter().flat_map(of_run).collect();
    let heads = ["part", "run", "time", "share of the step", "read by a chip", "share of the memory bandwidth"];
    (!rows.is_empty()).then(|| Table::new(TableId::StepParts, &heads, rows))
}

/// Returns the cell with the communication time of a step.
fn exchange(estimate: &Estimate) -> Cell {
    estimate.exchange_time().map_or("none counted".into(), |time| Amount::Time(time.0).into())
}

/// Returns the table that shows the run on other numbers of chips.
fn scaling(estimate: &Estimate) -> Table {
    let row = |other: &Estimate| {
        let possible = if other.is_beyond_pod() { "beyond a pod: communication not counted" } else { "yes" };
        let cells = [
            possible.into(),
            Amount::Time(other.step.0).into(),
            exchange(other),
            Amount::or_unknown(other.mfu.ok(), |mfu| Amount::Share(mfu.ratio)).into(),
            Amount::or_unknown(other.tokens_per_sec(), |all| Amount::Number(all, 4, "")).into(),
        ];
        let chips = other.question.chips;
        Row::new(Amount::Count(chips), if_it_fits(other, cells)).marked(chips == estimate.question.chips)
    };
    let heads = ["chips", "possible", "step", "communication", "MFU", "tokens/s"];
    Table::new(TableId::Scaling, &heads, estimate.on_other_chips().iter().map(row))
}

/// Returns the table of the latency of each run with other numbers of sequences, with the minimum time that the memory
/// bandwidth allows.
fn batches(runs: &[Run<'_>]) -> Table {
    let row = |run: &Run<'_>, other: &Estimate| {
        let cells = [
            if other.misses_rate() { "no: below the rate" } else { "yes" }.into(),
            Amount::Time(other.step.0).into(),
            Amount::or_unknown(other.tokens_per_sec_per_user(), |rate| Amount::Number(rate, 4, "")).into(),
            Amount::or_unknown(other.memory_seconds(), Amount::Time).into(),
            Amount::or_unknown(other.tokens_per_sec(), |rate| Amount::Number(rate, 4, "")).into(),
            Amount::or_unknown(other.usd_per_million(), Amount::Usd).into(),
        ];
        let batch = other.question.batch;
        let on = format!("{} × {}", grouped(other.question.chips), name(run));
        let cells = core::iter::once(Cell::from(on)).chain(if_it_fits(other, cells));
        Row::new(Amount::Count(batch), cells).marked(batch == run.estimate.question.batch)
    };
    let of_run =
        |run: &Run<'_>| run.estimate.with_other_batches().iter().map(|other| row(run, other)).collect::<Vec<_>>();
    let heads = [
        "sequences per chip",
        "run",
        "possible",
        "time per token",
        "tokens/s per user",
        "minimum by memory",
        "tokens/s",
        "$ per M tokens",
    ];
    Table::new(TableId::Batches, &heads, runs.iter().flat_map(of_run))
}

/// Returns the cells of a run. If the run does not fit in memory, the cells show the reason instead of speed and cost.
fn if_it_fits<const N: usize>(estimate: &Estimate, cells: [Cell; N]) -> [Cell; N] {
    let (Some(_), Some(has)) = (estimate.misfit(), estimate.question.chip.memory.bytes()) else { return cells };
    let is_cache = estimate.held().of_weights().is_some_and(|weights| weights <= has);
    let users = comparison::sequences(estimate.question.users());
    let reason =
        if is_cache { format!("no: the cache of {users} does not fit") } else { "no: does not fit".to_owned() };
    let mut none = cells.map(|_| Cell::from("–"));
    none[0] = reason.into();
    none
}

/// Returns the table of the published runs that are most similar to the run, with their differences.
fn published(estimate: &Estimate) -> Table {
    let rows = estimate.nearest(forecast::NEAREST).into_iter().map(|row| {
        let cells = [
            row.chips.map_or(words::NOT_PUBLISHED.into(), |chips| Amount::Count(chips.into()).into()),
            Amount::or_unknown(row.mfu_percent.value, |percent| Amount::Number(percent, 4, "%")).into(),
            Cell::from(row.attention.map_or(words::NOT_STATED, Attention::word)),
            row.sequence.map_or(words::NOT_PUBLISHED.into(), |tokens| Amount::Count(tokens.into()).into()),
            Cell::from(forecast::recomputation(row.remat)),
            row.mfu_percent.source.citation().into(),
        ];
        Row::new(row.model, cells)
    });
    Table::new(
        TableId::Published,
        &["model", "chips", "MFU", "counted with", "tokens per sequence", "recomputation", "source"],
        rows,
    )
}

/// Returns the table of matmuls, longest time first.
fn products(estimate: &Estimate) -> Table {
    let mut all = rows(estimate);
    let rest = all.split_off(all.len().min(LISTED_MAX));
    let row = |row: estimate::Row| {
        let cells = [
            product_name(row.sizes).into(),
            Amount::Count(row.count).into(),
            Amount::Share(row.share).into(),
            Amount::Time(row.seconds).into(),
            Cell::from(row.bound),
            Amount::or_unknown(row.eta_tile, Amount::Share).into(),
        ];
        Row::new(row.name, cells)
    };
    let mut listed: Vec<Row> = all.into_iter().map(row).collect();
    if !rest.is_empty() {
        let share = Amount::Share(rest.iter().map(|row| row.share).sum());
        listed.push(Row::new(words::more(rest.len()), ["".into(), "".into(), Cell::from(share)]));
    }
    Table::new(
        TableId::Products,
        &["matmul", "M × K × N", "count", "share of time", "time each", "bound by", "tile efficiency"],
        listed,
    )
}

/// Returns the table of errors of predicted times.
#[must_use]
pub fn errors(found: &Accuracy) -> Table {
    let rows = accuracy::rows(found).into_iter().map(|cells| Row { is_marked: false, cells });
    Table::new(TableId::Errors, accuracy::heads(found), rows)
}

fn assumption_table(estimate: &Estimate) -> Table {
    let rows = assumptions(estimate).into_iter().map(|(what, value)| Row::new(what, [value]));
    Table::new(TableId::Assumptions, &["what", "value"], rows)
}

#[cfg(test)]
mod tests {
    use super::super::query::answer;
    use super::*;
    use estimate::{Topic, imported};
    use std::sync::Arc;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn asked(text: &str) -> Answered {
        Answered::parse(Topic::Model, text)
    }

    fn find(text: &str, id: TableId) -> Option<Table> {
        tables(&asked(text)).into_iter().find(|table| table.id == id)
    }

    #[test]
    fn two_chips_are_compared_measure_by_measure() {
        // The lists of figures differ, because the power of an H100 is published and the power of a TPU v5e is not.
        let table = find("chip=tpu-v5e&versus=h100-sxm", TableId::Beside).expect("two chips");
        let row = |name: &str| {
            let cells = table.rows.iter().map(Row::texts).find(|cells| cells[0] == name);
            cells.unwrap_or_else(|| panic!("{name} in {table:?}"))
        };
        assert_eq!(row("Tile efficiency")[2], "unknown", "tensor cores are no arrays");
        let energy = row("kWh per million tokens");
        assert!(energy[2].contains("kWh") && energy[1] == words::NOT_PUBLISHED);
    }

    #[test]
    fn up_to_four_chips_stand_side_by_side_once_each() {
        let heads = |text: &str| find(text, TableId::Beside).map(|table| table.heads[1..].to_vec());
        assert_eq!(
            heads("chip=tpu-v5e&versus=h100-sxm&third=tpu-v6e&fourth=tpu-v4"),
            Some(vec!["TPU v5e", "H100 80GB SXM5", "TPU v6e Trillium", "TPU v4"])
        );
        assert_eq!(heads("chip=tpu-v5e&third=tpu-v4").map(|heads| heads.len()), Some(2));
        assert_eq!(heads("chip=tpu-v5e&versus=tpu-v4&third=tpu-v4&fourth=tpu-v5e").map(|heads| heads.len()), Some(2));
        assert_eq!(heads("chip=tpu-v5e&versus=tpu-v5e"), None, "a chip beside itself says nothing");
        let alone = |chip: &str| {
            let figures = answer(&asked(&format!("chip={chip}"))).figures;
            figures.into_iter().find(|one| one.id == "mfu").expect("a figure").shown()
        };
        let table = find("chip=tpu-v5e&versus=h100-sxm&third=tpu-v6e&fourth=tpu-v4", TableId::Beside).expect("four");
        let mfu = table.rows.iter().map(Row::texts).find(|cells| cells[0] == "MFU").expect("a row");
        assert_eq!(mfu[1..], ["tpu-v5e", "h100-sxm", "tpu-v6e", "tpu-v4"].map(alone));
        assert_eq!(answer(&asked("third=abacus")).beside_entries.len(), 1);
    }

    #[test]
    fn the_parts_of_a_step_are_listed_for_each_run_that_fits() {
        let columns = "model=llama3-70b&pass=decode&split=tensor&chip=tpu-v5p&chips=4&versus=h100-sxm&chips2=1";
        let table = find(&format!("{columns}&third=tpu-v5e&chips3=16&batch=4"), TableId::StepParts).expect("decode");
        let runs: Vec<String> = table.rows.iter().map(|row| row.texts()[1].clone()).collect();
        // One H100 has less memory than the 141 GB of the weights, so its run is not in the table.
        assert_eq!(runs, [["TPU v5p"; 6], ["TPU v5e"; 6]].concat());
        for rows in table.rows.chunks(6) {
            let time = |row: &Row| match row.cells[2] {
                Cell::Amount(Amount::Time(seconds)) => seconds,
                _ => panic!("{row:?}"),
            };
            let sum: f64 = rows[..5].iter().map(time).sum();
            assert!((sum / time(&rows[5]) - 1.0).abs() < 1e-9 && rows[5].is_marked, "{rows:?}");
            assert!(rows.iter().all(|row| row.cells.len() == table.heads.len()));
        }
        assert_eq!(find("model=llama3-8b", TableId::StepParts), None);
    }

    #[test]
    fn numbers_of_chips_that_cannot_be_say_so() {
        let table = find("model=llama3-8b&chip=tpu-v5e&chips=64", TableId::Scaling).expect("a table");
        let possible = |chips: &str| {
            let mut rows = table.rows.iter().map(Row::texts);
            rows.find(|cells| cells[0] == chips).expect("a row")[1].clone()
        };
        // 16 bytes for each of 7.5 G weights are 120 GB. A pod has 256 chips.
        assert_eq!([possible("1"), possible("4")], ["no: does not fit"; 2]);
        assert_eq!([possible("16"), possible("256")], ["yes"; 2]);
        assert_eq!(possible(&Amount::Count(4096).to_string()), "beyond a pod: communication not counted");
    }

    #[test]
    fn one_row_of_each_batch_and_number_of_chips_is_the_run() {
        for id in [TableId::Batches, TableId::Scaling] {
            let table = find("pass=decode&split=tensor&chips=3&batch=5", id).expect("a table");
            assert_eq!(table.rows.iter().filter(|row| row.is_marked).count(), 1);
            assert!(table.rows.iter().all(|row| row.cells.len() == table.heads.len()));
        }
    }

    #[test]
    fn the_latency_of_each_run_is_listed_with_what_a_user_gets_and_the_row_at_the_rate_is_marked() {
        let text = "model=llama3-70b&pass=decode&chip=h100-sxm&versus=tpu-v5e&rate=30";
        let table = find(text, TableId::Batches).expect("a table");
        let column = |name: &str| table.heads.iter().position(|head| *head == name).expect("a column");
        let [time, rate, possible, run] = ["time per token", "tokens/s per user", "possible", "run"].map(column);
        let number = |row: &Row, nth: usize| match row.cells[nth] {
            Cell::Amount(Amount::Time(value) | Amount::Number(value, ..)) => Some(value),
            _ => None,
        };
        for row in &table.rows {
            assert_eq!(row.cells.len(), table.heads.len());
            let Some((seconds, tokens)) = number(row, time).zip(number(row, rate)) else { continue };
            assert!((seconds * tokens - 1.0).abs() < 1e-9);
            assert_eq!(row.texts()[possible] == "yes", tokens >= 30.0, "{row:?}");
        }
        let marked: Vec<Vec<String>> = table.rows.iter().filter(|row| row.is_marked).map(Row::texts).collect();
        let of = |row: &[String]| (row[0].clone(), row[run].clone(), row[possible].clone());
        assert_eq!(of(&marked[0]), ("23".to_owned(), "8 × H100 80GB SXM5".to_owned(), "yes".to_owned()));
        assert_eq!(of(&marked[1]), ("2".to_owned(), "16 × TPU v5e".to_owned(), "yes".to_owned()));
    }

    #[test]
    fn more_chips_with_more_users_do_not_fit_because_of_the_cache() {
        // 16 TPU v5e hold 64 sequences of 2048 tokens. 64 chips have 256 sequences. Each chip then has one head of the
        // keys and values of all sequences. These are 256 · 2049 · 80 · 2 · 128 · 2 bytes, 21.5 GB, and the chip has
        // 17.2 GB.
        let table = find("model=llama3-70b&pass=decode&split=tensor&chip=tpu-v5e&chips=16&batch=4", TableId::Scaling);
        let rows: Vec<Vec<String>> = table.expect("a table").rows.iter().map(Row::texts).collect();
        let possible = |chips: &str| rows.iter().find(|row| row[0] == chips).expect("a row")[1].clone();
        assert_eq!([possible("1"), possible("16")], ["no: does not fit", "yes"]);
        assert_eq!(possible("64"), "no: the cache of 256 sequences does not fit");
    }

    #[test]
    fn a_list_does_not_say_how_many_tokens_it_is_for() {
        let list = Arc::new(imported(b"M,K,N\n128,256,512\n"));
        let of = |text: &str| answer(&Answered::new(Query::parse(Topic::Model, text), Some(Arc::clone(&list))));
        let values = |text: &str| {
            let answer = of(text);
            let find = |id: &str| answer.figures.iter().find(|one| one.id == id).map(|one| one.value.clone());
            let million = answer
                .bill
                .as_ref()
                .map(|bill| bill.table.rows.iter().all(|row| row.cells[2] == Amount::Unknown.into()));
            (find("step-time"), find("tokens-per-second"), find("usd-per-million-tokens"), million)
        };
        let one = values("chip=tpu-v5e&batch=1");
        assert_eq!(one, values("chip=tpu-v5e&batch=1000"), "sequences per chip do not change a list");
        let unknown = Some("unknown".to_owned());
        assert!(one.0.is_some() && one.1 == unknown && one.2 == unknown && one.3 == Some(true), "{one:?}");
        assert_eq!(of("tokens=1e9").refused, [words::TOKENS_UNUSED]);
    }
}
