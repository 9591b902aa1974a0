//! A run: a schedule, its matrices and its arithmetic.

use std::sync::Arc;

use crate::{
    Cycle, Dtype, Fill, Lane, MacUnit, Machine, Matrix, Operands, PeId, PortEvent, Probe, Prober, RangeError,
    Registers, Schedule, Snapshot, Value, Vectors, dispatch_lane, dispatch_machine_lane, product,
};

/// A GEMM on an array: its schedule, its matrices A and B, and the arithmetic of a PE.
///
/// ```
/// use systolic::{ArrayShape, Cycle, Dataflow, Dtype, Gemm, MacUnit, Padding, PeId, Run, Schedule, Value};
///
/// let array = ArrayShape::new(2, 2)?;
/// let schedule = Schedule::new(Gemm::new(1, 2, 2)?, array, Dataflow::WeightStationary, Padding::Ragged)?;
/// let run = Run::listed(schedule, &[1.0, 2.0], &[3.0, 4.0, 5.0, 6.0], MacUnit::new(Dtype::Int8))?;
/// assert_eq!(run.result(), [Value::Int(13), Value::Int(16)]);
/// // The second row of weights is loaded first, and row 1 holds it from cycle 1 on.
/// assert_eq!(run.at(Cycle(1), PeId::new(1, 0)).held.map(|held| held.value), Some(Value::Int(5)));
/// # Ok::<(), systolic::RangeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    schedule: Schedule,
    operands: Arc<Operands>,
    unit: MacUnit,
}

impl Run {
    /// A run of the matrices `operands`.
    ///
    /// # Errors
    /// [`RangeError`] if A is not M×K, B is not K×N, or c is not M×N; or if the schedule is not for the adder of `unit`
    /// (see [`Schedule::with_unit`]). `given` and the bounds are then indices in [`Adder::ALL`](crate::Adder::ALL).
    pub fn new(schedule: Schedule, operands: impl Into<Arc<Operands>>, unit: MacUnit) -> Result<Self, RangeError> {
        let (gemm, operands) = (schedule.gemm(), operands.into());
        let Operands { a, b, c } = &*operands;
        let of_c = c.as_ref().map(|c| [("rows of c", c.rows(), gemm.m()), ("columns of c", c.cols(), gemm.n())]);
        let of_ab = [
            ("rows of A", a.rows(), gemm.m()),
            ("columns of A", a.cols(), gemm.k()),
            ("rows of B", b.rows(), gemm.k()),
            ("columns of B", b.cols(), gemm.n()),
        ];
        for (field, given, needed) in of_ab.into_iter().chain(of_c.into_iter().flatten()) {
            RangeError::check(field, given, needed, needed)?;
        }
        let [given, needed] = [unit.adder(), schedule.adder()].map(|adder| adder as u64);
        RangeError::check("adder", given, needed, needed)?;
        Ok(Self { schedule, operands, unit })
    }

    /// A run of the matrices A and B, whose elements are listed row by row.
    ///
    /// # Errors
    /// [`RangeError`] if the length of a list is not the number of elements of its matrix.
    pub fn listed(schedule: Schedule, a: &[f64], b: &[f64], unit: MacUnit) -> Result<Self, RangeError> {
        let gemm = schedule.gemm();
        let (a, b) = (Matrix::listed(gemm.m(), gemm.k(), a)?, Matrix::listed(gemm.k(), gemm.n(), b)?);
        Self::new(schedule, Operands::new(a, b), unit)
    }

    /// A run of matrices that a rule fills, with the default accumulator of the format.
    #[must_use]
    pub fn filled(schedule: Schedule, fill: Fill, dtype: Dtype) -> Self {
        let operands = Arc::new(Operands::filled(schedule.gemm(), fill, dtype));
        Self { schedule, operands, unit: MacUnit::new(dtype) }
    }

    /// Schedule of the run.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Matrices A and B.
    #[must_use]
    pub fn operands(&self) -> &Operands {
        &self.operands
    }

    /// Shared pointer to the matrices A and B. While a clone of this pointer lives, no other matrices can be at its
    /// address. An equal address therefore means the same matrices.
    #[must_use]
    pub const fn shared_operands(&self) -> &Arc<Operands> {
        &self.operands
    }

    /// Arithmetic of a PE.
    #[must_use]
    pub const fn unit(&self) -> MacUnit {
        self.unit
    }

    /// C, row by row, in the array's order of accumulation.
    #[must_use]
    pub fn result(&self) -> Vec<Value> {
        self.result_with(|_| ())
    }

    /// C, row by row. Calls `done` after each row with the number of finished rows.
    #[must_use]
    pub fn result_with(&self, done: impl FnMut(u64)) -> Vec<Value> {
        dispatch_lane!(self.unit, lane => {
            let sums = product(lane, &self.schedule, &self.operands, done);
            sums.into_iter().map(|sum| lane.sum(sum)).collect()
        })
    }

    /// A prober of the registers of any PE at any cycle.
    #[must_use]
    pub fn prober(&self) -> Prober<'_> {
        Prober::new(&self.schedule, &self.operands, self.unit)
    }

    /// State of a PE just after a clock edge.
    #[must_use]
    pub fn at(&self, cycle: Cycle, pe: PeId) -> Probe {
        self.prober().at(cycle, pe)
    }

    /// The sums of all PEs just after a clock edge.
    #[must_use]
    pub fn snapshot(&self, cycle: Cycle) -> Snapshot {
        Snapshot::at(&self.schedule, &self.operands, self.unit, cycle)
    }

    /// The register machine before its first clock edge.
    #[must_use]
    pub fn machine(&self) -> Box<dyn Clocked> {
        dispatch_machine_lane!(self.unit, lane => {
            let vectors = Vectors::new(lane, &self.schedule, &self.operands);
            Box::new(Clock { lane, machine: Machine::new(&self.schedule, &vectors, None) })
        })
    }

    /// All elements that cross a port, cycle by cycle.
    pub fn trace(&self) -> impl Iterator<Item = (Cycle, PortEvent)> + '_ {
        (0..self.schedule.cycles().get()).map(Cycle).flat_map(|cycle| {
            let mut events = Vec::new();
            self.schedule.port_events(cycle, |event| events.push((cycle, event)));
            events
        })
    }
}

/// A register machine whose PEs can have any arithmetic.
pub trait Clocked {
    /// Advances the machine by one clock edge.
    fn tick(&mut self);
    /// True after the last clock edge.
    fn is_finished(&self) -> bool;
    /// The registers of a PE.
    fn registers(&self, pe: PeId) -> Registers;
    /// C, row by row, from the sums that the machine has collected so far.
    fn result(&self) -> Vec<Value>;
}

struct Clock<L: Lane> {
    lane: L,
    machine: Machine<L>,
}

impl<L: Lane> Clocked for Clock<L> {
    fn tick(&mut self) {
        self.machine.tick();
    }

    fn is_finished(&self) -> bool {
        self.machine.finished()
    }

    fn registers(&self, pe: PeId) -> Registers {
        self.machine.registers(pe)
    }

    fn result(&self) -> Vec<Value> {
        self.machine.result().into_iter().map(|sum| self.lane.sum(sum)).collect()
    }
}
