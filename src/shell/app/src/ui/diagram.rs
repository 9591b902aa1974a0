//! Small drawings for choices and glossary entries, as SVG text. The style sheet sets their colors by class.

use studio::PaddingKind;
use systolic::{Dataflow, Operand};

/// SVG element of a register in a PE. The register has the shape that its operand has in the array view.
const fn token(operand: Operand) -> &'static str {
    match operand {
        Operand::A => "<rect class=\"a\" x=\"2.5\" y=\"4.5\" width=\"11\" height=\"7\" rx=\"3.5\"/>",
        Operand::B => "<path class=\"b\" d=\"M3 4h3l2 2 2-2h3v8H3z\"/>",
        Operand::C => "<path class=\"sum\" d=\"M3 4h10v5l-5 3.5L3 9z\"/>",
    }
}

/// Positions of the two PEs along an axis.
const PES: [u32; 2] = [20, 39];

/// Draws a dataflow: the stationary operand in the PEs, and the operands that move in and out.
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
        // Operands come from the north; partial sums leave through the south.
        put(at + 8, if moves_south == Operand::B { 1 } else { 50 }, &south(moves_south));
    }
    svg + "</svg>"
}

/// Draws a kind of padding: a small grid of cells, in which the last row or the last column is padding.
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

/// Returns the SVG of a PE with a style class and a content.
fn pe(class: &str, inside: &str) -> String {
    format!("<rect class=\"{class}\" x=\"1\" y=\"1\" width=\"16\" height=\"16\" rx=\"3\"/>{inside}")
}

/// Returns the SVG of an operand's shape, in the middle of a square of 18 by 18.
fn shape(operand: Operand) -> String {
    format!("<g transform=\"translate(1 1)\">{}</g>", token(operand))
}

/// Returns the SVG of a line in the color of the text.
fn line(path: &str) -> String {
    format!("<path stroke=\"currentColor\" d=\"{path}\"/>")
}

/// Returns the SVG of one sign of a glossary drawing, on a square of 18 by 18.
fn sign(sign: char) -> String {
    match sign {
        ' ' => String::new(),
        'o' => pe("pe", ""),
        '#' => pe("full", ""),
        '.' => pe("idle", &line("M9 8.5v1")),
        'd' => pe("idle", &line("M6 9l2 2 4-4")),
        'x' => pe("idle", &line("M4 14L14 4")),
        'z' => pe("zero", "<ellipse cx=\"9\" cy=\"9\" rx=\"2\" ry=\"3\"/>"),
        'a' => shape(Operand::A),
        'b' => shape(Operand::B),
        's' => shape(Operand::C),
        'c' => "<path class=\"c\" d=\"M5 5h8l4 4-4 4H5L1 9z\"/>".to_owned(),
        'A' => pe("pe", &shape(Operand::A)),
        'B' => pe("pe", &shape(Operand::B)),
        'S' => pe("pe", &shape(Operand::C)),
        '>' => line("M3 9h12m-4-4l4 4-4 4"),
        'v' => line("M9 3v12m-4-4l4 4 4-4"),
        '|' => "<rect class=\"zero\" x=\"3\" y=\"3\" width=\"12\" height=\"12\"/>".to_owned(),
        '*' => "<rect class=\"full\" x=\"0\" y=\"3\" width=\"18\" height=\"12\"/>".to_owned(),
        '_' => "<rect class=\"idle\" x=\"0\" y=\"3\" width=\"18\" height=\"12\"/>".to_owned(),
        'g' | 'e' | 'f' => {
            let class = if sign == 'g' { "zero" } else { "full" };
            let dot = if sign == 'e' { line("M6 9h1") } else { String::new() };
            format!("<rect class=\"{class}\" x=\"1\" y=\"2\" width=\"11\" height=\"14\"/>{dot}")
        }
        other => {
            format!(
                "<text x=\"9\" y=\"14\" font-size=\"14\" text-anchor=\"middle\" fill=\"currentColor\">{other}</text>"
            )
        }
    }
}

/// Draws a glossary entry from the signs that [`Entry::drawing`](words::glossary::Entry::drawing) describes.
pub(crate) fn of_word(signs: &str) -> String {
    if let Some(name) = signs.strip_prefix('@') {
        let by_name = PaddingKind::ALL.into_iter().find(|kind| kind.id() == name).map(padding);
        return Dataflow::from_id(name).map(dataflow).or(by_name).unwrap_or_else(|| {
            let roof = line("M4 4v38h54M4 40L26 14h30");
            format!("<svg viewBox=\"0 0 60 46\" width=\"60\" height=\"46\">{roof}</svg>")
        });
    }
    let (mut shapes, mut width, mut y) = (String::new(), 0, 0);
    for row in signs.split('/') {
        let mut x = 0;
        for one in row.chars() {
            shapes += &format!("<g transform=\"translate({x} {y})\">{}</g>", sign(one));
            x += if "gef".contains(one) { 13 } else { 19 };
        }
        (width, y) = (width.max(x), y + 19);
    }
    format!("<svg viewBox=\"0 0 {width} {y}\" width=\"{width}\" height=\"{y}\">{shapes}</svg>")
}
