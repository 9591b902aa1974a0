//! Texts of the headline: utilization, the classes of PE-cycles with their reasons, and changes that raise utilization.

use super::count::{counted, noun_of};
use super::{label, memory};
use crate::figures::Part;
use display::figure::short_dollars;
use display::number::{compact, grouped, joined, percent, readable, significant};
use display::plot::Spark;
use perfmodel::Conversion;
use studio::busy::{self, Curve, Remedy, field_of};
use studio::{Field, FieldValue, Plan, Trial};
use systolic::{Axis, Dataflow, Hold, Overlap, Slot, Tally};

/// Name of the quantity that a curve shows if the chip cannot multiply the format.
const UTILIZATION: &str = "Utilization";
/// Heading of the MFU of the array on screen, and the formula of the MFU.
pub const ARRAY_MFU: [&str; 2] = ["MFU of this array", "useful ÷ peak, whole run"];
/// Explanation of the heading of the MFU.
pub const ARRAY_MFU_HELP: &str =
    "Model FLOPs utilization: the multiplications of the matmul, as a share of those that the array could have done";
/// Heading of the cost, its heading before the name of a chip, and its unit.
pub const COST: [&str; 3] = ["Cost", "Cost on", "per 10¹⁸ useful multiplications"];
/// Names of the bars of the cost.
pub const BARS: [&str; 2] = ["full array", "this run"];
/// Unit of a cost relative to the cost of a full array.
pub const OF_FULL: &str = "a full array";
/// Name of the row with all PE-cycles.
pub const PAID: &str = "paid";
/// Label of a cost before the first useful multiplication.
pub const NOTHING_YET: &str = "nothing yet";
/// Caption of the utilization up to the shown cycle.
pub const SO_FAR: &str = "so far";
/// Headings of the columns of the classes: their bars, shares and costs.
pub const COUNTS: [&str; 3] = ["PE-cycles (filled: so far)", "share", "$"];
/// Label that opens the efficiency breakdown.
pub const BREAKDOWN: &str = "From peak to MFU";
/// Text above the bars of the efficiency breakdown, if their axis is logarithmic.
pub const LOGARITHMIC: &str = "Bars: share of the peak left, logarithmic";
/// Label that opens everything else about the run.
pub const RUN_DETAILS: &str = "More about this run";
/// Label that opens all figures of the run on the chip.
pub const CHIP_FIGURES: &str = "All figures on this chip";
/// Label that opens the formula of the cycle count, and the utilization up to the current cycle.
pub const COUNTING: &str = "How it is counted";
/// Heading for the run on a custom chip.
pub const ON_CUSTOM_CHIP: &str = "Same matmul, your own chip";
/// Unit of the cost.
pub const PER_1E18: &str = "per 10¹⁸";
/// Accessible name of the list of PE-cycle classes.
pub const CLASSES: &str = "Where the PE-cycles go";

/// Returns the utilization in percent: `28.1 %`.
#[must_use]
pub fn share(tally: &Tally) -> String {
    percent(tally.utilization()) + " %"
}

/// Returns the label of the MFU. The label names the format of the peak if the chip multiplies in another format.
#[must_use]
pub fn mfu(plan: &Plan) -> String {
    other_format(plan).map_or_else(|| "MFU".to_owned(), |format| format!("MFU of the {format} peak"))
}

/// Returns the format of the peak if the chip multiplies in another format than the run has.
pub(crate) fn other_format(plan: &Plan) -> Option<&'static str> {
    let run = plan.chip().as_run(plan.format()).ok().filter(|run| run.conversion != Conversion::Native);
    run.map(|run| run.multiplied.word())
}

/// Returns the label of the run from its count of PE-cycles (`72 of 256`): `72 of 256 useful`.
#[must_use]
pub fn useful(of_all: &str) -> String {
    format!("{of_all} useful")
}

/// Label of the change that raises the MFU most.
pub const LARGEST_GAIN: &str = "Best step:";

/// Returns the label of a value before a change: the MFU (`nth` = 0), or the cost per 10¹⁸ (`nth` = 1).
#[must_use]
pub fn before(value: &str, nth: usize) -> String {
    format!("before: {value}{}", if nth == 0 { "" } else { " per 10¹⁸" })
}

/// Returns the share of a class for the table of the classes. A share that rounds to 0.0 % is `<0.1 %`.
#[must_use]
pub fn share_in_table(part: &Part) -> String {
    let is_small = part.pe_cycles > 0 && part.share < 0.0005;
    if is_small { "<0.1 %".to_owned() } else { format!("{} %", part.percent) }
}

/// Smallest count that the panel shortens to three digits.
const SHORTENED: u64 = 10_000;

/// Returns a count with all digits, or with three digits if the count is long: `9.83 M`.
#[must_use]
pub fn short(count: u64) -> String {
    let value = systolic::Elements(count).as_f64();
    match count {
        0..SHORTENED => grouped(count),
        SHORTENED..1_000_000 => significant(value / 1e3, 3) + " k",
        1_000_000..1_000_000_000 => significant(value / 1e6, 3) + " M",
        1_000_000_000..1_000_000_000_000 => significant(value / 1e9, 3) + " G",
        _ => readable(value, 3),
    }
}

/// Returns the useful PE-cycles and all PE-cycles of a part of the run: `72 of 256`.
#[must_use]
pub fn useful_of_all(tally: &Tally) -> String {
    // The line may break before the numbers, but not between them.
    format!("{} of {}", short(tally.useful.get()), short(tally.total().get())).replace(' ', "\u{a0}")
}

/// Returns the name of a PE-cycle class.
#[must_use]
pub const fn class(slot: Slot) -> &'static str {
    match slot {
        Slot::Useful => "useful",
        Slot::Padding => "padding",
        Slot::Load => "loading",
        Slot::Fill => "filling",
        Slot::Drain => "draining",
        Slot::Stall => "stalled",
    }
}

/// Smallest total of PE-cycles for which [`sum`] writes each class in percent. Below this total, [`sum`] writes all
/// digits of each class, so that the classes add up.
const ALL_DIGITS: u64 = 1_000_000_000;

/// Returns the PE-cycles of the run as a sum of the PE-cycles in each class. Each class is in PE-cycles, or in percent
/// if the counts have too many digits.
#[must_use]
pub fn sum(plan: &Plan, parts: &[Part; 6]) -> String {
    let schedule = plan.schedule();
    let (pes, cycles, all) = (schedule.array().pes(), schedule.cycles().get(), schedule.pe_cycles().get());
    let in_slots = all < ALL_DIGITS;
    let part = |part: &Part| {
        let amount = if in_slots { grouped(part.pe_cycles) } else { format!("{} %", part.percent) };
        format!("{amount} {}", class(part.slot))
    };
    let named: Vec<String> = parts.iter().filter(|part| part.pe_cycles > 0).map(part).collect();
    let slots = noun_of(all, "PE-cycle");
    let product = format!("{} × {} = {} {slots}", counted(pes, "PE"), counted(cycles, "cycle"), compact(all));
    format!("{product}: {}.", joined(&named, ", "))
}

/// Returns the everyday name of the stationary values of a dataflow.
const fn stays(dataflow: Dataflow) -> &'static str {
    match dataflow {
        Dataflow::WeightStationary => "weights",
        Dataflow::OutputStationary => "sums",
        Dataflow::InputStationary => "inputs",
    }
}

/// Returns the name of one vector that streams through the array, such as "row of A".
const fn streams(axis: Axis) -> &'static str {
    match axis {
        Axis::M => "row of A",
        Axis::K => "step of k",
        Axis::N => "column of B",
    }
}

/// Explains a PE-cycle class, and why the run has PE-cycles in this class.
#[must_use]
pub fn why(plan: &Plan, slot: Slot) -> String {
    let schedule = plan.schedule();
    let (dataflow, folds) = (schedule.dataflow(), schedule.folds());
    let overlaps = schedule.design().overlap == Overlap::DoubleBuffered && folds > 1;
    let last = streams(schedule.mapping().time);
    match slot {
        Slot::Useful => {
            let gemm = schedule.gemm();
            let [m, k, n] = [gemm.m(), gemm.k(), gemm.n()].map(grouped);
            format!("Each useful PE-cycle is one multiply-add: {m} · {k} · {n} = {}.", grouped(gemm.macs().get()))
        }
        Slot::Padding => padding(plan),
        Slot::Load => match (dataflow.hold(), overlaps) {
            (Hold::Result, _) => "Nothing is loaded: partial sums accumulate in place.".to_owned(),
            (Hold::Operand, false) => {
                let (stays, cycles) = (stays(dataflow), counted(schedule.load_cycles().get(), "cycle"));
                let each = if folds == 1 { "".to_owned() } else { format!(" for each of {} folds", grouped(folds)) };
                format!("Loading the {stays} takes {cycles}{each}; no PE multiplies meanwhile.")
            }
            (Hold::Operand, true) => {
                let stays = stays(dataflow);
                format!(
                    "No PE multiplies until the first {stays} are loaded. Between folds, some PEs wait for the next {stays}."
                )
            }
        },
        Slot::Fill => {
            let when = if overlaps || folds == 1 { "" } else { " in every fold" };
            format!("Elements enter at the corner and move one PE per cycle, so PE (r, c) waits r + c cycles{when}.")
        }
        Slot::Drain => match overlaps {
            false => format!("A PE that has finished its last {last} idles until the whole fold is done."),
            true => format!("A PE that has finished its last {last} idles until the next fold starts or the run ends."),
        },
        Slot::Stall => memory::stalled(plan),
    }
}

/// Explains the padding of the run: for each matmul dimension, the rows or columns of PEs without work, or the added
/// zeros.
fn padding(plan: &Plan) -> String {
    let schedule = plan.schedule();
    let (mapping, array, gemm) = (schedule.mapping(), schedule.array(), schedule.gemm());
    let mut lines = Vec::new();
    let sides = [(mapping.rows, u64::from(array.rows()), "row"), (mapping.cols, u64::from(array.cols()), "column")];
    for (axis, side, noun) in sides {
        let (name, extent) = (label::field(field_of(axis)), gemm.extent(axis));
        let (rest, given, sides) = (extent % side, grouped(extent), counted(side, noun));
        if extent < side {
            lines.push(format!("{name} = {given} uses only {given} of {sides}."));
        } else if rest > 0 {
            lines.push(format!(
                "{name} = {given} is not a multiple of {side}: the last fold uses only {} of {sides}.",
                grouped(rest)
            ));
        }
    }
    let (real, padded) = (gemm.extent(mapping.time), schedule.run().extent(mapping.time));
    if padded > real {
        let name = label::field(field_of(mapping.time));
        lines.push(format!("{name} = {} is padded with zeros to {}.", grouped(real), grouped(padded)));
    }
    if lines.is_empty() {
        return "None: every PE has work in every fold.".to_owned();
    }
    joined(&lines, " ")
}

/// Returns the label of a button that applies a change, with the MFU after the change: `N = 4: 37.5 %`.
#[must_use]
pub fn remedy(plan: &Plan, remedy: &Remedy) -> String {
    format!("{}: {} %", change(remedy), after(plan, remedy).1)
}

/// Returns the name of a change: `N = 4`.
fn change(remedy: &Remedy) -> String {
    match remedy.set.as_slice() {
        [(Field::Overlap, _)] => "Double buffering".to_owned(),
        [(_, FieldValue::Dataflow(dataflow))] => format!("Stationary {}", label::stays(*dataflow)),
        [(Field::Padding, _)] => "No zero padding".to_owned(),
        [(Field::Feed, _)] => "B from on-chip memory".to_owned(),
        [(_, FieldValue::Count(rows)), (_, FieldValue::Count(cols))] => {
            format!("A {}×{} array", grouped(*rows), grouped(*cols))
        }
        [(field, FieldValue::Count(n))] => format!("{} = {}", label::field(*field), grouped(*n)),
        _ => String::new(),
    }
}

/// Returns the name and the percentage of the MFU after a change: `MFU`, `64.9`. If the chip cannot multiply the
/// format, both are those of the utilization.
fn after(plan: &Plan, remedy: &Remedy) -> (&'static str, String) {
    match plan.chip().full_rate(plan.format()) {
        Ok(rate) => ("MFU", percent(rate.mfu(remedy.share))),
        Err(_) => ("utilization", percent(remedy.share)),
    }
}

/// Returns the MFU of this array with another value of a setting, for a menu: `25.0 %`.
#[must_use]
pub fn in_menu(plan: &Plan, field: Field, value: &str) -> Option<String> {
    let tally = busy::tally_with(plan.scenario(), &[(field, field.read(value).ok()?)])?;
    Some(format!("{} %", percent(plan.array_cost(&tally).ok()?.mfu)))
}

/// Returns the cost of this run in another format, for a menu: `$23.1`.
#[must_use]
pub fn format_in_menu(plan: &Plan, value: &str) -> Option<String> {
    let dtype = systolic::Dtype::from_id(value)?;
    let rate = plan.chip().full_rate(studio::chip_format(dtype, plan.scenario().passes));
    let usd = rate.ok().and_then(|rate| rate.usd_per_1e18_at(rate.mfu(plan.schedule().tally().utilization())));
    Some(usd.map_or_else(|| format!("not on {}", plan.chip().name), short_dollars))
}

/// Returns the name of a change to try next, and the MFU after the change: `M = 64`, `MFU 64.9 %`.
#[must_use]
pub fn next_step(plan: &Plan, remedy: &Remedy) -> (String, String) {
    let (quantity, share) = after(plan, remedy);
    (change(remedy), format!("{quantity} {share} %"))
}

/// Returns the effect of the last change: `MFU 28.1 → 64.9 %`. `None` if the value did not change, or if the MFU before the
/// change cannot be computed.
#[must_use]
pub fn effect(plan: &Plan, trial: &Trial) -> Option<String> {
    if plan.scenario().number(trial.field) == trial.before {
        return None;
    }
    let before = busy::share_with(plan.scenario(), trial.field, trial.before)?;
    let now = plan.schedule().tally().utilization();
    let rate = plan.chip().full_rate(plan.format()).ok()?;
    let [before, now] = [before, now].map(|share| percent(rate.mfu(share)));
    Some(format!("MFU {before} → {now}\u{a0}%"))
}

/// Returns the upper end of the MFU axis: 1, a half, a quarter and so on. These few values make curves before and after
/// a change comparable.
fn top(most: f64) -> f64 {
    let mut top = 1.0;
    while most > 0.0 && top / 2.0 >= most {
        top /= 2.0;
    }
    top
}

/// Returns the small plot of the MFU against a setting, which is shown next to the headline. If the chip cannot
/// multiply the format, the plot shows the utilization.
#[must_use]
pub fn spark(plan: &Plan, curve: &Curve) -> Spark {
    let rate = plan.chip().full_rate(plan.format()).ok();
    let mfu = |share: f64| rate.as_ref().map_or(share, |rate| rate.mfu(share));
    let number = |value: u64| systolic::Elements(value).as_f64();
    let point = |(value, share): (u64, f64)| (number(value), mfu(share));
    let most = mfu(curve.points.iter().map(|(_, share)| *share).chain(curve.limit).fold(0.0, f64::max));
    let name = label::field(curve.field);
    let label = curve.limit.map(|share| format!("best by {name} alone: {} %", percent(mfu(share))));
    let at = |(value, share): (u64, f64)| format!("{} % at {name} = {}", percent(mfu(share)), grouped(value));
    let before = curve.before.map_or_else(String::new, |before| format!("; before the change, {}", at(before)));
    let quantity = if rate.is_some() { ARRAY_MFU[0] } else { UTILIZATION };
    let best = label.as_ref().map_or_else(String::new, |label| format!("; {label}"));
    let [first, last] =
        [curve.points.first(), curve.points.last()].map(|point| point.map_or_else(String::new, |(x, _)| grouped(*x)));
    Spark {
        words: format!("{quantity} for {name} = {first} … {last}: {}{before}{best}.", at(curve.now)),
        x: display::plot::Axis::factors(name, 1.0, curve.points.last().map_or(1.0, |(x, _)| number(*x))),
        y: display::plot::Axis::linear(quantity, top(most)),
        points: curve.points.iter().map(|&one| point(one)).collect(),
        now: point(curve.now),
        before: curve.before.map(point),
        limit: curve.limit.map(mfu).zip(label),
        ticks: [format!("{name} = {first}"), format!("{name} = {}", grouped(curve.now.0)), last],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::parts;
    use studio::busy;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&studio::Link::parse(query, "").scenario).expect("a run")
    }

    fn sum_of(plan: &Plan) -> String {
        sum(plan, &parts(&plan.schedule().tally()))
    }

    /// Returns the numbers in a text, without their decimal points: `28.1` becomes 281.
    fn numbers(text: &str) -> Vec<u64> {
        let plain = text.replace([display::number::GROUP, '.'], "");
        plain.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
    }

    #[test]
    fn the_first_screen_is_one_sum() {
        let plan = Plan::default();
        assert_eq!(share(&plan.schedule().tally()), "28.1 %");
        let said = "16 PEs × 16 cycles = 256 PE-cycles: 72 useful, 64 padding, 48 loading, 30 filling, 42 draining.";
        assert_eq!(sum_of(&plan), said);
        assert_eq!(why(&plan, Slot::Padding), "N = 3 uses only 3 of 4 columns.");
        let remedies = busy::remedies(&plan, Slot::Padding);
        assert_eq!(remedies.iter().map(|one| remedy(&plan, one)).collect::<Vec<_>>(), ["N = 4: 37.5 %"]);
    }

    #[test]
    fn a_step_says_its_utilization_and_is_an_improvement() {
        let gives = |query: &str| {
            let plan = plan(query);
            studio::suggestion::suggestions(&plan).iter().map(|step| next_step(&plan, step).1).collect::<Vec<_>>()
        };
        // The output-stationary dataflow would need 20 cycles instead of 16.
        assert_eq!(gives(""), ["MFU 64.9 %"]);
        // The run has two folds of 32 steps of k, each of 38 cycles.
        assert_eq!(gives("df=os"), ["MFU 47.4 %", "MFU 28.1 %"]);
    }

    #[test]
    fn the_sentence_adds_up_whatever_runs() {
        for query in [
            "rows=1&cols=1&m=1&k=1&n=1&df=os",
            "rows=8&cols=8&m=10&k=13&n=11&df=ws",
            "rows=16&cols=16&m=20&k=13&n=16&df=os&pad=zero",
            "rows=3&cols=7&m=20&k=33&n=16&df=is&overlap=double-buffered",
            "rows=128&cols=128&m=128&k=1024&n=1024&df=ws",
            "rows=1024&cols=1024&m=65536&k=65536&n=65536&df=ws",
        ] {
            let plan = plan(query);
            let text = sum_of(&plan);
            let (product, classes) = text.split_once(':').expect("a sum");
            let total: u64 = numbers(classes).iter().sum();
            if classes.contains('%') {
                assert_eq!(total, 1000, "{text}");
            } else {
                let [pes, cycles, slots] = numbers(product)[..] else { panic!("{text}") };
                assert_eq!((pes * cycles, total), (slots, slots), "{text}");
            }
        }
    }

    #[test]
    fn every_class_of_every_kind_of_run_has_its_reason() {
        let reason = |query: &str, slot: Slot| why(&plan(query), slot);
        let ragged = "rows=8&cols=8&m=10&k=13&n=11&df=ws";
        assert_eq!(
            reason(ragged, Slot::Padding),
            "K = 13 is not a multiple of 8: the last fold uses only 5 of 8 rows. N = 11 is not a multiple of 8: the last fold uses only 3 of 8 columns."
        );
        assert_eq!(
            reason(ragged, Slot::Load),
            "Loading the weights takes 8 cycles for each of 4 folds; no PE multiplies meanwhile."
        );
        assert!(reason("df=os&rows=4&cols=4", Slot::Load).starts_with("Nothing is loaded"));
        assert!(reason("rows=4&cols=4&pad=m&padm=8&n=4", Slot::Padding).contains("M = 6 is padded with zeros to 8"));
        assert!(reason("rows=4&cols=4&m=6&k=4&n=4", Slot::Padding).starts_with("None"));
        assert!(reason("df=is&rows=4&cols=4", Slot::Drain).contains("last column of B"));
    }

    #[test]
    fn a_curve_is_said_with_where_it_is_and_was() {
        let plan = Plan::default();
        assert_eq!(
            spark(&plan, &busy::curve(&plan, Field::M, Some(64))).words,
            "MFU of this array for M = 1 … 512: 28.1 % at M = 6; before the change, 64.9 % at M = 64; best by M alone: 75.0 %."
        );
        let passes = self::plan("dt=f32&passes=3");
        let sides = spark(&passes, &busy::curve(&passes, Field::Cols, None)).words;
        assert_eq!(sides, "MFU of this array for cols = 1 … 64: 9.4 % at cols = 4.");
        assert_eq!([0.0, 1.0, 0.51, 0.5, 0.2].map(top), [1.0, 1.0, 1.0, 0.5, 0.25]);
    }
}
