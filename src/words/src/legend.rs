//! Texts of the legend: the shapes in the array view, and the borders of PEs.

use studio::Plan;
use systolic::{Drain, Hold, Operand};

/// Outline of a value in the array view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Shape of elements of A, with rounded ends.
    Pill,
    /// Shape of elements of B, with a notch in the top edge.
    Notch,
    /// Shape of partial sums, with a point in the bottom edge.
    Chevron,
    /// Shape of elements of C, with pointed ends.
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

/// An entry of the legend: a shape, its letter, and the movement of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Shape of the values.
    pub shape: Shape,
    /// Letter of the values: "a", "b", "Σ" or "c".
    pub letter: &'static str,
    /// Movement of the values, such as "moves east".
    pub does: &'static str,
}

/// Tooltip of an entry of the legend. A press shows or hides the shape in the array.
pub const SWITCH: &str = "Show or hide in the array";

/// Label that opens the list of PE borders.
pub const STATES_OPEN: &str = "Meaning of PE borders";

/// States of a PE that its border and background show: the class name in the style sheet, and the meaning.
pub const STATES: [(&str, &str); 6] = [
    ("multiplies", "multiplies in this cycle"),
    ("pads", "multiplies by a padding zero"),
    ("loads", "loads its stationary value"),
    ("waits", "waits: its first operands have not arrived"),
    ("done", "has finished this fold"),
    ("unused", "is unused: no part of the matrices maps to it"),
];

/// Number of entries of the legend.
pub const N: usize = 4;

/// Returns the title of the legend: "C = A × B on a 4×4 array".
#[must_use]
pub fn title(plan: &Plan) -> String {
    let array = plan.schedule().array();
    format!("C = A × B on a {}×{} array", array.rows(), array.cols())
}

/// Returns the entries of the legend for a run.
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
