//! Sentences about an out-of-memory message.

use display::number::readable;

/// Marks of an out-of-memory message, in lower case.
pub(crate) const MARKS: [&str; 7] = [
    "resource_exhausted",
    "out of memory",
    "ran out of memory",
    "outofmemory",
    "exceeded hbm capacity",
    "oom when allocating",
    "attempting to allocate",
];
/// Query that finds the book's page on layouts.
pub(crate) const LAYOUT: &str = "layout in memory tile 8 128 padding padded lanes last dimension";
/// Title of the page on layouts.
pub(crate) const LAYOUT_TITLE: &str = "Padding in memory: tiles of the layout";
/// Title of the estimate of the memory of a model.
pub(crate) const MODEL_TITLE: &str = "Memory of a model on each chip";
/// Sentence on the estimate of the memory of a model.
pub(crate) const OF_MODEL: &str = "Real models lists the memory of weights, optimizer and activations on each chip.";
/// Sentence on a message without sizes.
pub(crate) const NO_SIZES: &str =
    "The message has no sizes; Real models lists the memory of weights, optimizer and activations on each chip.";

/// Returns a sentence with the sizes of a tensor without and with the padding of its layout.
pub(crate) fn padded(shape: &str, bytes: f64, padded: f64, (rows, cols): (u64, u64)) -> String {
    let times = padded / bytes;
    let (bytes, padded) = (bytes_text(bytes), bytes_text(padded));
    if times < 1.0005 {
        return format!("{shape} takes {bytes}: the tiles T({rows},{cols}) fit, so padding adds nothing.");
    }
    let times = readable(times, 3);
    format!("{shape} has {bytes} of elements and takes {padded}: tiles T({rows},{cols}) expand it {times} times.")
}

/// Returns a sentence with the needed and the available memory.
pub(crate) fn needs(needed: f64, available: f64) -> String {
    if needed <= available {
        let (needed, available) = (bytes_text(needed), bytes_text(available));
        return format!("The program itself needs {needed} of {available}: other programs or fragments hold the rest.");
    }
    let more = bytes_text((needed - available).max(0.0));
    let (needed, available) = (bytes_text(needed), bytes_text(available));
    format!("The program needs {needed} of {available}, so {more} are missing.")
}

fn bytes_text(bytes: f64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut rest = bytes;
    let mut nth = 0;
    while rest >= 1024.0 && nth + 1 < units.len() {
        (rest, nth) = (rest / 1024.0, nth + 1);
    }
    format!("{} {}", readable(rest, 4), units.get(nth).unwrap_or(&"B"))
}

/// Returns a sentence on the innermost dimension, if its padding expands a tensor.
pub(crate) fn last(size: u64, cols: u64) -> String {
    let padded = size.div_ceil(cols.max(1)).saturating_mul(cols);
    if padded <= size {
        return String::new();
    }
    format!(
        " The innermost dimension, {size}, is padded to {padded}: move or merge it, so that a large one is innermost."
    )
}

/// Returns a sentence on the axis before the innermost, if its padding expands a tensor.
pub(crate) fn row(size: u64, rows: u64) -> String {
    format!(" The axis before the innermost, {size}, is padded to {rows}: drop or move it.")
}

/// Returns a sentence with the bytes of a tensor that has no padding.
pub(crate) fn array(shape: &str, bytes: f64) -> String {
    format!(" {shape} alone has {}.", bytes_text(bytes))
}

/// Returns a sentence on the memory of a core.
pub(crate) fn cores(chip: &str, gb: f64) -> String {
    let gb = readable(gb, 3);
    format!(
        " A {chip} chip has two cores with {gb} GB each, and every core must hold its share of the batch and the model."
    )
}
