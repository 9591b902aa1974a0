//! Schedule of a run in closed form: the state at any cycle, computed without the earlier cycles.
//!
//! The table applies to R rows, C columns, T streamed elements per fold and F folds. Each hop has one register, and
//! each edge passes a whole vector per cycle:
//!
//! | dataflow | cycles of a fold | cycles of a run, double-buffered |
//! |---|---|---|
//! | WS, IS | 2R + C + T − 2 | R + (F − 1) · max(T, R) + T + R + C − 2 |
//! | OS, read in place | R + C + T − 2 | F · T + R + C − 2 |
//! | OS, drained south | 2R + C + T − 2 | (F − 1) · max(T, R) + T + 2R + C − 1 |
//!
//! Without overlap, a run takes F times as long as a fold, as in SCALE-Sim's stall-free model. An edge fold takes as
//! long as a full fold. If weights are loaded row by row instead of diagonally, the max(T, R) of a double-buffered run
//! becomes max(T, R + C − 1). A registered product adds one cycle to a fold. Two registers per vertical hop add R − 1
//! cycles to a fold.

use crate::fold::share;
use crate::timing::Timing;
use crate::{
    Adder, ArrayShape, Axis, Block, Cycle, Cycles, Dataflow, Design, Edge, Fold, FoldOrder, Gemm, KTiles, Mapping, Mkn,
    Overlap, Padding, PeCycles, PeId, RangeError,
};

/// The run of one GEMM on one array.
///
/// # Time
///
/// A fold begins at [`fold_start`](Self::fold_start), loads for [`load_cycles`](Self::load_cycles), and ends after
/// [`cycles_per_fold`](Self::cycles_per_fold). The next fold begins after [`period`](Self::period).
///
/// The run has [`cycles`](Self::cycles) cycles up to [`last_cycle`](Self::last_cycle). [`locate`](Self::locate) finds
/// the fold of a cycle. Important moments: [`events_of`](Self::events_of), [`event_after`](Self::event_after),
/// [`event_before`](Self::event_before).
///
/// # Place
///
/// - Work of a PE at a cycle: [`activity`](Self::activity), [`slot`](Self::slot), [`fold_at`](Self::fold_at),
///   [`mac`](Self::mac).
/// - Stream at the PEs that are [`hops`](Self::hops) cycles behind the corner PE:
///   [`stream_position`](Self::stream_position), [`vector_at`](Self::vector_at).
/// - Rows of the stationary operand in a column: [`rows_loaded`](Self::rows_loaded).
/// - Content of a register: its [`origin`](Self::origin), its [`next`](Self::next) place and, for a sum, its
///   [`terms`](Self::terms).
/// - Elements at the edges: [`port_events`](Self::port_events).
///
/// # Counts
///
/// - All PEs at a cycle: [`census`](Self::census).
/// - All PE-cycles: [`tally`](Self::tally), [`tally_until`](Self::tally_until).
/// - Useful work of one PE: [`useful_of`](Self::useful_of).
/// - Elements that move: [`edge_traffic`](Self::edge_traffic), [`memory_traffic`](Self::memory_traffic).
/// - Folds: [`folds`](Self::folds), [`row_folds`](Self::row_folds) along the rows, [`col_folds`](Self::col_folds) along
///   the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    gemm: Gemm,
    run: Gemm,
    array: ArrayShape,
    dataflow: Dataflow,
    padding: Padding,
    design: Design,
    timing: Timing,
    row_folds: u64,
    col_folds: u64,
    pub(crate) adder: Adder,
}

/// A cycle of the run, given as a fold and the cycles since the fold began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Fold for which the corner PE loads or multiplies.
    pub fold: Fold,
    /// Cycles since the fold began.
    pub since: Cycles,
}

/// Position of the wave at all PEs that are at one distance from the corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WavePosition {
    /// Index of the fold.
    pub(crate) fold: u64,
    /// Cycles since the earliest possible arrival of the fold's stream at these PEs.
    pub(crate) since: u64,
}

impl Schedule {
    /// Maximum number of PE-cycles of a run.
    pub const PE_CYCLES_MAX: u64 = 1 << 62;

    /// Schedules a GEMM on an array of the default [`Design`].
    ///
    /// # Errors
    /// [`RangeError`] if padding makes a dimension too large, or if the whole run exceeds [`Schedule::PE_CYCLES_MAX`].
    pub fn new(gemm: Gemm, array: ArrayShape, dataflow: Dataflow, padding: Padding) -> Result<Self, RangeError> {
        let run = padding.applied(gemm, array, dataflow)?;
        let design = Design::default();
        let timing = Timing::new(run, array, dataflow, design);
        let mapping = dataflow.mapping();
        let folds = |axis: Axis, side: u32| n_folds(run.extent(axis), side);
        let (row_folds, col_folds) = (folds(mapping.rows, array.rows()), folds(mapping.cols, array.cols()));
        let adder = Adder::F32;
        Self { gemm, run, array, dataflow, padding, design, timing, row_folds, col_folds, adder }.checked()
    }

    /// Schedule of the same run on an array of another design, with the adder [`Adder::F32`].
    ///
    /// # Errors [`RangeError`] if the run then exceeds [`Schedule::PE_CYCLES_MAX`]. Tiles of k in another order than
    /// ascending have two more errors. K is not a multiple of the rows, or a list of tiles has another number of tiles
    /// than the run.
    pub fn with(self, design: Design) -> Result<Self, RangeError> {
        if self.mapping().rows == Axis::K && !matches!(design.k_tiles, KTiles::Up) {
            let whole = self.row_folds * u64::from(self.array.rows());
            RangeError::check("k", self.gemm.k(), whole, whole)?;
            let n = design.k_tiles.n_listed().unwrap_or(self.row_folds);
            RangeError::check("tiles of k", n, self.row_folds, self.row_folds)?;
        }
        let timing = Timing::new(self.run, self.array, self.dataflow, design);
        Self { design, timing, adder: Adder::F32, ..self }.checked()
    }

    fn checked(self) -> Result<Self, RangeError> {
        let longest = self.timing.period.max(self.timing.fold);
        let factors = [self.row_folds(), self.col_folds(), longest, self.array.pes()];
        // A product has at most as many bits as its factors together. The sum of these bits is usually small enough,
        // and the product need not be computed.
        let bits: u32 = factors.iter().map(|factor| u64::BITS - factor.leading_zeros()).sum();
        if bits > Self::PE_CYCLES_MAX.ilog2() {
            let given = factors.into_iter().fold(1, u64::saturating_mul);
            RangeError::check("pe_cycles", given, 1, Self::PE_CYCLES_MAX)?;
        }
        Ok(self)
    }

    /// GEMM of the run, without padding.
    #[must_use]
    pub const fn gemm(&self) -> Gemm {
        self.gemm
    }

    /// GEMM of the run, zeros of padding included.
    #[must_use]
    pub const fn run(&self) -> Gemm {
        self.run
    }

    /// Shape of the array.
    #[must_use]
    pub const fn array(&self) -> ArrayShape {
        self.array
    }

    /// Dataflow of the run.
    #[must_use]
    pub const fn dataflow(&self) -> Dataflow {
        self.dataflow
    }

    /// Padding of the run.
    #[must_use]
    pub const fn padding(&self) -> Padding {
        self.padding
    }

    /// Design of the array.
    #[must_use]
    pub const fn design(&self) -> Design {
        self.design
    }

    pub(crate) const fn timing(&self) -> &Timing {
        &self.timing
    }

    /// Mapping of the problem's axes to the array.
    #[must_use]
    pub const fn mapping(&self) -> Mapping {
        self.dataflow.mapping()
    }

    /// Number of elements that stream through a PE in a fold, zeros of padding included (T).
    #[must_use]
    pub const fn stream_len(&self) -> u64 {
        self.run.extent(self.mapping().time)
    }

    /// Number of streamed elements in a fold that belong to the problem, without padding.
    #[must_use]
    pub const fn real_stream_len(&self) -> u64 {
        self.gemm.extent(self.mapping().time)
    }

    /// Cycles from the start of a fold until its stream may enter. During these cycles the stationary operand is
    /// shifted in (WS, IS); 0 for OS.
    #[must_use]
    pub const fn load_cycles(&self) -> Cycles {
        Cycles(self.timing.load)
    }

    /// Cycles in which the sums of an output-stationary fold shift out through the south edge; 0 if they do not shift
    /// out.
    #[must_use]
    pub const fn drain_cycles(&self) -> Cycles {
        Cycles(self.timing.drain)
    }

    /// Cycles from the start of a fold to its end.
    #[must_use]
    pub const fn cycles_per_fold(&self) -> Cycles {
        Cycles(self.timing.fold)
    }

    /// Cycles from the start of a fold to the start of the next fold.
    #[must_use]
    pub const fn period(&self) -> Cycles {
        Cycles(self.timing.period)
    }

    /// The edge whose rate limits the stream to less than one vector per cycle; `None` if no edge does.
    #[must_use]
    pub const fn slow_edge(&self) -> Option<Edge> {
        self.timing.slow_edge
    }

    /// Number of folds along the axis that is mapped to the rows.
    #[must_use]
    pub const fn row_folds(&self) -> u64 {
        self.row_folds
    }

    /// Number of folds along the axis that is mapped to the columns.
    #[must_use]
    pub const fn col_folds(&self) -> u64 {
        self.col_folds
    }

    /// Number of all folds.
    #[must_use]
    pub const fn folds(&self) -> u64 {
        self.row_folds() * self.col_folds()
    }

    /// Number of folds whose partial results are added into one element of C.
    #[must_use]
    pub fn folds_per_result(&self) -> u64 {
        if self.mapping().rows == Axis::K { self.row_folds() } else { 1 }
    }

    /// Length of the run in cycles.
    #[must_use]
    pub const fn cycles(&self) -> Cycles {
        Cycles((self.folds() - 1) * self.timing.period + self.timing.fold)
    }

    /// The last clock edge of the run.
    #[must_use]
    pub const fn last_cycle(&self) -> Cycle {
        Cycle(self.cycles().0 - 1)
    }

    /// PE-cycles of the run: R · C · cycles.
    #[must_use]
    pub const fn pe_cycles(&self) -> PeCycles {
        PeCycles(self.array.pes() * self.cycles().0)
    }

    /// The tile with a given number, or the number of a given tile, if tiles run in another order than the usual one.
    /// This function is separate because its callers run for every PE, and rarely need it.
    #[cold]
    #[inline(never)]
    fn in_order(&self, of: fn(KTiles, u64, u64) -> u64, given: u64) -> u64 {
        if self.mapping().rows == Axis::K { of(self.design.k_tiles, given, self.row_folds) } else { given }
    }

    /// Tile that runs as number `row_fold` along the axis that is mapped to the rows. If all of k is in one fold, tile
    /// 0 is all of k.
    #[must_use]
    pub fn row_tile(&self, row_fold: u64) -> u64 {
        if matches!(self.design.k_tiles, KTiles::Up) { row_fold } else { self.in_order(KTiles::tile, row_fold) }
    }

    /// Number of a tile along the axis mapped to the rows, in the order in which these tiles run.
    pub(crate) fn row_fold_of(&self, tile: u64) -> u64 {
        if matches!(self.design.k_tiles, KTiles::Up) { tile } else { self.in_order(KTiles::place, tile) }
    }

    /// The last k that is added to an element of C.
    #[must_use]
    pub fn last_k(&self) -> u64 {
        if self.mapping().rows != Axis::K {
            return self.run.k() - 1;
        }
        let end = (self.row_tile(self.row_folds - 1) + 1) * u64::from(self.array.rows());
        end.min(self.run.k()) - 1
    }

    /// Fold number `index` in the order in which folds run.
    #[must_use]
    pub fn fold(&self, index: u64) -> Fold {
        let (row_fold, col_fold) = match self.design.order {
            FoldOrder::Rows => (index % self.row_folds(), index / self.row_folds()),
            FoldOrder::Cols => (index / self.col_folds(), index % self.col_folds()),
        };
        let block = |gemm: Gemm| Block {
            rows: share(gemm.extent(self.mapping().rows), self.array.rows(), row_fold),
            cols: share(gemm.extent(self.mapping().cols), self.array.cols(), col_fold),
        };
        Fold {
            index,
            row_fold,
            col_fold,
            row_origin: self.row_tile(row_fold) * u64::from(self.array.rows()),
            col_origin: col_fold * u64::from(self.array.cols()),
            mapped: block(self.run),
            real: block(self.gemm),
        }
    }

    /// The first cycle of a fold.
    #[must_use]
    pub const fn fold_start(&self, index: u64) -> Cycle {
        Cycle(index * self.timing.period)
    }

    /// Fold of the corner PE at a cycle, and the cycle within that fold. A cycle after the end counts as the last
    /// cycle.
    #[must_use]
    pub fn locate(&self, cycle: Cycle) -> Moment {
        let cycle = cycle.min(self.last_cycle()).0;
        let index = (cycle / self.timing.period).min(self.folds() - 1);
        Moment { fold: self.fold(index), since: Cycles(cycle - index * self.timing.period) }
    }

    /// Cycles that the wave takes from the corner PE to another PE.
    #[must_use]
    pub const fn hops(&self, pe: PeId) -> u64 {
        self.timing.row_hop * pe.row as u64 + pe.col as u64
    }

    /// Position of the wave at the PEs that the wave reaches `delay` cycles after the corner PE. Returns `None` before
    /// the earliest possible arrival of a stream.
    ///
    /// Without overlap, a fold has left the array when the next fold begins to load. With overlap, each PE changes to
    /// the next fold when the wave of that fold arrives.
    pub(crate) fn wave_at(&self, cycle: Cycle, delay: u64) -> Option<WavePosition> {
        let cycle = cycle.min(self.last_cycle()).0;
        let (period, delay) = (self.timing.period, self.timing.load + delay);
        let last = self.folds() - 1;
        let (fold, since) = match self.design.overlap {
            Overlap::None => (cycle / period, (cycle % period).checked_sub(delay)?),
            Overlap::DoubleBuffered => {
                let fold = (cycle.checked_sub(delay)? / period).min(last);
                (fold, cycle - delay - fold * period)
            }
        };
        Some(WavePosition { fold, since })
    }

    /// Fold that a PE works for at a cycle. The PE-cycle is counted for this fold.
    #[must_use]
    pub fn fold_at(&self, cycle: Cycle, pe: PeId) -> Fold {
        match self.design.overlap {
            Overlap::None => self.locate(cycle).fold,
            Overlap::DoubleBuffered => self.fold(self.wave_at(cycle, self.hops(pe)).map_or(0, |at| at.fold)),
        }
    }

    /// Streamed vector that reaches some PEs at a clock edge: its fold, and its index in the stream. The wave reaches
    /// these PEs `delay` cycles after the corner PE.
    #[must_use]
    pub fn vector_at(&self, cycle: Cycle, delay: u64) -> Option<(Fold, u64)> {
        let at = self.wave_at(cycle, delay)?;
        let wave = self.timing.pace.vector_at(at.since, self.stream_len())?;
        Some((self.fold(at.fold), wave))
    }

    /// Latest fold whose stationary operand has begun to enter a column, and the number of rows that have entered.
    #[must_use]
    pub fn rows_loaded(&self, cycle: Cycle, col: u32) -> Option<(Fold, u64)> {
        let (period, rows) = (self.timing.period, u64::from(self.array.rows()));
        let cycle = cycle.min(self.last_cycle()).0.checked_sub(self.load_delay(col.into()))?;
        let index = (cycle / period).min(self.folds() - 1);
        Some((self.fold(index), self.timing.load_pace.delivered(cycle - index * period + 1, rows)))
    }

    /// Multiply-accumulate of a PE for element `wave` of the stream; `None` if the fold does not use the PE, or if the
    /// stream is shorter.
    #[must_use]
    pub fn mkn(&self, fold: &Fold, pe: PeId, wave: u64) -> Option<Mkn> {
        (fold.mapped.contains(pe) && wave < self.stream_len()).then(|| {
            self.mapping().mkn(
                self.row_index(fold.row_origin + u64::from(pe.row)),
                fold.col_origin + u64::from(pe.col),
                wave,
            )
        })
    }

    /// True if an element of the stream is at a PE, even if the fold does not use the PE.
    #[must_use]
    pub fn is_in_wave(&self, cycle: Cycle, pe: PeId) -> bool {
        self.vector_at(cycle, self.hops(pe)).is_some()
    }

    /// The multiply-accumulate that a PE begins at a clock edge.
    #[must_use]
    pub fn mac(&self, cycle: Cycle, pe: PeId) -> Option<Mkn> {
        let (fold, wave) = self.vector_at(cycle, self.hops(pe))?;
        self.mkn(&fold, pe, wave)
    }

    /// True if a multiply-accumulate belongs to the problem and not to its padding.
    #[must_use]
    pub const fn is_real(&self, mkn: Mkn) -> bool {
        mkn.m < self.gemm.m() && mkn.k < self.gemm.k() && mkn.n < self.gemm.n()
    }
}

/// Number of folds for `extent` elements on `side` rows or columns of PEs.
fn n_folds(extent: u64, side: u32) -> u64 {
    // An extent is at most 2^31, and dividing 32 bits is several times as fast as dividing 64 bits.
    u32::try_from(extent).map_or_else(|_| extent.div_ceil(side.into()), |extent| extent.div_ceil(side).into())
}
