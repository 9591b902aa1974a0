//! Files with the matrices of a run: A and B in the order in which they enter the array, A and B as CSV, and the
//! expected C.

use std::fmt::Write as _;

use systolic::lane::Int8;
use systolic::{Hold, Mkn, Operand, ProductRows, Schedule, Value};

use crate::Rtl;

/// Returns the number of lines of the west feeder's memory: at least two, because an address has at least one bit.
pub(crate) fn west_lines(schedule: &Schedule) -> u64 {
    (schedule.row_folds() * schedule.stream_len()).max(2)
}

/// Returns the number of lines of the north feeder's memory: rows of the stationary operand (WS, IS), or vectors of the
/// stream (OS). The number is at least two, because an address has at least one bit.
pub(crate) fn north_lines(schedule: &Schedule) -> u64 {
    let lines = match schedule.dataflow().hold() {
        Hold::Operand => schedule.folds() * u64::from(schedule.array().rows()),
        Hold::Result => schedule.col_folds() * schedule.stream_len(),
    };
    lines.max(2)
}

/// Returns the largest of three element counts: the west feeder, the north feeder, and A, B and C together.
pub(crate) fn elements(schedule: &Schedule) -> u64 {
    let (gemm, array) = (schedule.gemm(), schedule.array());
    let matrices = [(gemm.m(), gemm.k()), (gemm.k(), gemm.n()), (gemm.m(), gemm.n())];
    let matrices = matrices.into_iter().fold(0u64, |all, (rows, cols)| all.saturating_add(rows.saturating_mul(cols)));
    let lines = |lines: u64, side: u32| lines.saturating_mul(side.into());
    matrices.max(lines(west_lines(schedule), array.rows())).max(lines(north_lines(schedule), array.cols()))
}

/// A file of values that is written line by line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    /// Contents of the west feeder's memory.
    West,
    /// Contents of the north feeder's memory.
    North,
    /// Expected C, one element per line.
    C,
    /// A as CSV, row by row.
    A,
    /// B as CSV, row by row.
    B,
}

impl Table {
    pub(crate) const ALL: [Self; 5] = [Self::West, Self::North, Self::C, Self::A, Self::B];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::West => "west.hex",
            Self::North => "north.hex",
            Self::C => "c.hex",
            Self::A => "a.csv",
            Self::B => "b.csv",
        }
    }

    /// Returns the number of rows that [`Table::write`] accepts. For C, a row is a row of the matrix. For the other
    /// files, a row is a line of the file.
    pub(crate) fn rows(self, schedule: &Schedule) -> u64 {
        match self {
            Self::West => west_lines(schedule),
            Self::North => north_lines(schedule),
            Self::C | Self::A => schedule.gemm().m(),
            Self::B => schedule.gemm().k(),
        }
    }

    /// Returns the cost of writing one row, in elements. For C, the cost is the larger of two numbers: the elements,
    /// and the multiply-adds ÷ 64.
    pub(crate) fn work_of_row(self, schedule: &Schedule) -> u64 {
        let (gemm, array) = (schedule.gemm(), schedule.array());
        match self {
            Self::West => array.rows().into(),
            Self::North => array.cols().into(),
            Self::C => gemm.n().max(gemm.n().saturating_mul(gemm.k()) / 64),
            Self::A => gemm.k(),
            Self::B => gemm.n(),
        }
    }

    /// Appends row `row` of this file to `text`. `product` keeps the encoded B from one row of C to the next.
    pub(crate) fn write(self, rtl: &Rtl, row: u64, product: &mut Option<ProductRows<Int8>>, text: &mut String) {
        match self {
            Self::West => west(rtl, row, text),
            Self::North => north(rtl, row, text),
            Self::C => {
                let lane = Int8(rtl.unit.dtype());
                let rows = product.get_or_insert_with(|| ProductRows::new(lane, rtl.schedule, rtl.operands));
                let mut sums = Vec::new();
                rows.push(rtl.operands, row, &mut sums);
                for sum in sums {
                    let _ = writeln!(text, "{sum:08x}");
                }
            }
            Self::A => values(rtl, Operand::A, row, rtl.schedule.gemm().k(), text),
            Self::B => values(rtl, Operand::B, row, rtl.schedule.gemm().n(), text),
        }
    }
}

fn whole(value: Value) -> i32 {
    match value {
        Value::Int(value) => value,
        Value::Float(_) => 0,
    }
}

fn element(rtl: &Rtl, operand: Operand, place: (u64, u64)) -> i32 {
    whole(rtl.unit.operand(rtl.operands.at(operand, place)))
}

/// Appends a line of elements as one hexadecimal number. The lowest bits are the first element.
fn line(rtl: &Rtl, text: &mut String, operand: Operand, places: impl DoubleEndedIterator<Item = Mkn>) {
    let bits = rtl.unit.dtype().bits();
    let (mask, digits) = ((1 << bits) - 1, usize::try_from(bits / 4).unwrap_or(1));
    for mkn in places.rev() {
        let _ = write!(text, "{:0digits$x}", element(rtl, operand, mkn.of(operand)) & mask);
    }
    text.push('\n');
}

/// Appends a line of zeros with the width of `elements` elements.
fn empty_line(rtl: &Rtl, elements: u32, text: &mut String) {
    let digits = u64::from(elements) * rtl.unit.dtype().bits() / 4;
    text.extend((0..digits).map(|_| '0'));
    text.push('\n');
}

fn west(rtl: &Rtl, row: u64, text: &mut String) {
    let (schedule, mapping) = (rtl.schedule, rtl.schedule.mapping());
    let (rows, operand) = (u64::from(schedule.array().rows()), schedule.dataflow().from_west());
    let (row_fold, time) = (row / schedule.stream_len(), row % schedule.stream_len());
    if row_fold >= schedule.row_folds() {
        return empty_line(rtl, schedule.array().rows(), text);
    }
    let origin = schedule.row_tile(row_fold) * rows;
    line(rtl, text, operand, (0..rows).map(|row| mapping.mkn(schedule.row_index(origin + row), 0, time)));
}

fn north(rtl: &Rtl, row: u64, text: &mut String) {
    let (schedule, mapping) = (rtl.schedule, rtl.schedule.mapping());
    let [rows, cols] = [schedule.array().rows(), schedule.array().cols()].map(u64::from);
    let (per_fold, operand) = match schedule.dataflow().hold() {
        Hold::Operand => (schedule.row_folds() * rows, schedule.dataflow().stationary()),
        Hold::Result => (schedule.stream_len(), Operand::B),
    };
    let (col_fold, at) = (row / per_fold, row % per_fold);
    if col_fold >= schedule.col_folds() {
        return empty_line(rtl, schedule.array().cols(), text);
    }
    let place = |col: u64| match schedule.dataflow().hold() {
        Hold::Operand => {
            let row = schedule.row_index(schedule.row_tile(at / rows) * rows + at % rows);
            mapping.mkn(row, col_fold * cols + col, 0)
        }
        Hold::Result => mapping.mkn(0, col_fold * cols + col, at),
    };
    line(rtl, text, operand, (0..cols).map(place));
}

/// Appends a row of A or B as a line of CSV.
fn values(rtl: &Rtl, operand: Operand, row: u64, cols: u64, text: &mut String) {
    for col in 0..cols {
        let separator = if col == 0 { "" } else { "," };
        let _ = write!(text, "{separator}{}", element(rtl, operand, (row, col)));
    }
    text.push('\n');
}
