//! A schedule built step by step: sizes first, then each option that differs from the default.

use crate::{ArrayShape, Dataflow, Design, Gemm, Overlap, Padding, RangeError, Schedule};

/// Builder of a [`Schedule`]. Only [`ScheduleBuilder::build`] can fail.
///
/// The default is a weight-stationary array of the default [`Design`], without padding.
#[derive(Clone, Copy, Debug)]
pub struct ScheduleBuilder {
    m_k_n: [u64; 3],
    rows_cols: [u64; 2],
    dataflow: Dataflow,
    padding: Padding,
    design: Design,
}

impl Schedule {
    /// Starts a schedule of an M×K by K×N multiplication on an array of R×C PEs.
    ///
    /// ```
    /// use systolic::prelude::*;
    ///
    /// let run = Schedule::builder([64, 96, 32], [16, 16]).overlap(Overlap::DoubleBuffered).build()?;
    /// assert_eq!((run.folds(), run.cycles().get()), (12, 814));
    /// let refused = Schedule::builder([64, 96, 32], [16, 2000]).build().expect_err("too many columns");
    /// assert_eq!(refused.to_string(), "cols = 2000: use 1 to 1024");
    /// # Ok::<(), RangeError>(())
    /// ```
    #[must_use]
    pub fn builder(m_k_n: [u64; 3], rows_cols: [u64; 2]) -> ScheduleBuilder {
        let (dataflow, padding) = (Dataflow::WeightStationary, Padding::Ragged);
        ScheduleBuilder { m_k_n, rows_cols, dataflow, padding, design: Design::default() }
    }
}

impl ScheduleBuilder {
    /// Sets the matrix that stays in the PEs.
    #[must_use]
    pub const fn dataflow(self, dataflow: Dataflow) -> Self {
        Self { dataflow, ..self }
    }

    /// Sets the padding of the matrices.
    #[must_use]
    pub const fn padding(self, padding: Padding) -> Self {
        Self { padding, ..self }
    }

    /// Sets the overlap of consecutive folds.
    #[must_use]
    pub const fn overlap(mut self, overlap: Overlap) -> Self {
        self.design.overlap = overlap;
        self
    }

    /// Sets the whole design, with its overlap.
    #[must_use]
    pub const fn design(self, design: Design) -> Self {
        Self { design, ..self }
    }

    /// Returns the schedule.
    ///
    /// # Errors
    /// [`RangeError`] names the size that is out of range, and the sizes that are allowed. See [`Gemm::new`],
    /// [`ArrayShape::new`], [`Schedule::new`] and [`Schedule::with`].
    pub fn build(self) -> Result<Schedule, RangeError> {
        let ([m, k, n], [rows, cols]) = (self.m_k_n, self.rows_cols);
        let (gemm, array) = (Gemm::new(m, k, n)?, ArrayShape::new(rows, cols)?);
        Schedule::new(gemm, array, self.dataflow, self.padding)?.with(self.design)
    }
}
