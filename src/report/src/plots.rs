//! Plots of an answer, and their text.

mod curve;
#[cfg(test)]
mod labels;
mod mfu;
mod point;
mod published;
mod roofline;
mod usd;

use display::figure::{Citation, dollars};
use display::number::{fixed, grouped, percent, readable};
use display::plot::{Plot, Shape};
use estimate::Convention;
use perfmodel::{Attention, PeakDtype, PodScaling};

pub(crate) use curve::curves;
pub(crate) use mfu::against_chips;
pub(crate) use published::published_runs;
pub(crate) use roofline::roofline;
pub(crate) use usd::useful_pflop_hours;

/// A plot with a list of its dots and their sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    /// The plot.
    pub plot: Plot,
    /// Description and source of each numbered dot, for the list next to the plot.
    pub dots: Vec<(String, Citation)>,
    /// Notes below the plot, one sentence each.
    pub notes: Vec<String>,
}

/// Heading of the plots.
pub const TITLE: &str = "Plots";
/// Label of the entry for the convention of the MFU axis.
pub const AXIS: &str = "MFU axis shows";
/// Label of the entry for the quantity along which the curves run.
pub const CURVE: &str = "curves along";
/// Note on the curves: a change by mouse, by finger and by keys.
pub const CURVE_DRAG: &str = "Drag the blue diamond, or change the entry. A dragged point stops at powers of two. A line ends where the model and its activations no longer fit in memory.";
/// Name of the vertical axis of the curves of dollars.
pub const USD_TOKENS: &str = "$ per million tokens";

/// Returns the title of the curves of a quantity `of` along the entry `along`.
#[must_use]
pub fn curve_title(of: &str, along: &str) -> String {
    format!("{of} by {along}")
}

/// Describes the point of a run on a curve.
#[must_use]
pub fn curve_point(run: &str, along: &str, at: u64, value: &str) -> String {
    format!("{run} at {} {along}: {value}", grouped(at))
}

/// Label of the default menu entry for the MFU axis: the convention of the estimate.
pub const AS_SET: &str = "as set above";
/// Title of the folded notes of a plot.
pub const NOTES: &str = "About this plot";
/// Heading of the list of dots.
pub const DOTS: &str = "The dots and their sources";
/// Heading of the table of a plot.
pub const TABLE: &str = "Data as a table";
/// Name of the horizontal axis of the MFU plot.
pub const CHIPS: &str = "chips";
/// Name of the horizontal axis of the roofline.
pub const INTENSITY: &str = "FLOP per byte";
/// Returns the name of the vertical axis of the roofline.
#[must_use]
pub fn rate(unit: &str) -> String {
    format!("{unit} per chip")
}
/// Note shown if the table of the roofline has all matmuls.
pub const ALL_IN_TABLE: &str = "The table next to the plot lists every matmul.";
/// Note shown if the table of the roofline has only the longest matmuls.
pub const MOST_IN_TABLE: &str = "The table next to the plot lists the longest matmuls.";
/// Label of the predicted line in the MFU plot.
pub const PREDICTED: &str = "predicted";
/// Column headings of the table of the roofline.
pub const ROOF_HEADS: [&str; 6] = ["dot", "matmul", "FLOP per byte", "10¹² FLOP/s", "share of time", "bound by"];
/// Name of the limit of a matmul that is to the left of the roofline's ridge.
pub const LEFT: &str = "memory";
/// Name of the limit of a matmul that is to the right of the roofline's ridge.
pub const RIGHT: &str = "compute";
/// Note shown if the predicted line has a dashed part.
pub const DASHED: &str = "The dashed line leaves out communication between chips, because the link rate is not published or the run exceeds one pod.";
/// Note shown if the MFU plot has no published runs, because the pass is not training.
pub const NOT_TRAINING: &str =
    "All published points are from training runs, so a plot of prefill or decode has no published points.";
/// Note shown if the convention of the MFU axis allows no prediction.
pub const NO_LINE: &str = "No line is drawn, because predictions exist only for full or causal attention.";
/// Note on the shape and height of the predicted line.
pub const SHAPE: &str = "A regression of published runs gives the height of the curve, and its fall with each doubling of the chips. Formulas give the communication between chips.";

/// Returns a note on published step times beyond one pod.
#[must_use]
pub fn pods(all: &[&PodScaling]) -> String {
    let each = |one: &&PodScaling| format!("{} by {} ms", one.model, fixed(one.seconds_per_pod().0 * 1e3, 1));
    format!(
        "Beyond one pod of 256 chips, published step times increase with each further pod ({}). Bandwidth does not explain this empirical effect, and the cause is unknown. The line does not include this effect.",
        all.iter().map(each).collect::<Vec<_>>().join(", ")
    )
}

/// Returns the name of a convention for MFU.
#[must_use]
pub const fn convention(convention: Convention) -> &'static str {
    match convention {
        Convention::Mfu(Attention::Full) => "MFU, full attention",
        Convention::Mfu(Attention::Causal) => "MFU, causal attention",
        Convention::Hfu => "HFU, full attention",
        Convention::Unstated => "MFU, attention convention not stated",
    }
}

/// Returns a note that lists the runs whose number of chips is not published.
#[must_use]
pub fn placeless(all: &[String]) -> String {
    format!("Not plotted (chip count not published): {}.", all.join("; "))
}

/// Returns a note on the number of published runs in other conventions.
#[must_use]
pub fn otherwise(count: usize) -> String {
    let points = if count == 1 { "published point is" } else { "published points are" };
    let number = grouped(count as u64);
    format!("{number} {points} not on this axis, because the convention is not stated or cannot be converted.")
}

/// Returns a note on the meaning of filled dots.
#[must_use]
pub fn filled(chip: &str) -> String {
    format!("Filled dots: published runs on {chip}, your chip.")
}

/// Returns a remark on a dot whose MFU was converted from another convention.
#[must_use]
pub fn converted(from: Attention, percent: f64) -> String {
    format!("published as {} % with {}, converted", readable(percent, 4), from.word())
}

/// Returns the name of a dot for several matmuls.
#[must_use]
pub fn and_more(name: &str, others: usize) -> String {
    if others == 0 { name.to_owned() } else { format!("{name} and {others} more") }
}

/// Note on the size and shape of the dots of the roofline.
pub const AREA: &str = "The area of a mark shows the mark's share of the time of all matmuls. Matmuls at the same position have one common mark. Squares are left of the ridge; circles are right of the ridge.";

/// Returns the title of the plot of MFU against chips.
#[must_use]
pub fn against_chips_title(of: Convention) -> String {
    format!("{}, by number of chips", convention(of))
}

/// Returns the name of an axis whose values are percentages.
#[must_use]
pub fn in_percent(name: &str) -> String {
    format!("{name}, %")
}

/// Describes the MFU plot in words: MFU and chips at both ends of the line, and the number of published runs.
#[must_use]
pub fn summary(title: &str, ends: &[(f64, u64)], n_published: usize) -> String {
    let each = |(percent, chips): &(f64, u64)| format!("{} % on {}", readable(*percent, 3), grouped(*chips));
    let line = match ends {
        [] => String::new(),
        ends => format!("Predicted: {} chips. ", ends.iter().map(each).collect::<Vec<_>>().join(" and ")),
    };
    format!(
        "{title}. {line}{n_published} published points are shown as dots; the list next to the plot gives each source."
    )
}

/// Returns the label of the dot for the run of the question.
#[must_use]
pub fn yours(percent: f64) -> String {
    format!("your setup: {} %", readable(percent, 3))
}

/// Describes the dot for the run of the question: chips and percentage.
#[must_use]
pub fn yours_on(chips: u64, chip: &str, percent: f64) -> String {
    format!("your setup on {} × {chip}: {} %", grouped(chips), readable(percent, 3))
}

/// Describes the dot of a published run.
#[must_use]
pub fn dot(model: &str, chips: u32, chip: &str, percent: f64, shape: Shape) -> String {
    let place = format!("{model} on {} × {chip}", grouped(chips.into()));
    format!("{place}: {} %, {}", readable(percent, 4), shape.word())
}

/// Describes a published run whose number of chips is not published.
#[must_use]
pub fn unplaced(model: &str, chip: &str, percent: f64) -> String {
    format!("{model} on {chip}, {} %", readable(percent, 4))
}

/// Title of the cost plot.
pub const USD_TITLE: &str = "Cost of a useful PFLOP-hour by chip";
/// Name of the axis of the cost plot.
pub const USD: &str = "$ per useful PFLOP-hour";
/// Note on the meaning of the dots of the cost plot.
pub const USD_MARKS: &str = "A useful PFLOP-hour is 1000 effective TFLOPS for an hour. Diamonds show the cost at the selected price; lines show the 80 % intervals. Circles show the cost at other listed prices of the same chip. Crosses show the cost if the chip reached its highest published MFU, not the predicted MFU.";
/// Reason why the cost plot leaves out a run, if the MFU of the run is unknown.
pub const WITHOUT_MFU: &str = "its MFU is not known";
/// Reason why the cost plot leaves out a run, if the price of the chip is unknown.
pub const WITHOUT_PRICE: &str = "its price is not published";
/// Reason why the cost plot leaves out a run that does not fit in memory.
pub const WITHOUT_ROOM: &str = "it does not fit in memory";
/// Reason why the cost plot leaves out a run whose interval is too wide for one number.
pub const WITHOUT_NUMBER: &str = "its 80 % interval is too wide for one number";

/// Returns a note on a run that the cost plot leaves out.
#[must_use]
pub fn no_place(name: &str, why: &str) -> String {
    format!("{name} is not plotted: {why}.")
}

/// Name of a run, its dollars per useful PFLOP-hour at the selected price, and the ends of the 80 % interval.
pub type AtPrice<'a> = (&'a str, f64, Option<(f64, f64)>);

/// Title of the plot of published runs.
pub const PUBLISHED_TITLE: &str = "Against published runs";
/// Axis of the plot of published runs.
pub const MFU_FULL: &str = "MFU, full attention, %";
/// Meaning of the marks of the plot of published runs.
pub const PUBLISHED_MARKS: &str = "Diamonds show the predicted MFU; lines show its 80 % interval. Triangles are the nearest five published runs on the chip; circles are other published runs.";
/// Source of a predicted MFU.
pub const REGRESSION: &str = "This project: regression of the published training runs in src/perfmodel/data/training_runs.csv, each with its source";

/// Describes the prediction of a run.
#[must_use]
pub fn predicted(name: &str, mfu: &str, shape: Shape) -> String {
    format!("{name}, predicted: {mfu} %, {}", shape.word())
}

/// Describes a published run: its model, its chips and its MFU.
#[must_use]
pub fn published_run(model: &str, chips: Option<u32>, mfu: &str, shape: Shape) -> String {
    let chips = chips.map_or_else(String::new, |chips| format!(" on {} chips", grouped(chips.into())));
    format!("{model}{chips}: {mfu} %, {}", shape.word())
}

/// Describes the plot of published runs in words.
#[must_use]
pub fn published_summary(predicted: &[String]) -> String {
    format!(
        "{PUBLISHED_TITLE}. Predicted: {}. The list next to the plot gives each published run.",
        predicted.join("; ")
    )
}

/// Describes the cost plot in words.
#[must_use]
pub fn usd_summary(runs: &[AtPrice<'_>]) -> String {
    let each = |(name, usd, ends): &AtPrice<'_>| {
        let range = ends.map_or_else(String::new, |ends| format!(" ({})", super::interval::dollars(ends).words));
        format!("{name} {}{range}", dollars(*usd))
    };
    let all = runs.iter().map(each).collect::<Vec<_>>().join("; ");
    format!("{USD_TITLE}: {all}. The list next to the plot gives the price and source of each dot.")
}

/// Describes a dot of the cost plot: a run at a price.
#[must_use]
pub fn usd_dot(name: &str, hour: &str, price: &str, usd: &str, shape: Shape) -> String {
    format!("{name} at {hour}, {price}: {usd}, {}", shape.word())
}

/// Describes a dot of the cost plot: a run at a price and at the highest published MFU in percent.
#[must_use]
pub fn usd_at_published(name: &str, hour: &str, percent: f64, model: &str, usd: &str) -> String {
    let mfu = readable(percent, 4);
    format!("{name} at {hour} and the highest published MFU, {mfu} % ({model}): {usd}, {}", Shape::Cross.word())
}

/// Formats a custom price per chip-hour.
#[must_use]
pub fn an_hour(usd: &str) -> String {
    format!("{usd} per chip-hour")
}

/// Returns the title of the roofline.
#[must_use]
pub fn roofline_title(chip: &str, dtype: PeakDtype) -> String {
    format!("Roofline of {chip}, {}", dtype.word())
}

/// Describes the roofline in words: the ridge, the peak, and the time share of the matmuls to the left of the ridge.
/// The ridge is in FLOP per byte, and `unit` is the unit of the peak.
#[must_use]
pub fn roofline_summary(title: &str, [ridge, peak, share_left]: [f64; 3], unit: &str, is_whole: bool) -> String {
    format!(
        "{title}. The ridge is at {} FLOP per byte, and the peak is {} {unit}. Matmuls left of the ridge (squares) take {} % of the time of all matmuls. {}",
        readable(ridge, 4),
        readable(peak, 5),
        percent(share_left),
        if is_whole { ALL_IN_TABLE } else { MOST_IN_TABLE }
    )
}

/// Returns the label of the slope of the roofline.
#[must_use]
pub fn bandwidth(gb_per_sec: f64) -> String {
    format!("{} GB/s", readable(gb_per_sec, 5))
}

/// Returns the label of the flat part of the roofline.
#[must_use]
pub fn peak(peak: f64, unit: &str) -> String {
    format!("peak {} {unit}", readable(peak, 5))
}

/// Returns the label of the roof of another chip.
#[must_use]
pub fn other_roof(chip: &str, peak: f64) -> String {
    format!("{chip}, {}", readable(peak, 4))
}

/// Returns the label of the ridge of the roofline.
#[must_use]
pub fn ridge(flop_per_byte: f64) -> String {
    format!("ridge {}", readable(flop_per_byte, 4))
}

/// Describes a dot of the roofline.
#[must_use]
pub fn roof_dot(name: &str, flop_per_byte: f64, tflops: f64, share: f64) -> String {
    format!(
        "{name}: {} FLOP per byte, {} TFLOP/s, {} % of the time",
        readable(flop_per_byte, 4),
        readable(tflops, 4),
        percent(share)
    )
}
