//! Elements that wait at the edges of an array with a fault, and the number of registers between a port and the array.

use super::Defect;
use crate::Plan;
use systolic::{Element, Fault, Hold, Lane, Machine, Operand, PeId};

use super::places::{Tag, element};

/// Number of clock edges to look ahead. No view has space for more elements.
const AHEAD_MAX: u32 = 16;

/// One lane at an edge of the array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeLane {
    /// Registers between the port and the array.
    pub registers: u32,
    /// Elements that enter the array at the next clock edge, at the edge after that, and so on.
    coming: Vec<Option<Element>>,
}

impl EdgeLane {
    /// Returns the element that enters the array in `ahead` clock edges; `ahead` is at least 1.
    #[must_use]
    pub fn element(&self, ahead: u32) -> Option<Element> {
        self.coming.get(ahead.checked_sub(1)? as usize).copied().flatten()
    }
}

/// Lanes at the west edge, row by row, and lanes at the north edge, column by column. The second list is empty if no
/// operand streams in from the north.
pub(super) type Edges = (Vec<EdgeLane>, Vec<EdgeLane>);

/// Runs the simulations ahead and records the elements that enter. A lane passes its elements on in order, so these
/// elements are waiting now.
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

/// Number of registers of a lane at the west edge.
fn west_registers(defect: Defect, row: u32) -> u32 {
    match defect {
        Defect::NoSkew => 0,
        Defect::LateLane(late) if late == row => row + 1,
        Defect::OwnSkew(edges) if (row as usize) < Fault::OWN_ROWS_MAX => edges[row as usize].into(),
        _ => row,
    }
}
