//! Goals for a person who builds a dataflow.

use crate::flow::{Flow, FlowRun, Move};
use crate::{Dataflow, Elements, Gemm};

/// A goal: a kind of flow that multiplies right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// B stays, and A and the sums move by one PE per cycle.
    WeightsStay,
    /// The sums stay, and A and B move by one PE per cycle.
    OutputsStay,
    /// A stays, and B and the sums move by one PE per cycle.
    InputsStay,
    /// All three matrices move by one PE per cycle.
    NothingStays,
    /// No flow that multiplies right has fewer registers, in the PEs and at the edges together.
    FewestRegisters,
    /// A broadcast makes skew registers unnecessary.
    NoSkew,
}

crate::named! {
    Goal {
        WeightsStay => "weights",
        OutputsStay => "outputs",
        InputsStay => "inputs",
        NothingStays => "nothing-stays",
        FewestRegisters => "fewest-registers",
        NoSkew => "no-skew",
    }
}

impl Goal {
    /// True if a run reaches the goal: all sums are right, and the flow is of this kind.
    #[must_use]
    pub fn is_reached(self, run: &FlowRun) -> bool {
        run.n_wrong_sums() == 0
            && match self {
                Self::FewestRegisters => run.registers() + run.skew_registers() <= Self::registers_min(run.gemm()),
                _ => self.is_kind(run.flow()) && (self != Self::NoSkew || run.skew_registers() == Elements::ZERO),
            }
    }

    /// Fewest registers of a flow that multiplies right, if M, K and N are at least 2: one for each element of the
    /// smallest matrix, which stays while the other two are broadcast.
    #[must_use]
    pub fn registers_min(gemm: Gemm) -> Elements {
        let (m, k, n) = (gemm.m(), gemm.k(), gemm.n());
        Elements((m * k).min(k * n).min(m * n))
    }

    /// Number of flows of a goal that multiply right, if M, K and N are at least 3. `None` if the number depends on the
    /// sizes.
    #[must_use]
    pub const fn n_flows(self) -> Option<u64> {
        match self {
            Self::WeightsStay | Self::OutputsStay | Self::InputsStay => Some(8),
            Self::NothingStays => Some(24),
            Self::FewestRegisters | Self::NoSkew => None,
        }
    }

    fn is_kind(self, flow: Flow) -> bool {
        let stays = |dataflow: Dataflow| flow.image().is_some_and(|(of, _)| of == dataflow);
        let mut moves = Flow::OPERANDS.into_iter().map(|operand| flow.of(operand));
        match self {
            Self::WeightsStay => stays(Dataflow::WeightStationary),
            Self::OutputsStay => stays(Dataflow::OutputStationary),
            Self::InputsStay => stays(Dataflow::InputStationary),
            Self::NothingStays => moves.all(Move::is_unit),
            Self::FewestRegisters => true,
            Self::NoSkew => moves.any(Move::is_broadcast),
        }
    }
}
