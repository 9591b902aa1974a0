//! What failures cost a long run, and its bill of lines that add up.

use super::{Answer, Entry, Numbers, Table, typed};
use crate::adding::Added;
use crate::number::{percent, readable, significant};
use crate::panel::{Figure, cents, defined, dollars, duration};
use crate::words::estimate as words;
use perfmodel::definition::scale;
use perfmodel::{Checkpointing, CostLine, EgressTariff, FailureRate, Offer, RunBill, Seconds, Usd, porting};

const HOUR: f64 = 3600.0;
const MINUTE: f64 = 60.0;

/// Hours between failures of one chip: 419 unexpected interruptions of 16 384 H100 in 54 days (Llama 3 paper, 2024).
const CHIP_MTBF_HOURS: f64 = 54.0 * 24.0 * 16_384.0 / 419.0;

pub(super) fn entries(text: &str) -> Vec<Entry> {
    vec![
        typed(text, "chips", "1024"),
        typed(text, "mtbf", &significant(CHIP_MTBF_HOURS, 5)),
        typed(text, "save", "60"),
        typed(text, "restart", "600"),
        typed(text, "interval", "0"),
        typed(text, "hours", "720"),
        typed(text, "usd", "2"),
        typed(text, "compiling", "0.6"),
        typed(text, "egress", "0"),
        typed(text, "weeks", "0"),
        typed(text, "rate", "200"),
    ]
}

pub(super) fn answer(text: &str) -> Answer {
    let mut numbers = Numbers::read(text);
    let chips = numbers.whole("chips", 1024, (1, 10_000_000));
    let mtbf = numbers.number("mtbf", CHIP_MTBF_HOURS, (0.01, 1e9));
    let save = numbers.number("save", 60.0, (0.001, 1e6));
    let restart = numbers.number("restart", 600.0, (0.0, 1e7));
    let interval = numbers.number("interval", 0.0, (0.0, 1e6));
    let hours = numbers.number("hours", 720.0, (0.001, 1e7));
    let usd = numbers.number("usd", 2.0, (0.0, 1e6));
    let compiling = numbers.number("compiling", 0.6, (0.0, 1e4));
    let egress = numbers.number("egress", 0.0, (0.0, 1e9));
    let weeks = numbers.number("weeks", 0.0, (0.0, 1e4));
    let rate = numbers.number("rate", 200.0, (0.0, 1e5));
    let wrong = numbers.wrong;
    let slice = FailureRate { chip_mtbf: Seconds(mtbf * HOUR) }.slice_mtbf(chips.into());
    let Some(mtbf) = slice else {
        return Answer { wrong, refused: vec![words::NO_FAILURES.to_owned()], ..Answer::default() };
    };
    let run = Checkpointing { mtbf, save: Seconds(save), restart: Seconds(restart) };
    let (young, daly) = (run.young(), run.daly());
    let taken = if interval > 0.0 { Some(Seconds(interval * MINUTE)) } else { young };
    let overhead = taken.and_then(|interval| run.overhead(interval));
    let bill = Offer {
        usd_per_chip_hour: Some(usd),
        chips: chips.into(),
        time: Some(Seconds(hours * HOUR)),
        failure_overhead: overhead,
        recompilation_overhead: Some(compiling / 100.0),
        egress: Some(if egress > 0.0 { EgressTariff::AWS.cost(egress) } else { Usd(0.0) }),
        porting: Some(porting(weeks, rate)),
        energy: Some(Usd(0.0)),
    }
    .bill();
    let title = format!("{} chips, a failure every {}", crate::number::grouped(chips.into()), hours_of(mtbf));
    let shown = Shown { run, young, daly, taken, overhead, usd };
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
}

fn hours_of(time: Seconds) -> String {
    format!("{} h", readable(time.hours(), 4))
}

fn minutes_of(time: Seconds) -> String {
    format!("{} min", readable(time.0 / MINUTE, 3))
}

fn figures(shown: &Shown, bill: &RunBill) -> Vec<Figure> {
    let unknown = || "unknown".to_owned();
    let run = &shown.run;
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
            Vec::new(),
        ),
        defined(
            &scale::FAILURE_OVERHEAD,
            shown.overhead.map_or_else(unknown, |share| format!("{} %", percent(share))),
            format!("saving every {at}"),
            format!("{save} ÷ {at} + ({at} ÷ 2 + {restart}) ÷ {mtbf}"),
            Vec::new(),
        ),
        defined(
            &scale::EFFECTIVE_PRICE,
            effective.map_or_else(unknown, dollars),
            "for a chip and an hour of useful work".to_owned(),
            format!("{} · (1 + overhead)", cents(shown.usd)),
            Vec::new(),
        ),
        defined(&scale::USD_IN_ALL, total, "the lines below, added up".to_owned(), amounts.join(" + "), Vec::new()),
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
    fn a_run_that_hardly_gets_on_says_so() {
        assert!(answer("").refused.is_empty());
        let told = answer("chips=1024&mtbf=1").refused.join(" ");
        assert!(told.contains("would hardly get on"), "{told}");
    }
}
