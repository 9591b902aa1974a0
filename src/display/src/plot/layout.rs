//! Layout of a plot in pixels. Labels are placed where they cover nothing else.

use super::{Dot, Line, Plot};

/// Height of all text, in pixels.
pub(super) const TEXT: f64 = 12.0;
/// Assumed width of a letter, divided by the height of the text. Digits and most letters of a sans-serif font are
/// narrower.
const LETTER: f64 = 0.62;
/// Gap between elements, in pixels.
const GAP: f64 = 4.0;
/// Space between two labels in a row, in pixels.
const APART: f64 = 2.0 * GAP;

/// A rectangle: left, top, right, bottom.
pub(super) type Room = [f64; 4];

/// A placed text.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Content of the text.
    pub text: String,
    /// Left, top, right and bottom of the text box.
    pub room: [f64; 4],
    /// End of the thin line from the label to its dot, if the label is not next to the dot.
    pub leads_to: Option<(f64, f64)>,
    /// Index of the dot that the label names; `None` for the label of a line or an axis.
    pub dot: Option<usize>,
}

/// Positions of all elements of a plot, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Width and height of the plot.
    pub size: (f64, f64),
    /// Left, top, right and bottom of the plot area between the axes.
    pub field: [f64; 4],
    /// Ticks of the horizontal axis: x coordinate and label.
    pub x_ticks: Vec<(f64, Label)>,
    /// Ticks of the vertical axis: y coordinate and label.
    pub y_ticks: Vec<(f64, Label)>,
    /// Names of the axes, horizontal and vertical.
    pub names: [Label; 2],
    /// Points of each line.
    pub lines: Vec<Vec<(f64, f64)>>,
    /// Centers of the dots.
    pub dots: Vec<(f64, f64)>,
    /// Labels of lines and dots.
    pub labels: Vec<Label>,
    /// Center of each mark of the legend, with the name of its dot.
    pub legend: Vec<((f64, f64), Label)>,
}

/// Returns the assumed width of a text in pixels. The width includes 3 extra pixels, because a short text can consist
/// of wide letters only.
fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * TEXT * LETTER + 3.0
}

/// Returns the box of a text, given the left end and the vertical center of the box.
fn room_at(left: f64, middle: f64, text: &str) -> Room {
    [left, middle - TEXT * 0.6, left + width_of(text), middle + TEXT * 0.6]
}

fn centered(center: f64, middle: f64, text: &str) -> Room {
    room_at(center - width_of(text) / 2.0, middle, text)
}

fn overlap(a: &Room, b: &Room) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn within(inner: &Room, outer: &Room) -> bool {
    inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

fn label(text: String, room: Room) -> Label {
    Label { text, room, leads_to: None, dot: None }
}

impl Layout {
    pub(super) fn new(plot: &Plot, width: f64) -> Self {
        let width = width.clamp(Plot::WIDTHS.0, Plot::WIDTHS.1).floor();
        let height = (width * 0.62).clamp(250.0, 420.0).floor();
        let rows = if height < 300.0 { 5 } else { 7 };
        let y_ticks = plot.y.ticks(rows);
        let left = y_ticks.iter().map(|(_, text)| width_of(text)).fold(20.0, f64::max) + 2.0 * GAP;
        let legend = if plot.has_legend { legend(plot, left, width) } else { Vec::new() };
        let below_legend = legend.last().map_or(0.0, |(_, last)| last.room[3]);
        let field = [left, TEXT * 2.2 + below_legend, width - 26.0, height - TEXT * 3.5 + below_legend];
        let height = height + below_legend;
        let x = |value: f64| field[0] + plot.x.place(value).clamp(0.0, 1.0) * (field[2] - field[0]);
        let y = |value: f64| field[3] - plot.y.place(value).clamp(0.0, 1.0) * (field[3] - field[1]);
        let y_ticks = y_ticks
            .into_iter()
            .map(|(value, text)| {
                let room = room_at(field[0] - GAP - width_of(&text), y(value), &text);
                (y(value), label(text, room))
            })
            .collect();
        let x_ticks = x_ticks(plot, &field, x);
        let below = height - TEXT * 0.6 - GAP / 2.0;
        let name = plot.x.name.clone();
        let x_name_room = room_at((field[2] - width_of(&name)).max(0.0), below, &name);
        let y_name_room = room_at(GAP / 2.0, TEXT * 0.8 + below_legend, &plot.y.name);
        let names = [label(name, x_name_room), label(plot.y.name.clone(), y_name_room)];
        let lines: Vec<Vec<(f64, f64)>> =
            plot.lines.iter().map(|line| line.points.iter().map(|at| (x(at.0), y(at.1))).collect()).collect();
        let dots: Vec<(f64, f64)> = plot.dots.iter().map(|dot| (x(dot.at.0), y(dot.at.1))).collect();
        let crossed = lines.iter().flat_map(|points| steps(points)).map(|at| around(at, 1.5)).collect();
        let mut placing = Placing { field, taken: Vec::new(), crossed, labels: Vec::new() };
        placing.taken.extend(plot.dots.iter().zip(&dots).map(|(dot, at)| around(*at, dot.radius)));
        for (line, points) in plot.lines.iter().zip(&lines) {
            placing.line(line, points);
        }
        // A dot without a name has only its words, which a person sees by pointing at the dot.
        let named = plot.dots.iter().zip(&dots).enumerate();
        for (index, (dot, at)) in named.filter(|(_, (dot, _))| !dot.name.is_empty() && !plot.has_legend) {
            placing.dot(index, dot, *at);
        }
        Self { size: (width, height), field, x_ticks, y_ticks, names, lines, dots, labels: placing.labels, legend }
    }
}

/// Places the names of all dots in rows above the plot area, each after a mark.
fn legend(plot: &Plot, left: f64, width: f64) -> Vec<((f64, f64), Label)> {
    let (mut x, mut y) = (left, TEXT * 0.8);
    let mut placed = Vec::new();
    for (index, dot) in plot.dots.iter().enumerate() {
        let wide = 3.0 * GAP + width_of(&dot.name);
        if x > left && x + wide > width {
            (x, y) = (left, y + TEXT * 1.5);
        }
        let room = room_at(x + 3.0 * GAP, y, &dot.name);
        placed.push(((x + GAP, y), Label { dot: Some(index), ..label(dot.name.clone(), room) }));
        x += wide + 3.0 * GAP;
    }
    placed
}

/// Places the ticks under the plot area. Skips ticks whose labels would overlap.
fn x_ticks(plot: &Plot, field: &Room, x: impl Fn(f64) -> f64) -> Vec<(f64, Label)> {
    let mut last = f64::NEG_INFINITY;
    let mut ticks = Vec::new();
    for (value, text) in plot.x.ticks(12) {
        let room = centered(x(value), field[3] + TEXT * 1.3, &text);
        // The last label may extend beyond the plot area, but not beyond the plot.
        let over = (room[2] - field[2] - 24.0).max(0.0);
        let room = [room[0] - over, room[1], room[2] - over, room[3]];
        if room[0] > last + GAP {
            last = room[2];
            ticks.push((x(value), label(text, room)));
        }
    }
    ticks
}

fn around((x, y): (f64, f64), radius: f64) -> Room {
    [x - radius, y - radius, x + radius, y + radius]
}

struct Placing {
    field: Room,
    taken: Vec<Room>,
    /// Small boxes that together cover the lines of the plot. A label covers a line only if no other position is free.
    crossed: Vec<Room>,
    labels: Vec<Label>,
}

impl Placing {
    fn is_free(&self, room: &Room) -> bool {
        within(room, &self.field) && !self.taken.iter().any(|taken| overlap(room, taken))
    }

    /// Returns the first box that is free and that no line crosses.
    fn clear(&self, rooms: &[Room]) -> Option<Room> {
        let mut free = rooms.iter().filter(|room| self.is_free(room));
        free.find(|room| !self.crossed.iter().any(|line| overlap(room, line))).copied()
    }

    /// Returns the first box that is free, even if a line crosses it.
    fn free(&self, rooms: &[Room]) -> Option<Room> {
        rooms.iter().find(|room| self.is_free(room)).copied()
    }

    fn put(&mut self, label: Label) {
        let [left, top, right, bottom] = label.room;
        // Two labels with only a letter's space between them would be read as one text.
        self.taken.push([left - APART, top, right + APART, bottom]);
        self.labels.push(label);
    }

    /// Places the label of a line near a point of the line.
    fn line(&mut self, line: &Line, points: &[(f64, f64)]) {
        if line.label.is_empty() || points.is_empty() {
            return;
        }
        let half = width_of(&line.label) / 2.0;
        let rows = [-TEXT, TEXT, -2.2 * TEXT, 2.2 * TEXT];
        // The right end comes first, because lines are apart there.
        let places = (0..=8).rev().map(|at| along(points, f64::from(at) / 8.0)).flat_map(|(x, y)| {
            rows.into_iter().flat_map(move |row| [half + GAP, 0.0, -half - GAP].map(|shift| (x + shift, y + row)))
        });
        let rooms: Vec<Room> = places.map(|(x, y)| centered(x, y, &line.label)).collect();
        if let Some(room) = self.clear(&rooms).or_else(|| self.free(&rooms)) {
            self.put(label(line.label.clone(), room));
        }
    }

    /// Places the name of a dot, or its number in the list if the name does not fit. Boxes near the dot are tried first.
    fn dot(&mut self, index: usize, dot: &Dot, (x, y): (f64, f64)) {
        let number = if dot.number == 0 { String::new() } else { dot.number.to_string() };
        let full = dot.name.clone();
        let rooms = |text: &str| -> Vec<Room> {
            let half = width_of(text) / 2.0;
            let places = [0.0, 5.0, 12.0, 20.0, 30.0].into_iter().flat_map(|distance| {
                let (across, down) = (dot.radius + GAP + half + distance, dot.radius + TEXT * 0.6 + 1.0 + distance);
                // With this shift, a text above or below the dot has one end near the dot.
                let shift = (half - dot.radius).max(0.0);
                [
                    (across, 0.0),
                    (-across, 0.0),
                    (0.0, -down),
                    (0.0, down),
                    (shift, -down),
                    (-shift, -down),
                    (shift, down),
                    (-shift, down),
                    (across, -down),
                    (across, down),
                    (-across, -down),
                    (-across, down),
                ]
            });
            let rooms = places.map(|(right, below)| centered(x + right, y + below, text));
            // A line from a label to its dot must not cross another label.
            let crosses = |from, to| {
                // The boxes around points 4 pixels apart leave no gap.
                let line: Vec<Room> = steps(&[from, to]).into_iter().map(|at| around(at, 2.5)).collect();
                self.labels.iter().any(|label| line.iter().any(|part| overlap(part, &label.room)))
            };
            rooms.filter(|room| !lead((x, y), dot.radius, room).is_some_and(|(from, to)| crosses(from, to))).collect()
        };
        let (named, numbered) = (rooms(&full), rooms(&number));
        // The subject of the plot has no number, so its name may cover a line.
        let alone = if number.is_empty() { self.free(&named).map(|room| (full.clone(), room)) } else { None };
        let found = self.clear(&named).map(|room| (full, room)).or(alone);
        let by_number = || self.clear(&numbered).or_else(|| self.free(&numbered)).map(|room| (number.clone(), room));
        if let Some((text, room)) = found.or_else(by_number).filter(|(text, _)| !text.is_empty()) {
            let lead = lead((x, y), dot.radius, &room);
            if let Some((from, to)) = lead {
                self.crossed.extend(steps(&[from, to]).into_iter().map(|at| around(at, 1.0)));
            }
            self.put(Label { text, room, leads_to: lead.map(|(_, to)| to), dot: Some(index) });
        }
    }
}

/// Returns the ends of the line from a label to its dot; `None` if the label is next to the dot.
fn lead((x, y): (f64, f64), radius: f64, room: &Room) -> Option<((f64, f64), (f64, f64))> {
    let [left, top, right, bottom] = *room;
    let apart = (x - x.clamp(left, right)).hypot(y - y.clamp(top, bottom)) - radius;
    // The line ends at the edge of the dot.
    let (across, down) = (f64::midpoint(left, right) - x, f64::midpoint(top, bottom) - y);
    let edge = radius / across.hypot(down).max(1.0);
    let to = (x + edge * across, y + edge * down);
    (apart > 2.0 * GAP).then_some(((to.0.clamp(left, right), to.1.clamp(top, bottom)), to))
}

/// Points along a line, at most 4 pixels apart.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const PIXELS: f64 = 4.0;
    let pairs = points.iter().zip(points.iter().skip(1));
    pairs
        .flat_map(|(a, b)| {
            let (across, down) = (b.0 - a.0, b.1 - a.1);
            let count = (1..=1000_u32).find(|count| f64::from(*count) * PIXELS >= across.hypot(down)).unwrap_or(1);
            (0..=count).map(move |at| {
                let share = f64::from(at) / f64::from(count);
                (a.0 + share * across, a.1 + share * down)
            })
        })
        .collect()
}

/// Returns the point on a line at the fraction `share` of the line's length.
fn along(points: &[(f64, f64)], share: f64) -> (f64, f64) {
    let length = |a: (f64, f64), b: (f64, f64)| (b.0 - a.0).hypot(b.1 - a.1);
    let pairs = || points.iter().zip(points.iter().skip(1));
    let mut left = share * pairs().map(|(a, b)| length(*a, *b)).sum::<f64>();
    for (a, b) in pairs() {
        let own = length(*a, *b);
        if own > 0.0 && left <= own {
            let part = left / own;
            return (a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1));
        }
        left -= own;
    }
    points.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Shape, Stroke};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(proptest::test_runner::Config { failure_persistence: None, cases: 60, ..Default::default() })]
        #[test]
        fn no_text_lies_over_another_or_over_a_dot_and_none_is_cut_off(
            dots in prop::collection::vec((0.0..4.0_f64, 0.0..100.0_f64, 3.0..14.0_f64, 0usize..22), 0..30),
            width in 200.0..1900.0_f64,
        ) {
            let dots: Vec<Dot> = dots.into_iter().enumerate().map(|(at, (power, percent, radius, letters))| Dot {
                at: (10f64.powf(power), percent), shape: Shape::Circle, radius, number: at + 1,
                name: "m".repeat(letters), words: String::new(), is_filled: false,
            }).collect();
            let line = Line { kind: Stroke::Own, points: vec![(1.0, 50.0), (1e4, 40.0)], label: "predicted".to_owned() };
            let plot = Plot {
                id: "plot", title: String::new(), words: String::new(), x: Axis::decades("chips", [1.0, 1e4]),
                y: Axis::linear("MFU, %", 100.0), lines: vec![line], dots, has_legend: false,
            };
            let layout = plot.layout(width);
            let whole = [0.0, 0.0, layout.size.0, layout.size.1];
            let ticks = layout.x_ticks.iter().chain(&layout.y_ticks).map(|(_, label)| label);
            let all: Vec<&Label> = ticks.chain(&layout.names).chain(&layout.labels).collect();
            for (at, one) in all.iter().enumerate() {
                prop_assert!(within(&one.room, &whole), "{} is cut off: {:?}", one.text, one.room);
                for other in &all[..at] {
                    prop_assert!(!overlap(&one.room, &other.room), "{} over {}", one.text, other.text);
                }
            }
            for (at, one) in layout.labels.iter().enumerate() {
                let [left, top, right, bottom] = one.room;
                for (nth, other) in layout.labels.iter().enumerate().filter(|(nth, _)| *nth != at) {
                    let wide = [left - 7.9, top, right + 7.9, bottom];
                    prop_assert!(!overlap(&wide, &other.room), "{} reads on in {}", one.text, other.text);
                    // Each label tried to keep clear of the lines before it, so only its own line is certain.
                    let Some((x, y)) = one.leads_to.filter(|_| nth < at) else { continue };
                    let (from, n_points) = ((x.clamp(left, right), y.clamp(top, bottom)), 200);
                    for point in 0..=n_points {
                        let share = f64::from(point) / f64::from(n_points);
                        let on = (from.0 + share * (x - from.0), from.1 + share * (y - from.1));
                        prop_assert!(!overlap(&around(on, 0.5), &other.room), "a line over {}", other.text);
                    }
                }
                for (dot, at) in plot.dots.iter().zip(&layout.dots) {
                    prop_assert!(!overlap(&one.room, &around(*at, dot.radius)), "{} over a dot", one.text);
                }
            }
        }
    }

    #[test]
    fn a_dot_alone_has_its_name_beside_it() {
        let dot = Dot {
            at: (100.0, 50.0),
            shape: Shape::Square,
            radius: 5.0,
            number: 3,
            name: "16B".to_owned(),
            words: String::new(),
            is_filled: false,
        };
        let (x, y) = (Axis::decades("chips", [1.0, 1e4]), Axis::linear("MFU, %", 100.0));
        let plot = Plot {
            id: "plot",
            title: String::new(),
            words: String::new(),
            x,
            y,
            lines: vec![],
            dots: vec![dot],
            has_legend: false,
        };
        let layout = plot.layout(400.0);
        assert_eq!(layout.labels.len(), 1);
        assert_eq!(layout.labels[0].text, "16B");
        // The point is half way along both axes.
        let [left, top, right, bottom] = layout.field;
        assert!((layout.dots[0].0 - f64::midpoint(left, right)).abs() < 1e-9);
        assert!((layout.dots[0].1 - f64::midpoint(top, bottom)).abs() < 1e-9);
    }
}
