//! Where the elements of A and B are in a machine with a defect.

use super::places::{Tag, place_of};
use super::run::Ticks;
use super::waiting::Edges;
use super::{BrokenMachine, Cell, Plan};
use crate::progress_blocks::extent;
use crate::whereabouts::{self, Whereabouts};
use std::collections::{BTreeMap, BTreeSet};
use systolic::{Cycle, Element, Gemm, Machine, Operand, PeId};

/// Elements of A and B together up to which it is remembered which of them entered: no stage shows more one by one.
const ELEMENTS_MAX: u64 = 4096;

/// Elements of A and B.
fn n_elements(run: Gemm) -> u64 {
    run.m().saturating_mul(run.k()).saturating_add(run.k().saturating_mul(run.n()))
}

/// How many times each element has streamed into the array, from the west or not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entered(BTreeMap<(bool, u64, u64), u64>);

/// A machine of places, and what has entered its edges.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) machine: Machine<Tag>,
    pub(super) entered: Entered,
    /// Not where there are thousands of elements.
    is_watched: bool,
}

impl Watched {
    /// For a machine that has taken no edge.
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

/// Where each element of A and B is, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Places {
    a: Vec<Whereabouts>,
    b: Vec<Whereabouts>,
}

impl Places {
    /// Worked out from what the PEs and the edges have; empty for matrices that no stage shows one by one.
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
    /// Where each element of A or B is, row by row, those of padding too; empty where there are thousands. A defect does
    /// not touch what stays: it is where the sound machine has it.
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
    // Folds beside each other read the same elements.
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
