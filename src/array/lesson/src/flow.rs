//! Values of the dataflow that a person builds (link parameter `flow`), which an expression can name.

use studio::{Built, Plan};
use systolic::flow::{Along, FaultKind, Flow, FlowRun, Meeting};
use systolic::{Drain, Operand, PeId};

use crate::{Refusal, Value};

/// A value of the run of a built dataflow. The run uses small matrices with the card's seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfFlow {
    /// Number of elements of C that are wrong.
    Wrong,
    /// Cycle of the first fault.
    Fault,
    /// Cycles by which the element of the first fault comes too early; negative if it comes too late.
    Early,
    /// Number of cycles of the whole run. Sums that stay are read in place.
    Cycles,
    /// Number of cycles before the first element moves.
    Load,
    /// Number of PEs of the array.
    Pes,
    /// Number of registers in all PEs.
    Registers,
    /// Number of skew registers at the edges.
    Skew,
    /// Number of wires of all broadcasts.
    Wires,
    /// Number of PEs that each element of a matrix reaches.
    Reach(Operand),
    /// Number of PEs that multiply the right pair. Argument: cycle. With a row and a column as further arguments: true
    /// if this PE multiplies the right pair.
    Busy,
    /// First cycle in which a PE multiplies the right pair. Arguments: row, column.
    First,
    /// Share of the PE-cycles that are useful; 0 if a sum is wrong.
    Utilization,
}

impl OfFlow {
    /// All names of these values, each with its value and its allowed numbers of arguments.
    pub const ALL: [(&'static str, Self, &'static [usize]); 15] = [
        ("flow_wrong", Self::Wrong, &[0]),
        ("flow_fault", Self::Fault, &[0]),
        ("flow_early", Self::Early, &[0]),
        ("flow_cycles", Self::Cycles, &[0]),
        ("flow_load", Self::Load, &[0]),
        ("flow_pes", Self::Pes, &[0]),
        ("flow_registers", Self::Registers, &[0]),
        ("flow_skew", Self::Skew, &[0]),
        ("flow_wires", Self::Wires, &[0]),
        ("flow_reach_a", Self::Reach(Operand::A), &[0]),
        ("flow_reach_b", Self::Reach(Operand::B), &[0]),
        ("flow_reach_c", Self::Reach(Operand::C), &[0]),
        ("flow_busy", Self::Busy, &[1, 3]),
        ("flow_first", Self::First, &[2]),
        ("flow_utilization", Self::Utilization, &[0]),
    ];

    /// Computes the value for a flow. The seed of `plan` fills the matrices. `of` contains the arguments.
    ///
    /// # Errors
    /// Fails if there is no flow, if the run has no such PE or cycle, or if the run has no fault. [`Refusal`] lists the
    /// reasons.
    pub fn value(self, flow: Option<Flow>, plan: &Plan, of: &[u64]) -> Result<Value, Refusal> {
        let flow = flow.ok_or(Refusal::NoFlow)?;
        let run = Built { flow, cycle: None }.run(plan.scenario().seed).ok_or(Refusal::CannotRun)?;
        let count = |count: u64| Ok(Value::count(count));
        match (self, of) {
            (Self::Wrong, _) => count(run.n_wrong_sums()),
            (Self::Fault, _) => count(run.first_fault().ok_or(Refusal::NoEvent)?.cycle),
            (Self::Early, _) => match run.first_fault().ok_or(Refusal::NoEvent)?.kind {
                FaultKind::Mismatch { early: Some(early), .. } => {
                    let cycles = Value::count(early.unsigned_abs());
                    Ok(if early < 0 { Value { number: -cycles.number, ..cycles } } else { cycles })
                }
                _ => Err(Refusal::NoEvent),
            },
            (Self::Cycles, _) => count(run.total_cycles(Drain::InPlace).get()),
            (Self::Load, _) => count(run.loading().get()),
            (Self::Pes, _) => count(run.array().pes()),
            (Self::Registers, _) => count(run.registers().get()),
            (Self::Skew, _) => count(run.skew_registers().get()),
            (Self::Wires, _) => count(run.n_wires()),
            (Self::Reach(operand), _) => count(match flow.of(operand).along() {
                None => 1,
                Some(Along::Row) => run.array().cols().into(),
                Some(Along::Col) => run.array().rows().into(),
            }),
            (Self::Busy, &[cycle]) if cycle < run.n_cycles() => count(run.n_meetings(cycle, Meeting::Right)),
            (Self::Busy, &[cycle, row, col]) if cycle < run.n_cycles() => {
                Ok(Value::truth(is_right(&run, cycle, pe(&run, row, col)?)))
            }
            (Self::First, &[row, col]) => {
                let pe = pe(&run, row, col)?;
                count((0..run.n_cycles()).find(|&cycle| is_right(&run, cycle, pe)).ok_or(Refusal::NoEvent)?)
            }
            (Self::Utilization, _) => Ok(Value::share(run.mfu(Drain::InPlace))),
            _ => Err(Refusal::NotThere),
        }
    }
}

fn is_right(run: &FlowRun, cycle: u64, pe: PeId) -> bool {
    run.at(cycle, pe).is_some_and(|state| state.meeting == Meeting::Right)
}

/// PE with this row and column, counted as in the texts and the picture.
fn pe(run: &FlowRun, row: u64, col: u64) -> Result<PeId, Refusal> {
    let pe = u32::try_from(row).ok().zip(u32::try_from(col).ok()).map(|(row, col)| PeId::new(row, col));
    pe.filter(|&pe| run.array().contains(pe)).map(|pe| run.counted(pe)).ok_or(Refusal::NotThere)
}
