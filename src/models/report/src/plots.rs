//! Plots of an answer, and their text.

mod curve;
#[cfg(test)]
mod labels;
mod mfu;
mod point;
mod published;
mod roofline;
mod usd;

use super::answer::Drawing;
use super::tables::name;
use display::plot::Axis;
use estimate::{Answered, Convention, Estimate, Run};
use perfmodel::Attention;

pub use curve::curves;

/// Heading of the plots.
pub const TITLE: &str = "Plots";
/// Title of the folded notes of a plot.
pub const NOTES: &str = "About this plot";
/// Heading of the list of dots.
pub const DOTS: &str = "The dots and their sources";
/// Heading of the table of a plot.
pub const TABLE: &str = "Data as a table";

/// A run with its name.
type Named<'a> = (&'a Estimate, &'static str);

fn named<'a>(runs: &[Run<'a>]) -> Vec<Named<'a>> {
    runs.iter().map(|run| (run.estimate, name(run))).collect()
}

/// Returns the plots of an answer, except its curves.
#[must_use]
pub fn drawings(answered: &Answered) -> Vec<Drawing> {
    let Ok(answer) = answered.model() else { return Vec::new() };
    let (estimate, runs) = (&answer.estimate, named(&answer.runs()));
    // Runs on the chip of the question have its roof.
    let is_other = |run: &&Named<'_>| !run.0.question.is_on_chip_of(&estimate.question);
    let others: Vec<Named<'_>> = runs.iter().skip(1).filter(is_other).copied().collect();
    let usd = (runs.len() > 1).then(|| usd::useful_pflop_hours(&runs)).flatten();
    let by_chips = answered.mfu_by_chips().map(|found| mfu::by_chips(&found));
    let published = published::published_runs(&runs).into_iter();
    published.chain(roofline::roofline(estimate, &others)).chain(by_chips).chain(usd).collect()
}

/// Returns the axis with a row for each run.
fn rows(runs: &[Named<'_>]) -> Axis {
    Axis::rows(runs.iter().map(|(_, name)| (*name).to_owned()).collect())
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

/// Returns the name of several matmuls.
#[must_use]
pub fn and_more(name: &str, others: usize) -> String {
    if others == 0 { name.to_owned() } else { format!("{name} and {others} more") }
}
