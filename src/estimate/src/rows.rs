//! The table of a pass's matmuls with their times.

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
    /// Share of this matmul in the time of all matmuls.
    pub share: f64,
    /// Seconds of a single run of the matmul.
    pub seconds: f64,
    /// The limit that takes most of the time, such as compute or memory.
    pub bound: &'static str,
    /// Tile efficiency: the useful share of the array's width and depth; `None` if the chip has no arrays.
    pub eta_tile: Option<f64>,
}

/// Returns the rows of the table, the largest share of time first.
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
