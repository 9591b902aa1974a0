//! The sums of every PE at once, by closed form and without history.
//!
//! No two PEs share a prefix (they are at different elements of the stream), so a full snapshot of a weight-stationary
//! array costs C·R(R+1)/2 multiply-accumulates. The inner loop runs along a row, where PE (i,j) needs the streamed
//! element `t − i − j`: stored in reverse order of time, that is a contiguous window.

use crate::lane::{Float, Whole};
use crate::{Accumulator, Cycle, Hold, Lane, MacUnit, Moment, Operand, Operands, PeId, Prober, Schedule, Value};

/// The sums of every PE just after a clock edge. The other registers cost nothing: ask a [`Prober`](crate::Prober).
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    schedule: &'a Schedule,
    moment: Moment,
    sums: Sums,
}

#[derive(Clone, Debug)]
enum Sums {
    Float(Vec<f32>),
    Int(Vec<i32>),
}

impl<'a> Snapshot<'a> {
    /// The array just after a clock edge.
    #[must_use]
    pub fn at(schedule: &'a Schedule, operands: &Operands, unit: MacUnit, cycle: Cycle) -> Self {
        let moment = schedule.locate(cycle);
        let sums = match unit.accumulator() {
            Accumulator::Int32 => Sums::Int(sums(Whole(unit), schedule, operands, &moment)),
            Accumulator::F32 if !unit.flush_subnormals => Sums::Float(sums(Float(unit), schedule, operands, &moment)),
            _ => Sums::Float(one_by_one(schedule, operands, unit, cycle)),
        };
        Self { schedule, moment, sums }
    }

    /// The sum of one PE.
    #[must_use]
    pub fn sum(&self, pe: PeId) -> Option<Value> {
        let index = pe.row as usize * self.schedule.array().cols() as usize + pe.col as usize;
        self.has_sum(pe).then(|| match &self.sums {
            Sums::Float(plane) => Value::Float(plane[index]),
            Sums::Int(plane) => Value::Int(plane[index]),
        })
    }

    fn has_sum(&self, pe: PeId) -> bool {
        let wave = self.schedule.wave(self.moment.since, pe);
        let mapped = self.moment.fold.mapped;
        match self.schedule.dataflow().hold() {
            Hold::Operand => pe.col < mapped.cols && wave.is_some_and(|wave| wave < self.schedule.stream_len()),
            Hold::Result => mapped.contains(pe) && wave.is_some(),
        }
    }
}

/// Sums that are rounded at every add have no fast form: each PE is asked on its own.
fn one_by_one(schedule: &Schedule, operands: &Operands, unit: MacUnit, cycle: Cycle) -> Vec<f32> {
    let prober = Prober::new(schedule, operands, unit);
    let sum = |pe: PeId| match prober.at(cycle, pe).sum.map(|sum| sum.value) {
        Some(Value::Float(sum)) => sum,
        Some(Value::Int(_)) | None => 0.0,
    };
    schedule.array().iter().map(sum).collect()
}

fn sums<L: Lane>(lane: L, schedule: &Schedule, operands: &Operands, moment: &Moment) -> Vec<L::Sum> {
    let pes = usize::try_from(schedule.array().pes()).unwrap_or(usize::MAX);
    let mut plane = vec![L::Sum::default(); pes];
    if let Some(waves) = moment.since.0.checked_sub(schedule.load_cycles().0) {
        match schedule.dataflow().hold() {
            Hold::Operand => flowing(lane, schedule, operands, moment, waves, &mut plane),
            Hold::Result => in_place(lane, schedule, operands, moment, waves, &mut plane),
        }
    }
    plane
}

/// The columns of a row that the wave is in: those with 0 ≤ waves − row − col < len.
fn span(waves: u64, row: u64, len: u64, cols: u64) -> core::ops::Range<usize> {
    let Some(near) = waves.checked_sub(row) else { return 0..0 };
    let end = (near + 1).min(cols);
    let start = (near + 1).saturating_sub(len).min(end);
    usize::try_from(start).unwrap_or(0)..usize::try_from(end).unwrap_or(0)
}

/// WS and IS: p(i,j) = Σ_{k ≤ i} x[k][t−i−j]·w[k][j].
fn flowing<L: Lane>(lane: L, s: &Schedule, operands: &Operands, moment: &Moment, waves: u64, plane: &mut [L::Sum]) {
    let fold = &moment.fold;
    let (rows, cols) = (s.array().rows() as usize, s.array().cols() as usize);
    let (mapped_rows, mapped_cols) = (fold.mapped.rows as usize, fold.mapped.cols as usize);
    let (stationary, streamed) = (s.dataflow().stationary(), s.dataflow().from_west());
    let raw = |operand: Operand, row: u64, col: u64, time: u64| {
        lane.encode(operands.at(operand, s.mapping().mkn(row, col, time).of(operand)))
    };
    let lanes = rows + cols - 1;
    for k in 0..mapped_rows {
        let row = fold.row_origin + k as u64;
        let held: Vec<L::Operand> =
            (0..mapped_cols).map(|j| raw(stationary, row, fold.col_origin + j as u64, 0)).collect();
        // Element `t − q` at place q, so that row i reads the window that starts at i.
        let stream: Vec<L::Operand> = (0..lanes)
            .map(|q| match waves.checked_sub(q as u64) {
                Some(time) if time < s.stream_len() => raw(streamed, row, 0, time),
                _ => L::Operand::default(),
            })
            .collect();
        for i in k..rows {
            let span = span(waves, i as u64, s.stream_len(), mapped_cols as u64);
            let sums = &mut plane[i * cols..][span.clone()];
            let window = &stream[i..][span.clone()];
            for ((sum, &x), &w) in sums.iter_mut().zip(window).zip(&held[span]) {
                *sum = lane.mac(*sum, x, w);
            }
        }
    }
}

/// OS: p(i,j) = Σ_{k ≤ t−i−j} a[i][k]·b[k][j].
fn in_place<L: Lane>(lane: L, s: &Schedule, operands: &Operands, moment: &Moment, waves: u64, plane: &mut [L::Sum]) {
    let fold = &moment.fold;
    let cols = s.array().cols() as usize;
    let raw = |operand: Operand, place: (u64, u64)| lane.encode(operands.at(operand, place));
    for k in 0..s.stream_len().min(waves + 1) {
        let b: Vec<L::Operand> =
            (0..u64::from(fold.mapped.cols)).map(|j| raw(Operand::B, (k, fold.col_origin + j))).collect();
        for i in 0..u64::from(fold.mapped.rows) {
            // PE (i,j) has taken in element k once the wave of k has reached it.
            let reached = span(waves - k, i, u64::MAX, b.len() as u64);
            if reached.is_empty() {
                break;
            }
            let a = raw(Operand::A, (fold.row_origin + i, k));
            let row = usize::try_from(i).unwrap_or(0) * cols;
            for (sum, &b) in plane[row..][reached.clone()].iter_mut().zip(&b[reached]) {
                *sum = lane.mac(*sum, a, b);
            }
        }
    }
}
