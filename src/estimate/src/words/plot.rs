//! What is said of plots.

use crate::Convention;
use display::number::{fixed, grouped, readable};
use perfmodel::{Attention, PodScaling};

/// Over the plots.
pub const TITLE: &str = "In pictures";
/// Beside the control for what the axis counts.
pub const AXIS: &str = "MFU axis counts";
/// As the question counts.
pub const AS_ASKED: &str = "as asked";
/// Over the dots that open.
pub const DOTS: &str = "The dots, each with its source";
/// Over the table that a plot is of.
pub const TABLE: &str = "The same as a table";
/// The horizontal axis of chips.
pub const CHIPS: &str = "chips";
/// The horizontal axis of the roofline.
pub const INTENSITY: &str = "FLOP per byte";
/// Its vertical axis.
#[must_use]
pub fn rate(unit: &str) -> String {
    format!("{unit} of a chip")
}
/// Where the table has all products.
pub const ALL_IN_TABLE: &str = "The table beside it has every product.";
/// Where it has not.
pub const MOST_IN_TABLE: &str = "The table beside it has those that take most of it.";
/// The line that is foretold.
pub const FORETOLD: &str = "predicted";
/// What is asked, on a plot.
pub const ASKED: &str = "asked";
/// The ridge of a roof.
pub const RIDGE: &str = "ridge";
/// Columns of the roofline's table.
pub const ROOF_HEADS: [&str; 6] =
    ["dot", "product", "FLOP per byte", "10¹² FLOP/s", "of the time", "side of the ridge"];
/// Left of the ridge.
pub const LEFT: &str = "memory";
/// Right of it.
pub const RIGHT: &str = "compute";
/// A dashed line.
pub const DASHED: &str = "Where the line is dashed, exchange between chips is not counted: their links are not published, or these are more chips \
     than a pod has.";
/// Published points are of training.
pub const NOT_TRAINING: &str = "Published points are training runs, so none is shown beside another pass.";
/// An axis on which nothing can be foretold.
pub const NO_LINE: &str = "What is foretold is counted one way or the other, so it has no line here.";
/// What curves can tell.
pub const SHAPE: &str = "Formulas explain the shape of the curve; its height is one constant, calibrated on a published run of this chip or another.";

/// A line that does not fall.
#[must_use]
pub fn level(overlap: u64) -> String {
    format!(
        "The line is level because at {overlap} % overlap exchange hides behind the arithmetic; published MFU falls as chips \
         are added, for reasons that no formula here has."
    )
}

/// What was seen beyond one pod.
#[must_use]
pub fn pods(all: &[PodScaling]) -> String {
    let each = |one: &PodScaling| format!("{} {} ms", one.model, fixed(one.seconds_per_pod().0 * 1e3, 1));
    format!(
        "Beyond one pod of 256, published steps grew with each further pod ({}). That is empirical, its cause is unknown: \
         bandwidth explains neither the size nor that it goes on. It is not in the line.",
        all.iter().map(each).collect::<Vec<_>>().join(", ")
    )
}

/// What an axis counts.
#[must_use]
pub const fn convention(convention: Convention) -> &'static str {
    match convention {
        Convention::Mfu(Attention::Full) => "MFU, full attention",
        Convention::Mfu(Attention::Causal) => "MFU, causal attention",
        Convention::Hfu => "HFU, full attention",
        Convention::Untold => "MFU, attention not told",
    }
}

/// Points that tell no number of chips.
#[must_use]
pub fn placeless(all: &[String]) -> String {
    format!("Without a place, for their number of chips is not told: {}.", all.join("; "))
}

/// Points that are counted otherwise.
#[must_use]
pub fn otherwise(count: usize) -> String {
    let points = if count == 1 { "published point is" } else { "published points are" };
    let number = grouped(count as u64);
    format!("{number} {points} not on this axis: counted another way that cannot be converted, or not told how.")
}

/// Which dots are filled.
#[must_use]
pub fn filled(chip: &str) -> String {
    format!("Filled dots were measured on {chip}, the chip that is asked for.")
}

/// A point that was counted another way.
#[must_use]
pub fn converted(from: Attention, percent: f64) -> String {
    format!("printed as {} % with {}, counted anew", readable(percent, 4), from.word())
}

/// One of several that stand at one place.
#[must_use]
pub fn and_more(name: &str, others: usize) -> String {
    if others == 0 { name.to_owned() } else { format!("{name} and {others} more") }
}

/// How wide a roof's dots are.
pub const AREA: &str = "A dot grows with its share of the time; products at one place share one. Squares are left of the ridge, circles right.";
