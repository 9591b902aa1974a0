//! Small drawings of what can be chosen, as SVG text: colors are the style sheet's, by class.

use studio::PaddingKind;
use systolic::{Dataflow, Operand};

/// A register in a PE: the shape of its operand on the stage.
const fn token(operand: Operand) -> &'static str {
    match operand {
        Operand::A => "<rect class=\"a\" x=\"2.5\" y=\"4.5\" width=\"11\" height=\"7\" rx=\"3.5\"/>",
        Operand::B => "<path class=\"b\" d=\"M3 4h3l2 2 2-2h3v8H3z\"/>",
        Operand::C => "<path class=\"sum\" d=\"M3 4h10v5l-5 3.5L3 9z\"/>",
    }
}

/// The places of the two PEs along an axis.
const PES: [u32; 2] = [20, 39];

/// What stays in the PEs, and what moves in and out.
pub(crate) fn dataflow(dataflow: Dataflow) -> String {
    let mut svg = "<svg viewBox=\"0 0 60 60\" width=\"60\" height=\"60\">".to_owned();
    let mut put = |x: u32, y: u32, shape: &str| svg += &format!("<g transform=\"translate({x} {y})\">{shape}</g>");
    for y in PES {
        for x in PES {
            put(x, y - 6, "<rect class=\"pe\" width=\"16\" height=\"16\" rx=\"3\"/>");
            put(x, y - 6, token(dataflow.stationary()));
        }
    }
    let class = |operand: Operand| match operand {
        Operand::A => "a",
        Operand::B => "b",
        Operand::C => "sum",
    };
    let east = format!("<path class=\"{}\" d=\"M0 0h12m-4-3.5L12 0 8 3.5\"/>", class(dataflow.from_west()));
    let south = |operand: Operand| format!("<path class=\"{}\" d=\"M0 0v9m-3.5-3.5L0 9l3.5-3.5\"/>", class(operand));
    let moves_south = if dataflow == Dataflow::OutputStationary { Operand::B } else { Operand::C };
    for at in PES {
        put(4, at + 2, &east);
        // Operands come from the north, sums leave through the south.
        put(at + 8, if moves_south == Operand::B { 1 } else { 50 }, &south(moves_south));
    }
    svg + "</svg>"
}

/// What happens where the problem does not fill the array: a row and a column of it.
pub(crate) fn padding(kind: PaddingKind) -> String {
    let mut svg = "<svg viewBox=\"0 0 60 46\" width=\"60\" height=\"46\">".to_owned();
    for row in 0..3u32 {
        for col in 0..4u32 {
            let (x, y) = (3 + 14 * col, 3 + 14 * row);
            let class = match kind {
                PaddingKind::MultipleOfM if row == 2 => "zero",
                PaddingKind::Zero if col == 3 => "zero",
                PaddingKind::Ragged if col == 3 => "idle",
                PaddingKind::MultipleOfM if col == 3 => continue,
                _ => "full",
            };
            svg += &format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\" rx=\"3\"/>");
            if class == "zero" {
                svg += &format!("<ellipse cx=\"{}\" cy=\"{}\" rx=\"2\" ry=\"3\"/>", x + 6, y + 6);
            }
        }
    }
    svg + "</svg>"
}
