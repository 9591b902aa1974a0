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
pub fn bill(answer: &ModelAnswer) -> Option<Bill> {
    let (estimate, cost) = (&answer.estimate, answer.billed());
    // A measured run has no interval.
    let predicted = estimate.interval().filter(|_| answer.own_cost.is_none());
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
            let ends = point.and_then(|usd| Some(predicted?.time(usd.0)));
            let value = part(&columns[0], at).to_string();
            Figure { range: ends.map(interval::dollars), ..figure(line, value, estimate, cost) }
        })
        .collect();
    let ends = predicted.and_then(|found| found.bill(estimate, cost));
    lines.push(Figure { range: ends.map(interval::dollars), ..in_all(&columns[0], is_known) });
    lines.push(kwh(estimate, cost));
    lines.push(carbon(cost));
    let mut beside = None;
    if let Some((other, others)) = answer.comparison() {
        // Without porting, no break-even point exists.
        if cost.inputs.value(CostInput::Weeks).is_some_and(|weeks| weeks > 0.0) {
            lines.push(break_even((estimate, &answer.cost), (other, others)));
        }
        let name = other.question.chip.name;
        let is_same = other.question.is_on_chip_of(&estimate.question);
        let other = if is_same { runs::OTHER_SETTINGS } else { name };
        let heads = [words::BESIDE_HEAD, estimate.question.chip.name, other];
        beside = Some(Table::new(TableId::Bills, &heads, beside_rows(&answer.cost, others)?));
    }
    let title = words::title(estimate.question.pass, cost.tokens, cost.is_day, answer.own_cost.is_some());
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
    rows.push(Row::new("each run, without porting", each));
    let million = both.map(|cost| {
        let paid = cost.bill.per_run().zip(cost.tokens);
        Amount::or_unknown(paid, |(usd, tokens)| Amount::Usd(usd.0 / (tokens / 1e6)))
    });
    rows.push(Row::new("per million tokens", million));
    rows.push(Row::new("run time, without failures", both.map(|cost| duration(cost.time.0))).marked(true));
    Some(rows)
}

fn bill_line(line: &'static Line, value: String, note: String, worked: String, citations: Vec<Citation>) -> Figure {
    let Line { id, name, formula, says, leaves_out } = *line;
    Figure { id, name, value, range: None, note, formula, worked, says, leaves_out, citations }
}

fn figure(line: CostLine, value: String, estimate: &Estimate, cost: &Cost) -> Figure {
    let inputs = &cost.inputs;
    let (note, worked, citations) = match line {
        CostLine::Compute => compute(estimate, cost),
        CostLine::Failures => failures(cost),
        CostLine::Recompilation if cost.is_whole => (words::IN_MEASURED_TIME.to_owned(), cents(0.0), Vec::new()),
        CostLine::Recompilation => recompilation(estimate, inputs),
        CostLine::Egress => egress(inputs),
        CostLine::Porting => porting(inputs),
        CostLine::Energy => energy(cost),
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

fn failures(cost: &Cost) -> Details {
    let inputs = &cost.inputs;
    if cost.is_whole {
        return (words::IN_MEASURED_TIME.to_owned(), cents(0.0), Vec::new());
    }
    let [save, restart] = [CostInput::Save, CostInput::Restart].map(|input| or_unknown(inputs.value(input), duration));
    let [interval, mtbf] = [cost.interval, cost.mtbf].map(|time| or_unknown(time.map(|time| time.0), duration));
    let share = or_unknown(cost.failures, |share| format!("{} %", percent(share)));
    let worked = format!("{save} ÷ {interval} + ({interval} ÷ 2 + {restart}) ÷ {mtbf} = {share} of compute");
    let defaults = [
        (CostInput::Mtbf, "chip MTBF (h)", &run_inputs::CHIP_MTBF_HOURS),
        (CostInput::Save, "checkpoint time (s)", &run_inputs::SAVE_SECONDS),
        (CostInput::Restart, "restart time (s)", &run_inputs::RESTART_SECONDS),
    ];
    let mut cited = vec![cite_definition(scale::FAILURE_OVERHEAD.source.citation())];
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

fn energy(cost: &Cost) -> Details {
    let Some(usd) = cost.inputs.value(CostInput::KwhUsd) else {
        return ("included in the chip rent".to_owned(), "0 kWh billed separately".to_owned(), Vec::new());
    };
    let kwh = or_unknown(cost.energy.map(perfmodel::Joules::kwh), |kwh| format!("{} kWh", readable(kwh, 5)));
    let pue = cost.inputs.value(CostInput::Pue).map_or_else(|| "1 (no PUE set)".to_owned(), |pue| readable(pue, 4));
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

fn carbon(cost: &Cost) -> Figure {
    let grid = cost.inputs.value(CostInput::Grid);
    let kwh = or_unknown(cost.energy.map(perfmodel::Joules::kwh), |kwh| format!("{} kWh", readable(kwh, 5)));
    let pue = cost.inputs.value(CostInput::Pue).map_or_else(|| "1 (no PUE set)".to_owned(), |pue| readable(pue, 4));
    let per = or_unknown(grid, |grid| format!("{} kg/kWh", readable(grid, 4)));
    let note = match (grid, cost.energy) {
        (None, _) => "enter the grid's kg CO₂ per kWh".to_owned(),
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
    let Some((run, others)) = run.zip(others) else {
        return without(UNKNOWN, "one cost breakdown has an unknown line".to_owned());
    };
    let Some(porting) = ours.bill.porting else { return without(UNKNOWN, words::NO_WEEK.to_owned()) };
    let Some(runs) = ours.bill.break_even_runs(&theirs.bill) else {
        return without("never", format!("a run on {name} does not cost less than a run on {other}"));
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
    let definition = cite_definition(scale::BREAK_EVEN_RUNS.source.citation());
    bill_line(&words::BREAK_EVEN, value, note, worked, vec![definition])
}

#[cfg(test)]
mod tests;
