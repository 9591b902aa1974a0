//! A picture is data: marks with tones, in CSS pixels, ready for any painter.

pub mod geometry;

use crate::Tone;
use core::ops::Range;

/// How a line is broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// Not at all.
    #[default]
    Solid,
    /// Into dots.
    Dotted,
    /// Into dashes.
    Dashed,
}

/// The outline of a filled shape; each operand has its own, so that color is never alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// A rectangle with corners of this radius.
    Box(u8),
    /// Fully rounded ends: A.
    Pill,
    /// A notch in the top edge: B.
    Notch,
    /// A point in the bottom edge: partial sums.
    Chevron,
    /// Pointed ends: C.
    Hexagon,
}

/// Where a text is anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left.
    pub x: f32,
    /// Top.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Rect {
    /// A rectangle.
    #[must_use]
    pub const fn new(x: f32, y: f32, w: f32, h: f32) -> Self {
        Self { x, y, w, h }
    }

    /// Its middle.
    #[must_use]
    pub fn center(&self) -> (f32, f32) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }
}

/// A length within limits. The standard `clamp` would bring the float formatter along for its panic message.
#[must_use]
pub const fn between(value: f32, least: f32, most: f32) -> f32 {
    value.min(most).max(least)
}

/// A count as a length or a number of steps on the screen; exact up to 2^24.
#[expect(clippy::cast_precision_loss, reason = "what fits on a screen is counted exactly")]
#[must_use]
pub fn px(count: impl Into<u64>) -> f32 {
    count.into() as f32
}

/// A border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its ink.
    pub tone: Tone,
    /// Its width in CSS pixels.
    pub width: f32,
    /// How it is broken.
    pub dash: Dash,
}

impl Stroke {
    /// An unbroken border.
    #[must_use]
    pub const fn solid(tone: Tone, width: f32) -> Self {
        Self { tone, width, dash: Dash::Solid }
    }
}

/// One thing drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A filled and bordered shape.
    Shape {
        /// Where.
        rect: Rect,
        /// Its outline.
        outline: Outline,
        /// Its fill.
        fill: Tone,
        /// Its border.
        stroke: Stroke,
    },
    /// Parallel lines across a rectangle; rising ones for idle padding, falling ones for padding that is multiplied.
    Hatch {
        /// Where.
        rect: Rect,
        /// The ink.
        tone: Tone,
        /// Whether the lines rise to the right.
        rising: bool,
    },
    /// A straight line.
    Line {
        /// From.
        from: (f32, f32),
        /// To.
        to: (f32, f32),
        /// Its ink.
        stroke: Stroke,
        /// Whether it ends in an arrowhead.
        arrow: bool,
    },
    /// A filled area below a line.
    Area {
        /// The corners.
        points: Vec<(f32, f32)>,
        /// The fill.
        fill: Tone,
    },
    /// A short text.
    Text {
        /// Where it is anchored; vertically its middle.
        at: (f32, f32),
        /// The text.
        text: String,
        /// Height of the letters' box in CSS pixels.
        size: f32,
        /// Which part of it is at `at`.
        anchor: Anchor,
        /// The ink.
        tone: Tone,
        /// Whether it is heavy.
        bold: bool,
    },
    /// One block of color per PE; the tones stand in [`Picture::pixels`].
    Bitmap {
        /// Where.
        rect: Rect,
        /// Blocks across.
        cols: u32,
        /// Blocks down.
        rows: u32,
    },
}

/// What a part of a drawing stands for: the same in two drawings where it is the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// Which kind of thing, by whoever draws it.
    pub kind: u8,
    /// Tells apart what is there several times.
    pub nth: u64,
    /// Its row.
    pub row: u64,
    /// Its column.
    pub col: u64,
}

/// A part of a drawing that may be somewhere else in the next one.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub id: Identity,
    /// Where it is.
    pub rect: Rect,
    /// Its marks.
    pub marks: Range<usize>,
    /// How far it goes, in CSS pixels, where the next drawing does not have it.
    pub leaves_by: (f32, f32),
}

/// Where tokens come from or go to: a place that is drawn in any case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Port {
    /// The token.
    pub id: Identity,
    /// The place.
    pub rect: Rect,
    /// Whether the token ends there; it begins there otherwise.
    pub is_sink: bool,
}

/// A drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Width in CSS pixels.
    pub width: f32,
    /// Height in CSS pixels.
    pub height: f32,
    /// What is drawn, first at the bottom.
    pub marks: Vec<Mark>,
    /// Tones of the bitmap, by number, row by row.
    pub pixels: Vec<u8>,
    /// The parts that move from one drawing to the next.
    pub tokens: Vec<Token>,
    /// Where such parts come from and go to.
    pub ports: Vec<Port>,
}

impl Picture {
    /// Empties the drawing, keeping its memory.
    pub fn clear(&mut self, width: f32, height: f32) {
        (self.width, self.height) = (width, height);
        self.marks.clear();
        self.pixels.clear();
        self.tokens.clear();
        self.ports.clear();
    }

    /// Makes a token of the marks from this one on.
    pub fn token(&mut self, id: Identity, rect: Rect, first_mark: usize, leaves_by: (f32, f32)) {
        self.tokens.push(Token { id, rect, marks: first_mark..self.marks.len(), leaves_by });
    }

    /// Draws a shape.
    pub fn shape(&mut self, rect: Rect, outline: Outline, fill: Tone, stroke: Stroke) {
        self.marks.push(Mark::Shape { rect, outline, fill, stroke });
    }

    /// Draws a line.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), stroke: Stroke) {
        self.marks.push(Mark::Line { from, to, stroke, arrow: false });
    }

    /// Writes a text.
    pub fn text(&mut self, at: (f32, f32), text: impl Into<String>, size: f32, anchor: Anchor, tone: Tone) {
        self.marks.push(Mark::Text { at, text: text.into(), size, anchor, tone, bold: false });
    }

    /// Writes a heavy text.
    pub fn bold(&mut self, at: (f32, f32), text: impl Into<String>, size: f32, anchor: Anchor, tone: Tone) {
        self.marks.push(Mark::Text { at, text: text.into(), size, anchor, tone, bold: true });
    }

    /// Every text in the drawing.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.marks.iter().filter_map(|mark| match mark {
            Mark::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }
}
