//! The table of the matmuls of a pass, with their times.

use crate::Estimate;
use crate::timed::Timed;

/// A row of the table: one matmul of the pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the matmul in the model, and the part of a step in which it runs.
    pub name: String,
    /// M, K and N.
    pub sizes: [u64; 3],
    /// Number of times the matmul runs on a chip.
    pub count: u64,
    /// Time of all runs of this matmul, divided by the time of all matmuls.
    pub share: f64,
    /// Seconds of a single run of the matmul.
    pub seconds: f64,
    /// Bottleneck: the limit that takes most of the matmul's time, such as compute or memory.
    pub bound: &'static str,
    /// Tile efficiency: the useful share of the array's width and depth; `None` if the chip has no arrays.
    pub eta_tile: Option<f64>,
}

/// Returns the rows of the table, sorted by share of time, largest first.
#[must_use]
pub fn rows(estimate: &Estimate) -> Vec<Row> {
    let row = |one: Timed<'_>| Row {
        name: one.name(),
        sizes: one.sizes.mkn(),
        count: one.product.count,
        share: one.share,
        seconds: one.seconds,
        bound: one.time.limit_among_others().word(),
        eta_tile: one.time.eta_tile,
    };
    let mut rows: Vec<Row> = estimate.timed().map(row).collect();
    rows.sort_by(|a, b| b.share.total_cmp(&a.share));
    rows
}
