//! Figures of the run of a chosen flow: sums, cycles, registers and wires.

use crate::flow::{Along, Flow, FlowRun, Label, Meeting, Move};
use crate::units::len_usize;
use crate::{Cycles, Drain, Elements, Mkn, Operand, PeCycles, PeId};

impl FlowRun {
    /// Element of A·B by definition.
    #[must_use]
    pub fn right_sum(&self, m: u64, n: u64) -> i64 {
        let value = |operand, k| self.value(Label::of(operand, Mkn { m, k, n }));
        (0..self.gemm().k()).map(|k| value(Operand::A, k) * value(Operand::B, k)).sum()
    }

    /// True if the array computed this element of C right.
    #[must_use]
    pub fn is_sum_right(&self, m: u64, n: u64) -> bool {
        self.c()[len_usize(m * self.gemm().n() + n)] == Some(self.right_sum(m, n))
    }

    /// Number of elements of C that are wrong.
    #[must_use]
    pub fn n_wrong_sums(&self) -> u64 {
        let sums = (0..self.gemm().m()).flat_map(|m| (0..self.gemm().n()).map(move |n| (m, n)));
        sums.filter(|&(m, n)| !self.is_sum_right(m, n)).count() as u64
    }

    /// Number of PEs with this kind of meeting in a cycle.
    #[must_use]
    pub fn n_meetings(&self, cycle: u64, meeting: Meeting) -> u64 {
        self.pes(cycle).filter(|(_, pe)| pe.meeting == meeting).count() as u64
    }

    /// Cycles before the first element moves: one for each row of the array if A or B stays.
    #[must_use]
    pub fn loading(&self) -> Cycles {
        let is_loaded = [self.flow().a, self.flow().b].contains(&Move::Stays);
        Cycles(if is_loaded { self.array().rows().into() } else { 0 })
    }

    /// Cycles of the whole run: loading, the cycles of the run, and one for each row if sums stay and shift south.
    #[must_use]
    pub fn total_cycles(&self, drain: Drain) -> Cycles {
        let drains = self.flow().sums == Move::Stays && drain == Drain::South;
        self.loading() + Cycles(self.n_cycles() + if drains { self.array().rows().into() } else { 0 })
    }

    /// PE-cycles in which a right product was added.
    #[must_use]
    pub fn useful(&self) -> PeCycles {
        PeCycles((0..self.n_cycles()).map(|cycle| self.n_meetings(cycle, Meeting::Right)).sum())
    }

    /// Useful PE-cycles divided by all PE-cycles; 0 if a sum is wrong.
    #[must_use]
    pub fn mfu(&self, drain: Drain) -> f64 {
        if self.n_wrong_sums() > 0 {
            return 0.0;
        }
        self.useful().as_f64() / PeCycles(self.array().pes() * self.total_cycles(drain).get()).as_f64()
    }

    /// Registers in all PEs: one in each PE for each matrix that is not broadcast.
    #[must_use]
    pub fn registers(&self) -> Elements {
        let n_matrices = Flow::OPERANDS.iter().filter(|&&operand| !self.flow().of(operand).is_broadcast()).count();
        Elements(self.array().pes() * n_matrices as u64)
    }

    /// Number of rows or columns through which a matrix moves, and number of PEs in each of them.
    pub(super) fn lanes(&self, operand: Operand) -> [u32; 2] {
        match self.flow().of(operand).along() {
            None => [0, 0],
            Some(Along::Row) => [self.array().rows(), self.array().cols()],
            Some(Along::Col) => [self.array().cols(), self.array().rows()],
        }
    }

    /// Skew registers of a matrix in front of a row or column: the delay times the number of lanes before this lane.
    #[must_use]
    pub fn skew(&self, operand: Operand, line: u32) -> u64 {
        let lane = match self.flow().of(operand).along() {
            Some(Along::Col) => self.counted(PeId::new(0, line)).col,
            Some(Along::Row) | None => self.counted(PeId::new(line, 0)).row,
        };
        u64::from(self.flow().delay(operand).unwrap_or(0)) * u64::from(lane)
    }

    /// Skew registers at the edges, for all matrices.
    #[must_use]
    pub fn skew_registers(&self) -> Elements {
        let of_matrix = |operand| (0..self.lanes(operand)[0]).map(move |line| self.skew(operand, line));
        Elements(Flow::OPERANDS.into_iter().flat_map(of_matrix).sum())
    }

    /// Number of wires of all broadcasts.
    #[must_use]
    pub fn n_wires(&self) -> u64 {
        self.wires().map(|[n_lanes, _]| u64::from(n_lanes)).sum()
    }

    /// Length of the longest wire of a broadcast, in steps from PE to PE; 0 without a broadcast.
    #[must_use]
    pub fn longest_wire_steps(&self) -> u64 {
        self.wires().map(|[_, n_pes]| u64::from(n_pes) - 1).max().unwrap_or(0)
    }

    /// Length of all wires of all broadcasts, in steps from PE to PE.
    #[must_use]
    pub fn wire_steps(&self) -> u64 {
        self.wires().map(|[n_lanes, n_pes]| u64::from(n_lanes) * (u64::from(n_pes) - 1)).sum()
    }

    fn wires(&self) -> impl Iterator<Item = [u32; 2]> {
        let broadcast = Flow::OPERANDS.into_iter().filter(|&operand| self.flow().of(operand).is_broadcast());
        broadcast.map(|operand| self.lanes(operand))
    }
}
