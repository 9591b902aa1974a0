//! What failures cost a long run, and its bill of lines that add up.

use super::numbers::{Number, Numbers};
use super::{Answer, Entry, Table};
use crate::words::answer as words;
use display::adding::Added;
use display::figure::{Citation, Figure, cents, cite, defined, dollars, duration};
use display::number::{percent, readable};
use perfmodel::definition::scale;
use perfmodel::{
    Checkpointing, CostLine, EgressTariff, FailureRate, Offer, RunBill, Seconds, Sourced, Usd, porting, run_inputs,
};

const HOUR: f64 = 3600.0;
const MINUTE: f64 = 60.0;

const CHIPS: Number = Number::new("chips", 1024.0, [1.0, 1e7]);
const INTERVAL: Number = Number::new("interval", 0.0, [0.0, 1e6]);
const HOURS: Number = Number::new("hours", 720.0, [0.001, 1e7]);
const EGRESS: Number = Number::new("egress", 0.0, [0.0, 1e9]);
const WEEKS: Number = Number::new("weeks", 0.0, [0.0, 1e4]);

/// A number whose default has a source.
struct Cited {
    name: &'static str,
    default: &'static Sourced<f64>,
    limits: [f64; 2],
}

const MTBF: Cited = Cited { name: "mtbf", default: &run_inputs::CHIP_MTBF_HOURS, limits: [0.01, 1e9] };
const SAVE: Cited = Cited { name: "save", default: &run_inputs::SAVE_SECONDS, limits: [0.001, 1e6] };
const RESTART: Cited = Cited { name: "restart", default: &run_inputs::RESTART_SECONDS, limits: [0.0, 1e7] };
const USD: Cited = Cited { name: "usd", default: &run_inputs::USD_PER_CHIP_HOUR, limits: [0.0, 1e6] };
const COMPILING: Cited = Cited { name: "compiling", default: &run_inputs::COMPILING_PERCENT, limits: [0.0, 1e4] };
const RATE: Cited = Cited { name: "rate", default: &run_inputs::ENGINEER_USD_PER_HOUR, limits: [0.0, 1e5] };

impl Cited {
    fn number(&self) -> Number {
        Number::new(self.name, self.default.value.unwrap_or(self.limits[0]), self.limits)
    }
}

pub(super) fn entries(text: &str) -> Vec<Entry> {
    [
        CHIPS,
        MTBF.number(),
        SAVE.number(),
        RESTART.number(),
        INTERVAL,
        HOURS,
        USD.number(),
        COMPILING.number(),
        EGRESS,
        WEEKS,
        RATE.number(),
    ]
    .map(|number| number.entry(text))
    .into()
}

/// The sources of those defaults that count.
fn sources<const N: usize>(numbers: &Numbers, all: [Cited; N]) -> Vec<Citation> {
    let is_wrong = |one: &Cited| numbers.wrong.iter().any(|(name, _)| name == one.name);
    let usual = all.into_iter().filter(|one| numbers.text(one.name).is_none() || is_wrong(one));
    let told = |one: Cited| {
        let what = format!("{}: {}", words::name(one.name), readable(one.number().usual, 5));
        cite(what, one.default)
    };
    usual.map(told).collect()
}

pub(super) fn answer(text: &str) -> Answer {
    let mut numbers = Numbers::read(text);
    let chips = numbers.whole(&CHIPS);
    let hours_between = numbers.number(&MTBF.number());
    let [save, restart] = [SAVE, RESTART].map(|one| Seconds(numbers.number(&one.number())));
    let interval = numbers.number(&INTERVAL);
    let hours = numbers.number(&HOURS);
    let price = numbers.number(&USD.number());
    let compiled = numbers.number(&COMPILING.number());
    let egress = numbers.number(&EGRESS);
    let weeks = numbers.number(&WEEKS);
    let engineer = numbers.number(&RATE.number());
    let sources = Sources {
        interval: sources(&numbers, [MTBF, SAVE]),
        overhead: sources(&numbers, [MTBF, SAVE, RESTART]),
        price: sources(&numbers, [USD]),
        bill: sources(&numbers, [USD, COMPILING, RATE]),
    };
    let wrong = numbers.wrong;
    let slice = FailureRate { chip_mtbf: Seconds(hours_between * HOUR) }.slice_mtbf(chips.into());
    let Some(mtbf) = slice else {
        return Answer { wrong, refused: vec![words::NO_FAILURES.to_owned()], ..Answer::default() };
    };
    let run = Checkpointing { mtbf, save, restart };
    let (young, daly) = (run.young(), run.daly());
    let taken = if interval > 0.0 { Some(Seconds(interval * MINUTE)) } else { young };
    let overhead = taken.and_then(|interval| run.overhead(interval));
    let bill = Offer {
        usd_per_chip_hour: Some(price),
        chips: chips.into(),
        time: Some(Seconds(hours * HOUR)),
        failure_overhead: overhead,
        recompilation_overhead: Some(compiled / 100.0),
        egress: Some(if egress > 0.0 { EgressTariff::AWS.cost(egress) } else { Usd(0.0) }),
        porting: Some(porting(weeks, engineer)),
        energy: Some(Usd(0.0)),
    }
    .bill();
    let title = format!("{} chips, a failure every {}", display::number::grouped(chips.into()), hours_of(mtbf));
    let shown = Shown { run, young, daly, taken, overhead, usd: price, sources };
    Answer {
        title,
        figures: figures(&shown, &bill),
        refused: words::no_progress(shown.overhead).into_iter().collect(),
        tables: vec![lines(&bill), intervals(&run)],
        wrong,
        ..Answer::default()
    }
}

struct Shown {
    run: Checkpointing,
    young: Option<Seconds>,
    daly: Option<Seconds>,
    taken: Option<Seconds>,
    overhead: Option<f64>,
    usd: f64,
    sources: Sources,
}

/// What the figures rest on, where nothing else was set.
struct Sources {
    interval: Vec<Citation>,
    overhead: Vec<Citation>,
    price: Vec<Citation>,
    bill: Vec<Citation>,
}

fn hours_of(time: Seconds) -> String {
    format!("{} h", readable(time.hours(), 4))
}

fn minutes_of(time: Seconds) -> String {
    format!("{} min", readable(time.0 / MINUTE, 3))
}

fn figures(shown: &Shown, bill: &RunBill) -> Vec<Figure> {
    let unknown = || "unknown".to_owned();
    let (run, sources) = (&shown.run, &shown.sources);
    let (save, restart, mtbf) = (duration(run.save.0), duration(run.restart.0), hours_of(run.mtbf));
    let daly = shown.daly.map_or_else(unknown, minutes_of);
    let effective = shown.taken.and_then(|interval| run.effective_price(shown.usd, interval));
    let at = shown.taken.map_or_else(unknown, minutes_of);
    let (amounts, total) = amounts(bill);
    vec![
        defined(
            &scale::CHECKPOINT_INTERVAL,
            shown.young.map_or_else(unknown, minutes_of),
            format!("Young; by Daly {daly}"),
            format!("√(2 · {save} · {mtbf})"),
            sources.interval.clone(),
        ),
        defined(
            &scale::FAILURE_OVERHEAD,
            shown.overhead.map_or_else(unknown, |share| format!("{} %", percent(share))),
            format!("saving every {at}"),
            format!("{save} ÷ {at} + ({at} ÷ 2 + {restart}) ÷ {mtbf}"),
            sources.overhead.clone(),
        ),
        defined(
            &scale::EFFECTIVE_PRICE,
            effective.map_or_else(unknown, dollars),
            "for a chip and an hour of useful work".to_owned(),
            format!("{} · (1 + overhead)", cents(shown.usd)),
            sources.price.clone(),
        ),
        defined(
            &scale::USD_IN_ALL,
            total,
            "the lines below, added up".to_owned(),
            amounts.join(" + "),
            sources.bill.clone(),
        ),
    ]
}

/// The amounts of the lines as they are shown, and their sum.
fn amounts(bill: &RunBill) -> ([String; CostLine::ALL.len()], String) {
    let all = CostLine::ALL.map(|line| bill.line(line).map(|usd| usd.0));
    let unknown = || "unknown".to_owned();
    let Some(added) = Added::new(&all, 2) else {
        return (
            all.map(|usd| usd.map_or_else(unknown, dollars)),
            bill.total().map_or_else(unknown, |usd| dollars(usd.0)),
        );
    };
    let mut parts = added.parts.into_iter();
    let lines = all.map(|_| parts.next().flatten().map_or_else(unknown, |amount| format!("${amount}")));
    let total = if bill.total().is_some() { format!("${}", added.whole) } else { unknown() };
    (lines, total)
}

fn lines(bill: &RunBill) -> Table {
    let (amounts, total) = amounts(bill);
    let shares = Added::percent(&CostLine::ALL.map(|line| bill.line(line).map(|usd| usd.0)));
    let whole = shares.as_ref().map_or_else(String::new, |shares| format!("{} %", shares.whole));
    let mut shares = shares.map(|shares| shares.parts).unwrap_or_default().into_iter();
    let mut share = || shares.next().flatten().map_or_else(String::new, |share| format!("{share} %"));
    let mut rows: Vec<(bool, Vec<String>)> = CostLine::ALL
        .into_iter()
        .zip(amounts)
        .map(|(line, amount)| (false, vec![line.word().to_owned(), amount, share()]))
        .collect();
    rows.push((true, vec![words::TOTAL.to_owned(), total, whole]));
    Table { title: words::BILL, heads: words::BILL_HEADS.to_vec(), rows }
}

/// What other intervals would cost.
fn intervals(run: &Checkpointing) -> Table {
    let rows = [5.0, 15.0, 30.0, 60.0, 180.0, 720.0].map(|minutes| {
        let overhead = run.overhead(Seconds(minutes * MINUTE));
        let text = overhead.map_or_else(|| "unknown".to_owned(), |share| format!("{} %", percent(share)));
        (false, vec![format!("{} min", readable(minutes, 3)), text])
    });
    Table { title: words::INTERVALS, heads: words::INTERVAL_HEADS.to_vec(), rows: rows.into() }
}

#[cfg(test)]
mod tests {
    use super::answer;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_default_is_cited_where_it_counts_and_nowhere_else() {
        let cited = |text: &str| {
            let figures = answer(text).figures;
            let overhead = figures.iter().find(|figure| figure.id == "failure-overhead").expect("a figure");
            overhead.citations.iter().filter(|one| one.what != "definition").count()
        };
        // What cannot be used leaves the default, with its source.
        assert_eq!([cited(""), cited("save=30"), cited("save=30&mtbf=9&restart=1"), cited("save=zebra")], [3, 2, 0, 3]);
    }

    #[test]
    fn a_run_that_hardly_gets_on_says_so() {
        assert!(answer("").refused.is_empty());
        let told = answer("chips=1024&mtbf=1").refused.join(" ");
        assert!(told.contains("would hardly get on"), "{told}");
    }
}
