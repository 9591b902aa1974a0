//! MFU and cost of the array on screen, with the price of a full array.

use display::figure::{Citation, Figure, cents, cite, defined, duration, price_words, short_dollars};
use display::number::{fixed, grouped, joined, percent, readable, significant};
use display::words::format;
use perfmodel::{AsRun, Compute, FullRate, MfuRefusal, PeakDtype, definition};
use studio::{ArrayCost, Plan};
use systolic::{Cycle, Slot, Tally};

use super::{amount, refusal};
use crate::busy;
use crate::count::{counted, noun_of};

/// Text of a cost before the first useful multiplication.
const NONE_YET: &str = "–";

/// MFU and cost of a part of the run, as texts for the panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArrayAtAGlance {
    /// MFU: `28.1 %`. Empty if the chip cannot multiply the format.
    pub mfu: String,
    /// Useful PE-cycles of all PE-cycles: `72 of 256`.
    pub useful: String,
    /// Dollars for 10¹⁸ useful multiplications: `$23.1`.
    pub cost: String,
    /// Cost relative to a full array: `3.6 ×`.
    pub times: String,
    /// Dollars for 10¹⁸ useful multiplications on a full array and in this run. 0 if they are unknown.
    pub usd: [f64; 2],
    /// Dollars of each class of PE-cycles, in the order of [`Slot::ALL`]: `6.51`. Empty before the first useful
    /// multiplication.
    pub classes: [String; 6],
}

/// Returns a cost relative to a full array: `1.03 ×`, `3.6 ×`, `88 300 ×`.
fn times(ratio: f64) -> String {
    let digits = match ratio {
        ratio if ratio < 1.995 => fixed(ratio, 2),
        ratio if ratio < 999.95 => fixed(ratio, 1),
        ratio => readable(ratio, 3),
    };
    digits + " ×"
}

/// Returns the dollars of a class, with two decimals below one dollar, so that small classes look small: `0.07`,
/// `<0.01`.
fn class_dollars(usd: f64) -> String {
    match usd {
        0.0 => "0".to_owned(),
        usd if usd < 0.005 => "<0.01".to_owned(),
        usd if usd < 0.995 => fixed(usd, 2),
        usd => short_dollars(usd).trim_start_matches('$').to_owned(),
    }
}

/// Returns the MFU and the cost of the array for the PE-cycles in a tally.
#[must_use]
pub fn array_at_a_glance(plan: &Plan, tally: &Tally) -> ArrayAtAGlance {
    let useful = busy::useful_of_all(tally);
    let Ok(cost) = plan.array_cost(tally) else {
        return ArrayAtAGlance { useful, cost: NONE_YET.to_owned(), ..ArrayAtAGlance::default() };
    };
    ArrayAtAGlance {
        mfu: format!("{} %", percent(cost.mfu)),
        useful,
        cost: cost.usd_per_1e18.map_or_else(|| NONE_YET.to_owned(), short_dollars),
        times: cost.times_full().map_or_else(String::new, times),
        usd: [cost.rate.usd_per_1e18, cost.usd_per_1e18.unwrap_or_default()],
        classes: Slot::ALL.map(|slot| match cost.usd_of(slot) {
            Some(usd) => class_dollars(usd),
            None => String::new(),
        }),
    }
}

/// Returns the price of 10¹⁸ multiplications on a full array: `$6.51`.
#[must_use]
pub fn full_array(plan: &Plan) -> String {
    let rate = plan.chip().full_rate(plan.format());
    rate.map_or_else(|_| NONE_YET.to_owned(), |rate| short_dollars(rate.usd_per_1e18))
}

/// Returns the time of the run, and the number of cycles with the time of one cycle: `15.3 ns`, `16 cycles of 0.953 ns
/// in int8`. `None` if the chip that provides the price has no systolic arrays.
#[must_use]
pub fn array_time(plan: &Plan) -> Option<[String; 2]> {
    let (rate, cycle, whole) = time_of(plan)?;
    let passes = if rate.as_run.passes == 1 { String::new() } else { format!("{} × ", rate.as_run.passes) };
    let cycles = plan.schedule().cycles().get();
    let cycles = format!("{} {}", busy::short(cycles), noun_of(cycles, "cycle"));
    let format = rate.as_run.multiplied.word();
    Some([duration(whole), format!("{passes}{cycles} of {} in {format}", duration(cycle))])
}

/// Returns the full rate of the chip, the seconds of one cycle, and the seconds of the run.
fn time_of(plan: &Plan) -> Option<(FullRate<'_>, f64, f64)> {
    let rate = plan.chip().full_rate(plan.format()).ok()?;
    let cycle = rate.secs_per_cycle()?;
    Some((rate, cycle, plan.schedule().cycles().as_f64() * f64::from(rate.as_run.passes) * cycle))
}

/// Returns the figure of [`array_time`].
pub(super) fn time(plan: &Plan) -> Figure {
    let definition = &definition::ARRAY_TIME;
    let (Some((rate, _, whole)), Some([value, note])) = (time_of(plan), array_time(plan)) else {
        let why = "The chip has no systolic arrays, so no time follows from the cycles of an array.".to_owned();
        return defined(definition, "unknown".to_owned(), why.clone(), why, Vec::new());
    };
    let pes = rate.pes().map_or_else(String::new, |pes| readable(pes, 9));
    let peak = inputs(&rate).1;
    let passes = rate.as_run.passes;
    let cycles = grouped(plan.schedule().cycles().get());
    let worked = format!("{cycles} · {passes} · 2 · {pes} ÷ {peak} = {}", duration(whole));
    defined(definition, value, note, worked, citations(plan, &rate))
}

/// Explains the price: the chip that lends its price, the format that the chip multiplies instead, and the price in
/// another format. If the chip cannot multiply the format, returns the reason. Empty in other cases.
#[must_use]
pub fn priced_as(plan: &Plan) -> String {
    let rate = match plan.chip().full_rate(plan.format()) {
        Ok(rate) => rate,
        Err(why) => {
            let [_, note, _] = refusal(plan, &why);
            return note;
        }
    };
    let lent = if rate.is_lent {
        let (own, other) = (plan.chip().name, rate.chip.name);
        format!("This uses the price and peak of {other}, because no list price is known for {own}. ")
    } else {
        String::new()
    };
    let run = &rate.as_run;
    let widened = if run.stored == run.multiplied {
        String::new()
    } else {
        format!("{} multiplies {}. ", rate.chip.name, format::runs_as(run))
    };
    (lent + &widened + &other_format(&rate).unwrap_or_default()).trim_end().to_owned()
}

/// Returns the heading for the run on a whole chip, and the label of its MFU: `Whole TPU v4: 8 arrays`, `MFU with launch`.
#[must_use]
pub fn of_chip(plan: &Plan) -> [String; 2] {
    let (chip, mfu) = (plan.chip(), busy::mfu(plan));
    let on = plan.on_chip().ok();
    let arrays = match (&chip.compute, &on) {
        (Compute::Arrays { .. }, Some(on)) => format!(": {}", counted(on.numbers.units, "array")),
        _ => String::new(),
    };
    let has_launch = on.is_some() && busy::other_format(plan).is_none();
    [format!("Whole {}{arrays}", chip.name), if has_launch { mfu + " with launch" } else { mfu }]
}

/// Returns the price of the chip in one hour: `at $3.22 an hour`. Empty if it is unknown.
#[must_use]
pub fn price_at_a_glance(plan: &Plan) -> String {
    let usd = plan.chip().default_price().and_then(|price| price.usd_per_chip_hour.value);
    usd.map_or_else(String::new, |usd| format!("at {} an hour", cents(usd)))
}

/// A format with its peak rate.
type Peak = (PeakDtype, f64);

/// Returns the format in which the chip multiplies, and the formats with which this format is compared.
fn peaks(rate: &FullRate) -> Option<(Peak, Vec<Peak>)> {
    let peak = |dtype| Some((dtype, rate.chip.peak(dtype)?.value?));
    let others = [PeakDtype::Bf16, PeakDtype::Int8, PeakDtype::Fp8].into_iter().filter_map(peak).collect();
    Some((peak(rate.as_run.multiplied)?, others))
}

/// True if the peaks, and therefore the prices, of two formats differ by more than 1%.
fn differ(one: Peak, other: Peak) -> bool {
    (other.1 / one.1 - 1.0).abs() > 0.01
}

/// Returns the effect of another format on the cost of this run: `int8 would save $6.00.` Empty if no other format has
/// a different price.
#[must_use]
pub fn format_says(plan: &Plan) -> String {
    let rate = plan.chip().full_rate(plan.format()).ok().filter(|rate| rate.as_run.passes == 1);
    let compared = rate.and_then(|rate| {
        let (own, others) = peaks(&rate)?;
        let other = others.into_iter().find(|&other| differ(own, other))?;
        let now = rate.usd_per_1e18_at(rate.mfu(plan.schedule().tally().utilization()))?;
        Some((other.0.word(), now * own.1 / other.1 - now))
    });
    match compared {
        Some((other, more)) if more < 0.0 => format!("{other} would save {}.", short_dollars(-more)),
        Some((other, more)) => format!("{other} would cost {} more.", short_dollars(more)),
        None => String::new(),
    }
}

/// Compares the price of the format with the first of bf16, int8 and fp8 that has a different price on this chip. If
/// all prices are equal and the format is not int8, names another format with this price.
fn other_format(rate: &FullRate) -> Option<String> {
    let (own, others) = peaks(rate)?;
    let Some(&other) = others.iter().find(|&&other| differ(own, other)) else {
        // Int8, the format of the first screen, gets no such sentence.
        let (same, peak) = others.into_iter().find(|other| other.0 != own.0 && own.0 != PeakDtype::Int8)?;
        let (own, name, peak) = (own.0.word(), rate.chip.name, amount(Some(peak), 6, "trillion operations/s"));
        return Some(format!("{own} takes and costs as much as {}, because {name} does {peak} in both.", same.word()));
    };
    let (dear, cheap) = if own.1 < other.1 { (own, other) } else { (other, own) };
    let speed =
        |(dtype, peak): (PeakDtype, f64)| format!("{} in {}", amount(Some(peak), 6, dtype.peak_unit()), dtype.word());
    Some(format!(
        "{} takes and costs {} times as much as {}, because {} does {} and {}.",
        dear.0.word(),
        significant(cheap.1 / dear.1, 2),
        cheap.0.word(),
        rate.chip.name,
        speed(dear),
        speed(cheap)
    ))
}

/// Returns the figures of the array on screen for a part of the run: its MFU and its cost.
pub(super) fn figures(plan: &Plan, tally: &Tally, note: &str) -> [Figure; 2] {
    match plan.array_cost(tally) {
        Ok(cost) => known(plan, tally, &cost, note),
        Err(why) => unknown(plan, &why),
    }
}

fn unknown(plan: &Plan, why: &MfuRefusal) -> [Figure; 2] {
    [&definition::ARRAY_MFU, &definition::ARRAY_USD].map(|definition| {
        let [value, note, worked] = refusal(plan, why);
        defined(definition, value, note, worked, Vec::new())
    })
}

fn known(plan: &Plan, tally: &Tally, cost: &ArrayCost, note: &str) -> [Figure; 2] {
    let (rate, array) = (&cost.rate, plan.schedule().array());
    let cycles = tally.total().get() / array.pes().max(1);
    let mfu = percent(cost.mfu);
    let passes = if rate.as_run.passes == 1 { String::new() } else { format!(" · {}", rate.as_run.passes) };
    let worked = format!(
        "{} ÷ ({} · {} · {}{passes}) = {mfu} %",
        grouped(tally.useful.get()),
        array.rows(),
        array.cols(),
        grouped(cycles),
    );
    let as_run = format::runs_as(&rate.as_run);
    let share = defined(
        &definition::ARRAY_MFU,
        format!("{mfu} %"),
        format!("{note}, {as_run}{}", lost(tally)),
        worked,
        converted(&rate.as_run).into_iter().collect(),
    );
    let (value, worked) = match cost.usd_per_1e18 {
        Some(usd) => (short_dollars(usd), cost_worked(rate, &mfu, &short_dollars(usd), cost.usd())),
        None => (NONE_YET.to_owned(), "No multiplication is useful yet.".to_owned()),
    };
    let times = cost.times_full().map_or_else(String::new, |ratio| format!(", {} a full array", times(ratio)));
    let usd = defined(&definition::ARRAY_USD, value, format!("{note}, {as_run}{times}"), worked, citations(plan, rate));
    [share, usd]
}

/// Returns the classes that are not useful, the largest first: `. Not useful: 25.0 % padding, 18.8 % loading`.
fn lost(tally: &Tally) -> String {
    let all = tally.total().as_f64();
    let mut shares: Vec<(f64, Slot)> = Slot::ALL.map(|slot| (tally.get(slot).as_f64() / all, slot)).into();
    shares.retain(|&(share, slot)| slot != Slot::Useful && share > 0.0);
    shares.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named: Vec<String> =
        shares.into_iter().map(|(share, slot)| format!("{} % {}", percent(share), busy::class(slot))).collect();
    if named.is_empty() { String::new() } else { format!(". Not useful: {}", joined(&named, ", ")) }
}

/// Returns the formula of the cost with its numbers, and the dollars of this run.
fn cost_worked(rate: &FullRate, mfu: &str, usd: &str, run: f64) -> String {
    let (price, peak) = inputs(rate);
    let full = short_dollars(rate.usd_per_1e18);
    let run = readable(run, 3);
    format!("{price} ÷ ({peak} ÷ 2 · 3600 s) · 10¹⁸ = {full}; ÷ {mfu} % = {usd}. This run: ${run}")
}

/// Returns the price per chip-hour and the peak as texts.
fn inputs(rate: &FullRate) -> (String, String) {
    let price = rate.chip.default_price().and_then(|price| price.usd_per_chip_hour.value);
    let multiplied = rate.as_run.multiplied;
    let peak = rate.chip.peak(multiplied).and_then(|peak| peak.value);
    (price.map_or_else(String::new, cents), amount(peak, 6, multiplied.peak_unit()))
}

fn citations(plan: &Plan, rate: &FullRate) -> Vec<Citation> {
    let multiplied = rate.as_run.multiplied;
    let price = rate.chip.default_price().map(|price| cite(price_words(price), &price.usd_per_chip_hour));
    let (_, value) = inputs(rate);
    let peak = rate.chip.peak(multiplied);
    let peak = peak.map(|peak| cite(format!("{} peak, {}: {value}", rate.chip.name, multiplied.word()), peak));
    let mut all: Vec<Citation> = price.into_iter().chain(peak).chain(converted(&rate.as_run)).collect();
    if let (true, Some(first)) = (rate.is_lent, all.first_mut()) {
        first.what = format!("{}, because no list price is known for {}", first.what, plan.chip().name);
    }
    all
}

/// Returns the source for the conversion of the format, if the chip converts the format.
pub(super) fn converted(run: &AsRun) -> Option<Citation> {
    let (source, confidence) = run.source()?;
    Some(Citation {
        what: format::runs_as(run),
        source: source.citation(),
        confidence: format!("{}: {}", confidence.word(), confidence.says()),
        note: "",
    })
}

/// Returns the figures of the array from the start of the run up to and including a cycle.
#[must_use]
pub fn array_so_far(plan: &Plan, cycle: Cycle) -> [Figure; 2] {
    let note = format!("cycles 0 to {}", grouped(cycle.get()));
    let [mfu, usd] = figures(plan, &plan.schedule().tally_until(cycle), &note);
    [
        Figure { id: "array-mfu-so-far", name: "MFU of this array so far", ..mfu },
        Figure { id: "array-usd-so-far-per-1e18", ..usd },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&studio::Link::parse(query, "").scenario).expect("a run")
    }

    #[test]
    fn the_panel_of_the_first_screen_adds_up() {
        let plan = Plan::default();
        let whole = array_at_a_glance(&plan, &plan.schedule().tally());
        assert_eq!((whole.mfu.as_str(), whole.cost.as_str(), whole.times.as_str()), ("28.1 %", "$23.1", "3.6 ×"));
        assert_eq!(whole.classes, ["6.51", "5.78", "4.34", "2.71", "3.79", "0"]);
        assert_eq!(full_array(&plan), "$6.51");
        let so_far = |cycle| array_at_a_glance(&plan, &plan.schedule().tally_until(Cycle(cycle)));
        // These are the values while the run plays.
        let played: Vec<_> = [0, 4, 7, 11, 15].map(|cycle| (so_far(cycle).mfu, so_far(cycle).cost)).into();
        let printed =
            [("0.0 %", "–"), ("1.3 %", "$520"), ("14.8 %", "$43.8"), ("32.3 %", "$20.1"), ("28.1 %", "$23.1")];
        assert_eq!(played, printed.map(|(mfu, cost)| (mfu.to_owned(), cost.to_owned())));
        assert_eq!(so_far(15), whole);
    }

    #[test]
    fn a_format_that_runs_in_another_way_is_named() {
        assert_eq!(priced_as(&Plan::default()), "");
        assert_eq!(priced_as(&plan("dt=int4&chip=tpu-v4")), "TPU v4 multiplies int4 widened to int8.");
        let said = "bf16 takes and costs 2 times as much as int8, because TPU v5e does 197 TFLOPS in bf16 and 393 TOPS in int8.";
        let same = "bf16 takes and costs as much as int8, because TPU v4 does 275 trillion operations/s in both.";
        assert_eq!(priced_as(&plan("dt=bf16&chip=tpu-v4")), same);
        assert_eq!([priced_as(&plan("dt=bf16&chip=tpu-v5e")), priced_as(&plan("chip=tpu-v5e"))], [said, said]);
        let lent = "This uses the price and peak of TPU v4, because no list price";
        assert!(priced_as(&plan("chip=tpu-v1")).starts_with(lent));
        assert!(priced_as(&plan("dt=bf16&chip=tpu-v1")).starts_with("TPU v1: The chip cannot multiply"));
        let refused = plan("dt=bf16&chip=tpu-v1");
        assert_eq!(array_at_a_glance(&refused, &refused.schedule().tally()).mfu, "");
        // The price is $1.20 ÷ (393 TOPS ÷ 2 · 3600 s) · 10¹⁸ = $1.70, and 28.1% of the PE-cycles are useful.
        assert_eq!(format_says(&plan("dt=bf16&chip=tpu-v5e")), "int8 would save $6.00.");
        assert_eq!(format_says(&plan("chip=tpu-v5e")), "bf16 would cost $6.00 more.");
        assert_eq!([format_says(&Plan::default()), format_says(&refused)], ["", ""]);
    }

    #[test]
    fn the_receipt_has_the_numbers_of_its_formula() {
        let plan = Plan::default();
        let [mfu, usd] = figures(&plan, &plan.schedule().tally(), "whole run");
        assert_eq!(mfu.worked, "72 ÷ (4 · 4 · 16) = 28.1 %");
        let lost = "Not useful: 25.0 % padding, 18.8 % loading, 16.4 % draining, 11.7 % filling";
        assert_eq!(mfu.note, format!("whole run, int8. {lost}"));
        assert_eq!(
            usd.worked,
            "$3.22 ÷ (275 TOPS ÷ 2 · 3600 s) · 10¹⁸ = $6.51; ÷ 28.1 % = $23.1. This run: $1.67 × 10⁻¹⁵"
        );
        let time = time(&plan);
        assert_eq!((time.value.as_str(), time.note.as_str()), ("15.3 ns", "16 cycles of 0.953 ns in int8"));
        assert_eq!(time.worked, "16 · 1 · 2 · 131 072 ÷ 275 TOPS = 15.3 ns".replace("131 072", "131\u{202f}072"));
        assert!(usd.citations.len() >= 3 && usd.note.ends_with("int8, 3.6 × a full array"), "{usd:?}");
    }
}
