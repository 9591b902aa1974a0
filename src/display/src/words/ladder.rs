//! Text of the efficiency breakdown: from the peak of a chip to the rate of one matmul.

mod worked;

use self::worked::{meaning, raise, worked};
use super::format;
use crate::figure::{Citation, Figure, duration};
use crate::number::{grouped, percent, readable};
use perfmodel::gemm_time::calibration::Basis;
use perfmodel::gemm_time::{ProductOnChip, Rung, Step};
use perfmodel::{Chip, Compute};

/// Heading of the efficiency breakdown.
pub const HEADING: &str = "Efficiency breakdown: peak to this matmul";

/// Returns the name of a rung, which is one factor of the efficiency breakdown. On a GPU, thread blocks explain the
/// loss that is unexplained on a chip with arrays.
#[must_use]
pub const fn name(rung: Rung, is_gpu: bool) -> &'static str {
    match rung {
        Rung::Format => "format",
        Rung::Arrays => "load balance",
        Rung::Tiles => "tile padding",
        Rung::Load => "load",
        Rung::FillAndDrain => "fill and drain",
        Rung::Unexplained if is_gpu => "sustained rate",
        Rung::Unexplained => "unexplained",
        Rung::Reload => "operand re-reads",
        Rung::Memory => "memory",
        Rung::Launch => "launch",
    }
}

/// Returns the id of a rung's figure.
#[must_use]
pub const fn id(rung: Rung) -> &'static str {
    match rung {
        Rung::Format => "ladder-format",
        Rung::Arrays => "ladder-arrays",
        Rung::Tiles => "ladder-tiles",
        Rung::Load => "ladder-load",
        Rung::FillAndDrain => "ladder-fill-drain",
        Rung::Unexplained => "ladder-unexplained",
        Rung::Reload => "ladder-reload",
        Rung::Memory => "ladder-memory",
        Rung::Launch => "ladder-launch",
    }
}

/// True if a rung applies to the chip. Only a chip with arrays of a known size loads, fills and drains.
#[must_use]
pub const fn applies(on: &ProductOnChip, rung: Rung) -> bool {
    on.numbers.dealing.is_some() || !matches!(rung, Rung::Load | Rung::FillAndDrain)
}

/// Returns a sentence that names the units that run the matmul: the chip's arrays or tensor cores, not the array in the
/// array view.
#[must_use]
pub fn runs_on(chip: &Chip, on: &ProductOnChip) -> String {
    let dataflow = match &chip.compute {
        Compute::Arrays { dataflow, .. } => dataflow,
        Compute::TensorCores { .. } => {
            return format!("{} runs this matmul on tensor cores, not on a systolic array.", chip.name);
        }
        Compute::Unknown(_) => return format!("The number of matrix units in {} is unknown.", chip.name),
    };
    let of = on.numbers.sides.map_or_else(String::new, |(rows, cols)| format!(" of {rows}×{cols} PEs"));
    let arrays = if on.numbers.units == 1 { "array" } else { "arrays" };
    let dataflow = dataflow.value.map_or_else(String::new, |dataflow| format!(", {dataflow}"));
    format!("{} runs this matmul on its own {} {arrays}{of}{dataflow}.", chip.name, grouped(on.numbers.units))
}

/// Beginnings of sentences that name the largest loss: of all losses, and of the losses after the launch.
const LARGEST: &str = "Largest loss:";
const LARGEST_IN_REST: &str = "Next loss:";

/// Returns a sentence that names the largest loss.
#[must_use]
pub fn costliest(on: &ProductOnChip) -> String {
    let step = on.costliest();
    let left = percent(step.factor);
    match step.rung {
        Rung::Format => {
            format!(
                "{LARGEST} number format ({}), which leaves {left} % of the rate.",
                format::runs_as(&on.time.as_run)
            )
        }
        Rung::Arrays if !on.numbers.is_gpu => {
            format!("{LARGEST} uneven load of the arrays, which leaves {left} % of the rate.")
        }
        Rung::Arrays => {
            let [blocks, units] = blocks_and_units(on);
            format!("{LARGEST} idle multiprocessors. Only {left} % of the rate is left with {blocks} on {units}.")
        }
        Rung::Tiles if is_capped(on) => format!("{LARGEST} tile padding, which leaves {left} % of the rate."),
        Rung::Tiles => {
            let arrays = on.numbers.sides.map(|(rows, cols)| format!("On arrays of {rows}×{cols} PEs, "));
            let arrays = arrays.as_deref().unwrap_or_default();
            format!("{LARGEST} tile padding. {arrays}{left} % of the multiplications are useful.")
        }
        Rung::Load => {
            let streamed = on.numbers.dealing.map_or(0.0, |dealing| dealing.streamed);
            let rows = if streamed == 1.0 { "row" } else { "rows" };
            format!(
                "{LARGEST} load. A fold has {} {rows} of A, so arrays wait for the next weights, and {left} % of the rate is left.",
                readable(streamed, 9)
            )
        }
        Rung::FillAndDrain => format!("{LARGEST} fill and drain, which leave {left} % of the rate."),
        Rung::Unexplained => match sustained(on) {
            Sustained::Largest(on_chip) => {
                let share = percent(on.numbers.calibration.math_share);
                format!("{LARGEST} sustained rate. Even large matmuls reach only {share} % of the peak{on_chip}.")
            }
            Sustained::ShortBlocks => format!(
                "{LARGEST} thread blocks with little work. While they run, they reach only {left} % of the peak of their multiprocessors."
            ),
            Sustained::OfArrays if on.numbers.dealing.is_none() => {
                format!("{LARGEST} unexplained, because no array size is published. Only {left} % of the rate is left.")
            }
            Sustained::OfArrays => {
                format!("{LARGEST} time that counted cycles do not explain. Only {left} % of the rate is left.")
            }
        },
        Rung::Reload => format!("{LARGEST} operand re-reads, which leave {left} % of the rate."),
        Rung::Memory => format!("{LARGEST} memory stalls, which leave {left} % of the rate."),
        Rung::Launch => {
            let launch = duration(on.time.parts.launch.0);
            format!("{LARGEST} launch overhead of {launch}, which leaves {left} % of the rate.")
        }
    }
}

/// Returns the name of the units that the blocks of work run on.
const fn units_of(on: &ProductOnChip) -> &'static str {
    if on.numbers.is_gpu { "multiprocessors" } else { "arrays" }
}

/// Returns the number of blocks of work and the number of units, with their nouns.
fn blocks_and_units(on: &ProductOnChip) -> [String; 2] {
    let block = if on.numbers.is_gpu { "thread block" } else { "tile" };
    let plural = if on.numbers.blocks == 1.0 { "" } else { "s" };
    let units = grouped(on.numbers.units);
    [format!("{} {block}{plural}", readable(on.numbers.blocks, 9)), format!("{units} {}", units_of(on))]
}

/// True if the measured compute time is shorter than the time of the padded work. The factors of load balance and tile
/// padding then end at the measured time.
fn is_capped(on: &ProductOnChip) -> bool {
    let busiest = on.numbers.busiest_flops * f64::from(on.time.as_run.passes) / on.time.peak.0;
    busiest > on.time.parts.math.0 * (1.0 + 1e-9)
}

/// Cause of the loss in arrays or multiprocessors that have work.
enum Sustained {
    /// The largest measured share of a GPU's peak. If another chip was measured, the text names that chip: ` on H100`.
    Largest(String),
    /// The start and end of thread blocks, and the small tile of C.
    ShortBlocks,
    /// A loss in arrays that their counted cycles do not explain.
    OfArrays,
}

/// Smallest ratio of a share of the peak to the largest measured share at which the share counts as the largest.
const NEARLY: f64 = 0.98;

fn sustained(on: &ProductOnChip) -> Sustained {
    let factor = on.steps.iter().find(|step| step.rung == Rung::Unexplained).map_or(1.0, |step| step.factor);
    let is_largest = factor >= NEARLY * on.numbers.calibration.math_share;
    match on.basis {
        _ if !on.numbers.is_gpu => Sustained::OfArrays,
        Basis::Borrowed(other) if is_largest => Sustained::Largest(format!(" on {}", measured_chip(other.chip))),
        _ if is_largest => Sustained::Largest(String::new()),
        _ => Sustained::ShortBlocks,
    }
}

fn measured_chip(id: &'static str) -> &'static str {
    Chip::by_id(id).map_or(id, |chip| chip.name)
}

/// Returns the sentence of [`costliest`]. If the launch takes most of the time, the sentence is about the launch. It
/// then also names the largest loss in the rest of the time.
#[must_use]
pub fn at_a_glance(on: &ProductOnChip) -> String {
    let (launch, total, step) = (on.time.parts.launch.0, on.time.total.0, on.costliest());
    let text = if launch <= total / 2.0 || step.rung == Rung::Launch {
        costliest(on)
    } else {
        let [launch, total] = [launch, total].map(duration);
        let rest = name(step.rung, on.numbers.is_gpu);
        format!("Too small: launch takes {launch} of {total}. {LARGEST_IN_REST} {rest}.")
    };
    // No line ends between a number and its unit.
    [" %", " ns", " µs", " ms"].into_iter().fold(text, |text, unit| text.replace(unit, &unit.replace(' ', "\u{a0}")))
}

/// Returns a figure for each rung that applies, from the peak down. The product of the values is the MFU.
#[must_use]
pub fn figures(chip: &Chip, on: &ProductOnChip) -> Vec<Figure> {
    on.steps.iter().filter(|step| applies(on, step.rung)).map(|step| figure(chip, on, step)).collect()
}

/// Returns a figure for each rung if the time is unknown. The figure states the meaning of the rung, and `why` states
/// the reason for the unknown value.
#[must_use]
pub fn unknown(why: &str) -> Vec<Figure> {
    let figure = |rung| {
        let (formula, says, leaves_out) = meaning(rung);
        let (id, name, value) = (id(rung), name(rung, false), "unknown".to_owned());
        let (note, worked, citations) = (String::new(), why.to_owned(), Vec::new());
        Figure { id, name, value, range: None, note, formula, worked, says, leaves_out, citations }
    };
    Rung::ALL.map(figure).into()
}

fn figure(chip: &Chip, on: &ProductOnChip, step: &Step) -> Figure {
    let rung = step.rung;
    let (formula, says, leaves_out) = meaning(rung);
    let name = name(rung, on.numbers.is_gpu);
    Figure {
        id: id(rung),
        name,
        value: format!("× {} %", percent(step.factor)),
        range: None,
        note: format!("{} % left", percent(step.left)),
        formula,
        worked: format!("{} = {} %. {}", worked(chip, on, rung), percent(step.factor), raise(on, step)),
        says,
        leaves_out,
        citations: vec![Citation {
            what: name.to_owned(),
            source: step.source.citation(),
            confidence: format!("{}: {}", step.confidence.word(), step.confidence.says()),
            note: if matches!(on.basis, Basis::Borrowed(_)) && is_measured(rung) { BORROWED } else { "" },
        }],
    }
}

/// Note in the citation of a constant that was measured on another chip.
const BORROWED: &str = "measured on another chip, because no value is published for this chip";

/// True if a rung uses a measured constant.
const fn is_measured(rung: Rung) -> bool {
    matches!(rung, Rung::Unexplained | Rung::Memory | Rung::Launch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfmodel::{GemmSizes, PeakDtype};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn on(id: &str, dtype: PeakDtype, [m, k, n]: [u64; 3]) -> (&'static Chip, ProductOnChip) {
        let chip = Chip::by_id(id).expect("listed");
        (chip, ProductOnChip::new(chip, dtype, GemmSizes { m, k, n }).expect("known"))
    }

    #[test]
    fn every_rung_of_every_chip_opens() {
        for chip in Chip::all() {
            for dtype in PeakDtype::ALL {
                for [m, k, n] in [[6, 4, 3], [1, 4096, 4096], [8192; 3]] {
                    let Ok(on) = ProductOnChip::new(chip, dtype, GemmSizes { m, k, n }) else { continue };
                    for figure in figures(chip, &on) {
                        assert!(figure.worked.ends_with('.') && figure.value.ends_with('%'), "{figure:?}");
                        assert!(!figure.citations[0].source.is_empty() && !figure.formula.is_empty());
                        assert!(!figure.worked.contains("NaN") && !figure.worked.contains('∞'), "{figure:?}");
                    }
                    assert!(costliest(&on).starts_with("Largest loss"), "{}", chip.id);
                }
            }
        }
    }

    #[test]
    fn the_sentence_names_the_step_that_costs_most() {
        assert!(costliest(&on("tpu-v4", PeakDtype::Int8, [6, 4, 3]).1).contains("padding"));
        assert!(costliest(&on("tpu-v5e", PeakDtype::Bf16, [8192; 3]).1).contains("do not explain"));
        assert!(costliest(&on("h100-sxm", PeakDtype::Bf16, [1, 8192, 8192]).1).contains("memory"));
    }

    #[test]
    fn padding_shows_the_sides_as_they_are_filled_up() {
        let (chip, on) = on("tpu-v4", PeakDtype::Int8, [6, 4, 3]);
        let tiles = figures(chip, &on).remove(2);
        assert!(tiles.worked.contains("6 × 4 × 3 is padded to 6 × 128 × 128: 72 ÷ 98\u{202f}304"), "{}", tiles.worked);
        assert!(tiles.worked.ends_with("make K a multiple of 128, and N a multiple of 128."));
    }
}
