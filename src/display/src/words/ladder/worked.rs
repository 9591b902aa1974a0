//! Formulas of the factors of the efficiency breakdown, with the numbers of a run.

use super::{NEARLY, Sustained, blocks_and_units, is_capped, measured_chip, sustained, units_of};
use crate::figure::duration;
use crate::number::{grouped, joined, readable};
use crate::words::format;
use perfmodel::gemm_time::calibration::Basis;
use perfmodel::gemm_time::{Dealing, ProductOnChip, Rung, Step};
use perfmodel::{Chip, Conversion};

/// Returns the formula of a rung, its meaning, and the effects that the formula leaves out.
pub(super) const fn meaning(rung: Rung) -> (&'static str, &'static str, &'static str) {
    match rung {
        Rung::Format => (
            "1 ÷ passes; passes = matmuls on the chip per matmul of the program",
            "Share of the peak that remains if the chip runs each matmul of the program as several matmuls in another format.",
            "Conversion of the operands, because its time is not published.",
        ),
        Rung::Arrays => (
            "padded work ÷ (work of the busiest unit · number of units)",
            "Load balance: average work of a unit, divided by the work of the busiest unit. A unit is an array, or a multiprocessor of a GPU.",
            "The way in which a real compiler divides the work.",
        ),
        Rung::Tiles => (
            "useful work ÷ padded work",
            "Share of the padded work that is useful. K and N are padded to multiples of the array's rows and columns. On a GPU, all sizes are padded to whole thread blocks.",
            "Padding inside thread blocks for the shape of a tensor core, because its measured share of the peak contains this padding.",
        ),
        Rung::Load => (
            "cycles that stream ÷ (cycles that stream + cycles that wait for weights)",
            "Share of the rate that remains if arrays wait for the weights of their next fold. With double buffering, a load is hidden if the fold streams at least as many rows of A as the array has rows. The first load is hidden too, as measured for one tile.",
            "Weights that arrive late from memory: they are part of the memory step.",
        ),
        Rung::FillAndDrain => (
            "(cycles − cycles of one fill and one drain) ÷ cycles",
            "Share of the rate that remains after one fill and one drain of the busiest array. Its folds overlap, so they fill and drain only once.",
            "Fills and drains between matmuls, if a compiler interrupts the stream.",
        ),
        Rung::Unexplained => (
            "time of the counted cycles ÷ compute time",
            "Share of the peak that remains after a loss that the counted cycles do not explain. Possible causes are a clock below its maximum and waits inside the chip. On a GPU, the loss also contains the start and end of thread blocks.",
            "The loss from each single cause, because measurements of a chip include all causes together.",
        ),
        Rung::Reload => (
            "time if each operand moves once ÷ time with re-reads",
            "Share of the rate that remains after re-reads of operands that on-chip memory cannot keep.",
            "The block sizes that the compiler chose.",
        ),
        Rung::Memory => (
            "compute time ÷ (compute time + memory time that does not overlap)",
            "Share of the rate that remains after memory stalls if each operand and each result moves only once.",
            "Time saved by operands that are still on the chip from the previous matmul.",
        ),
        Rung::Launch => (
            "(time − launch) ÷ time",
            "Share of the total time that is left when the launch time is subtracted. The launch time is the time to start the program, before the first multiplication.",
            "Time saved when several matmuls are compiled into one program, with one launch.",
        ),
    }
}

/// Returns the formula of a rung with numbers instead of symbols.
pub(super) fn worked(chip: &Chip, on: &ProductOnChip, rung: Rung) -> String {
    let (numbers, parts, run) = (&on.numbers, &on.time.parts, &on.time.as_run);
    match rung {
        Rung::Format => format!("{}: 1 ÷ {}", format::runs_as(run), run.passes),
        Rung::Arrays | Rung::Tiles if numbers.sides.is_none() && !numbers.is_gpu => {
            "1 (no array size is published)".to_owned()
        }
        Rung::Arrays | Rung::Tiles if is_capped(on) => {
            format!(
                "the blocks would take longer than the {} of compute, so the chip divides the work better",
                duration(parts.math.0)
            )
        }
        Rung::Arrays => {
            let [blocks, units] = blocks_and_units(on);
            let [padded, busiest] = [numbers.padded_flops, numbers.busiest_flops].map(|flops| readable(flops, 4));
            let shared = numbers.dealing.map_or_else(String::new, |dealing| match dealing.sharing {
                1 => format!(", all {} rows of A each", readable(dealing.streamed, 9)),
                sharing => {
                    format!(", {} arrays share a tile, {} rows of A each", sharing, readable(dealing.streamed, 9))
                }
            });
            format!("{blocks} on {units}{shared}: {padded} ÷ {busiest}")
        }
        Rung::Tiles => {
            let [m, k, n] = on.product.mkn();
            let given = joined(&[m, k, n].map(grouped), " × ");
            let padded = numbers.sides.map_or_else(
                || "whole thread blocks".to_owned(),
                |(rows, cols)| {
                    let up = |side: u64, of: u64| grouped(side.div_ceil(of).saturating_mul(of));
                    joined(&[grouped(m), up(k, rows.into()), up(n, cols.into())], " × ")
                },
            );
            let [useful, all] = [on.useful_flops, numbers.padded_flops].map(|flops| readable(flops / 2.0, 9));
            format!("{given} is padded to {padded}: {useful} ÷ {all}")
        }
        Rung::Load | Rung::FillAndDrain => numbers.dealing.map_or_else(
            || "1 (no array size is published, or the chip has tensor cores)".to_owned(),
            |dealing| cycles(on, &dealing, rung),
        ),
        Rung::Unexplained => unexplained(chip, on),
        Rung::Reload => format!(
            "{} B without re-reads, {} B with re-reads, {} to load operands inside the chip",
            readable(numbers.least_bytes, 4),
            readable(numbers.moved_bytes, 4),
            duration(parts.reload.0)
        ),
        Rung::Memory => format!(
            "compute {}, memory {} at {} GB/s",
            duration(parts.math.0),
            duration(parts.memory.0),
            readable(numbers.bytes_per_sec / 1e9, 5)
        ),
        Rung::Launch => format!("({1} − {0}) ÷ {1}", duration(parts.launch.0), duration(on.time.total.0)),
    }
}

/// Returns the cycles of the busiest array that a rung adds.
fn cycles(on: &ProductOnChip, dealing: &Dealing, rung: Rung) -> String {
    let streaming = readable(dealing.streaming(), 9);
    if rung == Rung::Load {
        let folds = readable(dealing.folds, 9);
        let each = readable(dealing.streamed, 9);
        let waits = readable(dealing.loading(), 9);
        return format!("folds: {folds}, with {each} rows of A each. {streaming} cycles stream, {waits} wait");
    }
    let once = readable(dealing.fill_and_drain(), 9);
    let cycle = duration(on.numbers.cycle);
    format!(
        "one fill and one drain take {once} cycles, beside {streaming} that stream. 2 · PEs ÷ peak = {cycle} a cycle"
    )
}

fn unexplained(chip: &Chip, on: &ProductOnChip) -> String {
    let math = duration(on.time.parts.math.0);
    let share = |of: f64| readable(of, 3);
    match on.basis {
        Basis::Measured(_) | Basis::Borrowed(_) if on.numbers.is_gpu => format!(
            "compute takes {math}: each thread block has a start and an end, and reaches a share of the peak, as fitted to matmuls on H100"
        ),
        Basis::Fitted => format!("compute takes {math}, as fitted to measured matmuls"),
        Basis::Published => format!("compute takes {math}, and no measurement says that it takes longer"),
        Basis::Measured(own) => format!("large matmuls reach {} of the peak on {}", share(own.math_share), chip.name),
        Basis::Borrowed(other) => match other.math_range {
            Some((low, high)) => {
                format!("not known: {} to {} of the peak, here {}", share(low), share(high), share(other.math_share))
            }
            None => {
                let from = measured_chip(other.chip);
                format!(
                    "large matmuls reach {} of the peak on {from}, assumed for this chip too",
                    share(other.math_share)
                )
            }
        },
    }
}

/// Returns a sentence on how to raise the factor of a step.
pub(super) fn raise(on: &ProductOnChip, step: &Step) -> String {
    // A factor this close to 1 is not worth a remedy.
    if step.factor > 0.9995 {
        return "Nothing is lost here.".to_owned();
    }
    let numbers = &on.numbers;
    match step.rung {
        Rung::Format if on.time.as_run.conversion == Conversion::Passes => {
            "To raise this share, use fewer passes: one pass has the accuracy of bf16.".to_owned()
        }
        Rung::Format => "To raise this share, use a format that the chip supports natively.".to_owned(),
        Rung::Arrays => {
            format!(
                "To raise this share, use more rows of A or columns of B. All {} are busy if the number of {}s is a multiple of {}.",
                units_of(on),
                if numbers.is_gpu { "thread block" } else { "tile" },
                grouped(numbers.units)
            )
        }
        Rung::Tiles => match numbers.sides {
            Some((rows, cols)) => {
                format!("To raise this share, make K a multiple of {rows}, and N a multiple of {cols}.")
            }
            None => "To raise this share, make M and N multiples of 256, and K a multiple of 512.".to_owned(),
        },
        Rung::Load => {
            let rows = numbers.sides.map_or(0, |(rows, _)| rows);
            format!("To raise this share, use at least {rows} rows of A for each fold.")
        }
        Rung::FillAndDrain => "To raise this share, use more rows of A, or more folds.".to_owned(),
        Rung::Unexplained => match sustained(on) {
            Sustained::ShortBlocks => {
                "To raise this share, give each thread block more work: more columns of A, or more elements of C."
            }
            Sustained::OfArrays if step.factor < NEARLY * numbers.calibration.math_share => {
                "To raise this share, use larger matmuls."
            }
            Sustained::Largest(_) | Sustained::OfArrays => {
                "A different shape would hardly raise this share: even large matmuls do not reach a higher share."
            }
        }
        .to_owned(),
        Rung::Reload => "To raise this share, use sizes up to 2048: then each operand is read only once.".to_owned(),
        Rung::Memory => "To raise this share, do more work per byte: more rows of A, or a narrower format.".to_owned(),
        Rung::Launch => {
            "To raise this share, do more work per launch: larger matmuls, or many matmuls in one program.".to_owned()
        }
    }
}
