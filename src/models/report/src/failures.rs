//! The answer about failures in a long run.

use super::answer::Answer;
use super::table::{Cell, Row, Table, TableId};
use super::{entry, model as words};
use display::amount::Amount;
use display::figure::{Citation, Figure, cents, cite, defined, dollars, duration};
use display::number::{grouped, percent, readable};
use display::rounded_parts::{Decimal, RoundedParts};
use estimate::{Answered, CostInput, Entry, FailuresAnswer, FailuresQuery, MINUTE_SECONDS, Query};
use perfmodel::definition::scale;
use perfmodel::{Checkpointing, CostLine, RunBill, Seconds, run_inputs};

/// Returns the answer about failures in a long run.
pub(crate) fn answer(query: &FailuresQuery, answer: Option<FailuresAnswer>) -> Answer {
    let Some(answer) = answer else {
        return Answer {
            refused: vec!["Without chips, nothing can fail: use 1 or more chips.".to_owned()],
            ..Answer::default()
        };
    };
    let title = format!("{} chips, one failure every {}", grouped(query.chips.into()), duration(answer.run.mtbf.0));
    Answer {
        title,
        figures: figures(query, &answer),
        refused: words::no_progress(answer.overhead).into_iter().collect(),
        ..Answer::default()
    }
}

/// Returns the tables of the answer: the bill, and the overhead at other checkpoint intervals.
pub(crate) fn tables(answer: &FailuresAnswer) -> Vec<Table> {
    vec![lines(&answer.bill), intervals(&answer.run)]
}

/// Returns a sentence that compares the chips and price of the query with those of the run. Also returns the text of
/// the query without its own chips and price. `None` if both have the same chips and price.
#[must_use]
pub fn other_run(query: &FailuresQuery, run: &Answered) -> Option<(String, String)> {
    let entries = query.without_run();
    let text = entries.to_text();
    let Query::Failures(own) = Query::Failures(Box::new(FailuresQuery::new(entries))).with_run(run) else {
        return None;
    };
    let at = |one: &FailuresQuery| format!("{} chips at {}", grouped(one.chips.into()), cents(one.usd_per_chip_hour));
    let said = format!("This estimate of failures uses {}; the run above uses {}.", at(query), at(&own));
    (run.model().is_ok() && !query.is_of_run(&own)).then_some((said, text))
}

/// Returns a sentence with the chips and the price of the run; empty without a run.
#[must_use]
pub fn of_run(query: &FailuresQuery) -> String {
    let Some(chips) = query.entries.of_run(Entry::RunChips) else { return String::new() };
    let price = query.entries.of_run(Entry::RunUsd);
    let price = price.map_or_else(String::new, |usd| format!(" at {} per chip-hour", cents(usd)));
    format!("The run above has {} chips{price}.", readable(chips, 7))
}

/// Label of the button that removes the chips, the price and the failure inputs that differ from those of the run.
pub const TAKE_RUN: &str = "Use the chips, price and failure inputs of the run";

/// Returns a source for each entry in `entries` that still has its default value.
fn sources(query: &FailuresQuery, entries: &[Entry]) -> Vec<Citation> {
    let cited = |entry: &Entry| {
        let published = entry.published().filter(|_| query.is_default(*entry))?;
        let value = published.value.map_or_else(|| words::UNKNOWN.to_owned(), |value| readable(value, 5));
        Some(cite(format!("{}: {value}", entry::name(*entry)), published))
    };
    entries.iter().filter_map(cited).collect()
}

fn minutes_of(time: Seconds) -> String {
    format!("{} min", readable(time.0 / MINUTE_SECONDS, 3))
}

fn figures(query: &FailuresQuery, answer: &FailuresAnswer) -> Vec<Figure> {
    let unknown = || words::UNKNOWN.to_owned();
    let run = &answer.run;
    let (save, restart, mtbf) = (duration(run.save.0), duration(run.restart.0), duration(run.mtbf.0));
    let daly = answer.daly.map_or_else(unknown, minutes_of);
    let usd = query.usd_per_chip_hour;
    let effective = answer.interval.and_then(|interval| run.effective_price(usd, interval));
    let at = answer.interval.map_or_else(unknown, minutes_of);
    let (amounts, total) = amounts(&answer.bill);
    let [mtbf_entry, save_entry, restart_entry] =
        [CostInput::Mtbf, CostInput::Save, CostInput::Restart].map(Entry::Cost);
    let mut bill_sources = sources(query, &[Entry::RunUsd, Entry::Compiling, Entry::EngineerUsd]);
    if query.egress_gb > 0.0 {
        let tariff = &run_inputs::AWS_EGRESS;
        let usd = tariff.value.map_or_else(unknown, |tariff| cents(tariff.usd_per_gb));
        bill_sources.push(cite(format!("{}: {usd}", entry::name(Entry::Cost(CostInput::EgressUsd))), tariff));
    }
    vec![
        defined(
            &scale::CHECKPOINT_INTERVAL,
            answer.young.map_or_else(unknown, minutes_of),
            format!("by Young's formula; {daly} by Daly's formula"),
            format!("√(2 · {save} · {mtbf})"),
            sources(query, &[mtbf_entry, save_entry]),
        ),
        defined(
            &scale::FAILURE_OVERHEAD,
            answer.overhead.map_or_else(unknown, |share| format!("{} %", percent(share))),
            format!("with a checkpoint every {at}"),
            format!("{save} ÷ {at} + ({at} ÷ 2 + {restart}) ÷ {mtbf}"),
            sources(query, &[mtbf_entry, save_entry, restart_entry]),
        ),
        defined(
            &scale::EFFECTIVE_PRICE,
            effective.map_or_else(unknown, dollars),
            "per chip-hour of run time".to_owned(),
            format!("{} · (1 + overhead)", cents(usd)),
            sources(query, &[Entry::RunUsd]),
        ),
        defined(
            &scale::USD_IN_ALL,
            total.to_string(),
            "sum of the lines below".to_owned(),
            amounts.map(|amount| amount.to_string()).join(" + "),
            bill_sources,
        ),
    ]
}

/// Returns the amounts of the cost lines as shown, and their total.
fn amounts(bill: &RunBill) -> ([Amount; CostLine::ALL.len()], Amount) {
    let all = CostLine::ALL.map(|line| bill.line(line).map(|usd| usd.0));
    let total = bill.total().map(|usd| usd.0);
    let Some(added) = RoundedParts::new(&all) else {
        let shown = |usd| Amount::or_unknown(usd, Amount::Usd);
        return (all.map(shown), shown(total));
    };
    let mut parts = added.parts.into_iter();
    let lines = all.map(|_| Amount::or_unknown(parts.next().flatten(), Amount::UsdPart));
    (lines, Amount::or_unknown(total, |_| Amount::UsdPart(added.whole)))
}

fn lines(bill: &RunBill) -> Table {
    let (amounts, total) = amounts(bill);
    let shares = RoundedParts::percent(&CostLine::ALL.map(|line| bill.line(line).map(|usd| usd.0)));
    let share = |part: Option<Decimal>| part.map_or(Cell::from(""), |part| Amount::PercentPart(part).into());
    let whole = share(shares.as_ref().map(|shares| shares.whole));
    let mut parts = shares.map_or_else(Vec::new, |shares| shares.parts).into_iter();
    let mut rows: Vec<Row> = CostLine::ALL
        .into_iter()
        .zip(amounts)
        .map(|(line, amount)| Row::new(line.word(), [amount.into(), share(parts.next().flatten())]))
        .collect();
    rows.push(Row::new(words::TOTAL, [total.into(), whole]).marked(true));
    Table::new(TableId::RunBill, &["line", "amount", "share"], rows)
}

/// Returns the table of the failure overhead at several checkpoint intervals.
fn intervals(run: &Checkpointing) -> Table {
    let rows = [5.0, 15.0, 30.0, 60.0, 180.0, 720.0].map(|minutes| {
        let overhead = run.overhead(Seconds(minutes * MINUTE_SECONDS));
        Row::new(Amount::Number(minutes, 3, "min"), [Amount::or_unknown(overhead, Amount::Share)])
    });
    Table::new(TableId::Intervals, &["every", "overhead"], rows)
}

#[cfg(test)]
mod tests {
    use super::answer;
    use estimate::{Answered, FailuresQuery, Query, Topic, entries::Entries};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn answered(text: &str) -> super::Answer {
        let query = FailuresQuery::new(Entries::parse(Topic::Failures, text));
        answer(&query, query.answer())
    }

    #[test]
    fn a_default_is_cited_where_it_counts_and_nowhere_else() {
        let cited = |text: &str, id: &str| {
            let figures = answered(text).figures;
            let figure = figures.iter().find(|figure| figure.id == id).expect("a figure");
            figure.citations.iter().filter(|one| one.what != "definition").count()
        };
        // An unusable entry leaves the default, with its source.
        let overheads =
            ["", "save=30", "save=30&mtbf=9&restart=1", "save=zebra"].map(|text| cited(text, "failure-overhead"));
        assert_eq!(overheads, [3, 2, 0, 3]);
        assert_eq!(cited("egress=10000", "usd-in-all"), cited("", "usd-in-all") + 1, "the tariff of egress");
    }

    #[test]
    fn failures_have_the_chips_and_the_price_of_the_run_unless_the_link_sets_them() {
        let run = Answered::parse(Topic::Model, "chip=tpu-v5e&chips=64&mtbf=1000");
        let query = |text: &str| match Query::parse(Topic::Failures, text).of_run(&run) {
            Query::Failures(query) => *query,
            other => panic!("{other:?}"),
        };
        let taken = query("hours=24");
        assert_eq!((taken.chips, taken.usd_per_chip_hour, taken.chip_mtbf_hours), (64, 1.2, 1000.0));
        assert_eq!(super::of_run(&taken), "The run above has 64 chips at $1.20 per chip-hour.");
        assert_eq!(super::other_run(&taken, &run), None);
        // One formula gives both overheads: the one here, and the one in the bill of the run.
        let billed = run.model().expect("an answer").cost.failures.expect("known");
        assert!((taken.answer().expect("fails").overhead.expect("sound") - billed).abs() < 1e-9);
        let (said, text) = super::other_run(&query("chips=128&hours=24&usd=2"), &run).expect("another run");
        assert_eq!(said, "This estimate of failures uses 128 chips at $2.00; the run above uses 64 chips at $1.20.");
        assert_eq!(text, "hours=24", "the rest stays");
        let answer = answer(&query("chips=128"), query("chips=128").answer());
        assert!(answer.title.starts_with("128 chips, "), "the chips of the link stay: {}", answer.title);
    }

    #[test]
    fn a_link_without_a_run_keeps_its_own_chips_and_price() {
        let of_link = |ask: &'static str, failures: &'static str| {
            let text = |name: &str| if name == "ask" { ask } else { failures };
            let answered = Answered::of_link(Topic::Failures, text);
            let Query::Failures(query) = answered.query() else { panic!("{answered:?}") };
            (query.chips, query.usd_per_chip_hour)
        };
        assert_eq!(of_link("", "interval=15"), (1024, 2.0));
        assert_eq!(of_link("view=failures", "interval=15"), (1024, 2.0), "a view is not a run");
        // A page without a question shows 64 TPU v5e at $1.20.
        assert_eq!(of_link("", ""), (64, 1.2));
        assert_eq!(of_link("chip=tpu-v5p&chips=32&usd=4", "interval=15"), (32, 4.0));
        assert_eq!(of_link("chip=tpu-v5p&chips=32&usd=4", "chips=8"), (8, 4.0));
        // A run without a price has other defaults.
        assert_eq!(of_link("chip=gaudi3&chips=8", ""), (8, 2.0));
    }

    #[test]
    fn a_run_with_an_end_gives_its_hours() {
        let run = Answered::parse(Topic::Model, "chip=tpu-v5e&chips=64&tokens=1e12");
        let Query::Failures(query) = Query::parse(Topic::Failures, "").of_run(&run) else { panic!("failures") };
        // The run has 10¹² tokens, at its tokens per second.
        let estimate = &run.model().expect("an answer").estimate;
        let hours = 1e12 / (estimate.tokens.expect("known") / estimate.step.0) / 3600.0;
        assert!((query.work.0 / 3600.0 / hours - 1.0).abs() < 1e-9, "{:?} {hours}", query.work);
    }

    #[test]
    fn a_run_that_makes_little_progress_says_so() {
        assert!(answered("").refused.is_empty());
        let sentence = answered("chips=1024&mtbf=1").refused.join(" ");
        assert!(sentence.contains("would make little progress"), "{sentence}");
    }
}
