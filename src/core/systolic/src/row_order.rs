//! Adder of a schedule, and the order of k that this adder needs in the rows of PEs.

use crate::{Adder, AdderError, Axis, MacUnit, Mkn, Overlap, Schedule};

impl Schedule {
    /// Schedule of the same run for the adder of a MAC unit. Cycles, moves and reads do not change. The adder `tpu`
    /// changes the k of each row of PEs: in each tile of R rows, the rows have k = 0 to 7, R/2 to R/2 + 7, 8 to 15, and
    /// so on. A call of [`with`](Self::with) comes before a call of this function.
    ///
    /// ```
    /// use systolic::{Adder, AdderError, ArrayShape, Dataflow, Dtype, Gemm, MacUnit, Padding, Schedule};
    ///
    /// let (gemm, array) = (Gemm::new(4, 40, 4)?, ArrayShape::new(32, 4)?);
    /// let schedule = Schedule::new(gemm, array, Dataflow::WeightStationary, Padding::Ragged)?;
    /// let tpu = MacUnit::new(Dtype::Bf16).with_adder(Adder::Tpu).expect("bf16");
    /// let refused = AdderError::K { adder: Adder::Tpu, given: 40, step: 32, next: 64 };
    /// assert_eq!(schedule.with_unit(tpu), Err(refused));
    /// # Ok::<(), systolic::RangeError>(())
    /// ```
    ///
    /// # Errors
    /// [`AdderError`] if the adder does not fit the format, the dataflow, the rows, K or the overlap of folds.
    pub fn with_unit(self, unit: MacUnit) -> Result<Self, AdderError> {
        let mut schedule = self;
        schedule.adder = unit.with_adder(unit.adder())?.adder();
        match unit.rule() {
            None => {}
            Some(rule) if rule.continues() => schedule.check_folds(rule.block())?,
            Some(_) => schedule.check_tiles()?,
        }
        Ok(schedule)
    }

    /// Checks a run whose adder adds blocks of `block` products. If sums continue from fold to fold, the rows must be
    /// whole blocks, and folds must not overlap.
    fn check_folds(&self, block: u32) -> Result<(), AdderError> {
        if self.folds_per_result() == 1 {
            return Ok(());
        }
        self.check_rows(block)?;
        match self.design().overlap {
            Overlap::None => Ok(()),
            // A sum of a later fold starts from the sum of the fold before, which may not have left the array.
            Overlap::DoubleBuffered => Err(AdderError::Overlap { adder: self.adder }),
        }
    }

    /// Checks a run in which groups of rows take k from both halves of a tile in turn.
    fn check_tiles(&self) -> Result<(), AdderError> {
        let (adder, dataflow) = (self.adder, self.dataflow());
        if self.mapping().rows != Axis::K {
            return Err(AdderError::Dataflow { adder, dataflow });
        }
        self.check_rows(2 * Adder::GROUP)?;
        let (step, given) = (u64::from(self.array().rows()), self.gemm().k());
        let next = given.next_multiple_of(step);
        if given == next { Ok(()) } else { Err(AdderError::K { adder, given, step, next }) }
    }

    fn check_rows(&self, step: u32) -> Result<(), AdderError> {
        let (adder, given) = (self.adder, self.array().rows());
        let next = given.next_multiple_of(step);
        if given == next { Ok(()) } else { Err(AdderError::Rows { adder, given, step, next }) }
    }

    /// Adder for which the schedule is made.
    #[must_use]
    pub const fn adder(&self) -> Adder {
        self.adder
    }

    /// True if the sum of an element of C goes on from fold to fold.
    pub(crate) fn goes_on(&self) -> bool {
        self.folds_per_result() > 1 && !matches!(self.adder, Adder::F32 | Adder::Tpu)
    }

    /// The multiply-accumulate of the term that comes `step` terms after the first term of a sum.
    pub(crate) fn term_of(&self, first: Mkn, step: u64) -> Mkn {
        Mkn { k: self.row_index(first.k + step), ..first }
    }

    /// Index, along the axis of the rows, for row `nth` of PEs. Rows are counted through all tiles, from the first row
    /// of the first tile. The index equals `nth` unless the adder is `tpu`.
    #[must_use]
    pub fn row_index(&self, nth: u64) -> u64 {
        if self.adder == Adder::Tpu { self.in_turns(nth) } else { nth }
    }

    /// Number of the row of PEs for an index along the axis of the rows: the inverse of [`row_index`](Self::row_index).
    pub(crate) fn row_of_index(&self, index: u64) -> u64 {
        if self.adder == Adder::Tpu { self.out_of_turns(index) } else { index }
    }

    /// Groups of rows take their indices in turn from the lower half and the upper half of the tile.
    #[cold]
    #[inline(never)]
    fn in_turns(&self, nth: u64) -> u64 {
        let (rows, group) = (u64::from(self.array().rows()), u64::from(Adder::GROUP));
        let (tile, row) = (nth / rows, nth % rows);
        let (pair, in_pair) = (row / (2 * group), row % (2 * group));
        tile * rows + pair * group + in_pair % group + in_pair / group * (rows / 2)
    }

    #[cold]
    #[inline(never)]
    fn out_of_turns(&self, index: u64) -> u64 {
        let (rows, group) = (u64::from(self.array().rows()), u64::from(Adder::GROUP));
        let (tile, at) = (index / rows, index % rows);
        let (half, place) = (at / (rows / 2), at % (rows / 2));
        tile * rows + place / group * (2 * group) + half * group + place % group
    }
}
