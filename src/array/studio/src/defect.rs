//! Arrays with a fault: the results that such an array computes for a run, and the PEs in which values become wrong.
//!
//! The register simulation of the crate `systolic` runs twice: once with the values of the elements, and once with
//! their places (row and column). If two places that do not belong together meet in a PE, the product is wrong, even if
//! its value is right by chance. So no separate model of a faulty array is needed.
//!
//! - An array with a fault has no closed form. [`BrokenRun`] saves its state at sixteen cycles and continues from the
//!   nearest earlier state.
//! - Positions of elements of A and B are read from the lanes at the edges and from the registers. For a fault without
//!   effect, these positions equal the positions of the closed form.
//! - Elements of C are the sums that the accumulators have collected (`collected.rs`). Without skew, sums leave earlier
//!   than in the schedule, and some of these sums lack terms.

mod cells;
mod collected;
mod judged;
mod name;
mod outcome;
mod own_skew;
mod places;
mod run;
mod streams;
mod waiting;

pub use collected::Collected;
pub use name::DefectName;
pub use outcome::{Outcome, WrongResult, outcomes, wrong_results};
pub use own_skew::{edges_max, own_rows};
pub use places::Mix;
pub use run::BrokenRun;
pub use waiting::EdgeLane;

use crate::Plan;
use judged::Judged;
use places::PLACE_MAX;
use std::sync::Arc;
use streams::Places;
use systolic::{Accumulator, Cycle, Element, Fault, PeId, Probe, Value};

/// A fault of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// No skew: all elements of a vector enter at the same clock edge.
    NoSkew,
    /// One late row: its elements enter one clock edge late.
    LateLane(u32),
    /// Custom skew: each of the first rows has a chosen delay, in clock edges.
    OwnSkew([u8; Fault::OWN_ROWS_MAX]),
    /// Stuck sum: the sum register of one PE is stuck at zero.
    StuckSum(PeId),
    /// Narrow sums: sums are rounded to a narrower format at every add.
    NarrowSum(Accumulator),
}

/// Maximum number of PE-cycles of a run with a fault, because such a run has no closed form and is simulated.
pub const PE_CYCLES_MAX: u64 = 1 << 20;

/// Maximum number of clock edges of a run with a fault. Simulating one edge takes as long as about twenty PE-cycles,
/// even if the array is small.
pub const CYCLES_MAX: u64 = 1 << 16;

/// Reason why an array with a fault is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefectProblem {
    /// A row or PE that the array does not have, or a delay of more than [`edges_max`] clock edges.
    Outside,
    /// A narrower sum format for integers, which does not exist.
    NoNarrowSum,
    /// A run that exceeds [`PE_CYCLES_MAX`] or [`CYCLES_MAX`], or that has a matrix with more rows or columns than a
    /// packed place can store.
    TooLong,
}

impl Defect {
    const fn fault(self) -> Option<Fault> {
        match self {
            Self::NoSkew => Some(Fault::NoSkew),
            Self::LateLane(row) => Some(Fault::LateLane { row }),
            Self::OwnSkew(edges) => Some(Fault::OwnSkew { edges }),
            Self::StuckSum(pe) => Some(Fault::StuckSum { pe }),
            Self::NarrowSum(_) => None,
        }
    }

    /// True if elements meet at other times than in the fault-free array.
    const fn moves(self) -> bool {
        matches!(self, Self::NoSkew | Self::LateLane(_) | Self::OwnSkew(_))
    }
}

/// Registers of one PE in an array with a fault, and what is wrong with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Registers of the PE, in the type that also describes a fault-free PE.
    pub probe: Probe,
    /// Partial sum of the PE.
    pub sum: Option<Value>,
    /// Operands that meet in the PE but do not belong together.
    pub clash: Option<(Element, Element)>,
    /// Two elements of C: the element that this PE's product belongs to, and the element that the first product of the
    /// sum belongs to. `None` if the two elements are equal, or if the operands already clash.
    pub stray: Option<((u64, u64), (u64, u64))>,
    /// True if the sum mixes elements of C, lacks terms, or has a wrong value.
    pub is_wrong: bool,
    /// True if the sum has terms of several elements of C, or products of operands that do not belong together.
    pub is_mix: bool,
    /// Actual number of terms of a flowing sum, and the number of terms that is right in this row. `None` if no term is
    /// missing.
    pub lacks: Option<(u64, u64)>,
    /// Sum that is leaving the array while the next fold runs. The flag is true if this sum is wrong.
    pub drained: Option<(Value, bool)>,
}

/// State of an array with a fault just after a clock edge.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenMachine {
    cols: u32,
    cells: Vec<Cell>,
    west: Vec<EdgeLane>,
    north: Vec<EdgeLane>,
    cycle: Cycle,
    places: Places,
    collected: Option<Collected>,
    outcomes: Arc<[Outcome]>,
    judged: Judged,
}

impl BrokenMachine {
    /// Returns the state of the array just after a clock edge of the run. For many edges, use a [`BrokenRun`].
    #[must_use]
    pub fn at(plan: &Plan, defect: Defect, cycle: Cycle) -> Self {
        BrokenRun::marked(Arc::new(plan.clone()), defect, u64::MAX).at(cycle)
    }

    /// Adds the final values of C ([`outcomes`]), which do not depend on the clock edge.
    #[must_use]
    pub fn with_outcomes(self, outcomes: Arc<[Outcome]>) -> Self {
        Self { outcomes, ..self }
    }

    /// Returns the final values of C, row by row; empty if they were not computed.
    #[must_use]
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Returns the clock edge of this state.
    #[must_use]
    pub const fn cycle(&self) -> Cycle {
        self.cycle
    }

    /// Returns the state of one PE.
    #[must_use]
    pub fn cell(&self, pe: PeId) -> Option<&Cell> {
        self.cells.get((pe.row * self.cols + pe.col) as usize)
    }

    /// Returns the lane of a row at the west edge.
    #[must_use]
    pub fn west(&self, row: u32) -> Option<&EdgeLane> {
        self.west.get(row as usize)
    }

    /// Returns the lane of a column at the north edge; `None` if no operand streams in from the north.
    #[must_use]
    pub fn north(&self, col: u32) -> Option<&EdgeLane> {
        self.north.get(col as usize)
    }

    /// True if the first PE of a row received an element from the west at this clock edge.
    #[must_use]
    pub fn takes_west(&self, row: u32) -> bool {
        self.cell(PeId::new(row, 0)).is_some_and(|cell| cell.probe.east.is_some())
    }

    /// True if the first PE of a column received an element from the north at this clock edge.
    #[must_use]
    pub fn takes_north(&self, col: u32) -> bool {
        self.cell(PeId::new(0, col)).is_some_and(|cell| cell.probe.south.is_some())
    }

    /// True if any lane at the west edge has registers.
    #[must_use]
    pub fn has_west_registers(&self) -> bool {
        self.west.iter().any(|lane| lane.registers > 0)
    }

    /// Returns the states of all PEs, row by row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic::Operand;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&crate::Link::parse(query, "").scenario).expect("a run")
    }

    const QUERIES: [&str; 5] = [
        "rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8",
        "rows=4&cols=3&m=4&k=7&n=5&df=os&dt=int8",
        "rows=3&cols=4&m=5&k=7&n=4&df=is&dt=bf16",
        "rows=4&cols=4&m=6&k=9&n=5&df=ws&dt=int8&overlap=double-buffered",
        "rows=4&cols=4&m=5&k=6&n=3&df=ws&dt=int8&pad=zero",
    ];

    #[test]
    fn a_sound_machine_has_no_wrong_cell() {
        // A row that does not exist cannot be late, so this fault changes nothing.
        let sound = Defect::LateLane(u32::MAX);
        for query in QUERIES {
            let plan = plan(query);
            assert_eq!(wrong_results(&plan, sound), [], "{query}");
            for cycle in 0..plan.schedule().cycles().get() {
                let broken = BrokenMachine::at(&plan, sound, Cycle(cycle));
                for pe in plan.schedule().array().iter() {
                    let cell = broken.cell(pe).expect("a cell");
                    let probe = plan.prober().at(Cycle(cycle), pe);
                    assert!(!cell.is_wrong && cell.clash.is_none(), "{query} {cycle} {pe:?}: {cell:?}");
                    let registers = (cell.probe.held, cell.probe.shadow, cell.probe.east, cell.probe.south);
                    assert_eq!(
                        registers,
                        (probe.held, probe.shadow, probe.east, probe.south),
                        "{query} {cycle} {pe:?}"
                    );
                    assert_eq!(cell.sum, probe.sum.map(|sum| sum.value), "{query} {cycle} {pe:?}");
                }
            }
        }
    }

    #[test]
    fn elements_of_a_machine_without_a_defect_are_where_the_schedule_has_them() {
        let sound = Defect::LateLane(u32::MAX);
        for query in QUERIES {
            let plan = plan(query);
            for cycle in (0..=plan.last().get()).map(Cycle) {
                let broken = BrokenMachine::at(&plan, sound, cycle);
                for operand in [Operand::A, Operand::B] {
                    let found = broken.operands(operand);
                    assert_eq!(
                        found,
                        crate::whereabouts::operands(&plan, cycle, operand),
                        "{query} {cycle:?} {operand:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_element_of_c_comes_out_wrong_that_is_listed_and_no_other() {
        for (query, defect) in
            QUERIES.iter().flat_map(|query| [Defect::NoSkew, Defect::LateLane(1)].map(|one| (query, one)))
        {
            let plan = plan(query);
            let (outcomes, wrong) = (outcomes(&plan, defect), wrong_results(&plan, defect));
            assert_eq!(outcomes.iter().filter(|outcome| outcome.is_wrong).count(), wrong.len(), "{query}");
            let cols = plan.schedule().gemm().n();
            for one in wrong {
                let outcome = outcomes[usize::try_from(one.row * cols + one.col).expect("small")];
                assert_eq!(outcome, Outcome { value: one.result, is_wrong: true }, "{query}");
            }
        }
    }

    #[test]
    fn what_waits_is_what_the_machine_then_takes_in() {
        for (query, defect) in QUERIES.iter().flat_map(|query| {
            let own = Defect::OwnSkew(core::array::from_fn(|row| [2, 0, 1].get(row).copied().unwrap_or(3)));
            [Defect::NoSkew, Defect::LateLane(1), own].map(|defect| (query, defect))
        }) {
            let plan = plan(query);
            let at = |cycle: u64| BrokenMachine::at(&plan, defect, Cycle(cycle));
            for cycle in 0..plan.schedule().last_cycle().get().saturating_sub(3) {
                let (now, later) = (at(cycle), at(cycle + 3));
                for row in 0..plan.schedule().array().rows() {
                    let taken = later.cell(PeId::new(row, 0)).expect("a cell").probe.east;
                    assert_eq!(now.west(row).expect("a lane").element(3), taken, "{query} {defect:?} {cycle} {row}");
                }
                for col in 0..plan.schedule().array().cols() {
                    let taken = later.cell(PeId::new(0, col)).expect("a cell").probe.south;
                    let waits = now.north(col).and_then(|lane| lane.element(3));
                    assert_eq!(waits, taken, "{query} {defect:?} {cycle} {col}");
                }
            }
        }
        let own = Defect::OwnSkew(core::array::from_fn(|row| [4, 0].get(row).copied().unwrap_or(7)));
        let registers = |defect| {
            [0, 1]
                .map(|row| BrokenMachine::at(&plan(QUERIES[0]), defect, Cycle(0)).west(row).map(|lane| lane.registers))
        };
        assert_eq!(registers(Defect::NoSkew), [Some(0), Some(0)]);
        assert_eq!(registers(Defect::LateLane(1)), [Some(0), Some(2)]);
        assert_eq!(registers(own), [Some(4), Some(0)]);
    }

    #[test]
    fn without_skew_sums_mix_and_results_are_wrong() {
        for query in QUERIES {
            let plan = plan(query);
            assert!(!wrong_results(&plan, Defect::NoSkew).is_empty(), "{query}");
            let is_wrong =
                |cycle| BrokenMachine::at(&plan, Defect::NoSkew, Cycle(cycle)).cells().iter().any(|cell| cell.is_wrong);
            assert!((0..plan.schedule().cycles().get()).any(is_wrong), "{query}");
        }
        // Stationary weights always meet elements with their k. In an output-stationary array, elements with different
        // k can meet.
        let clashes = |query: &str| {
            let plan = plan(query);
            let any = |cycle| {
                BrokenMachine::at(&plan, Defect::NoSkew, Cycle(cycle)).cells().iter().any(|cell| cell.clash.is_some())
            };
            (0..plan.schedule().cycles().get()).any(any)
        };
        assert!(!clashes(QUERIES[0]) && clashes(QUERIES[1]));
    }

    #[test]
    fn no_defect_of_any_run_stops_the_machine() {
        let designs = ["", "&overlap=double-buffered", "&load=diagonal", "&overlap=double-buffered&drain=south"];
        for (query, design) in QUERIES.iter().flat_map(|query| designs.iter().map(move |design| (query, design))) {
            let plan = plan(&format!("{query}{design}"));
            let array = plan.schedule().array();
            let late = (0..array.rows()).map(Defect::LateLane);
            // Each cycle runs the machine from its start, so this test uses only some PEs.
            let stuck = array.iter().step_by(5).map(Defect::StuckSum);
            for defect in late.chain(stuck).chain([Defect::NoSkew]) {
                let _ = wrong_results(&plan, defect);
                for cycle in 0..plan.schedule().cycles().get() {
                    assert_eq!(BrokenMachine::at(&plan, defect, Cycle(cycle)).cells().len() as u64, array.pes());
                }
            }
        }
    }

    #[test]
    fn what_met_is_what_comes_to_a_pe_at_one_time() {
        // Without skew, PE(r,c) gets the k-th element of A after k + c edges, and the k-th element of B after k + r
        // edges.
        let plan = plan("rows=4&cols=5&m=4&k=9&n=5&df=os&dt=int8");
        let wrong = wrong_results(&plan, Defect::NoSkew);
        assert!(wrong.len() >= 12, "{wrong:?}");
        for one in wrong {
            let (row, col) = (u32::try_from(one.row).expect("small"), u32::try_from(one.col).expect("small"));
            let first = row.max(col);
            assert_eq!(one.mix, Some(Mix::Terms(first - col, first - row)), "{one:?}");
        }
        // Stationary weights stay in their PEs. Terms of two elements of C are added together, or terms are missing.
        let wrong = wrong_results(&self::plan(QUERIES[0]), Defect::NoSkew);
        let of_one_column = |one: &WrongResult| match one.mix {
            Some(Mix::Elements(a, b)) => a.1 == b.1 && a.0 != b.0,
            mix => mix == Some(Mix::Missing),
        };
        assert!(wrong.iter().all(of_one_column), "{wrong:?}");
        assert!(wrong.iter().filter(|one| one.mix != Some(Mix::Missing)).count() > 10, "{wrong:?}");
        // A stuck sum makes right results wrong.
        let stuck = wrong_results(&self::plan(QUERIES[0]), Defect::StuckSum(PeId::new(1, 1)));
        assert!(!stuck.is_empty() && stuck.iter().all(|one| one.mix.is_none()));
    }

    #[test]
    fn a_late_lane_spoils_every_sum_that_passes_it() {
        let plan = plan(QUERIES[0]);
        let wrong = wrong_results(&plan, Defect::LateLane(2));
        assert!(wrong.len() >= 15, "{} of 18 elements", wrong.len());
    }

    #[test]
    fn a_stuck_sum_spoils_its_column_alone() {
        let plan = plan(QUERIES[0]);
        let wrong = wrong_results(&plan, Defect::StuckSum(PeId::new(1, 2)));
        assert!(!wrong.is_empty() && wrong.iter().all(|result| result.col == 2), "{wrong:?}");
    }

    #[test]
    fn a_narrow_accumulator_loses_what_f32_keeps() {
        let plan = plan("rows=4&cols=4&m=6&k=64&n=3&df=os&dt=bf16&fill=uniform");
        for accumulator in [Accumulator::Bf16, Accumulator::F16] {
            assert!(!wrong_results(&plan, Defect::NarrowSum(accumulator)).is_empty());
        }
    }

    #[test]
    fn a_defect_that_a_run_cannot_have_is_refused_with_the_reason() {
        let small = plan(QUERIES[0]);
        let on = |text: &str, plan: &Plan| DefectName::parse(text).expect("a defect").on(plan);
        for (text, why) in [
            ("late-4", DefectProblem::Outside),
            ("stuck-9.9", DefectProblem::Outside),
            ("sum-bf16", DefectProblem::NoNarrowSum),
            ("skew-200", DefectProblem::Outside),
        ] {
            assert_eq!(on(text, &small), Err(why), "{text}");
        }
        assert_eq!(on("no-skew", &plan("rows=256&cols=256&m=256")), Err(DefectProblem::TooLong));
        assert_eq!(on("stuck-1.2", &small), Ok(Defect::StuckSum(PeId::new(1, 2))));
        for text in ["", "late-", "late", "stuck-1", "sum-f64", "sum-f32", "zebra", "no-zebra", "skew-"] {
            assert_eq!(DefectName::parse(text), None, "{text}");
        }
    }
}
