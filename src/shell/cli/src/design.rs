//! Options of an array: its shape, its dataflow and its design.

use clap::Args;
use systolic::{
    ArrayShape, Dataflow, Design, Drain, FoldOrder, Gemm, Hold, KTiles, Load, Overlap, Padding, Pipeline, Ports, Rate,
    Schedule,
};

use crate::options::{one_of, sides};
use crate::problem::{Problem, Usable};
use crate::words;

// Matmuls on an array.
#[derive(Args, Debug)]
pub(crate) struct Placement {
    /// The rows R and the columns C of the array, each from 1 to 1024, e.g. 128x128.
    #[arg(long, value_name = "RxC", value_parser = array)]
    array: ArrayShape,
    /// The dataflow, named by the matrix that stays in the PEs: ws (weights), os (outputs) or is (inputs).
    #[arg(long, value_name = "D")]
    dataflow: Dataflow,
    /// The padding: ragged (no padding), zero (pads to multiples of the array size), or m followed by a number. For
    /// example, m8 pads M to a multiple of 8.
    #[arg(long, value_name = "P", value_parser = padding)]
    pad: Option<Padding>,
}

// The array's design. The defaults follow SCALE-Sim.
#[derive(Args, Debug)]
#[command(next_help_heading = "Design, by default as in SCALE-Sim")]
pub(crate) struct DesignOptions {
    /// The overlap of consecutive folds: none or double-buffered. For ws and is, a double-buffered array loads the next
    /// stationary operand into shadow registers while a fold runs. For os, the sums of a fold leave the array while the
    /// next fold runs.
    #[arg(long, value_name = "O")]
    overlap: Option<Overlap>,
    /// The order of loading the stationary operand: rows (row by row, all columns at once) or diagonal (column j begins
    /// j cycles later). With double-buffered folds, the default is diagonal; otherwise, the default is rows. Works only
    /// for the dataflows ws and is.
    #[arg(long, value_name = "L")]
    load: Option<Load>,
    /// The way in which output-stationary sums leave the array: in-place (each PE is read directly) or south (the sums move out
    /// through the south edge). Works only for the dataflow os. Default: in-place.
    #[arg(long, value_name = "D")]
    drain: Option<Drain>,
    /// The order of folds: along the rows of the array first (rows), or along the columns first (cols). Default: rows.
    #[arg(long, value_name = "O")]
    #[arg(value_parser = |text: &str| one_of(text, [("rows", FoldOrder::Rows), ("cols", FoldOrder::Cols)]))]
    order: Option<FoldOrder>,
    /// The order in which a weight- or input-stationary run adds the tiles of k: up, down, second-half-first, or a list
    /// of all tiles, such as 2,3,0,1. K must be a multiple of the rows of the array. Default: up.
    #[arg(long, value_name = "O", value_parser = |text: &str| KTiles::from_text(text).ok_or(Usable::TileOrder))]
    ktiles: Option<KTiles>,
    /// Bandwidth of the west edge of the array in elements per cycle: a whole number such as 64, or a fraction such as
    /// 340/7 for 340 elements in 7 cycles. Default: as many as the array needs.
    #[arg(long, value_name = "N", value_parser = rate)]
    west: Option<Rate>,
    /// Bandwidth of the north edge of the array in elements per cycle: a whole number such as 64, or a fraction such as
    /// 340/7 for 340 elements in 7 cycles. Default: as many as the array needs.
    #[arg(long, value_name = "N", value_parser = rate)]
    north: Option<Rate>,
    /// Bandwidth of the south edge of the array in elements per cycle: a whole number such as 64, or a fraction such as
    /// 340/7 for 340 elements in 7 cycles. Default: as many as the array needs.
    #[arg(long, value_name = "N", value_parser = rate)]
    south: Option<Rate>,
    /// Adds a register between the multiplier and the adder of each PE, so sums are complete one cycle later.
    #[arg(long)]
    product_register: bool,
    /// Uses two registers per row for values that move south, so the skew is two cycles per row.
    #[arg(long)]
    two_registers_south: bool,
}

impl DesignOptions {
    pub(crate) fn design(&self) -> Design {
        let Self { product_register, two_registers_south, west, north, south, .. } = *self;
        Design {
            overlap: self.overlap.unwrap_or_default(),
            load: self.load,
            drain: self.drain.unwrap_or_default(),
            order: self.order.unwrap_or_default(),
            k_tiles: self.ktiles.unwrap_or_default(),
            pipeline: Pipeline { product_register, two_registers_south },
            ports: Ports { west, north, south },
        }
    }
}

impl Placement {
    /// Returns the schedule of a matmul on the array.
    pub(crate) fn schedule(&self, gemm: Gemm, design: &DesignOptions) -> Result<Schedule, Problem> {
        // If the option were ignored, the answer would describe another array.
        match self.dataflow.hold() {
            Hold::Operand if design.drain.is_some() => return Err(Problem::WorksOnly("drain", "--dataflow os")),
            Hold::Result if design.load.is_some() => return Err(Problem::WorksOnly("load", words::WS_OR_IS)),
            Hold::Operand | Hold::Result => {}
        }
        let schedule = Schedule::new(gemm, self.array, self.dataflow, self.pad.unwrap_or(Padding::Ragged))?;
        Ok(schedule.with(design.design())?)
    }
}

pub(crate) fn array(text: &str) -> Result<ArrayShape, Usable> {
    sides(text).and_then(|[rows, cols]| ArrayShape::new(rows, cols).ok()).ok_or(Usable::Array)
}

/// Parses a padding: `ragged`, `zero`, or `m` with the multiple that M is padded to, such as `m128`.
fn padding(text: &str) -> Result<Padding, Usable> {
    let multiple = || text.strip_prefix('m')?.parse::<u32>().ok();
    match text {
        "ragged" => Ok(Padding::Ragged),
        "zero" => Ok(Padding::ToArray),
        _ => multiple()
            .filter(|&multiple| multiple >= 1 && u64::from(multiple) <= Padding::MULTIPLE_MAX)
            .map(Padding::MultipleOfM)
            .ok_or(Usable::Padding),
    }
}

/// Parses the rate of an edge in elements per cycle. A fraction such as `340/7` means 340 elements in 7 cycles.
fn rate(text: &str) -> Result<Rate, Usable> {
    let (elements, cycles) = text.split_once('/').unwrap_or((text, "1"));
    let rate = elements.trim().parse().ok().zip(cycles.trim().parse().ok());
    rate.and_then(|(elements, cycles)| Rate::new(elements, cycles)).ok_or(Usable::Rate)
}
