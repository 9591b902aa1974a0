//! Sentences about texts whose numbers follow from one formula.

use display::number::{grouped, percent, readable, significant};
use perfmodel::{Chip, Compute};
use systolic::Dtype;

use super::as_f64;

/// Query that finds the question about a SCALE-Sim report.
pub(crate) const TOPIC: &str = "overall utilization mapping efficiency";
/// Title of a report of SCALE-Sim.
pub(crate) const TITLE: &str = "Your SCALE-Sim report: stalls, fill and drain, padding";

/// Returns a sentence on a report of SCALE-Sim. Utilization and mapping efficiency are in percent.
pub(crate) fn scale_sim(cycles: f64, stalls: f64, used: f64, mapped: Option<f64>) -> String {
    let busy = used * cycles / (cycles - stalls);
    let count = |cycles: f64| readable(cycles, 9);
    let stalled = if stalls > 0.0 {
        let (share, rest) = (percent(stalls / cycles), count(cycles - stalls));
        format!(
            "{} of {} cycles ({share} %) are stalls; in the other {rest} cycles, utilization is {} %. ",
            count(stalls),
            count(cycles),
            percent(busy / 100.0)
        )
    } else {
        format!("{} cycles have no stalls. ", count(cycles))
    };
    let mapping = mapped.map_or_else(String::new, |mapped| {
        let (lost, mapped) = (percent((1.0 - busy / mapped).max(0.0)), readable(mapped, 4));
        format!("Folds use {mapped} % of the PEs, and loading, filling and draining take {lost} % of the other cycles: overlapping folds hides them. ")
    });
    stalled + &mapping + "Add M, K and N to this text for the run."
}

/// Title of the overview of a TPU profile.
pub(crate) const PROFILE: &str = "Your TPU profile: MXU utilization and idle time";

/// Returns a sentence on the overview of a TPU profile, with percents and examples per second.
pub(crate) fn profile(used: f64, chip: Option<&Chip>, idle: Option<f64>, rate: Option<f64>) -> String {
    let of_core = |chip: &Chip| {
        let cores = match &chip.compute {
            Compute::Arrays { cores, .. } => f64::from(cores.value?),
            _ => return None,
        };
        let peak = chip.peak(perfmodel::PeakDtype::Bf16)?.value? / cores;
        let (rate, peak) = (readable(used / 100.0 * peak, 3), readable(peak, 4));
        Some(format!(", {rate} TFLOP/s of the {peak} of one core of {}", chip.name))
    };
    let of_core = chip.and_then(of_core).unwrap_or_default();
    let rate = rate.map_or_else(String::new, |rate| format!(" A core makes {} examples/s.", readable(rate, 3)));
    let cause = match idle {
        Some(idle) if idle > 10.0 => " The core waits for input or for the host.",
        Some(_) => " It does not wait for input: padding, vector work or memory take the time.",
        None => "",
    };
    format!("The matrix units are used at {} %{of_core}.{rate}{cause}", readable(used, 4))
}

/// Side of a tile: the number of columns of the chip's arrays, or 128 if it is unknown.
pub(crate) fn side(chip: Option<&Chip>) -> u64 {
    match chip.map(|chip| &chip.compute) {
        Some(Compute::Arrays { cols, .. }) => cols.value.map_or(128, u64::from),
        _ => 128,
    }
}

/// Returns the title of sizes on tiles.
pub(crate) fn tiles_title(sizes: &[u64], side: u64) -> String {
    let sizes: Vec<String> = sizes.iter().map(|size| grouped(*size)).collect();
    format!("{} on tiles of {side}", sizes.join(" and "))
}

/// Returns a sentence with the padding of each size.
pub(crate) fn tiles(sizes: &[u64], side: u64) -> String {
    let of = |size: &u64| match size.next_multiple_of(side) {
        padded if padded == *size => format!("{} needs no padding", grouped(padded)),
        padded => {
            let useful = percent(as_f64(*size) / as_f64(padded));
            format!("{} is padded to {} ({useful} % useful)", grouped(*size), grouped(padded))
        }
    };
    let list: Vec<String> = sizes.iter().map(of).collect();
    format!(
        "On tiles of {side}, {}. A size should be a multiple of the tile (8 on GPUs in 16 bits), not a power of two.",
        list.join(", ")
    )
}

/// Returns the title of numbers in a format.
pub(crate) fn numbers_title(dtype: Dtype) -> String {
    format!("Your numbers in {dtype}")
}

/// Returns a sentence with each number and its stored value, the sum, and the distance between neighboring numbers of
/// the format.
pub(crate) fn numbers(
    dtype: Dtype,
    pairs: &[(f64, f64)],
    sum: Option<f64>,
    spacing: Option<f64>,
    largest: f64,
) -> String {
    let number = |value: f64| significant(value, 9);
    let list: Vec<String> =
        pairs.iter().map(|(value, stored)| format!("{} becomes {}", number(*value), number(*stored))).collect();
    let sum = sum.map_or_else(String::new, |sum| format!(", and their sum becomes {}", number(sum)));
    let spacing = match (spacing, pairs.first()) {
        (Some(spacing), Some((_, first))) => format!(
            " Near {}, neighbors are {} apart, so adding less than {} changes nothing.",
            number(*first),
            significant(spacing, 4),
            significant(spacing / 2.0, 4)
        ),
        _ => String::new(),
    };
    let end = if largest < 1e6 { format!(" The largest number is {}.", number(largest)) } else { String::new() };
    format!("In {dtype}, {}{sum}.{spacing}{end}", list.join(", "))
}
