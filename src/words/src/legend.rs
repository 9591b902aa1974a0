//! What the shapes on the stage are.

use studio::Plan;
use systolic::{Drain, Hold, Operand};

/// The outline of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Rounded ends: A.
    Pill,
    /// A notch in the top edge: B.
    Notch,
    /// A point in the bottom edge: sums.
    Chevron,
    /// Pointed ends: C.
    Hexagon,
}

systolic::named! {
    exact Shape {
        Pill => "a",
        Notch => "b",
        Chevron => "sum",
        Hexagon => "c",
    }
}

/// A shape with the letter it stands for and what that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The shape.
    pub shape: Shape,
    /// The letter.
    pub letter: &'static str,
    /// "moves east".
    pub does: &'static str,
}

/// What a press on an entry does.
pub const SWITCH: &str = "Show or hide in the array";

/// Opens what the borders of PEs mean.
pub const STATES_OPEN: &str = "Meaning of PE borders";

/// What a PE does, by what its border and ground look like: the name that styles know it by, and a sentence.
pub const STATES: [(&str, &str); 6] = [
    ("multiplies", "multiplies in this cycle"),
    ("pads", "multiplies by a padding zero"),
    ("loads", "loads its stationary value"),
    ("waits", "waits: its first operands have not arrived"),
    ("done", "has finished this fold"),
    ("unused", "is unused: no part of the matrices maps to it"),
];

/// Entries of a legend.
pub const N: usize = 4;

/// "C = A × B on a 4×4 array".
#[must_use]
pub fn title(plan: &Plan) -> String {
    let array = plan.schedule().array();
    format!("C = A × B on a {}×{} array", array.rows(), array.cols())
}

/// What the shapes of a run do.
#[must_use]
pub fn entries(plan: &Plan) -> [Entry; N] {
    let schedule = plan.schedule();
    let dataflow = schedule.dataflow();
    let does = |operand: Operand| {
        if dataflow.stationary() == operand {
            "stays"
        } else if dataflow.from_west() == operand {
            "moves east"
        } else {
            "moves south"
        }
    };
    let (sum, result) = match (dataflow.hold(), schedule.design().drain) {
        (Hold::Operand, _) => ("goes south", "leaves"),
        (Hold::Result, Drain::South) => ("stays, then drains", "leaves"),
        (Hold::Result, Drain::InPlace) => ("stays", "is read in place"),
    };
    [
        Entry { shape: Shape::Pill, letter: "a", does: does(Operand::A) },
        Entry { shape: Shape::Notch, letter: "b", does: does(Operand::B) },
        Entry { shape: Shape::Chevron, letter: "Σ", does: sum },
        Entry { shape: Shape::Hexagon, letter: "c", does: result },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;

    #[test]
    fn the_legend_says_what_the_dataflow_moves() {
        let does = |query: &str| {
            let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
            entries(&plan).map(|entry| entry.does)
        };
        assert_eq!(does("df=ws"), ["moves east", "stays", "goes south", "leaves"]);
        assert_eq!(does("df=is"), ["stays", "moves east", "goes south", "leaves"]);
        assert_eq!(does("df=os"), ["moves east", "moves south", "stays", "is read in place"]);
        assert_eq!(does("df=os&drain=south"), ["moves east", "moves south", "stays, then drains", "leaves"]);
    }
}
