//! What waits at the edges of a machine with a defect, and behind how many registers.

use super::Defect;
use crate::Plan;
use systolic::{Element, Fault, Hold, Lane, Machine, Operand, PeId};

use super::places::{Tag, element};

/// Clock edges that are looked ahead: no stage has room for more.
const AHEAD_MAX: u32 = 16;

/// One lane of an edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeLane {
    /// Registers between the port and the array.
    pub registers: u32,
    /// What enters the array at the next clock edge, at the one after it, and so on.
    coming: Vec<Option<Element>>,
}

impl EdgeLane {
    /// What enters the array in so many clock edges, one at least.
    #[must_use]
    pub fn element(&self, ahead: u32) -> Option<Element> {
        self.coming.get(ahead.checked_sub(1)? as usize).copied().flatten()
    }
}

/// The lanes in the west, row by row, and in the north, column by column, where operands stream in there.
pub(super) type Edges = (Vec<EdgeLane>, Vec<EdgeLane>);

/// Lets the machines run on and sees what comes in: a lane hands its elements on in their order.
pub(super) fn waiting<L: Lane>(
    plan: &Plan,
    defect: Defect,
    (mut values, mut tags): (Machine<L>, Machine<Tag>),
) -> Edges {
    let (array, dataflow) = (plan.schedule().array(), plan.schedule().dataflow());
    let lane = |registers: u32| EdgeLane { registers, coming: Vec::new() };
    let mut west: Vec<EdgeLane> = (0..array.rows()).map(|row| lane(west_registers(defect, row))).collect();
    let has_north = dataflow.hold() == Hold::Result;
    let skew = |col: u32| if defect == Defect::NoSkew { 0 } else { col };
    let mut north: Vec<EdgeLane> =
        if has_north { (0..array.cols()).map(|col| lane(skew(col))).collect() } else { Vec::new() };
    for _ in 0..AHEAD_MAX {
        if values.finished() {
            break;
        }
        values.tick();
        tags.tick();
        for (row, lane) in (0..).zip(&mut west) {
            let pe = PeId::new(row, 0);
            lane.coming.push(element(dataflow.from_west(), values.registers(pe).east, tags.registers(pe).east));
        }
        for (col, lane) in (0..).zip(&mut north) {
            let pe = PeId::new(0, col);
            lane.coming.push(element(Operand::B, values.registers(pe).south, tags.registers(pe).south));
        }
    }
    (west, north)
}

/// The registers of a lane in the west.
fn west_registers(defect: Defect, row: u32) -> u32 {
    match defect {
        Defect::NoSkew => 0,
        Defect::LateLane(late) if late == row => row + 1,
        Defect::OwnSkew(edges) if (row as usize) < Fault::OWN_ROWS_MAX => edges[row as usize].into(),
        _ => row,
    }
}
