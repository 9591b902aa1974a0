//! Pictures as SVG text: for the command line, for documents and for tests.
//!
//! Every color is an attribute with six hexadecimal digits, because most readers outside a browser know no CSS variables
//! and no style sheets.

use std::fmt::Write as _;

use crate::Tone;
use crate::picture::geometry::{arrowhead, corners, hatch_lines};
use crate::picture::{Anchor, Dash, Mark, Outline, Picture, Rect, Stroke};

/// Color of a tone as six hexadecimal digits, or `None` for no ink.
pub type Hex<'a> = &'a dyn Fn(Tone) -> Option<&'static str>;

/// Distance from the middle of a line of digits down to its baseline, divided by the size of the font. Most readers
/// outside a browser do not know `dominant-baseline`.
const BASELINE: f32 = 0.35;

/// Returns the picture as a complete SVG document with these colors.
#[must_use]
pub fn document(picture: &Picture, title: &str, hex: Hex<'_>) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" \
         font-family=\"'DejaVu Sans Mono', ui-monospace, monospace\">\n<title>{}</title>\n",
        number(picture.width),
        number(picture.height),
        number(picture.width),
        number(picture.height),
        escaped(title)
    );
    let (w, h) = (number(picture.width), number(picture.height));
    let _ = writeln!(svg, "<rect width=\"{w}\" height=\"{h}\"{}/>", filled(Tone::Ground, hex));
    for mark in &picture.marks {
        write_mark(&mut svg, mark, picture, hex);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Formats a coordinate in tenths of a pixel, without the float formatter.
fn number(value: f32) -> String {
    let text =
        crate::number::fixed(f64::from(value), 1).replace(crate::number::MINUS, "-").replace(crate::number::GROUP, "");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns the attribute `name` with the color of a tone.
fn ink(name: &str, tone: Tone, hex: Hex<'_>) -> String {
    hex(tone).map_or_else(|| format!(" {name}=\"none\""), |digits| format!(" {name}=\"#{digits}\""))
}

fn filled(tone: Tone, hex: Hex<'_>) -> String {
    ink("fill", tone, hex)
}

fn paint(fill: Tone, stroke: &Stroke, hex: Hex<'_>) -> String {
    let mut text = filled(fill, hex);
    if stroke.tone != Tone::Clear && stroke.width > 0.0 {
        let dash = match stroke.dash {
            Dash::Solid => "",
            Dash::Dotted => " stroke-dasharray=\"1.5 3\" stroke-linecap=\"round\"",
            Dash::Dashed => " stroke-dasharray=\"6 4\"",
        };
        let color = ink("stroke", stroke.tone, hex);
        let _ = write!(text, "{color} stroke-width=\"{}\"{dash}", number(stroke.width));
    }
    text
}

fn points(corners: &[(f32, f32)]) -> String {
    corners.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect::<Vec<_>>().join(" ")
}

fn write_mark(svg: &mut String, mark: &Mark, picture: &Picture, hex: Hex<'_>) {
    let _ = match mark {
        Mark::Shape { rect, outline, fill, stroke } => {
            let radius = match outline {
                Outline::Box(radius) => f32::from(*radius),
                Outline::Pill => rect.h / 2.0,
                _ => 0.0,
            };
            let corners = corners(*outline, rect);
            if corners.is_empty() {
                let (x, y, w, h) = (number(rect.x), number(rect.y), number(rect.w), number(rect.h));
                let paint = paint(*fill, stroke, hex);
                writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{}\"{paint}/>",
                    number(radius)
                )
            } else {
                writeln!(svg, "<polygon points=\"{}\"{}/>", points(&corners), paint(*fill, stroke, hex))
            }
        }
        Mark::Hatch { rect, tone, rising } => {
            let mut path = String::new();
            for (from, to) in hatch_lines(rect, *rising) {
                let _ = write!(path, "M{} {}L{} {}", number(from.0), number(from.1), number(to.0), number(to.1));
            }
            writeln!(svg, "<path d=\"{path}\" fill=\"none\"{}/>", ink("stroke", *tone, hex))
        }
        Mark::Line { from, to, stroke, arrow } => {
            let paint = paint(Tone::Clear, stroke, hex);
            let (a, b) = (points(&[*from]), points(&[*to]));
            let _ = writeln!(svg, "<path d=\"M{a}L{b}\"{paint}/>");
            if *arrow {
                let head = points(&arrowhead(*from, *to));
                writeln!(svg, "<polygon points=\"{head}\"{}/>", filled(stroke.tone, hex))
            } else {
                Ok(())
            }
        }
        Mark::Area { points: corners, fill } => {
            writeln!(svg, "<polygon points=\"{}\"{}/>", points(corners), filled(*fill, hex))
        }
        Mark::Text { at, text, size, anchor, tone, bold } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let weight = if *bold { " font-weight=\"700\"" } else { "" };
            let (x, y) = (number(at.0), number(at.1 + BASELINE * size));
            let (size, color) = (number(*size), filled(*tone, hex));
            let text = escaped(text);
            writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\"{weight}{color}>{text}</text>"
            )
        }
        Mark::Bitmap { rect, cols, rows } => {
            write_runs(svg, rect, (*cols, *rows), &picture.pixels, hex);
            Ok(())
        }
    };
}

/// Writes the rows of a bitmap as rectangles. Neighboring blocks of one row become one rectangle if their tones are
/// equal.
fn write_runs(svg: &mut String, rect: &Rect, (cols, rows): (u32, u32), pixels: &[u8], hex: Hex<'_>) {
    #[expect(clippy::cast_precision_loss, reason = "at most 1024")]
    let (w, h) = (rect.w / cols as f32, rect.h / rows as f32);
    // Without `crispEdges`, fractions of a pixel show as seams between the rows.
    svg.push_str("<g shape-rendering=\"crispEdges\">\n");
    for (i, row) in pixels.chunks_exact(cols as usize).enumerate() {
        let mut start = 0;
        while start < row.len() {
            let len = row[start..].iter().take_while(|&&tone| tone == row[start]).count();
            let tone = Tone::ALL.get(row[start] as usize).copied().unwrap_or(Tone::Clear);
            #[expect(clippy::cast_precision_loss, reason = "at most 1024")]
            let (x, y) = (rect.x + start as f32 * w, rect.y + i as f32 * h);
            if tone != Tone::Clear && tone != Tone::Ground {
                #[expect(clippy::cast_precision_loss, reason = "at most 1024")]
                let width = len as f32 * w;
                let _ = writeln!(
                    svg,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>",
                    number(x),
                    number(y),
                    number(width),
                    number(h),
                    filled(tone, hex)
                );
            }
            start += len;
        }
    }
    svg.push_str("</g>\n");
}
