//! Positions of the elements of A and B in an array with a fault.

use super::places::{Tag, place_of};
use super::run::Ticks;
use super::waiting::Edges;
use super::{BrokenMachine, Cell, Plan};
use crate::progress_blocks::extent;
use crate::whereabouts::{self, Whereabouts};
use std::collections::{BTreeMap, BTreeSet};
use systolic::{Cycle, Element, Gemm, Machine, Operand, PeId};

/// Maximum number of elements of A and B together. For more elements, the simulation does not record which elements
/// have entered, because no view shows them one by one.
const ELEMENTS_MAX: u64 = 4096;

/// Number of elements of A and B together.
fn n_elements(run: Gemm) -> u64 {
    run.m().saturating_mul(run.k()).saturating_add(run.k().saturating_mul(run.n()))
}

/// Number of times that each element has entered the array. The key is `true` for the west edge or `false` for the
/// north edge, then the row and column of the element.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entered(BTreeMap<(bool, u64, u64), u64>);

/// A simulation of places, and the elements that have entered at its edges.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) machine: Machine<Tag>,
    pub(super) entered: Entered,
    /// True if the simulation records the elements that enter; false for matrices with thousands of elements.
    is_watched: bool,
}

impl Watched {
    /// Starts from a simulation before its first clock edge.
    pub(super) fn new(plan: &Plan, machine: Machine<Tag>) -> Self {
        let is_watched = n_elements(plan.schedule().run()) <= ELEMENTS_MAX;
        Self { machine, entered: Entered::default(), is_watched }
    }
}

impl Ticks for Watched {
    fn advance(&mut self, edges: u64) {
        let Self { machine, entered, is_watched } = self;
        if !*is_watched {
            machine.advance(edges);
            return;
        }
        let array = machine.schedule().array();
        for _ in 0..edges {
            machine.tick();
            let west = (0..array.rows()).filter_map(|row| Some((true, machine.registers(PeId::new(row, 0)).east?)));
            let north = (0..array.cols()).filter_map(|col| Some((false, machine.registers(PeId::new(0, col)).south?)));
            for (is_west, tag) in west.chain(north) {
                let (row, col) = place_of(tag);
                *entered.0.entry((is_west, row, col)).or_default() += 1;
            }
        }
    }
}

/// Position of each element of A and B, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Places {
    a: Vec<Whereabouts>,
    b: Vec<Whereabouts>,
}

impl Places {
    /// Computes the positions from the elements in the PEs and at the edges. Empty for large matrices, because no view
    /// shows their elements one by one.
    pub(super) fn of(plan: &Plan, cycle: Cycle, cells: &[Cell], edges: &Edges, entered: &Entered) -> Self {
        let run = plan.schedule().run();
        if n_elements(run) > ELEMENTS_MAX {
            return Self::default();
        }
        let of = |operand| operands(plan, cycle, operand, (cells, edges, entered));
        Self { a: of(Operand::A), b: of(Operand::B) }
    }
}

impl BrokenMachine {
    /// Returns the position of each element of A or B, row by row, including padding; empty for matrices with thousands
    /// of elements. A fault does not affect the stationary operand: its elements are where the fault-free array has
    /// them.
    #[must_use]
    pub fn operands(&self, operand: Operand) -> &[Whereabouts] {
        match operand {
            Operand::A => &self.places.a,
            Operand::B => &self.places.b,
            Operand::C => &[],
        }
    }
}

fn operands(
    plan: &Plan,
    cycle: Cycle,
    operand: Operand,
    (cells, (west, north), entered): (&[Cell], &Edges, &Entered),
) -> Vec<Whereabouts> {
    let dataflow = plan.schedule().dataflow();
    let is_west = dataflow.from_west() == operand;
    if operand == dataflow.stationary() && operand != Operand::C {
        return whereabouts::operands(plan, cycle, operand);
    }
    let is_this = |element: &&Element| element.operand == operand;
    let place = |element: &Element| (element.row, element.col);
    let registers = cells.iter().flat_map(|cell| [&cell.probe.east, &cell.probe.south]);
    let inside: BTreeSet<_> = registers.flatten().filter(is_this).map(place).collect();
    let lanes = if is_west { west } else { north };
    let (mut queued, mut next) = (BTreeSet::new(), BTreeSet::new());
    for lane in lanes {
        let coming = (1..).map_while(|ahead| (ahead <= lane.registers + 1).then(|| (ahead, lane.element(ahead))));
        for (ahead, element) in coming {
            let Some(element) = element else { continue };
            let set = if ahead <= lane.registers { &mut queued } else { &mut next };
            set.insert(place(&element));
        }
    }
    // Neighboring folds read the same elements.
    let schedule = plan.schedule();
    let n_reads = if is_west { schedule.col_folds() } else { schedule.row_folds() };
    let is_passed = |(row, col)| entered.0.get(&(is_west, row, col)).is_some_and(|&n| n >= n_reads);
    let (rows, cols) = extent(schedule.run(), operand);
    let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    places
        .map(|place| match place {
            place if inside.contains(&place) => Whereabouts::Inside,
            place if queued.contains(&place) => Whereabouts::Queued,
            place if next.contains(&place) => Whereabouts::Next,
            place if is_passed(place) => Whereabouts::Passed,
            _ => Whereabouts::Waiting,
        })
        .collect()
}
