//! The cost breakdown as shown: a figure for each line, and a table whose rounded columns add up.

use super::answer::Bill;
use super::bill::{self as words, Line};
use super::table::{Cell, Row, Table, TableId};
use super::{interval, runs};
use display::amount::{Amount, UNKNOWN};
use display::figure::{Citation, Figure, cents, cite, duration, price_words};
use display::number::{fixed, grouped, percent, readable};
use display::rounded_parts::{Decimal, RoundedParts};
use estimate::{Cost, CostInput, CostInputs, Estimate, ModelAnswer};
use perfmodel::definition::scale;
use perfmodel::{CostLine, run_inputs};

/// Number of columns of amounts, each with its own rounding.
const COLUMNS: usize = 3;

/// Returns the cost breakdown of an answer. `None` if the amounts are too large for sums that are exact to the last
/// digit.
#[must_use]
pub fn bill(answer: &ModelAnswer, inputs: &CostInputs) -> Option<Bill> {
    let (estimate, cost) = (&answer.estimate, &answer.cost);
    let amounts = cost.amounts();
    let columns = columns(cost).map(|column| RoundedParts::new(&column));
    let [Some(run), Some(million), Some(pflop)] = columns else { return None };
    let columns: [RoundedParts; COLUMNS] = [run, million, pflop];
    let is_known = amounts.iter().all(Option::is_some);
    let mut lines: Vec<Figure> = CostLine::ALL
        .into_iter()
        .enumerate()
        .map(|(at, line)| {
            let point = cost.bill.line(line).filter(|_| line == CostLine::Compute && !cost.is_day);
            let ends = point.and_then(|usd| Some(estimate.interval()?.time(usd.0)));
            let value = part(&columns[0], at).to_string();
            Figure { range: ends.map(interval::dollars), ..figure(line, value, estimate, cost, inputs) }
        })
        .collect();
    let ends = estimate.interval().and_then(|found| found.bill(estimate, cost, inputs));
    lines.push(Figure { range: ends.map(interval::dollars), ..in_all(&columns[0], is_known) });
    lines.push(kwh(estimate, cost));
    lines.push(carbon(cost, inputs));
    let mut beside = None;
    if let Some((other, others)) = answer.comparison() {
        // Without porting, no break-even point exists.
        if inputs.value(CostInput::Weeks).is_some_and(|weeks| weeks > 0.0) {
            lines.push(break_even((estimate, cost), (other, others)));
        }
        let name = other.question.chip.name;
        let is_same = other.question.is_on_chip_of(&estimate.question);
        let other = if is_same { runs::OTHER_SETTINGS } else { name };
        let heads = [words::BESIDE_HEAD, estimate.question.chip.name, other];
        beside = Some(Table::new(TableId::Bills, &heads, beside_rows(cost, others)?));
    }
    let title = words::title(estimate.question.pass, cost.tokens, cost.is_day);
    let table = Table::new(TableId::Bill, &words::HEADS, rows(&amounts, &columns));
    Some(Bill { title, table, lines, beside })
}

/// Returns the rows of the cost table: one for each line, and the total.
fn rows(amounts: &Amounts, columns: &[RoundedParts; COLUMNS]) -> Vec<Row> {
    let shares = RoundedParts::percent(amounts);
    let share = |part: Option<Decimal>| part.map_or(Cell::from(""), |part| Amount::PercentPart(part).into());
    let row = |(at, line): (usize, CostLine)| {
        let of_whole = shares.as_ref().and_then(|shares| *shares.parts.get(at)?);
        let cells = columns.iter().map(|column| Cell::from(part(column, at)));
        Row::new(words::line(line).name, cells.chain([share(of_whole)]))
    };
    // A column without known amounts has no total.
    let sum = |column: &RoundedParts| {
        let has_any = column.parts.iter().any(Option::is_some);
        Cell::from(Amount::or_unknown(has_any.then_some(column.whole), Amount::UsdPart))
    };
    let sums = columns.iter().map(sum).chain([share(shares.as_ref().map(|shares| shares.whole))]);
    let sum = Row::new(total(amounts.iter().all(Option::is_some)), sums).marked(true);
    CostLine::ALL.into_iter().enumerate().map(row).chain([sum]).collect()
}

/// Returns the name of the total row, which depends on whether a line is unknown.
const fn total(is_known: bool) -> &'static str {
    if is_known { words::TOTAL } else { words::AT_LEAST }
}

/// Returns the amount in line `at` of a rounded column.
fn part(column: &RoundedParts, at: usize) -> Amount {
    Amount::or_unknown(column.parts.get(at).copied().flatten(), Amount::UsdPart)
}

type Amounts = [Option<f64>; CostLine::ALL.len()];

/// Returns the columns of amounts: for the run, per million tokens, and per useful PFLOP-hour.
fn columns(cost: &Cost) -> [Amounts; COLUMNS] {
    [Some(1.0), cost.tokens.map(|tokens| tokens / 1e6), Some(cost.pflop_hours)]
        .map(|over| cost.amounts().map(|usd| usd.zip(over).map(|(usd, over)| usd / over).filter(|usd| usd.is_finite())))
}

/// Returns the rows that compare the costs of two runs. `None` if an amount is too large.
///
/// The rows are the lines, the total, the cost of a run without porting, the cost of a million tokens, and the run
/// time.
fn beside_rows(first: &Cost, second: &Cost) -> Option<Vec<Row>> {
    let added = [RoundedParts::new(&first.amounts())?, RoundedParts::new(&second.amounts())?];
    let lines = CostLine::ALL.into_iter().enumerate();
    let mut rows: Vec<Row> =
        lines.map(|(at, line)| Row::new(words::line(line).name, added.iter().map(|added| part(added, at)))).collect();
    let both = [first, second];
    let is_known = both.iter().all(|cost| cost.bill.total().is_some());
    rows.push(Row::new(total(is_known), added.iter().map(|added| Amount::UsdPart(added.whole))));
    let porting = CostLine::ALL.iter().position(|line| *line == CostLine::Porting);
    let each = both.iter().zip(&added).map(|(cost, added)| {
        let once = porting.and_then(|at| added.parts.get(at).copied().flatten()).map_or(0, |porting| porting.units);
        let whole = Decimal { units: added.whole.units.saturating_sub(once), ..added.whole };
        Amount::or_unknown(cost.bill.per_run(), |_| Amount::UsdPart(whole))
    });
    rows.push(Row::new(words::EACH_RUN, each));
    let million = both.map(|cost| {
        let paid = cost.bill.per_run().zip(cost.tokens);
        Amount::or_unknown(paid, |(usd, tokens)| Amount::Usd(usd.0 / (tokens / 1e6)))
    });
    rows.push(Row::new(words::EACH_MILLION, million));
    rows.push(Row::new(words::USEFUL_TIME, both.map(|cost| duration(cost.time.0))).marked(true));
    Some(rows)
}

fn bill_line(line: &'static Line, value: String, note: String, worked: String, citations: Vec<Citation>) -> Figure {
    let Line { id, name, formula, says, leaves_out } = *line;
    Figure { id, name, value, range: None, note, formula, worked, says, leaves_out, citations }
}

fn figure(line: CostLine, value: String, estimate: &Estimate, cost: &Cost, inputs: &CostInputs) -> Figure {
    let (note, worked, citations) = match line {
        CostLine::Compute => compute(estimate, cost),
        CostLine::Failures => failures(cost, inputs),
        CostLine::Recompilation => recompilation(estimate, inputs),
        CostLine::Egress => egress(inputs),
        CostLine::Porting => porting(inputs),
        CostLine::Energy => energy(cost, inputs),
    };
    bill_line(words::line(line), value, note, worked, citations)
}

type Details = (String, String, Vec<Citation>);

fn or_unknown(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), text)
}

fn compute(estimate: &Estimate, cost: &Cost) -> Details {
    let question = &estimate.question;
    let usd = or_unknown(question.usd_per_chip_hour(), cents);
    let worked = format!("{usd} · {} chips · {} h", grouped(question.chips), readable(cost.time.hours(), 5));
    let cited = match (question.usd, question.price()) {
        (None, Some(price)) => vec![cite(price_words(price), &price.usd_per_chip_hour)],
        _ => Vec::new(),
    };
    let note = if question.usd_per_chip_hour().is_none() {
        words::NO_PRICE.to_owned()
    } else {
        format!("{} of run time", duration(cost.time.0))
    };
    (note, worked, cited)
}

fn failures(cost: &Cost, inputs: &CostInputs) -> Details {
    let [save, restart] = [CostInput::Save, CostInput::Restart].map(|input| or_unknown(inputs.value(input), duration));
    let [interval, mtbf] = [cost.interval, cost.mtbf].map(|time| or_unknown(time.map(|time| time.0), duration));
    let share = or_unknown(cost.failures, |share| format!("{} %", percent(share)));
    let worked = format!("{save} ÷ {interval} + ({interval} ÷ 2 + {restart}) ÷ {mtbf} = {share} of compute");
    let defaults = [
        (CostInput::Mtbf, "chip MTBF (h)", &run_inputs::CHIP_MTBF_HOURS),
        (CostInput::Save, "checkpoint time (s)", &run_inputs::SAVE_SECONDS),
        (CostInput::Restart, "restart time (s)", &run_inputs::RESTART_SECONDS),
    ];
    let mut cited = vec![cite_definition(scale::FAILURE_OVERHEAD.source.text)];
    cited.extend(defaults.into_iter().filter(|(input, ..)| inputs.explicit(*input).is_none()).map(
        |(_, what, sourced)| {
            cite(format!("{what}: {}", or_unknown(sourced.value, |value| readable(value, 5))), sourced)
        },
    ));
    let often = or_unknown(cost.mtbf.map(|time| time.0), duration);
    (format!("{share} of the compute cost; one failure every {often}"), worked, cited)
}

fn cite_definition(source: &'static str) -> Citation {
    Citation { what: "definition".to_owned(), source, confidence: String::new(), note: "" }
}

fn recompilation(estimate: &Estimate, inputs: &CostInputs) -> Details {
    let question = &estimate.question;
    let usd = or_unknown(question.usd_per_chip_hour(), cents);
    let shapes = or_unknown(inputs.value(CostInput::Shapes), |shapes| readable(shapes, 7));
    let compile = or_unknown(inputs.value(CostInput::Compile), duration);
    let cited = if inputs.explicit(CostInput::Compile).is_none() {
        vec![cite(format!("one shape: {compile}"), &run_inputs::COMPILE_SECONDS)]
    } else {
        Vec::new()
    };
    let worked = format!("{usd} · {} chips · {shapes} · {compile} ÷ 3600 s", grouped(question.chips));
    (format!("compiled shapes: {shapes}"), worked, cited)
}

fn egress(inputs: &CostInputs) -> Details {
    let gb = inputs.value_or_zero(CostInput::Egress);
    let note = format!("{} GB", readable(gb, 6));
    match (inputs.explicit(CostInput::EgressUsd), run_inputs::AWS_EGRESS.value) {
        (Some(usd), _) => (note.clone(), format!("{} · {note}", cents(usd)), Vec::new()),
        (None, Some(tariff)) => {
            let [usd, free] = [tariff.usd_per_gb, tariff.free_gb].map(|value| readable(value, 5));
            let worked = format!("${usd} · ({note} − {free} GB), not below $0");
            (note, worked, vec![cite(format!("${usd} per GB after {free} GB"), &run_inputs::AWS_EGRESS)])
        }
        (None, None) => (note, UNKNOWN.to_owned(), Vec::new()),
    }
}

fn porting(inputs: &CostInputs) -> Details {
    let weeks = inputs.value_or_zero(CostInput::Weeks);
    let usd = inputs.value(CostInput::WeekUsd);
    let note = if weeks > 0.0 && usd.is_none() {
        words::NO_WEEK.to_owned()
    } else {
        let noun = if weeks.to_bits() == 1.0_f64.to_bits() { "week" } else { "weeks" };
        format!("{} engineer-{noun}, once", readable(weeks, 5))
    };
    let week = or_unknown(usd, cents);
    (note, format!("{} · {week}", readable(weeks, 5)), Vec::new())
}

fn energy(cost: &Cost, inputs: &CostInputs) -> Details {
    let Some(usd) = inputs.value(CostInput::KwhUsd) else {
        return (words::RENTED.to_owned(), "0 kWh billed separately".to_owned(), Vec::new());
    };
    let kwh = or_unknown(cost.energy.map(perfmodel::Joules::kwh), |kwh| format!("{} kWh", readable(kwh, 5)));
    let pue = inputs.value(CostInput::Pue).map_or_else(|| "1 (no PUE set)".to_owned(), |pue| readable(pue, 4));
    let note = if cost.energy.is_some() { format!("{kwh} of the chips") } else { words::NO_POWER.to_owned() };
    (note, format!("{kwh} · {pue} · {}", cents(usd)), Vec::new())
}

/// Returns the figure of the total, which is the sum of the shown amounts.
fn in_all(run: &RoundedParts, is_known: bool) -> Figure {
    let parts: Vec<String> = (0..run.parts.len()).map(|at| part(run, at).to_string()).collect();
    let value = Amount::UsdPart(run.whole).to_string();
    let worked = format!("{} = {value}", parts.join(" + "));
    let note = if is_known { "all lines" } else { "lower bound, because at least one line is unknown" }.to_owned();
    display::figure::defined(&scale::USD_IN_ALL, value, note, worked, Vec::new())
}

fn kwh(estimate: &Estimate, cost: &Cost) -> Figure {
    let Some((kind, watts)) = cost.power else {
        let (unknown, why) = (UNKNOWN.to_owned(), words::NO_POWER.to_owned());
        return bill_line(&words::KWH, unknown, why.clone(), why, Vec::new());
    };
    let chip = &estimate.question.chip;
    let text = or_unknown(watts.value, |watts| format!("{} W", readable(watts, 5)));
    let more = cost.failures.map(|failures| 1.0 + failures + cost.compiling);
    let hours = or_unknown(more, |more| readable(cost.time.hours() * more, 5));
    let worked = format!("{text} · {} · {hours} h", grouped(estimate.question.chips));
    let value = or_unknown(cost.energy.map(perfmodel::Joules::kwh), |kwh| format!("{} kWh", readable(kwh, 4)));
    let cited = vec![cite(format!("{} power, {}", chip.name, kind.word()), &watts)];
    bill_line(&words::KWH, value, format!("at {text}, {}", kind.word()), worked, cited)
}

fn carbon(cost: &Cost, inputs: &CostInputs) -> Figure {
    let grid = inputs.value(CostInput::Grid);
    let kwh = or_unknown(cost.energy.map(perfmodel::Joules::kwh), |kwh| format!("{} kWh", readable(kwh, 5)));
    let pue = inputs.value(CostInput::Pue).map_or_else(|| "1 (no PUE set)".to_owned(), |pue| readable(pue, 4));
    let per = or_unknown(grid, |grid| format!("{} kg/kWh", readable(grid, 4)));
    let note = match (grid, cost.energy) {
        (None, _) => words::NO_GRID.to_owned(),
        (Some(_), None) => words::NO_POWER.to_owned(),
        (Some(_), Some(_)) => format!("at {per}, your value"),
    };
    let value = or_unknown(cost.kg_co2, |kg| format!("{} kg", readable(kg, 4)));
    bill_line(&words::CARBON, value, note, format!("{kwh} · {pue} · {per}"), Vec::new())
}

/// Returns the break-even figure: the work after which porting to this chip costs less than staying on the other chip.
fn break_even((here, ours): (&Estimate, &Cost), (there, theirs): (&Estimate, &Cost)) -> Figure {
    let without =
        |value: &str, why: String| bill_line(&words::BREAK_EVEN, value.to_owned(), why.clone(), why, Vec::new());
    let [name, other] = [here, there].map(|one| one.question.chip.name);
    let [run, others] = [ours, theirs].map(|cost| cost.bill.per_run());
    let Some((run, others)) = run.zip(others) else { return without(UNKNOWN, words::LINE_UNKNOWN.to_owned()) };
    let Some(porting) = ours.bill.porting else { return without(UNKNOWN, words::NO_WEEK.to_owned()) };
    let Some(runs) = ours.bill.break_even_runs(&theirs.bill) else {
        return without(words::NEVER, words::no_break_even_reason(name, other));
    };
    let overheads = 1.0 + ours.failures.unwrap_or(0.0) + ours.compiling;
    let chip_hours = runs * ours.time.hours() * overheads * here.question.chips as f64;
    let worked = format!(
        "${} ÷ (${} on {other} − ${} on {name}) = {} runs{}",
        fixed(porting.0, 2),
        fixed(others.0, 2),
        fixed(run.0, 2),
        readable(runs, 4),
        ours.tokens.map_or_else(String::new, |tokens| format!(" of {} tokens", readable(tokens, 4)))
    );
    let value = match ours.tokens {
        Some(tokens) => format!("{} tokens", readable(runs * tokens, 4)),
        None => format!("{} days", readable(runs, 4)),
    };
    let note = format!("{} chip-hours on {name}", readable(chip_hours, 4));
    let definition = cite_definition(scale::BREAK_EVEN_RUNS.source.text);
    bill_line(&words::BREAK_EVEN, value, note, worked, vec![definition])
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn billed(text: &str) -> Option<Bill> {
        let case = ModelQuery::parse(text);
        assert_eq!(case.invalid, [], "{text}");
        bill(&case.answer(None).expect("an answer"), &case.cost_inputs)
    }

    /// An amount as shown, in units of its last place.
    fn units(text: &str) -> u128 {
        text.chars().filter(char::is_ascii_digit).collect::<String>().parse().expect("digits")
    }

    const QUESTIONS: [&str; 6] = [
        "",
        "tokens=15e12&chips=4096&egress=10000&weeks=3&week-usd=8000",
        "chip=tpu-v4&chips=1&tokens=1000&kwh-usd=0.17&pue=1.1",
        "chip=h100-sxm&versus=tpu-v6e&tokens=1e9&weeks=1&week-usd=9999.99&interval=7",
        "pass=decode&chip=a100-80&shapes=37&compile=61.7",
        "tokens=3&weeks=2&egress=77777",
    ];

    #[test]
    fn every_column_adds_up_to_its_last_row_as_it_is_shown() {
        for text in QUESTIONS {
            let bill = billed(text).expect("small enough");
            let rows: Vec<Vec<String>> = bill.table.rows.iter().map(Row::texts).collect();
            let (total, lines) = rows.split_last().expect("rows");
            assert_eq!(lines.len(), CostLine::ALL.len());
            for column in 1..bill.table.heads.len() {
                let known = lines.iter().map(|row| row[column].as_str()).filter(|cell| *cell != UNKNOWN);
                let known: Vec<&str> = known.filter(|cell| !cell.is_empty()).collect();
                if total[column].is_empty() {
                    assert!(known.is_empty(), "{text}: shares of an unknown whole");
                    continue;
                }
                let sum: u128 = known.iter().map(|cell| units(cell)).sum();
                assert_eq!(sum, units(&total[column]), "{text}: {known:?} and {}", total[column]);
            }
            let unknown = lines.iter().any(|row| row[1] == UNKNOWN);
            assert_eq!(total[0] == words::AT_LEAST, unknown, "{text}");
            assert_eq!(unknown, text.contains("weeks=2"), "{text}");
        }
    }

    #[test]
    fn every_line_opens_with_what_it_takes_and_leaves_out() {
        for text in QUESTIONS {
            let bill = billed(text).expect("small enough");
            for (figure, row) in bill.lines.iter().zip(&bill.table.rows) {
                assert_eq!(figure.value, row.cells[1].to_string(), "{text}: a line and its row show one amount");
            }
            for figure in &bill.lines {
                let texts = [figure.formula, figure.says, figure.leaves_out];
                assert!(texts.iter().all(|text| !text.is_empty()) && !figure.worked.is_empty(), "{text} {figure:?}");
                assert!(figure.says.ends_with('.') && figure.leaves_out.ends_with('.'), "{}", figure.id);
            }
            let cited = |id: &str| bill.lines.iter().find(|one| one.id == id).map_or(0, |one| one.citations.len());
            assert!(cited("bill-failures") >= 3, "its defaults are cited: {text}");
        }
    }

    #[test]
    fn lines_that_say_nothing_are_named_and_the_sum_stays() {
        let bill = billed("weeks=2&chip=tpu-v5e").expect("small");
        let (shown, nothing, unknown) = words::counted(&bill.table);
        let names: Vec<String> = shown.rows.iter().map(|row| row.cells[0].to_string()).collect();
        assert_eq!(names, ["Compute", "Failures", "Recompilation", words::AT_LEAST]);
        let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let named = (texts(&["Egress", "Energy"]), texts(&["Porting"]));
        assert_eq!((nothing, unknown), named, "nobody said what a week costs");
        // What is left out of a bill adds nothing to it.
        let tiny = billed("chip=tpu-v4&chips=1&tokens=1000").expect("small");
        let (shown, ..) = words::counted(&tiny.table);
        assert!(
            shown.rows.iter().any(|row| row.cells[0] == "Compute".into()),
            "a cent in all, but dollars for a million"
        );
    }

    #[test]
    fn what_is_beside_itself_has_one_bill_and_what_is_not_ported_pays_nothing_back() {
        let ids = |text: &str| {
            let bill = billed(text).expect("small");
            (bill.beside.is_some(), bill.lines.iter().any(|one| one.id == "bill-break-even"))
        };
        assert_eq!(ids("chip=tpu-v5e&versus=tpu-v5e&weeks=3&week-usd=8000"), (false, false));
        let own = ids("chip=tpu-v5e&own=hbm.1200&versus=tpu-v5e");
        assert!(own.0, "one's own values are compared with the listed");
        assert_eq!(ids("chip=tpu-v5e&versus=h100-sxm"), (true, false));
        assert_eq!(ids("chip=tpu-v5e&versus=h100-sxm&weeks=3&week-usd=8000"), (true, true));
    }

    #[test]
    fn porting_to_the_first_chip_pays_back_against_staying_on_the_other() {
        let runs = |text: &str| {
            let bill = billed(text).expect("small");
            let figure = bill.lines.into_iter().find(|one| one.id == "bill-break-even").expect("two chips");
            let rows = bill.beside.expect("another chip").rows;
            let porting = rows.iter().map(Row::texts).find(|row| row[0] == "Porting").expect("a row");
            assert_eq!(porting[2], "$0", "who stays ports nothing");
            (figure.value, figure.note)
        };
        let rest = "tokens=1e12&chips=256&weeks=3&week-usd=8000";
        let one = runs(&format!("{rest}&chip=tpu-v6e&versus=h100-sxm"));
        assert!(one.0.ends_with("tokens") && one.1.ends_with("chip-hours on TPU v6e Trillium"), "{one:?}");
        let other = runs(&format!("{rest}&chip=h100-sxm&versus=tpu-v6e"));
        assert_eq!(other.0, "never", "a run on an H100 costs more: {other:?}");
        let unsaid = runs("tokens=1e12&weeks=3&chip=tpu-v6e&versus=h100-sxm");
        assert_eq!(unsaid, ("unknown".to_owned(), words::NO_WEEK.to_owned()));
    }

    #[test]
    fn a_bill_beyond_all_measure_is_none() {
        assert_eq!(billed("tokens=1e30"), None);
        assert_eq!(billed("tokens=1e30&chips=1000000&usd=1e9"), None);
    }
}
