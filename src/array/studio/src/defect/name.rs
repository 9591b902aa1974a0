//! Names of faults in links. A separate check, [`DefectName::on`], decides if a run can have the fault, because the run
//! can change after the name was read.

use super::own_skew::{all_edges, own_rows, right_edges};
use super::{CYCLES_MAX, Defect, DefectProblem, PE_CYCLES_MAX, PLACE_MAX};
use crate::Plan;
use systolic::{Accumulator, Fault, PeId};

/// A fault by its name in a link: `no-skew`, `late-2`, `skew-0.1.3`, `stuck-1.2`, `sum-bf16` or `sum-f16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefectName {
    /// No skew: all elements of a vector enter at the same clock edge.
    NoSkew,
    /// One late row: its elements enter one clock edge late.
    LateLane(u32),
    /// Custom skew: each of the first rows has a chosen delay, in clock edges. Later rows have the correct delay.
    OwnSkew {
        /// Delay of each row, in clock edges; only the first `n_rows` delays count.
        edges: [u8; Fault::OWN_ROWS_MAX],
        /// Number of rows with a chosen delay.
        n_rows: u8,
    },
    /// Stuck sum: the sum register of this PE is stuck at zero.
    StuckSum(PeId),
    /// Narrow sums: sums are rounded to a narrower format at every add.
    NarrowSum(Accumulator),
}

/// The formats of narrow sums.
const NARROW: [Accumulator; 2] = [Accumulator::Bf16, Accumulator::F16];

impl DefectName {
    /// Reads a name. Returns `None` if no run can have a fault with this name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('-')? {
            ("no", "skew") => Some(Self::NoSkew),
            ("late", row) => row.parse().ok().map(Self::LateLane),
            ("skew", text) => {
                let (mut edges, mut n_rows) = ([0; Fault::OWN_ROWS_MAX], 0);
                for (part, nth) in text.split('.').zip(0u8..) {
                    *edges.get_mut(usize::from(nth))? = part.parse().ok()?;
                    n_rows = nth + 1;
                }
                Some(Self::OwnSkew { edges, n_rows })
            }
            ("stuck", place) => {
                let (row, col) = place.split_once('.')?;
                Some(Self::StuckSum(PeId::new(row.parse().ok()?, col.parse().ok()?)))
            }
            ("sum", format) => NARROW.into_iter().find(|one| one.id() == format).map(Self::NarrowSum),
            _ => None,
        }
    }

    /// Returns the name of the fault in a link.
    #[must_use]
    pub fn to_text(self) -> String {
        match self {
            Self::NoSkew => "no-skew".to_owned(),
            Self::LateLane(row) => format!("late-{row}"),
            Self::OwnSkew { edges, n_rows } => {
                let edges: Vec<String> = edges.iter().take(n_rows.into()).map(ToString::to_string).collect();
                format!("skew-{}", edges.join("."))
            }
            Self::StuckSum(pe) => format!("stuck-{}.{}", pe.row, pe.col),
            Self::NarrowSum(format) => format!("sum-{}", format.id()),
        }
    }

    /// Returns the fault in the array of a run.
    ///
    /// # Errors
    /// [`DefectProblem`] if this run cannot have the fault.
    pub fn on(self, plan: &Plan) -> Result<Defect, DefectProblem> {
        let array = plan.schedule().array();
        let defect = match self {
            Self::NoSkew => Some(Defect::NoSkew),
            Self::LateLane(row) => (row < array.rows()).then_some(Defect::LateLane(row)),
            Self::OwnSkew { edges, n_rows } => all_edges(&edges[..usize::from(n_rows)], plan).map(Defect::OwnSkew),
            Self::StuckSum(pe) => array.contains(pe).then_some(Defect::StuckSum(pe)),
            Self::NarrowSum(format) => {
                plan.unit().with_accumulator(format).ok_or(DefectProblem::NoNarrowSum)?;
                Some(Defect::NarrowSum(format))
            }
        };
        let defect = defect.ok_or(DefectProblem::Outside)?;
        let run = plan.schedule().run();
        let longest = run.m().max(run.k()).max(run.n());
        let (pe_cycles, cycles) = (plan.schedule().pe_cycles().get(), plan.schedule().cycles().get());
        let is_long = pe_cycles > PE_CYCLES_MAX || cycles > CYCLES_MAX || longest > PLACE_MAX;
        if is_long { Err(DefectProblem::TooLong) } else { Ok(defect) }
    }

    /// Returns the custom skew in which the first rows of the array have these delays, in clock edges.
    #[must_use]
    pub fn own_skew(edges: [u8; Fault::OWN_ROWS_MAX], plan: &Plan) -> Self {
        Self::OwnSkew { edges, n_rows: u8::try_from(own_rows(plan)).unwrap_or(u8::MAX) }
    }

    /// Returns a stuck sum in the given PE. Without a given PE, the PE is 1,1, or the nearest PE of a smaller array.
    #[must_use]
    pub fn stuck_sum(plan: &Plan, pe: Option<PeId>) -> Self {
        let array = plan.schedule().array();
        Self::StuckSum(pe.unwrap_or_else(|| PeId::new(1.min(array.rows() - 1), 1.min(array.cols() - 1))))
    }

    /// Returns a custom skew with the correct delays of a run, as a starting point for a person.
    #[must_use]
    pub fn right_skew(plan: &Plan) -> Self {
        Self::own_skew(right_edges(plan), plan)
    }
}
