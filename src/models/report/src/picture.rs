//! The comparison of runs as a picture: a table in SVG with the figures, their bars and the factors of the MFU.

use core::fmt::Write;

use super::answer::{Answer, ColumnBar, ColumnView};
use super::comparison as words;
use display::Tone;
use display::plot::escaped;

/// Width of the row names, and width of a column.
const WIDTHS: (usize, usize) = (190, 230);
/// Width of a bar.
const BAR: f64 = 180.0;
/// Height of a row.
const ROW: usize = 58;
/// Height of a row of factors.
const FACTOR: usize = 30;
/// Height of the title with its sentence, and of the names of the columns.
const HEADS: (usize, usize) = (78, 52);

/// Returns the comparison as SVG. `color` gives the color of a tone. `None` if the answer has no comparison.
#[must_use]
pub fn svg(answer: &Answer, color: &dyn Fn(Tone) -> String) -> Option<String> {
    let first = answer.columns.columns.first()?;
    let measures: Vec<&str> = answer.columns.measures.iter().map(|(_, name)| *name).collect();
    let with_factors = answer.columns.columns.iter().max_by_key(|one| one.factors.len()).unwrap_or(first);
    let factors: Vec<&str> = with_factors.factors.iter().map(|one| one.name).collect();
    let (rows, columns) = (measures.len(), answer.columns.columns.len());
    let width = WIDTHS.0 + WIDTHS.1 * columns + 20;
    let top = HEADS.0 + HEADS.1;
    let height = top + ROW * rows + if factors.is_empty() { 0 } else { 34 + FACTOR * factors.len() } + 24;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"Inter, system-ui, sans-serif\" font-size=\"13\"><title>{}</title><style>{}</style><rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>",
        escaped(&answer.title),
        style(color)
    );
    head(&mut svg, answer);
    for (nth, name) in measures.iter().enumerate() {
        line(&mut svg, top + ROW * nth, width);
        text(&mut svg, (20, top + ROW * nth + 22), "font-weight=\"600\"", name);
    }
    let below = top + ROW * rows;
    for (nth, name) in factors.iter().enumerate() {
        if nth == 0 {
            line(&mut svg, below, width);
            text(&mut svg, (20, below + 22), "font-weight=\"600\"", words::WHERE_THE_PEAK_GOES);
        }
        text(&mut svg, (20, below + 34 + FACTOR * nth + 18), "", name);
    }
    for (nth, one) in answer.columns.columns.iter().enumerate() {
        column(&mut svg, one, WIDTHS.0 + WIDTHS.1 * nth, (top, below), measures.len());
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

/// Returns the style of the picture, with the color of each tone.
fn style(color: &dyn Fn(Tone) -> String) -> String {
    let [ground, ink, quiet, track, part, span, lost, over] =
        [Tone::Ground, Tone::Ink, Tone::Quiet, Tone::Faint, Tone::Useful, Tone::ATint, Tone::Ghost, Tone::Stall]
            .map(color);
    format!(
        "text{{fill:{ink}}}.quiet{{fill:{quiet}}}.ground{{fill:{ground}}}.track{{fill:{track}}}.part{{fill:{part}}}.span{{fill:{span}}}.lost{{fill:{lost}}}.over{{fill:{over}}}"
    )
}

fn head(svg: &mut String, answer: &Answer) {
    text(svg, (20, 32), "font-size=\"20\" font-weight=\"700\"", &answer.title);
    text(svg, (20, 56), "font-weight=\"600\"", &answer.columns.sentence);
}

fn column(svg: &mut String, one: &ColumnView, left: usize, (top, below): (usize, usize), n_measures: usize) {
    text(svg, (left, HEADS.0 + 18), "font-size=\"15\" font-weight=\"700\"", one.name);
    text(
        svg,
        (left, HEADS.0 + 38),
        "class=\"quiet\"",
        &format!("{}, {}", words::chips(one.chips), words::price(one.usd_per_chip_hour)),
    );
    for (nth, cell) in one.cells.iter().take(n_measures).enumerate() {
        let y = top + ROW * nth;
        let shown = cell.figure.as_ref().map(|figure| (figure.value.clone(), figure.range_in_brackets()));
        let (value, range) = shown.unwrap_or_else(|| (cell.note.clone(), String::new()));
        let best = if cell.is_best { format!("  {}", words::BEST) } else { String::new() };
        text(svg, (left, y + 22), "font-size=\"15\" font-weight=\"600\"", &format!("{value}{best}"));
        text(svg, (left, y + 38), "class=\"quiet\" font-size=\"11\"", &range);
        match cell.bar {
            Some(ColumnBar::Range(low, middle, high)) => {
                bar(svg, (left, y + 44), (0.0, 1.0), "track");
                bar(svg, (left, y + 44), (low, high), "span");
                if let Some(middle) = middle {
                    bar(svg, (left, y + 44), (middle - 0.006, middle + 0.006), "part");
                }
            }
            Some(ColumnBar::Used(used)) => {
                bar(svg, (left, y + 44), (0.0, 1.0), "track");
                bar(svg, (left, y + 44), (0.0, used.min(1.0)), if used > 1.0 { "over" } else { "part" });
            }
            None => {}
        }
    }
    for (nth, factor) in one.factors.iter().enumerate() {
        let y = below + 34 + FACTOR * nth + 8;
        let before = factor.factor.filter(|factor| *factor > 0.0).map_or(factor.left, |by| factor.left / by);
        bar(svg, (left, y), (0.0, factor.left), "part");
        bar(svg, (left, y), (factor.left, before), "lost");
        let weight = if factor.is_largest_loss { "font-weight=\"700\" font-size=\"11\"" } else { "font-size=\"11\"" };
        text(svg, (left + 186, y + 8), weight, &words::times(factor.factor, factor.left));
    }
}

fn text(svg: &mut String, (x, y): (usize, usize), style: &str, content: &str) {
    if !content.is_empty() {
        // A string accepts all text.
        let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" {style}>{}</text>", escaped(content));
    }
}

fn line(svg: &mut String, y: usize, width: usize) {
    let _ = write!(svg, "<rect x=\"20\" y=\"{y}\" width=\"{}\" height=\"1\" class=\"track\"/>", width - 40);
}

/// Draws the part of a bar from one share of its width to another.
fn bar(svg: &mut String, (x, y): (usize, usize), (from, to): (f64, f64), class: &str) {
    let (from, to) = (from.clamp(0.0, 1.0) * BAR, to.clamp(0.0, 1.0) * BAR);
    let left = x as f64 + from;
    let _ = write!(
        svg,
        "<rect x=\"{left:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"7\" rx=\"1\" class=\"{class}\"/>",
        (to - from).max(0.0)
    );
}

#[cfg(test)]
mod tests {
    use super::super::query::answer;
    use super::*;
    use estimate::{Answered, Topic};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_picture_has_every_figure_of_the_comparison() {
        for text in ["", "chip=tpu-v5e&versus=h100-sxm&third=tpu-v6e&fourth=tpu-7x", "pass=decode&chips=8&split=tensor"]
        {
            let answer = answer(&Answered::parse(Topic::Model, text));
            let picture = svg(&answer, &|tone| tone.id().to_owned()).expect("an answer");
            for column in &answer.columns.columns {
                assert!(picture.contains(&escaped(column.name)), "{text}: {}", column.name);
                for figure in column.cells.iter().filter_map(|cell| cell.figure.as_ref()) {
                    assert!(picture.contains(&escaped(&figure.value)), "{text}: {}", figure.value);
                }
            }
            assert!(
                picture.starts_with("<svg ") && picture.matches("<text").count() == picture.matches("</text>").count()
            );
        }
        assert_eq!(svg(&answer(&Answered::parse(Topic::Lengths, "")), &|_| String::new()), None);
    }
}
