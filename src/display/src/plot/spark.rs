//! Sparklines: small curves without ticks, next to a number. A dot marks the current point.

use std::fmt::Write as _;

use super::Axis;
use super::paint::{escaped, path, px};

/// A small curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Spark {
    /// Description of the curve for screen readers.
    pub words: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Points of the curve, from left to right.
    pub points: Vec<(f64, f64)>,
    /// Current point.
    pub now: (f64, f64),
    /// Point that was the current point before the last change.
    pub before: Option<(f64, f64)>,
    /// Upper limit of the curve, with its name above the line.
    pub limit: Option<(f64, String)>,
    /// Texts under the beginning of the curve, the current point, and the end of the curve.
    pub ticks: [String; 3],
}

/// Height of all text, in pixels.
const TEXT: f64 = 11.0;
/// Margin for a dot at the edges, in pixels.
const EDGE: f64 = 5.0;
/// Width of a letter, rounded up, in pixels.
const LETTER: f64 = 6.5;

impl Spark {
    /// Draws the curve as SVG text. The picture has the given width and height in pixels. The style sheet sets the
    /// color of each CSS class.
    #[must_use]
    pub fn svg(&self, width: f64, height: f64) -> String {
        let (top, bottom) = (TEXT + EDGE, height - TEXT - EDGE - 3.0);
        let place = |(x, y): (f64, f64)| {
            let along = self.x.place(x).clamp(0.0, 1.0) * (width - 2.0 * EDGE) + EDGE;
            (along, bottom - self.y.place(y).clamp(0.0, 1.0) * (bottom - top))
        };
        let mut svg = format!(
            "<svg class=\"spark\" role=\"img\" aria-label=\"{}\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-size=\"{}\">",
            escaped(&self.words),
            px(TEXT),
            w = px(width),
            h = px(height)
        );
        let mut line = |class: &str, points: &[(f64, f64)]| {
            let _ = write!(svg, "<path class=\"{class}\" d=\"{}\"/>", path(points));
        };
        let points: Vec<(f64, f64)> = self.points.iter().map(|&point| place(point)).collect();
        if let [(first, _), .., (last, _)] = points[..] {
            line("area", &[&[(first, bottom)], &points[..], &[(last, bottom)]].concat());
        }
        line("axis", &[(EDGE, bottom), (width - EDGE, bottom)]);
        if let Some((share, _)) = &self.limit {
            let (_, y) = place((0.0, *share));
            line("limit", &[(EDGE, y), (width - EDGE, y)]);
        }
        line("curve", &points);
        let mut text = |x: f64, y: f64, anchor: &str, words: &str| {
            let words = escaped(words);
            let _ = write!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{words}</text>", px(x), px(y));
        };
        if let Some((_, name)) = &self.limit {
            text(width - EDGE, TEXT, "end", name);
        }
        let [first, now, last] = &self.ticks;
        let (x, _) = place(self.now);
        text(EDGE, height - 2.0, "start", first);
        // The texts of the ends have priority over the text between them.
        #[expect(clippy::cast_precision_loss, reason = "a text of some letters")]
        let room = |text: &str| EDGE + LETTER * (text.chars().count() + now.chars().count() / 2 + 1) as f64;
        if (room(first)..width - room(last)).contains(&x) {
            text(x, height - 2.0, "middle", now);
        }
        text(width - EDGE, height - 2.0, "end", last);
        for (class, point) in [("was", self.before), ("now", Some(self.now))] {
            if let Some((x, y)) = point.map(place) {
                let _ = write!(svg, "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"4.5\"/>", px(x), px(y));
            }
        }
        svg.push_str("</svg>");
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn spark() -> Spark {
        Spark {
            words: "\"><b>".to_owned(),
            x: Axis::factors("M", 1.0, 64.0),
            y: Axis::linear("busy", 0.5),
            points: vec![(1.0, 0.0), (8.0, 0.25), (64.0, 0.5)],
            now: (8.0, 0.25),
            before: None,
            limit: Some((0.5, "limit <50 %".to_owned())),
            ticks: ["M = 1", "M = 8", "64"].map(str::to_owned),
        }
    }

    #[test]
    fn a_spark_is_in_its_frame_and_its_words_are_text() {
        let svg = spark().svg(140.0, 78.0);
        // The curve goes from one edge to the other, and is halfway up in the middle.
        assert!(svg.contains("class=\"curve\" d=\"M5 59L70 37.5L135 16\""), "{svg}");
        assert!(svg.contains("class=\"now\" cx=\"70\" cy=\"37.5\""), "{svg}");
        assert!(!svg.contains("<b>") && !svg.contains("was") && svg.contains("limit &lt;50 %"), "{svg}");
        assert!(!svg.contains("style") && !svg.contains("fill="), "{svg}");
        assert!(Spark { before: Some((1.0, 0.0)), ..spark() }.svg(140.0, 78.0).contains("class=\"was\""));
    }

    #[test]
    fn no_value_leaves_the_frame() {
        let odd = Spark { now: (f64::NAN, f64::INFINITY), points: vec![(0.0, -1.0), (1e300, 9.0)], ..spark() };
        for number in odd.svg(140.0, 78.0).split(['"', 'M', 'L', ' ']).filter_map(|part| part.parse::<f64>().ok()) {
            assert!((0.0..=140.0).contains(&number), "{number}");
        }
    }
}
