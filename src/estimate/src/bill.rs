//! The bill as it is shown: lines that open, and a table whose columns add up as they are rounded.

use super::{Answered, Cost, Estimate, Term, Terms};
use crate::words::bill::{self as words, Line};
use display::adding::Added;
use display::figure::{Citation, Figure, cents, cite, duration, price_words};
use display::number::{fixed, grouped, percent, readable};
use perfmodel::definition::scale;
use perfmodel::{CostLine, Seconds, run_inputs};

/// Columns of amounts, each with its own rounding.
const COLUMNS: usize = 3;

/// A bill, or two beside each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bill {
    /// What it is of.
    pub title: String,
    /// Names of the columns.
    pub heads: Vec<&'static str>,
    /// Rows: a name, an amount a column and a share. The last is the total.
    pub rows: Vec<Vec<String>>,
    /// Where each line comes from.
    pub lines: Vec<Figure>,
    /// Two chips: a name and two amounts a row; empty without a second.
    pub beside: Vec<Vec<String>>,
    /// Names of its columns.
    pub beside_heads: Vec<&'static str>,
}

/// The bill of a case; `None` where its amounts are too large to be added up to the last place.
#[must_use]
pub fn bill(answered: &Answered, terms: &Terms) -> Option<Bill> {
    let (estimate, cost) = (&answered.estimate, &answered.cost);
    let amounts = cost.amounts();
    let columns = columns(cost).map(|column| Added::new(&column, 2));
    let [Some(run), Some(million), Some(pflop)] = columns else { return None };
    let shares = Added::percent(&amounts);
    let columns: [Added; COLUMNS] = [run, million, pflop];
    let is_known = amounts.iter().all(Option::is_some);
    let mut rows: Vec<Vec<String>> = CostLine::ALL
        .into_iter()
        .enumerate()
        .map(|(at, line)| {
            let amount = |column: &Added| shown(column.parts.get(at).and_then(Option::as_deref));
            let share = shares.as_ref().and_then(|shares| shares.parts.get(at)?.clone());
            let cells =
                columns.iter().map(amount).chain([share.map_or_else(String::new, |share| format!("{share} %"))]);
            core::iter::once(words::line(line).name.to_owned()).chain(cells).collect()
        })
        .collect();
    let total = if is_known { words::TOTAL } else { words::AT_LEAST };
    let whole = shares.map_or_else(String::new, |shares| format!("{} %", shares.whole));
    let wholes = columns.iter().map(|column| shown(Some(&column.whole)));
    rows.push(core::iter::once(total.to_owned()).chain(wholes).chain([whole]).collect());
    let [run, ..] = &columns;
    let mut lines: Vec<Figure> = CostLine::ALL
        .into_iter()
        .enumerate()
        .map(|(at, line)| {
            let value = shown(run.parts.get(at).and_then(Option::as_deref));
            figure(line, value, estimate, cost, terms)
        })
        .collect();
    lines.push(in_all(run, is_known));
    lines.push(kwh(estimate, cost));
    lines.push(carbon(cost, terms));
    let mut beside = Vec::new();
    let mut beside_heads = Vec::new();
    if let Some((other, others)) = &answered.other {
        lines.push(break_even((estimate, cost), (other, others)));
        beside = beside_rows(cost, others)?;
        beside_heads = vec![words::BESIDE_HEAD, estimate.asked.chip.name, other.asked.chip.name];
    }
    let title = words::title(cost.tokens, cost.is_day);
    Some(Bill { title, heads: words::HEADS.to_vec(), rows, lines, beside, beside_heads })
}

fn shown(amount: Option<&str>) -> String {
    amount.map_or_else(|| words::UNKNOWN.to_owned(), |amount| format!("${amount}"))
}

/// The amounts of the run, of a million tokens and of a useful PFLOP-hour.
fn columns(cost: &Cost) -> [[Option<f64>; CostLine::ALL.len()]; COLUMNS] {
    [1.0, cost.tokens / 1e6, cost.pflop_hours]
        .map(|over| cost.amounts().map(|usd| usd.map(|usd| usd / over).filter(|usd| usd.is_finite())))
}

/// Every line of two chips, what each further run costs, and all.
fn beside_rows(first: &Cost, second: &Cost) -> Option<Vec<Vec<String>>> {
    let added = [Added::new(&first.amounts(), 2)?, Added::new(&second.amounts(), 2)?];
    let mut rows: Vec<Vec<String>> = CostLine::ALL
        .into_iter()
        .enumerate()
        .map(|(at, line)| {
            let cells = added.iter().map(|added| shown(added.parts.get(at).and_then(Option::as_deref)));
            core::iter::once(words::line(line).name.to_owned()).chain(cells).collect()
        })
        .collect();
    let row = |name: &str, cells: [String; 2]| core::iter::once(name.to_owned()).chain(cells).collect::<Vec<_>>();
    let known = [first, second].map(|cost| cost.bill.total().is_some());
    let total = if known == [true, true] { words::TOTAL } else { words::AT_LEAST };
    rows.push(row(total, [0, 1].map(|at| shown(added.get(at).map(|added| added.whole.as_str())))));
    let each = [first, second].map(|cost| match cost.bill.per_run() {
        Some(usd) => format!("${}", fixed(usd.0, 2)),
        None => words::UNKNOWN.to_owned(),
    });
    rows.push(row(words::EACH_RUN, each));
    let million = [first, second].map(|cost| match cost.bill.per_run() {
        Some(usd) => format!("${}", readable(usd.0 / (cost.tokens / 1e6), 4)),
        None => words::UNKNOWN.to_owned(),
    });
    rows.push(row(words::EACH_MILLION, million));
    rows.push(row(words::USEFUL_TIME, [first, second].map(|cost| span(cost.time))));
    Some(rows)
}

fn of(line: &'static Line, value: String, note: String, worked: String, citations: Vec<Citation>) -> Figure {
    let Line { id, name, formula, says, leaves_out } = *line;
    Figure { id, name, value, note, formula, worked, says, leaves_out, citations }
}

fn figure(line: CostLine, value: String, estimate: &Estimate, cost: &Cost, terms: &Terms) -> Figure {
    let (note, worked, citations) = match line {
        CostLine::Compute => compute(estimate, cost),
        CostLine::Failures => failures(cost, terms),
        CostLine::Recompilation => recompilation(estimate, terms),
        CostLine::Egress => egress(terms),
        CostLine::Porting => porting(terms),
        CostLine::Energy => energy(cost, terms),
    };
    of(words::line(line), value, note, worked, citations)
}

type Told = (String, String, Vec<Citation>);

fn or_unknown(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| words::UNKNOWN.to_owned(), text)
}

fn compute(estimate: &Estimate, cost: &Cost) -> Told {
    let asked = &estimate.asked;
    let usd = or_unknown(asked.usd_per_chip_hour(), cents);
    let worked = format!("{usd} · {} chips · {} h", grouped(asked.chips), readable(cost.time.hours(), 5));
    let cited = match (asked.usd, asked.price()) {
        (None, Some(price)) => vec![cite(price_words(price), &price.usd_per_chip_hour)],
        _ => Vec::new(),
    };
    let note = if asked.usd_per_chip_hour().is_none() {
        words::NO_PRICE.to_owned()
    } else {
        format!("{} of useful work", span(cost.time))
    };
    (note, worked, cited)
}

/// A duration as people say it: hours below two days, then days.
fn span(time: Seconds) -> String {
    let hours = time.hours();
    if hours < 1.0 {
        duration(time.0)
    } else if hours < 48.0 {
        format!("{} h", readable(hours, 4))
    } else {
        format!("{} days", readable(hours / 24.0, 4))
    }
}

fn failures(cost: &Cost, terms: &Terms) -> Told {
    let [save, restart] = [Term::Save, Term::Restart].map(|term| or_unknown(terms.value(term), duration));
    let [interval, mtbf] =
        [cost.interval, cost.mtbf].map(|time| or_unknown(time.map(|time| time.0), |s| span(Seconds(s))));
    let share = or_unknown(cost.failures, |share| format!("{} %", percent(share)));
    let worked = format!("{save} ÷ {interval} + ({interval} ÷ 2 + {restart}) ÷ {mtbf} = {share} of compute");
    let defaults = [
        (Term::Mtbf, "hours between failures of a chip", &run_inputs::CHIP_MTBF_HOURS),
        (Term::Save, "seconds to save", &run_inputs::SAVE_SECONDS),
        (Term::Restart, "seconds to restart", &run_inputs::RESTART_SECONDS),
    ];
    let mut cited = vec![cite_definition(scale::FAILURE_OVERHEAD.source.text)];
    cited.extend(defaults.into_iter().filter(|(term, ..)| terms.own(*term).is_none()).map(|(_, what, sourced)| {
        cite(format!("{what}: {}", or_unknown(sourced.value, |value| readable(value, 5))), sourced)
    }));
    (format!("{share} of compute, a failure every {mtbf}"), worked, cited)
}

fn cite_definition(source: &'static str) -> Citation {
    Citation { what: "definition".to_owned(), source, confidence: String::new(), note: "" }
}

fn recompilation(estimate: &Estimate, terms: &Terms) -> Told {
    let asked = &estimate.asked;
    let usd = or_unknown(asked.usd_per_chip_hour(), cents);
    let shapes = or_unknown(terms.value(Term::Shapes), |shapes| readable(shapes, 7));
    let compile = or_unknown(terms.value(Term::Compile), duration);
    let cited = if terms.own(Term::Compile).is_none() {
        vec![cite(format!("one shape: {compile}"), &run_inputs::COMPILE_SECONDS)]
    } else {
        Vec::new()
    };
    let worked = format!("{usd} · {} chips · {shapes} · {compile} ÷ 3600 s", grouped(asked.chips));
    (format!("compiled shapes: {shapes}"), worked, cited)
}

fn egress(terms: &Terms) -> Told {
    let gb = terms.value(Term::Egress).unwrap_or(0.0);
    let note = format!("{} GB", readable(gb, 6));
    match (terms.own(Term::EgressUsd), run_inputs::AWS_EGRESS.value) {
        (Some(usd), _) => (note.clone(), format!("{} · {note}", cents(usd)), Vec::new()),
        (None, Some(tariff)) => {
            let [usd, free] = [tariff.usd_per_gb, tariff.free_gb].map(|value| readable(value, 5));
            let worked = format!("${usd} · ({note} − {free} GB), not below $0");
            (note, worked, vec![cite(format!("${usd} per GB after {free} GB"), &run_inputs::AWS_EGRESS)])
        }
        (None, None) => (note, words::UNKNOWN.to_owned(), Vec::new()),
    }
}

fn porting(terms: &Terms) -> Told {
    let weeks = terms.value(Term::Weeks).unwrap_or(0.0);
    let usd = terms.value(Term::WeekUsd);
    let note = if weeks > 0.0 && usd.is_none() {
        words::NO_WEEK.to_owned()
    } else {
        format!("{} engineer-weeks, once", readable(weeks, 5))
    };
    let week = or_unknown(usd, cents);
    (note, format!("{} · {week}", readable(weeks, 5)), Vec::new())
}

fn energy(cost: &Cost, terms: &Terms) -> Told {
    let Some(usd) = terms.value(Term::KwhUsd) else {
        return (words::RENTED.to_owned(), "0 kWh paid apart".to_owned(), Vec::new());
    };
    let kwh = or_unknown(cost.energy.map(perfmodel::Joules::kwh), |kwh| format!("{} kWh", readable(kwh, 5)));
    let pue = terms.value(Term::Pue).map_or_else(|| "1, none stated".to_owned(), |pue| readable(pue, 4));
    let note = if cost.energy.is_some() { format!("{kwh} of the chips") } else { words::NO_POWER.to_owned() };
    (note, format!("{kwh} · {pue} · {}", cents(usd)), Vec::new())
}

/// The sum of what is shown.
fn in_all(run: &Added, is_known: bool) -> Figure {
    let parts: Vec<String> = run.parts.iter().map(|part| shown(part.as_deref())).collect();
    let value = shown(Some(&run.whole));
    let worked = format!("{} = {value}", parts.join(" + "));
    let note = if is_known { "all lines" } else { "at least: a line is not known" }.to_owned();
    display::figure::defined(&scale::USD_IN_ALL, value, note, worked, Vec::new())
}

fn kwh(estimate: &Estimate, cost: &Cost) -> Figure {
    let Some((kind, watts)) = cost.power else {
        let (unknown, why) = (words::UNKNOWN.to_owned(), words::NO_POWER.to_owned());
        return of(&words::KWH, unknown, why.clone(), why, Vec::new());
    };
    let chip = &estimate.asked.chip;
    let text = or_unknown(watts.value, |watts| format!("{} W", readable(watts, 5)));
    let more = cost.failures.map(|failures| 1.0 + failures + cost.compiling);
    let hours = or_unknown(more, |more| readable(cost.time.hours() * more, 5));
    let worked = format!("{text} · {} · {hours} h", grouped(estimate.asked.chips));
    let value = or_unknown(cost.energy.map(perfmodel::Joules::kwh), |kwh| format!("{} kWh", readable(kwh, 4)));
    let cited = vec![cite(format!("{} power, {}", chip.name, kind.word()), &watts)];
    of(&words::KWH, value, format!("at {text}, {}", kind.word()), worked, cited)
}

fn carbon(cost: &Cost, terms: &Terms) -> Figure {
    let grid = terms.value(Term::Grid);
    let kwh = or_unknown(cost.energy.map(perfmodel::Joules::kwh), |kwh| format!("{} kWh", readable(kwh, 5)));
    let pue = terms.value(Term::Pue).map_or_else(|| "1, none stated".to_owned(), |pue| readable(pue, 4));
    let per = or_unknown(grid, |grid| format!("{} kg/kWh", readable(grid, 4)));
    let note = match (grid, cost.energy) {
        (None, _) => words::NO_GRID.to_owned(),
        (Some(_), None) => words::NO_POWER.to_owned(),
        (Some(_), Some(_)) => format!("at {per}, your own"),
    };
    let value = or_unknown(cost.kg_co2, |kg| format!("{} kg", readable(kg, 4)));
    of(&words::CARBON, value, note, format!("{kwh} · {pue} · {per}"), Vec::new())
}

/// After how much work on the chip porting to it is paid, against staying on the one beside it.
fn break_even((here, ours): (&Estimate, &Cost), (there, theirs): (&Estimate, &Cost)) -> Figure {
    let told = |value: &str, why: String| of(&words::BREAK_EVEN, value.to_owned(), why.clone(), why, Vec::new());
    let [name, other] = [here, there].map(|one| one.asked.chip.name);
    let [run, others] = [ours, theirs].map(|cost| cost.bill.per_run());
    let Some((run, others)) = run.zip(others) else { return told(words::UNKNOWN, words::LINE_UNKNOWN.to_owned()) };
    let Some(porting) = ours.bill.porting else { return told(words::UNKNOWN, words::NO_WEEK.to_owned()) };
    let Some(runs) = ours.bill.break_even_runs(&theirs.bill) else {
        return told(words::NEVER, words::saves_nothing(name, other));
    };
    let overheads = 1.0 + ours.failures.unwrap_or(0.0) + ours.compiling;
    let chip_hours = runs * ours.time.hours() * overheads * here.asked.chips as f64;
    let worked = format!(
        "${} ÷ (${} on {other} − ${} on {name}) = {} runs of {} tokens",
        fixed(porting.0, 2),
        fixed(others.0, 2),
        fixed(run.0, 2),
        readable(runs, 4),
        readable(ours.tokens, 4)
    );
    let value = format!("{} tokens", readable(runs * ours.tokens, 4));
    let note = format!("{} chip-hours on {name}", readable(chip_hours, 4));
    let definition = cite_definition(scale::BREAK_EVEN_RUNS.source.text);
    of(&words::BREAK_EVEN, value, note, worked, vec![definition])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Case;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn billed(text: &str) -> Option<Bill> {
        let (case, wrong) = Case::parse(text);
        assert_eq!(wrong, [], "{text}");
        bill(&case.answer(None).expect("an answer"), &case.terms)
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
            let (total, lines) = bill.rows.split_last().expect("rows");
            assert_eq!(lines.len(), CostLine::ALL.len());
            for column in 1..bill.heads.len() {
                let known = lines.iter().map(|row| row[column].as_str()).filter(|cell| *cell != words::UNKNOWN);
                let known: Vec<&str> = known.filter(|cell| !cell.is_empty()).collect();
                if total[column].is_empty() {
                    assert!(known.is_empty(), "{text}: shares of an unknown whole");
                    continue;
                }
                let sum: u128 = known.iter().map(|cell| units(cell)).sum();
                assert_eq!(sum, units(&total[column]), "{text}: {known:?} and {}", total[column]);
            }
            let unknown = lines.iter().any(|row| row[1] == words::UNKNOWN);
            assert_eq!(total[0] == words::AT_LEAST, unknown, "{text}");
            assert_eq!(unknown, text.contains("weeks=2"), "{text}");
        }
    }

    #[test]
    fn every_line_opens_with_what_it_takes_and_leaves_out() {
        for text in QUESTIONS {
            let bill = billed(text).expect("small enough");
            for (figure, row) in bill.lines.iter().zip(&bill.rows) {
                assert_eq!(figure.value, row[1], "{text}: a line and its row show one amount");
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
    fn what_porting_to_the_first_chip_pays_back_is_told_against_staying_on_the_other() {
        let runs = |text: &str| {
            let bill = billed(text).expect("small");
            let figure = bill.lines.into_iter().find(|one| one.id == "bill-break-even").expect("two chips");
            let porting = bill.beside.into_iter().find(|row| row[0] == "Porting").expect("a row");
            assert_eq!(porting[2], "$0.00", "who stays ports nothing");
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
        assert_eq!(billed("tokens=1e300&chips=1000000&usd=1e9"), None);
    }
}
