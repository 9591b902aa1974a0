//! Texts of the legend: the shapes in the array view, and the borders of PEs.

use display::number::grouped;
use studio::Plan;
use systolic::{Dataflow, Drain, Hold, Operand};

systolic::named! {
    /// Outline of a value in the array view.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Shape {
        /// Shape of elements of A, with rounded ends.
        Pill => "a",
        /// Shape of elements of B, with a notch in the top edge.
        Notch => "b",
        /// Shape of partial sums, with a point in the bottom edge.
        Chevron => "sum",
        /// Shape of elements of C, with pointed ends.
        Hexagon => "c",
    }
}

/// An entry of the legend: the shape, the letter and the movement of a kind of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Shape of the values.
    pub shape: Shape,
    /// Letter of the values: "a", "b", "Σ" or "c".
    pub letter: &'static str,
    /// Movement of the values, such as "moves east".
    pub does: &'static str,
}

/// Heading of the switches that show or hide a shape in the array view.
pub const SWITCH: &str = "Show in the array";

/// Label that opens the list of PE borders.
pub const STATES_OPEN: &str = "Meaning of PE borders";

/// States of a PE, shown by the PE's border and background: the class name in the style sheet, and the meaning.
pub const STATES: [(&str, &str); 6] = [
    ("multiplies", "multiplies in this cycle"),
    ("pads", "multiplies by a padding zero"),
    ("loads", "loads its stationary value"),
    ("waits", "waits: its first operands have not arrived"),
    ("done", "has finished this fold"),
    ("unused", "is unused: no part of the matrices maps to it"),
];

/// Signs of an array that is too large for numbers: the sign and its meaning.
pub const SIGNS: [(&str, &str); 2] = [("×", "multiplies"), ("◣", "skew registers")];

/// Meaning of a hatched PE on a wall.
pub const UNUSED: &str = "unused (padding)";

/// Number of entries of the legend.
pub const N: usize = 4;

/// Returns the title of the array view, in two parts; the first part is bold. The second part has the number of times
/// that each element of A and B enters the array.
#[must_use]
pub fn title(plan: &Plan) -> [String; 2] {
    let (schedule, edge) = (plan.schedule(), plan.schedule().edge_traffic());
    // TPUs are weight-stationary.
    let who = if schedule.dataflow() == Dataflow::WeightStationary { "A TPU" } else { "This array" };
    let run = schedule.run();
    let [a, b] = [(edge.a_reads, run.m(), run.k()), (edge.b_reads, run.k(), run.n())]
        .map(|(reads, x, y)| reads.get() / x.saturating_mul(y).max(1));
    let reads = match (a, b) {
        (1, 1) => "each element is read once, then passed on.".to_owned(),
        (a, b) if a == b => format!("each element is read {}.", times(a)),
        (a, b) => format!("each element of A is read {}, each element of B {}.", times(a), times(b)),
    };
    [format!("{who} multiplies matrices in a grid of processing elements (PEs):"), reads]
}

fn times(n: u64) -> String {
    if n == 1 { "once".to_owned() } else { format!("{} times", grouped(n)) }
}

/// Returns the letter of a shape's values.
#[must_use]
pub const fn letter(shape: Shape) -> &'static str {
    match shape {
        Shape::Pill => "a",
        Shape::Notch => "b",
        Shape::Chevron => "Σ",
        Shape::Hexagon => "c",
    }
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
    [(Shape::Pill, does(Operand::A)), (Shape::Notch, does(Operand::B)), (Shape::Chevron, sum), (Shape::Hexagon, result)]
        .map(|(shape, does)| Entry { shape, letter: letter(shape), does })
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
