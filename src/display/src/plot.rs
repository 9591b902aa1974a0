//! Plots: dots and lines over two axes, laid out for a width and written as SVG.
//!
//! A plot is data, like a picture. Its coordinates are in the units of its axes, and it has no colors. Dots also differ
//! in shape, and each dot has a number. A reader finds the number again in the list next to the plot.

mod axis;
mod layout;
mod paint;
mod spark;

pub use axis::Axis;
pub use layout::{Label, Layout};
pub use paint::escaped;
pub use spark::Spark;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Stable name of the plot.
    pub id: &'static str,
    /// Title above the plot.
    pub title: String,
    /// Description of the plot for screen readers.
    pub words: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Lines, drawn under the dots.
    pub lines: Vec<Line>,
    /// Dots, most important first. Earlier dots get their labels first.
    pub dots: Vec<Dot>,
    /// True if the names of the dots are in a legend above the plot area, not next to the dots.
    pub has_legend: bool,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Meaning of the line. The meaning selects the style of the line.
    pub kind: Stroke,
    /// Points of the line, in the units of the axes.
    pub points: Vec<(f64, f64)>,
    /// Label of the line. Empty for no label.
    pub label: String,
}

/// Meaning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// Limit, such as the roof of a roofline.
    Roof,
    /// Predicted values.
    Own,
    /// Values of another run, by the number of the run.
    Other(usize),
    /// Predicted values that do not count a part of the time, such as the communication between chips.
    Partial,
    /// Position on an axis.
    Mark,
}

impl Stroke {
    const fn class(self) -> &'static str {
        match self {
            Self::Roof => "roof",
            Self::Own => "own",
            Self::Other(1) => "other",
            Self::Other(2) => "other second",
            Self::Other(_) => "other third",
            Self::Partial => "own partial",
            Self::Mark => "mark",
        }
    }
}

/// A dot of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Position in the units of the axes.
    pub at: (f64, f64),
    /// Outline of the dot.
    pub shape: Shape,
    /// Half of the dot's width in pixels.
    pub radius: f64,
    /// Number of the dot in the list next to the plot; `0` for the subject of the plot.
    pub number: usize,
    /// Name of the dot. The layout writes the name next to the dot if there is space, and otherwise only the number.
    pub name: String,
    /// Description of the dot in words.
    pub words: String,
    /// True if the dot is filled.
    pub is_filled: bool,
}

/// Outline of a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Circle.
    Circle,
    /// Square.
    Square,
    /// Square that is rotated by 45°: a diamond.
    Diamond,
    /// Triangle that points up.
    Triangle,
    /// Triangle that points down.
    Wedge,
    /// Plus sign.
    Cross,
    /// Larger filled diamond: the subject of the plot.
    Subject,
}

impl Shape {
    /// Shapes for groups of dots, in order. If there are more groups, the shapes repeat from the first shape.
    pub const TURNS: [Self; 6] = [Self::Circle, Self::Square, Self::Triangle, Self::Diamond, Self::Wedge, Self::Cross];

    /// Returns the name of the shape.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Square => "square",
            Self::Diamond => "diamond",
            Self::Triangle => "triangle",
            Self::Wedge => "wedge",
            Self::Cross => "cross",
            Self::Subject => "filled diamond",
        }
    }
}

impl Plot {
    /// Minimum and maximum width in pixels. A plot that is narrower or wider has the nearest of these two widths.
    pub const WIDTHS: (f64, f64) = (260.0, 760.0);

    /// Lays out the plot for a width in pixels.
    #[must_use]
    pub fn layout(&self, width: f64) -> Layout {
        Layout::new(self, width)
    }

    /// Draws the plot as SVG text for a width in pixels.
    #[must_use]
    pub fn svg(&self, width: f64) -> String {
        paint::svg(self, &self.layout(width))
    }
}
