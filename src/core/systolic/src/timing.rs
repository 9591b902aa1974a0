//! Durations, in cycles, that are equal for all folds of a run.
//!
//! All folds take as long as a full fold: an edge fold leaves PEs idle but is not shorter. One set of durations
//! therefore applies to the whole run, and fold f begins at cycle f · period.

use crate::pace::Pace;
use crate::{ArrayShape, Dataflow, Design, Drain, Edge, Gemm, Hold, Load, Overlap};

/// Durations of the parts of a fold in cycles, and the transfer rates at the edges of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timing {
    /// Cycles from the start of a fold until its stream may enter.
    pub(crate) load: u64,
    /// Pace at which rows of the stationary operand enter.
    pub(crate) load_pace: Pace,
    /// Cycles from the first to the last vector of a stream, both included.
    pub(crate) stream: u64,
    /// Pace at which vectors of the stream enter.
    pub(crate) pace: Pace,
    /// Edge that limits the stream to less than one vector per cycle; `None` if no edge does.
    pub(crate) slow_edge: Option<Edge>,
    /// Cycles from the start of a fold to the start of the next fold.
    pub(crate) period: u64,
    /// Period if the array could load one row of the stationary operand per cycle.
    pub(crate) period_unlimited: u64,
    /// Cycles from the start of a fold to its end.
    pub(crate) fold: u64,
    /// Cycles that data takes from one row to the next row.
    pub(crate) row_hop: u64,
    /// Cycles between a product and its addition: 1 with a product register, else 0.
    pub(crate) product_delay: u64,
    /// Cycles in which the sums of an output-stationary fold shift out; 0 if they do not shift out.
    pub(crate) drain: u64,
    /// Pace at which rows of sums shift out.
    pub(crate) drain_pace: Pace,
}

impl Timing {
    /// Durations of the folds of a run; `run` is the GEMM with its padding.
    pub(crate) fn new(run: Gemm, array: ArrayShape, dataflow: Dataflow, design: Design) -> Self {
        let mapping = dataflow.mapping();
        let (rows, cols) = (u64::from(array.rows()), u64::from(array.cols()));
        let widest = |extent: u64, side: u32| u32::try_from(extent).unwrap_or(u32::MAX).min(side);
        let lanes_west = widest(run.extent(mapping.rows), array.rows());
        let lanes_north = widest(run.extent(mapping.cols), array.cols());
        let holds_operand = dataflow.hold() == Hold::Operand;
        let drains_south = !holds_operand && design.drain == Drain::South;

        let north = Pace::of(lanes_north, design.ports.rate(Edge::North));
        let south = Pace::of(lanes_north, design.ports.rate(Edge::South));
        let west = Pace::of(lanes_west, design.ports.rate(Edge::West));
        // Each vector of a stream enters at the west edge. With it, a vector of sums leaves in the south (WS, IS) or a
        // vector of B enters from the north (OS).
        let (second, second_edge) = if holds_operand { (south, Edge::South) } else { (north, Edge::North) };
        let (pace, edge) = if second.is_slower_than(west) { (second, second_edge) } else { (west, Edge::West) };
        let slow_edge = if pace.is_full() { None } else { Some(edge) };

        let row_hop = 1 + u64::from(design.pipeline.two_registers_south);
        let product_delay = u64::from(design.pipeline.product_register);
        let load = if holds_operand { north.span(rows) } else { 0 };
        let stream = pace.span(run.extent(mapping.time));
        let drain = if drains_south { south.span(rows) } else { 0 };
        let set_aside = u64::from(drains_south && design.overlap == Overlap::DoubleBuffered);
        let fold = load + stream + row_hop * (rows - 1) + cols - 1 + product_delay + drain + set_aside;
        // A shadow register may take in its next row when the wave has copied its last row. If all columns load at
        // once, the wave must have reached the far column. If the wave is slower than the load, the wave must have
        // reached the far row.
        let skew = match design.load() {
            Load::Rows => cols - 1,
            Load::Diagonal => 0,
        };
        let until_shadow_is_free = |load: u64| stream.max(load + (row_hop - 1) * (rows - 1) + skew);
        let (period, period_unlimited) = match design.overlap {
            Overlap::None => (fold, fold),
            Overlap::DoubleBuffered if holds_operand => (until_shadow_is_free(load), until_shadow_is_free(rows)),
            // Buffered sums shift out once the last row has latched its sum. The first row is free after one shift.
            Overlap::DoubleBuffered if drains_south => {
                let free = (row_hop * (rows - 1) + south.span(1)).max(drain);
                (stream.max(free), stream.max(free))
            }
            Overlap::DoubleBuffered => (stream, stream),
        };
        Self {
            load,
            load_pace: north,
            stream,
            pace,
            slow_edge,
            period,
            period_unlimited,
            fold,
            row_hop,
            product_delay,
            drain,
            drain_pace: south,
        }
    }
}
