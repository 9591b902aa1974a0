//! Texts of the drawings that the page can show in place of the array.

use display::figure::duration;
use display::number::{grouped, percent, readable};
use studio::{Drawing, Field, FieldValue, Plan};
use systolic::{Cycle, Operand, PeId, Slot};

use crate::compare;

/// Label of the choice between the array and the other drawings.
pub const CHOICE: &str = "Show";
/// Axis of the roofline: arithmetic intensity.
pub const INTENSITY_AXIS: &str = "FLOP per byte";
/// Axis of the roofline: rate.
pub const RATE_AXIS: &str = "TFLOPS";
/// Heading of the efficiency breakdown.
pub const LADDER: &str = "From peak to MFU";
/// Heading of the efficiency breakdown, if its axis is logarithmic.
pub const LOGARITHMIC_LADDER: &str = "From peak to MFU, logarithmic";
/// First bar of the efficiency breakdown.
pub const PEAK: &str = "peak";
/// Heading of the shares of the peak that are left after each step of the efficiency breakdown.
pub const LEFT: &str = "left";
/// Heading of the factors of the efficiency breakdown: the share that each step leaves.
pub const STEP: &str = "step";
/// Heading of the times of a matmul on a chip.
pub const TIMES: &str = "Times";
/// Bars of the times: the launch, memory, arithmetic, and the whole matmul.
pub const TIME_PARTS: [&str; 4] = ["launch", "memory", "arithmetic", "matmul"];
/// Last bar of the efficiency breakdown.
pub const MFU: &str = "MFU";
/// Text in place of a drawing if the chip's rates are not published.
pub const UNKNOWN: &str = "The rates of this chip are not published.";
/// Text in place of the drawing if the PE does not have two operands.
pub const NO_OPERANDS: &str = "This PE multiplies nothing in this cycle.";
/// Label of the exact sum of a multiply-accumulate.
pub const EXACT_SUM: &str = "exact sum";
/// Label of a product.
pub const PRODUCT: &str = "a × b, exact";
/// Label of an exact sum that is shown with fewer digits.
pub const ROUNDED: &str = "shown rounded to f32";
/// Label of the sum in the register.
pub const SUM: &str = "sum in the PE";
/// Names of the groups of bits: sign, exponent, fraction, and the digits that rounding removes.
pub const BIT_GROUPS: [&str; 4] = ["sign", "exponent (range)", "fraction (digits)", "rounded off"];
/// The names of [`BIT_GROUPS`] in a narrow drawing.
pub const BIT_GROUPS_SHORT: [&str; 4] = ["sign", "exponent", "fraction", "rounded off"];

/// Returns the name of a drawing.
#[must_use]
pub const fn name(drawing: Drawing) -> &'static str {
    match drawing {
        Drawing::Array => "the array",
        Drawing::PeCycles => "PE × cycle: one square for each PE-cycle",
        Drawing::Cube => "cube of all multiplications",
        Drawing::Cubes => "three dataflows, one cube",
        Drawing::Roofline => "roofline and efficiency breakdown",
        Drawing::Bits => "bits of one PE",
        Drawing::Traffic => "traffic: numbers that cross the edge",
        Drawing::Im2col => "convolution: A as a picture",
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
        Drawing::Cube => crate::cube::said(plan, cycle, pe),
        Drawing::Cubes => crate::cube::three_said(plan, cycle),
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
        Drawing::Bits if plan.unit().rule().is_some() => {
            format!("{}: the bits of its operands and of the block of products in its sum.", crate::pe::pe_name(pe))
        }
        Drawing::Bits => format!("{}: the bits of its operands, product and sum.", crate::pe::pe_name(pe)),
        Drawing::Traffic => {
            let (edge, macs) = (plan.schedule().edge_traffic(), plan.schedule().gemm().macs().get());
            let counts = [(Operand::A, edge.a_reads), (Operand::B, edge.b_reads), (Operand::C, edge.c_writes)];
            let said = counts.map(|(operand, n)| format!("{}: {}", crosses(operand), crossing(n.get(), macs)));
            format!("{}.", said.join(". "))
        }
        Drawing::Im2col => {
            let gemm = plan.schedule().gemm();
            format!(
                "Each of the {} rows of A has the {} pixels under the filter at one place.",
                grouped(gemm.m()),
                grouped(gemm.k())
            )
        }
    }
}

/// Name of the bar for all numbers that cross the edge.
pub const TOTAL: &str = "in all";
/// Text for a matmul that does not correspond to a picture of at most 64×64 pixels.
pub const NO_PICTURE: &str = "This matmul has no picture, because M and K are not small squares.";

/// Returns the label of the button that applies settings that suit a drawing better.
#[must_use]
pub fn take(settings: &[(Field, FieldValue)]) -> String {
    let each = settings.iter().map(|(field, value)| match value {
        FieldValue::Dataflow(dataflow) => format!("dataflow = {}, the longest run", crate::label::stays(*dataflow)),
        _ => format!("{} = {value}", crate::label::field(*field)),
    });
    format!("Set {}", display::number::joined(&each.collect::<Vec<_>>(), " and "))
}

/// Returns the name of the bar for a matrix.
#[must_use]
pub const fn crosses(operand: Operand) -> &'static str {
    match operand {
        Operand::A => "A enters",
        Operand::B => "B enters",
        Operand::C => "sums leave",
    }
}

/// Returns how many numbers cross the edge, and for how many products each number is used on average.
#[must_use]
pub fn crossing(n: u64, products: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "the mean is rounded for display")]
    let mean = products as f64 / n.max(1) as f64;
    let products = if mean == 1.0 { "1 product".to_owned() } else { format!("{} products", readable(mean, 3)) };
    format!("{} numbers, {products} for each", grouped(n))
}

/// Label of the axis of the traffic.
pub const CROSSINGS_AXIS: &str = "numbers that cross the edge";

/// Returns how many numbers cross the edge in the run before some settings changed, and in this run.
#[must_use]
pub fn crossing_then_and_now(before: u64, now: u64) -> String {
    format!("{BEFORE}: {}, {NOW}: {}", grouped(before), grouped(now))
}

/// Name of the run before some settings changed.
pub const BEFORE: &str = "before";
/// Name of the run with the changed settings.
pub const NOW: &str = "now";

/// Returns the size of an array.
#[must_use]
pub fn array(rows: u32, cols: u32) -> String {
    format!("{rows}×{cols} PEs")
}

/// Returns the size of several equal arrays, or of one.
#[must_use]
pub fn arrays(n_arrays: u64, array: systolic::ArrayShape) -> String {
    let one = self::array(array.rows(), array.cols());
    if n_arrays == 1 { one } else { format!("{} arrays of {one}", grouped(n_arrays)) }
}

/// Returns the arrays of a run, its cycles and its utilization. If another run has an array of equal size, the text
/// starts with the settings that differ instead of the arrays.
#[must_use]
pub fn run(plan: &Plan, other: &Plan, n_arrays: u64) -> String {
    let schedule = plan.schedule();
    let (cycles, useful) = (grouped(schedule.cycles().get()), schedule.tally().utilization());
    let settings = if schedule.array() == other.schedule().array() { compare::differing(plan, other) } else { None };
    let name = settings.unwrap_or_else(|| arrays(n_arrays, schedule.array()));
    format!("{name}, {cycles} cycles, {} useful", share(useful))
}

/// Returns the title of a picture to which a filter is applied: the sizes of both.
#[must_use]
pub fn pixels(side: u64, filter: u64) -> String {
    format!("picture {side}×{side}, filter {filter}×{filter}")
}

/// Returns the title of A, with the number of the row that belongs to the filter's position.
#[must_use]
pub fn rows_of_a(place: u64) -> String {
    format!("A: row {}", grouped(place))
}

/// Returns the count of numbers in A as a product: the pixels times the mean number of copies of a pixel.
#[must_use]
pub fn copies(numbers: u64, pixels: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "the mean is rounded for display")]
    let mean = numbers as f64 / pixels.max(1) as f64;
    format!("{} numbers in A: {} pixels × {}", grouped(numbers), grouped(pixels), readable(mean, 3))
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

/// Returns a time next to its bar, with the time of the run before.
#[must_use]
pub fn time(seconds: f64, before: Option<f64>) -> String {
    let now = duration(seconds);
    before.map_or_else(|| now.clone(), |before| format!("{} → {now}", duration(before)))
}

/// Returns the share that a step of the efficiency breakdown leaves, as a factor.
#[must_use]
pub fn factor(of_step: f64) -> String {
    format!("× {}", share(of_step))
}

/// Returns a share of the peak, or of the PE-cycles.
#[must_use]
pub fn share(factor: f64) -> String {
    format!("{} %", percent(factor))
}

/// Returns the label of the squares of a class of PE-cycles: the PE-cycles of one array so far, times the number of
/// arrays.
#[must_use]
pub fn class(slot: Slot, n: u64, n_arrays: u64) -> String {
    let each = format!("{} {}", grouped(n), crate::busy::class(slot));
    if n_arrays == 1 { each } else { format!("{} × {each}", grouped(n_arrays)) }
}

/// Returns the label that states the meaning of rows and columns in the picture of the PE-cycles.
#[must_use]
pub fn pe_cycles_axes(is_by_pe: bool) -> &'static str {
    if is_by_pe { "down: PEs · across: cycles" } else { "down: PEs, most used at the bottom · across: cycles" }
}

/// Returns the label of an operand: its name, and its value before rounding to the format.
#[must_use]
pub fn operand(tag: &str, raw: &str) -> String {
    format!("{tag} = {raw}")
}

/// Returns the label of a stored number with its format.
#[must_use]
pub fn stored(dtype: &str, value: &str) -> String {
    format!("{dtype}: {value}")
}
