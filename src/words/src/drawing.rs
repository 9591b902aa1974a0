//! Texts of the drawings that the page can show in place of the array.

use display::figure::duration;
use display::number::{grouped, percent, readable};
use studio::{Drawing, Plan};
use systolic::{Cycle, PeId, Slot};

/// Label of the choice between the array and the other drawings.
pub const CHOICE: &str = "Show";
/// Axis of the roofline: arithmetic intensity.
pub const INTENSITY_AXIS: &str = "FLOP per byte";
/// Axis of the roofline: rate.
pub const RATE_AXIS: &str = "TFLOPS";
/// Heading of the efficiency breakdown.
pub const LADDER: &str = "From peak to MFU";
/// First bar of the efficiency breakdown.
pub const PEAK: &str = "peak";
/// Last bar of the efficiency breakdown.
pub const MFU: &str = "MFU";
/// Text of a chip whose rates are not published.
pub const UNKNOWN: &str = "The rates of this chip are not published.";
/// Text of a PE that holds no two operands.
pub const NO_OPERANDS: &str = "This PE multiplies nothing in this cycle.";
/// Label of the exact sum of a multiply-accumulate.
pub const EXACT_SUM: &str = "exact sum";
/// Label of a product.
pub const PRODUCT: &str = "a × b, exact";
/// Label of the sum in the register.
pub const SUM: &str = "sum in the PE";

/// Returns the name of a drawing.
#[must_use]
pub const fn name(drawing: Drawing) -> &'static str {
    match drawing {
        Drawing::Array => "the array",
        Drawing::PeCycles => "PE × cycle: one square for each PE-cycle",
        Drawing::Roofline => "roofline and efficiency breakdown",
        Drawing::Bits => "bits of one PE",
    }
}

/// Returns the description of a drawing for the panel and for screen readers.
#[must_use]
pub fn said(drawing: Drawing, plan: &Plan, cycle: Cycle, pe: PeId) -> String {
    match drawing {
        Drawing::Array => String::new(),
        Drawing::PeCycles => {
            let so_far = plan.schedule().tally_until(cycle);
            let counts = Slot::ALL.into_iter().filter(|slot| so_far.get(*slot).get() > 0);
            let counts: Vec<String> = counts
                .map(|slot| format!("{} {}", grouped(so_far.get(slot).get()), crate::busy::class(slot)))
                .collect();
            let all = grouped(plan.schedule().tally().total().get());
            format!("PE-cycles so far, of {all}: {}.", display::number::joined(&counts, ", "))
        }
        Drawing::Roofline => plan.on_chip().map_or_else(
            |_| UNKNOWN.to_owned(),
            |on| {
                format!(
                    "{}: {} and {} of {}, so {} % MFU.",
                    plan.chip().name,
                    dot(on.useful_flops / on.numbers.least_bytes),
                    rate(on.useful_flops / on.time.total.0),
                    rate(on.time.peak.0),
                    percent(on.mfu.ratio)
                )
            },
        ),
        Drawing::Bits => format!("{}: the bits of its operands, product and sum.", crate::pe::pe_name(pe)),
    }
}

/// Returns an arithmetic intensity with its unit.
#[must_use]
pub fn dot(intensity: f64) -> String {
    format!("{} {INTENSITY_AXIS}", readable(intensity, 3))
}

/// Returns a rate in FLOP per second with its unit.
#[must_use]
pub fn rate(flops: f64) -> String {
    format!("{} {RATE_AXIS}", readable(flops / 1e12, 3))
}

/// Returns the label of the sloped line of the roofline.
#[must_use]
pub fn memory(bytes_per_sec: f64) -> String {
    format!("memory: {} GB/s", readable(bytes_per_sec / 1e9, 4))
}

/// Returns the label of the flat line of the roofline.
#[must_use]
pub fn peak(flops: f64) -> String {
    format!("peak: {}", rate(flops))
}

/// Returns the label of the point at which both lines meet.
#[must_use]
pub fn ridge(intensity: f64) -> String {
    format!("ridge: {}", readable(intensity, 3))
}

/// Returns the lines next to the dot of a matmul: its sizes, its rate and its time.
#[must_use]
pub fn matmul(sizes: (u64, u64, u64), flops: f64, seconds: f64) -> [String; 2] {
    let (m, k, n) = sizes;
    [format!("{}×{}×{}", grouped(m), grouped(k), grouped(n)), format!("{} in {}", rate(flops), duration(seconds))]
}

/// Returns a share of a step of the efficiency breakdown.
#[must_use]
pub fn share(factor: f64) -> String {
    format!("{} %", percent(factor))
}

/// Returns the label of the squares of a class, with the number of PE-cycles so far.
#[must_use]
pub fn class(slot: Slot, n: u64) -> String {
    format!("{} {}", grouped(n), crate::busy::class(slot))
}

/// Returns the label of the rows and the columns of the PE-cycles.
#[must_use]
pub fn pe_cycles_axes(is_by_pe: bool) -> &'static str {
    if is_by_pe { "PEs down, cycles across" } else { "columns of PEs down, cycles across: most frequent use" }
}

/// Returns the label of an operand: its name, and the number from which it was made.
#[must_use]
pub fn operand(tag: &str, raw: &str) -> String {
    format!("{tag} = {raw}")
}

/// Returns the label of a stored number with its format.
#[must_use]
pub fn stored(dtype: &str, value: &str) -> String {
    format!("{dtype}: {value}")
}

/// Returns the label of the digits that rounding drops.
#[must_use]
pub fn dropped(n: usize) -> String {
    match n {
        0 => "exact".to_owned(),
        1 => "1 digit dropped".to_owned(),
        _ => format!("{n} digits dropped"),
    }
}
