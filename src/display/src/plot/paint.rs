//! A painter that writes plots as SVG text. The style sheet sets the color of each CSS class.

use std::fmt::Write as _;

use super::layout::{Label, Layout};
use super::{Dot, Plot, Shape};
use crate::number::{GROUP, MINUS, fixed};

/// Formats a coordinate in tenths of a pixel, without the float formatter.
pub(super) fn px(value: f64) -> String {
    let text = fixed(value, 1).replace(MINUS, "-").replace(GROUP, "");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// Replaces the characters that have a meaning in XML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

pub(super) fn path(points: &[(f64, f64)]) -> String {
    let mut text = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        let _ = write!(text, "{}{} {}", if at == 0 { "M" } else { "L" }, px(*x), px(*y));
    }
    text
}

/// Writes a label in its box.
fn text(svg: &mut String, class: &str, label: &Label, anchor: &str) {
    let [left, top, right, bottom] = label.room;
    let x = match anchor {
        "end" => right,
        "middle" => f64::midpoint(left, right),
        _ => left,
    };
    // The baseline is a third of the letter height below the middle.
    let base = f64::midpoint(top, bottom) + super::layout::TEXT * 0.35;
    let words = escaped(&label.text);
    let _ = write!(
        svg,
        "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{words}</text>",
        px(x),
        px(base)
    );
}

pub(super) fn svg(plot: &Plot, layout: &Layout) -> String {
    let (width, height) = (px(layout.size.0), px(layout.size.1));
    let mut svg = format!(
        "<svg class=\"plot\" role=\"img\" aria-label=\"{}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-size=\"{}\">",
        escaped(&plot.words),
        px(super::layout::TEXT)
    );
    let [left, top, right, bottom] = layout.field;
    for (y, label) in &layout.y_ticks {
        let _ = write!(svg, "<path class=\"grid\" d=\"{}\"/>", path(&[(left, *y), (right, *y)]));
        text(&mut svg, "tick", label, "end");
    }
    for (x, label) in &layout.x_ticks {
        let _ = write!(svg, "<path class=\"grid\" d=\"{}\"/>", path(&[(*x, top), (*x, bottom)]));
        text(&mut svg, "tick", label, "middle");
    }
    let _ = write!(svg, "<path class=\"axis\" d=\"{}\"/>", path(&[(left, top), (left, bottom), (right, bottom)]));
    let [x_name, y_name] = &layout.names;
    text(&mut svg, "axis-name", x_name, "end");
    text(&mut svg, "axis-name", y_name, "start");
    for (line, points) in plot.lines.iter().zip(&layout.lines) {
        let _ = write!(svg, "<path class=\"{}\" d=\"{}\"/>", line.kind.class(), path(points));
    }
    // Small dots are drawn last, so that no large dot hides them.
    let mut order: Vec<usize> = (0..plot.dots.len()).collect();
    let radius = |at: &usize| plot.dots.get(*at).map_or(0.0, |dot| dot.radius);
    order.sort_by(|a, b| radius(b).total_cmp(&radius(a)));
    for at in order {
        if let Some((dot, place)) = plot.dots.get(at).zip(layout.dots.get(at)) {
            dot_at(&mut svg, dot, *place);
        }
    }
    for ((x, y), label) in &layout.legend {
        if let Some(dot) = label.dot.and_then(|index| plot.dots.get(index)) {
            dot_at(&mut svg, &Dot { radius: 4.5, ..dot.clone() }, (*x, *y));
        }
        text(&mut svg, "name", label, "start");
    }
    for label in &layout.labels {
        if let Some(to) = label.leads_to {
            let [left, top, right, bottom] = label.room;
            let from = (to.0.clamp(left, right), to.1.clamp(top, bottom));
            let _ = write!(svg, "<path class=\"lead\" d=\"{}\"/>", path(&[from, to]));
        }
    }
    for label in &layout.labels {
        let class = if label.dot.is_some() { "name" } else { "line-name" };
        text(&mut svg, class, label, "middle");
    }
    svg.push_str("</svg>");
    svg
}

fn dot_at(svg: &mut String, dot: &Dot, (x, y): (f64, f64)) {
    let r = dot.radius;
    let kind = match dot.shape {
        Shape::Subject => "subject",
        _ if dot.is_filled => "filled",
        _ => "open",
    };
    let shape = if dot.shape == Shape::Subject { "" } else { dot.shape.word() };
    let _ = write!(
        svg,
        "<g class=\"dot {kind} {shape}\" data-dot=\"{}\"><title>{}</title>",
        dot.number,
        escaped(&dot.words)
    );
    let closed = |points: &[(f64, f64)]| {
        let moved: Vec<(f64, f64)> = points.iter().map(|(dx, dy)| (x + dx * r, y + dy * r)).collect();
        format!("<path d=\"{}Z\"/>", path(&moved))
    };
    svg.push_str(&match dot.shape {
        Shape::Circle => format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>", px(x), px(y), px(r)),
        Shape::Square => closed(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        Shape::Diamond | Shape::Subject => closed(&[(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)]),
        Shape::Triangle => closed(&[(0.0, -1.1), (1.0, 0.8), (-1.0, 0.8)]),
        Shape::Wedge => closed(&[(0.0, 1.1), (1.0, -0.8), (-1.0, -0.8)]),
        Shape::Cross => closed(&[
            (-0.35, -1.0),
            (0.35, -1.0),
            (0.35, -0.35),
            (1.0, -0.35),
            (1.0, 0.35),
            (0.35, 0.35),
            (0.35, 1.0),
            (-0.35, 1.0),
            (-0.35, 0.35),
            (-1.0, 0.35),
            (-1.0, -0.35),
            (-0.35, -0.35),
        ]),
    });
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Line, Stroke};
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn names_of_anything_are_text_and_never_marks() {
        let dot = Dot {
            at: (2.0, 3.0),
            shape: Shape::Cross,
            radius: 5.0,
            number: 1,
            name: "<a & \"b\">".to_owned(),
            words: "<script>".to_owned(),
            is_filled: true,
        };
        let line = Line { kind: Stroke::Roof, points: vec![(1.0, 1.0), (9.0, 9.0)], label: String::new() };
        let (x, y) = (Axis::linear("x", 10.0), Axis::linear("y", 10.0));
        let plot = Plot {
            id: "p",
            title: String::new(),
            words: "\"><b>".to_owned(),
            x,
            y,
            lines: vec![line],
            dots: vec![dot],
            has_legend: false,
        };
        let svg = plot.svg(500.0);
        assert!(!svg.contains("<script") && !svg.contains("<b>") && !svg.contains("<a"), "{svg}");
        assert!(svg.contains("&lt;a &amp; &quot;b&quot;&gt;"), "{svg}");
        // The plot has no style and no color in its markup, because the page's policy allows none.
        assert!(!svg.contains("style") && !svg.contains("fill="), "{svg}");
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    }
}
