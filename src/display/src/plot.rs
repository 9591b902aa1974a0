//! A plot: dots and lines over two axes, laid out for a width and written as SVG.
//!
//! It is data, like a picture: whoever makes one says what is where in its own units, and no color. A dot is told by its
//! shape and its number too, which are those of the list beside the plot.

mod axis;
mod layout;
mod paint;
mod spark;

pub use axis::Axis;
pub use layout::{Label, Layout};
pub use spark::Spark;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Stable name.
    pub id: &'static str,
    /// What it shows, over it.
    pub title: String,
    /// The same in words, for those who do not see it.
    pub words: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// Lines, under the dots.
    pub lines: Vec<Line>,
    /// Dots, what matters most first: it gets its label first.
    pub dots: Vec<Dot>,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is, as a class of the style sheet.
    pub kind: Stroke,
    /// Where it leads.
    pub points: Vec<(f64, f64)>,
    /// What stands beside its end; nothing where that is empty.
    pub label: String,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// A limit.
    Roof,
    /// What is predicted.
    Own,
    /// What is predicted with something left out.
    Partial,
    /// A place on an axis.
    Mark,
}

impl Stroke {
    const fn class(self) -> &'static str {
        match self {
            Self::Roof => "roof",
            Self::Own => "own",
            Self::Partial => "own partial",
            Self::Mark => "mark",
        }
    }
}

/// A dot.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Where it is.
    pub at: (f64, f64),
    /// Its outline.
    pub shape: Shape,
    /// Half its width in pixels.
    pub radius: f64,
    /// Its number in the list beside the plot, from 1; 0 for the case in question.
    pub number: usize,
    /// What it is, written beside it where there is room; its number stands alone where there is not.
    pub name: String,
    /// All of it in words.
    pub words: String,
    /// Whether it is filled.
    pub is_filled: bool,
}

/// The outline of a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Round.
    Circle,
    /// A square.
    Square,
    /// On its corner.
    Diamond,
    /// Pointing up.
    Triangle,
    /// Pointing down.
    Wedge,
    /// A plus.
    Cross,
    /// The case in question: larger than all others, filled.
    Subject,
}

impl Shape {
    /// Shapes by turns.
    pub const TURNS: [Self; 6] = [Self::Circle, Self::Square, Self::Triangle, Self::Diamond, Self::Wedge, Self::Cross];

    /// The words for it.
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
    /// The least and the greatest width in pixels that a plot is laid out for; beyond, it stays as wide.
    pub const WIDTHS: (f64, f64) = (260.0, 760.0);

    /// Where everything is in a plot of this width.
    #[must_use]
    pub fn layout(&self, width: f64) -> Layout {
        Layout::new(self, width)
    }

    /// The plot as SVG text for a width in pixels.
    #[must_use]
    pub fn svg(&self, width: f64) -> String {
        paint::svg(self, &self.layout(width))
    }
}
