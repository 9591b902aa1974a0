//! When everything happens, by closed form: any cycle of a run of any length, without history.
//!
//! Convention, that of SCALE-Sim and its stall-free model: folds run one after another without overlap, an edge fold
//! takes as long as a full one, and an output-stationary fold ends with its last multiply-accumulate.
//!
//! | dataflow | cycles of a fold |
//! |---|---|
//! | WS, IS | 2R + C + T − 2 |
//! | OS | R + C + T − 2 |

use crate::fold::share;
use crate::{
    ArrayShape, Axis, Block, Cycle, Cycles, Dataflow, Fold, Gemm, Hold, Mapping, Mkn, Padding, PeCycles, PeId,
    RangeError,
};

/// The run of one GEMM on one array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    gemm: Gemm,
    run: Gemm,
    array: ArrayShape,
    dataflow: Dataflow,
    padding: Padding,
}

/// A cycle told as a fold and the cycle within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The fold in the array.
    pub fold: Fold,
    /// Cycles since the fold began.
    pub since: Cycles,
}

impl Schedule {
    /// Longest run, in PE-cycles.
    pub const PE_CYCLES_MAX: u64 = 1 << 62;

    /// Lays a GEMM on an array.
    ///
    /// # Errors
    /// When padding or the whole run exceeds what can be counted exactly ([`Schedule::PE_CYCLES_MAX`]).
    pub fn new(gemm: Gemm, array: ArrayShape, dataflow: Dataflow, padding: Padding) -> Result<Self, RangeError> {
        let run = padding.applied(gemm, array, dataflow)?;
        let schedule = Self { gemm, run, array, dataflow, padding };
        let factors = [schedule.row_folds(), schedule.col_folds(), schedule.cycles_per_fold().0, array.pes()];
        let given = factors.into_iter().fold(1, u64::saturating_mul);
        RangeError::check("pe_cycles", given, 1, Self::PE_CYCLES_MAX)?;
        Ok(schedule)
    }

    /// The problem itself.
    #[must_use]
    pub const fn gemm(&self) -> Gemm {
        self.gemm
    }

    /// The problem as it runs, zeros of padding included.
    #[must_use]
    pub const fn run(&self) -> Gemm {
        self.run
    }

    /// The array.
    #[must_use]
    pub const fn array(&self) -> ArrayShape {
        self.array
    }

    /// The dataflow.
    #[must_use]
    pub const fn dataflow(&self) -> Dataflow {
        self.dataflow
    }

    /// The padding.
    #[must_use]
    pub const fn padding(&self) -> Padding {
        self.padding
    }

    /// Which axis lies where.
    #[must_use]
    pub const fn mapping(&self) -> Mapping {
        self.dataflow.mapping()
    }

    /// T: how many elements stream through a PE in a fold, zeros of padding included.
    #[must_use]
    pub const fn stream_len(&self) -> u64 {
        self.run.extent(self.mapping().time)
    }

    /// How many of the streamed elements belong to the problem.
    #[must_use]
    pub const fn real_stream_len(&self) -> u64 {
        self.gemm.extent(self.mapping().time)
    }

    /// Cycles in which the stationary operand is shifted in, row by row: R for WS and IS, none for OS.
    #[must_use]
    pub const fn load_cycles(&self) -> Cycles {
        match self.dataflow.hold() {
            Hold::Operand => Cycles(self.array.rows() as u64),
            Hold::Result => Cycles::ZERO,
        }
    }

    /// Length of every fold.
    #[must_use]
    pub const fn cycles_per_fold(&self) -> Cycles {
        let (rows, cols) = (self.array.rows() as u64, self.array.cols() as u64);
        Cycles(self.load_cycles().0 + rows + cols + self.stream_len() - 2)
    }

    /// Folds along the axis mapped to the rows.
    #[must_use]
    pub const fn row_folds(&self) -> u64 {
        self.run.extent(self.mapping().rows).div_ceil(self.array.rows() as u64)
    }

    /// Folds along the axis mapped to the columns.
    #[must_use]
    pub const fn col_folds(&self) -> u64 {
        self.run.extent(self.mapping().cols).div_ceil(self.array.cols() as u64)
    }

    /// All folds.
    #[must_use]
    pub const fn folds(&self) -> u64 {
        self.row_folds() * self.col_folds()
    }

    /// Folds whose partial results are added into one element of C.
    #[must_use]
    pub fn folds_per_result(&self) -> u64 {
        if self.mapping().rows == Axis::K { self.row_folds() } else { 1 }
    }

    /// Length of the run.
    #[must_use]
    pub const fn cycles(&self) -> Cycles {
        Cycles(self.folds() * self.cycles_per_fold().0)
    }

    /// The last clock edge of the run.
    #[must_use]
    pub const fn last_cycle(&self) -> Cycle {
        Cycle(self.cycles().0 - 1)
    }

    /// R · C · cycles.
    #[must_use]
    pub const fn pe_cycles(&self) -> PeCycles {
        PeCycles(self.array.pes() * self.cycles().0)
    }

    /// Fold number `index`; row folds run innermost, so that partial results of one element follow each other.
    #[must_use]
    pub fn fold(&self, index: u64) -> Fold {
        let (row_fold, col_fold) = (index % self.row_folds(), index / self.row_folds());
        let block = |gemm: Gemm| Block {
            rows: share(gemm.extent(self.mapping().rows), self.array.rows(), row_fold),
            cols: share(gemm.extent(self.mapping().cols), self.array.cols(), col_fold),
        };
        Fold {
            index,
            row_fold,
            col_fold,
            row_origin: row_fold * u64::from(self.array.rows()),
            col_origin: col_fold * u64::from(self.array.cols()),
            mapped: block(self.run),
            real: block(self.gemm),
        }
    }

    /// The first cycle of a fold.
    #[must_use]
    pub const fn fold_start(&self, index: u64) -> Cycle {
        Cycle(index * self.cycles_per_fold().0)
    }

    /// The fold and the cycle within it; cycles after the end read as the last cycle.
    #[must_use]
    pub fn locate(&self, cycle: Cycle) -> Moment {
        let cycle = cycle.min(self.last_cycle()).0;
        let length = self.cycles_per_fold().0;
        Moment { fold: self.fold(cycle / length), since: Cycles(cycle % length) }
    }

    /// Wave time at a PE: which streamed element meets it; `None` before the first.
    #[must_use]
    pub const fn wave(&self, since: Cycles, pe: PeId) -> Option<u64> {
        since.0.checked_sub(self.load_cycles().0 + pe.hops())
    }

    /// The multiply-accumulate of a PE at a wave time, if the PE is mapped and the wave is within the stream.
    #[must_use]
    pub fn mkn(&self, fold: &Fold, pe: PeId, wave: u64) -> Option<Mkn> {
        (fold.mapped.contains(pe) && wave < self.stream_len())
            .then(|| self.mapping().mkn(fold.row_origin + u64::from(pe.row), fold.col_origin + u64::from(pe.col), wave))
    }

    /// Whether a multiply-accumulate belongs to the problem rather than to its padding.
    #[must_use]
    pub const fn is_real(&self, mkn: Mkn) -> bool {
        mkn.m < self.gemm.m() && mkn.k < self.gemm.k() && mkn.n < self.gemm.n()
    }
}
