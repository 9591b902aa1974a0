//! Drawing of the array at a cycle, as a LaTeX picture for `\input` in a document with TikZ. Text in the picture uses
//! the font of the document.

use std::fmt::Write as _;

use display::Tone;
use display::picture::geometry::{arrowhead, corners, hatch_lines};
use display::picture::{Anchor, Dash, Mark, Outline, Picture, Rect, Stroke};
use studio::Theme;

use crate::{View, colors, words};

/// Returns a `tikzpicture` of the cycle that the link names. One unit of the picture is one CSS pixel (0.75 pt).
///
/// ```
/// use studio::{Link, Plan};
/// let link = Link::default();
/// let plan = Plan::new(&link.scenario).unwrap();
/// let tikz = export::tikz::picture(&export::View { plan: &plan, link: &link, size: (900.0, 700.0) });
/// assert!(tikz.contains("\\begin{tikzpicture}"));
/// ```
#[must_use]
pub fn picture(view: &View<'_>) -> String {
    let picture = view.picture();
    let mut out = format!("% {}\n", ::words::caption::status(view.plan, view.cycle(), None).replace('\n', " "));
    out.push_str(&format!("% {}\n", words::NEEDS_TIKZ));
    out.push_str("\\begin{tikzpicture}[x=0.75pt,y=-0.75pt,line join=round]\n");
    for tone in Tone::ALL {
        if let Some(hex) = colors::hex(Theme::Light, *tone) {
            let _ = writeln!(out, "\\definecolor{{{}}}{{HTML}}{{{}}}", color(*tone), hex.to_uppercase());
        }
    }
    for mark in &picture.marks {
        write_mark(&mut out, mark, &picture);
    }
    out.push_str("\\end{tikzpicture}\n");
    out
}

fn color(tone: Tone) -> String {
    format!("systolic-{}", tone.id())
}

/// Formats a coordinate, rounded to tenths of a unit.
#[expect(clippy::cast_possible_truncation, reason = "a place in a picture")]
fn number(value: f32) -> String {
    let tenths = (f64::from(value) * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, rest) = (tenths.abs() / 10, tenths.abs() % 10);
    if rest == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

fn coordinate((x, y): (f32, f32)) -> String {
    format!("({},{})", number(x), number(y))
}

fn path(points: &[(f32, f32)]) -> String {
    points.iter().map(|point| coordinate(*point)).collect::<Vec<_>>().join(" -- ")
}

fn options(fill: Tone, stroke: &Stroke) -> Option<String> {
    let mut parts = Vec::new();
    if fill != Tone::Clear {
        parts.push(format!("fill={}", color(fill)));
    }
    if stroke.tone != Tone::Clear && stroke.width > 0.0 {
        parts.push(format!("draw={},line width={}pt", color(stroke.tone), number(stroke.width * 0.75)));
        match stroke.dash {
            Dash::Solid => {}
            Dash::Dotted => parts.push("densely dotted".to_owned()),
            Dash::Dashed => parts.push("dashed".to_owned()),
        }
    }
    (!parts.is_empty()).then(|| parts.join(","))
}

/// Escapes the special characters of LaTeX.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', letter]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\u{2212}' => out.push_str("$-$"),
            '×' => out.push_str("$\\times$"),
            '·' => out.push_str("$\\cdot$"),
            '≠' => out.push_str("$\\neq$"),
            'Σ' => out.push_str("$\\Sigma$"),
            '∞' => out.push_str("$\\infty$"),
            '→' => out.push_str("$\\rightarrow$"),
            '←' => out.push_str("$\\leftarrow$"),
            '↓' => out.push_str("$\\downarrow$"),
            '↑' => out.push_str("$\\uparrow$"),
            '⇥' => out.push_str("$\\mapsto$"),
            '…' => out.push_str("\\ldots{}"),
            '\u{202f}' | '\u{a0}' => out.push('~'),
            letter => out.push(letter),
        }
    }
    out
}

fn rectangle(rect: &Rect) -> String {
    format!("{} rectangle {}", coordinate((rect.x, rect.y)), coordinate((rect.x + rect.w, rect.y + rect.h)))
}

fn write_mark(out: &mut String, mark: &Mark, picture: &Picture) {
    let _ = match mark {
        Mark::Shape { rect, outline, fill, stroke } => {
            let Some(options) = options(*fill, stroke) else { return };
            let corners = corners(*outline, rect);
            if !corners.is_empty() {
                writeln!(out, "\\path[{options}] {} -- cycle;", path(&corners))
            } else {
                let radius = match outline {
                    Outline::Box(radius) => f32::from(*radius),
                    _ => rect.h / 2.0,
                };
                let radius = number(radius.min(rect.w / 2.0).min(rect.h / 2.0) * 0.75);
                writeln!(out, "\\path[{options},rounded corners={radius}pt] {};", rectangle(rect))
            }
        }
        Mark::Hatch { rect, tone, rising } => {
            let lines: Vec<String> = hatch_lines(rect, *rising).map(|(from, to)| path(&[from, to])).collect();
            writeln!(out, "\\draw[{},line width=0.75pt] {};", color(*tone), lines.join(" "))
        }
        Mark::Line { from, to, stroke, arrow } => {
            let Some(options) = options(Tone::Clear, stroke) else { return };
            let _ = writeln!(out, "\\path[{options}] {};", path(&[*from, *to]));
            if *arrow {
                let head = arrowhead(*from, *to);
                writeln!(out, "\\fill[{}] {} -- cycle;", color(stroke.tone), path(&head))
            } else {
                Ok(())
            }
        }
        Mark::Area { points, fill } => writeln!(out, "\\fill[{}] {} -- cycle;", color(*fill), path(points)),
        Mark::Text { at: place, text, size, anchor, tone, bold } => {
            let anchor = match anchor {
                Anchor::Start => "west",
                Anchor::Middle => "center",
                Anchor::End => "east",
            };
            let (size, leading) = (number(size * 0.75), number(size * 0.9));
            let (weight, tone, place) = (if *bold { "\\bfseries" } else { "" }, color(*tone), coordinate(*place));
            let text = escaped(text);
            writeln!(
                out,
                "\\node[anchor={anchor},inner sep=0pt,text={tone}] at {place} \
                 {{\\fontsize{{{size}}}{{{leading}}}\\selectfont{weight} {text}}};"
            )
        }
        Mark::Bitmap { rect, cols, rows } => {
            write_runs(out, rect, *cols, *rows, &picture.pixels);
            Ok(())
        }
    };
}

/// Writes the rows of a bitmap as rectangles, one for each run of equal tones.
#[expect(clippy::cast_precision_loss, reason = "at most 1024")]
fn write_runs(out: &mut String, rect: &Rect, cols: u32, rows: u32, pixels: &[u8]) {
    let (w, h) = (rect.w / cols as f32, rect.h / rows as f32);
    for (i, row) in pixels.chunks_exact(cols as usize).enumerate() {
        let mut start = 0;
        for run in row.chunk_by(|one, other| one == other) {
            let tone = Tone::ALL.get(run[0] as usize).copied().unwrap_or(Tone::Clear);
            if tone != Tone::Clear && tone != Tone::Ground {
                let (x, y) = (rect.x + start as f32 * w, rect.y + i as f32 * h);
                let run = Rect::new(x, y, run.len() as f32 * w, h);
                let _ = writeln!(out, "\\fill[{}] {};", color(tone), rectangle(&run));
            }
            start += run.len();
        }
    }
}
