//! The matrices of a run: A and B in the order in which the edges take them, and C.

use std::fmt::Write as _;

use systolic::lane::Int8;
use systolic::{Hold, Mkn, Operand, Schedule, Value, product};

use crate::Rtl;

/// Lines of the memory in front of the west edge, at least two: an address has a bit.
pub(crate) fn west_lines(schedule: &Schedule) -> u64 {
    (schedule.row_folds() * schedule.stream_len()).max(2)
}

/// The same in the north: rows that are held (WS, IS), or vectors of the stream.
pub(crate) fn north_lines(schedule: &Schedule) -> u64 {
    let lines = match schedule.dataflow().hold() {
        Hold::Operand => schedule.folds() * u64::from(schedule.array().rows()),
        Hold::Result => schedule.col_folds() * schedule.stream_len(),
    };
    lines.max(2)
}

/// Elements of the largest of the feeders and of A, B and C together.
pub(crate) fn elements(schedule: &Schedule) -> u64 {
    let (gemm, array) = (schedule.gemm(), schedule.array());
    let matrices = [(gemm.m(), gemm.k()), (gemm.k(), gemm.n()), (gemm.m(), gemm.n())];
    let matrices = matrices.into_iter().fold(0u64, |all, (rows, cols)| all.saturating_add(rows.saturating_mul(cols)));
    let lines = |lines: u64, side: u32| lines.saturating_mul(side.into());
    matrices.max(lines(west_lines(schedule), array.rows())).max(lines(north_lines(schedule), array.cols()))
}

/// What the feeders hold, what C must be, and A and B as they are.
pub(crate) fn files(rtl: &Rtl) -> [(&'static str, String); 5] {
    [
        ("west.hex", west(rtl)),
        ("north.hex", north(rtl)),
        ("c.hex", results(rtl)),
        ("a.csv", table(rtl, Operand::A)),
        ("b.csv", table(rtl, Operand::B)),
    ]
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

/// A line of elements, the first one in the lowest bits.
fn line(rtl: &Rtl, text: &mut String, operand: Operand, places: impl DoubleEndedIterator<Item = Mkn>) {
    let bits = rtl.unit.dtype().bits();
    let (mask, digits) = ((1 << bits) - 1, usize::try_from(bits / 4).unwrap_or(1));
    for mkn in places.rev() {
        let _ = write!(text, "{:0digits$x}", element(rtl, operand, mkn.of(operand)) & mask);
    }
    text.push('\n');
}

/// The lines of a memory, with empty ones up to their number.
fn padded(mut text: String, n_lines: u64, digits: u64) -> String {
    for _ in text.lines().count() as u64..n_lines {
        text.extend((0..digits).map(|_| '0'));
        text.push('\n');
    }
    text
}

fn west(rtl: &Rtl) -> String {
    let (schedule, mapping) = (rtl.schedule, rtl.schedule.mapping());
    let (rows, operand) = (u64::from(schedule.array().rows()), schedule.dataflow().from_west());
    let mut text = String::new();
    for row_fold in 0..schedule.row_folds() {
        for time in 0..schedule.stream_len() {
            line(rtl, &mut text, operand, (0..rows).map(|row| mapping.mkn(row_fold * rows + row, 0, time)));
        }
    }
    padded(text, west_lines(schedule), rows * rtl.unit.dtype().bits() / 4)
}

fn north(rtl: &Rtl) -> String {
    let (schedule, mapping) = (rtl.schedule, rtl.schedule.mapping());
    let [rows, cols] = [schedule.array().rows(), schedule.array().cols()].map(u64::from);
    let mut text = String::new();
    for col_fold in 0..schedule.col_folds() {
        let col = |col: u64| col_fold * cols + col;
        match schedule.dataflow().hold() {
            Hold::Operand => {
                for row in 0..schedule.row_folds() * rows {
                    let places = (0..cols).map(|at| mapping.mkn(row, col(at), 0));
                    line(rtl, &mut text, schedule.dataflow().stationary(), places);
                }
            }
            Hold::Result => {
                for time in 0..schedule.stream_len() {
                    line(rtl, &mut text, Operand::B, (0..cols).map(|at| mapping.mkn(0, col(at), time)));
                }
            }
        }
    }
    padded(text, north_lines(schedule), cols * rtl.unit.dtype().bits() / 4)
}

fn results(rtl: &Rtl) -> String {
    let sums = product(Int8(rtl.unit.dtype()), rtl.schedule, rtl.operands, |_| ());
    sums.into_iter().fold(String::new(), |mut text, sum| {
        let _ = writeln!(text, "{sum:08x}");
        text
    })
}

fn table(rtl: &Rtl, operand: Operand) -> String {
    let gemm = rtl.schedule.gemm();
    let (rows, cols) = if operand == Operand::A { (gemm.m(), gemm.k()) } else { (gemm.k(), gemm.n()) };
    let mut text = String::new();
    for row in 0..rows {
        let values: Vec<String> = (0..cols).map(|col| element(rtl, operand, (row, col)).to_string()).collect();
        text.push_str(&values.join(","));
        text.push('\n');
    }
    text
}
