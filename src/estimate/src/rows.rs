//! The products of a pass with their times.

use crate::Estimate;
use crate::timed::Timed;

/// A product of the pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the model calls it, and in which part of a step it runs.
    pub name: String,
    /// M, K and N.
    pub sizes: [u64; 3],
    /// How often it runs on a chip.
    pub count: u64,
    /// Its share of the time of all products.
    pub share: f64,
    /// The time of one.
    pub seconds: f64,
    /// What takes most of it.
    pub bound: &'static str,
    /// How much of width and depth it fills.
    pub eta_tile: Option<f64>,
}

/// The products, those that take most time first.
#[must_use]
pub fn rows(estimate: &Estimate) -> Vec<Row> {
    let row = |one: Timed<'_>| Row {
        name: one.name(),
        sizes: one.sizes.mkn(),
        count: one.product.count,
        share: one.share,
        seconds: one.seconds,
        bound: one.time.parts.limit_among_others().word(),
        eta_tile: one.time.eta_tile,
    };
    let mut rows: Vec<Row> = estimate.timed().map(row).collect();
    rows.sort_by(|a, b| b.share.total_cmp(&a.share));
    rows
}
