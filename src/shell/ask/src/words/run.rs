//! Sentences about a run, a chip and its formats.

use display::figure::duration;
use display::number::{grouped, percent, readable};
use display::words::format::runs_as;
use perfmodel::gemm_time::{Limit, ProductOnChip};
use perfmodel::{Chip, Conversion, PeakDtype};
use studio::Plan;
use systolic::Slot;

use super::as_f64;

/// Number for which a question asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// Cycles and utilization of the array.
    #[default]
    Array,
    /// Time and MFU of the chip.
    Chip,
    /// PE-cycles of a class.
    Class(Slot),
}

fn sizes([m, k, n]: [u64; 3]) -> String {
    format!("{} × {} × {}", grouped(m), grouped(k), grouped(n))
}

/// Returns the title of a run: `4096 × 4096 × 4096 in int8, 128×128 PEs, TPU v5e`.
pub(crate) fn title(
    mkn: [u64; 3],
    dtype: &str,
    (rows, cols): (u64, u64),
    chip: Option<&Chip>,
    dataflow: Option<&str>,
) -> String {
    let stays = match dataflow {
        Some("ws") => ", weight-stationary",
        Some("os") => ", output-stationary",
        Some("is") => ", input-stationary",
        _ => "",
    };
    let chip = chip.map_or_else(String::new, |chip| format!(", {}", chip.name));
    format!("M × K × N = {} in {dtype}, {rows}×{cols} PEs{stays}{chip}", sizes(mkn))
}

/// Returns the title of the estimate of one matmul on a chip.
pub(crate) fn title_on_chip(mkn: [u64; 3], dtype: &str, chip: &Chip) -> String {
    format!("M × K × N = {} in {dtype} on {}", sizes(mkn), chip.name)
}

/// Returns a sentence with the asked number of a run.
pub(crate) fn says(plan: &Plan, focus: Focus, has_chip: bool) -> String {
    let (schedule, tally) = (plan.schedule(), plan.schedule().tally());
    let (cycles, useful) = (grouped(schedule.cycles().get()), percent(tally.utilization()));
    let n_folds = schedule.folds();
    let folds = if n_folds > 1 { format!(" in {} folds", grouped(n_folds)) } else { String::new() };
    let array = format!("{cycles} cycles{folds}, {useful} % of the PE-cycles useful");
    if let Focus::Class(slot) = focus {
        let share = tally.get(slot).as_f64() / tally.total().as_f64().max(1.0);
        let [part, all] = [tally.get(slot), tally.total()].map(|count| grouped(count.get()));
        let share = percent(share);
        return format!("{} takes {share} % of the PE-cycles ({part} of {all}), in a run of {array}.", class(slot));
    }
    let on = if has_chip { plan.on_chip().ok() } else { None };
    match on {
        Some(on) => format!("{}; one array takes {array}.", on_chip(&on, plan.chip())),
        None => format!("The run takes {array}."),
    }
}

/// Returns a main clause with the time and the MFU of a matmul on a chip.
fn on_chip(on: &ProductOnChip, chip: &Chip) -> String {
    let (time, mfu) = (duration(on.time.total.0), percent(on.mfu.ratio));
    let limit = match on.time.limit() {
        Limit::Launch => ", mostly launch",
        Limit::Memory => ", limited by memory",
        Limit::Compute | Limit::Reload | Limit::InTurn => "",
    };
    let as_run = &on.time.as_run;
    let widened = match as_run.conversion {
        Conversion::Native => String::new(),
        _ => format!(" ({})", runs_as(as_run)),
    };
    format!("{} needs {time}{widened}{limit}, at {mfu} % MFU", chip.name)
}

/// Returns a sentence with the peak of an array at a clock, and the time of the run if its sizes are known.
pub(crate) fn clocked(plan: &Plan, hz: f64, has_sizes: bool) -> String {
    let (schedule, mhz) = (plan.schedule(), readable(hz / 1e6, 5));
    let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
    let tops = readable(2.0 * f64::from(rows) * f64::from(cols) * hz / 1e12, 3);
    let time = duration(as_f64(schedule.cycles().get()) / hz);
    let time = if has_sizes { format!(", and this run takes {time}") } else { String::new() };
    format!("At {mhz} MHz, the peak of the array is 2 · {rows} · {cols} · {mhz} MHz = {tops} TOPS{time}. ")
}

/// Returns a sentence on the number of cycles that SCALE-Sim prints, which is one less than the cycles of the run.
pub(crate) fn scale_sim(printed: u64) -> String {
    format!(" SCALE-Sim prints {printed}, the index of the last cycle, because it counts cycles from 0.")
}

const fn class(slot: Slot) -> &'static str {
    match slot {
        Slot::Useful => "Useful work",
        Slot::Padding => "Padding",
        Slot::Load => "Loading",
        Slot::Fill => "Filling",
        Slot::Drain => "Draining",
        Slot::Stall => "Stalling",
    }
}

/// Returns a sentence on a matmul that is too large for a run.
pub(crate) fn too_large(on: Option<&ProductOnChip>, chip: &Chip) -> String {
    on.map_or_else(
        || "The matmul is too large to draw, so this is the estimate of its time on a chip.".to_owned(),
        |on| format!("{}; the array view cannot draw a matmul of this size.", on_chip(on, chip)),
    )
}

/// Returns a sentence, preceded by the remark that the array has no formats with a shared scale.
pub(crate) fn no_block_formats(says: &str) -> String {
    format!("The array has no 4-bit floats and no block scales; in the named format here: {says}")
}

/// Returns a sentence that lists words which change no setting.
pub(crate) fn not_used(words: &[&str]) -> String {
    let list: Vec<String> = words.iter().take(4).map(|word| plain::quote(word)).collect();
    let rest = if words.len() > list.len() { " …" } else { "" };
    format!("The run does not use these words: {}{rest}.", list.join(", "))
}

/// Returns the note on an array that is too large.
pub(crate) fn array_cut(most: u64) -> String {
    format!("An array has at most {most} rows and {most} columns, so the run has this size.")
}

/// Returns the rate of a chip in a format: `TPU v5e multiplies fp8 widened to bf16, at a peak of 197 TFLOPS.`
pub(crate) fn rate(chip: &Chip, dtype: PeakDtype, passes: perfmodel::F32Passes) -> String {
    match chip.as_run(perfmodel::Format { dtype, passes, fp8: None }) {
        Ok(run) => {
            let peak = chip.peak_flops(run.multiplied).map_or(0.0, |peak| peak.0 / 1e12 / f64::from(run.passes));
            let (peak, unit) = (readable(peak, 6), run.multiplied.peak_unit());
            format!("{} multiplies {}, at a dense peak of {peak} {unit}.", chip.name, runs_as(&run))
        }
        Err(_) => format!("No document states a rate of {} for {}.", chip.name, dtype.word()),
    }
}

/// Returns the peaks of a chip in all published formats.
pub(crate) fn peaks(chip: &Chip) -> String {
    let known = chip.peaks.iter().filter_map(|(dtype, peak)| Some((dtype, peak.value?)));
    let list: Vec<String> = known.map(|(dtype, peak)| format!("{} {}", readable(peak, 6), dtype.word())).collect();
    format!("Dense peaks of {} in TFLOPS or TOPS: {}.", chip.name, list.join(", "))
}

/// Title of the rate of a chip.
pub(crate) fn rate_title(chip: &Chip, format: &str) -> String {
    format!("{format} on {}", chip.name)
}
