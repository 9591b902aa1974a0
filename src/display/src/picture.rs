//! Pictures as data: marks with tones, in CSS pixels, for any painter.

pub mod geometry;

use crate::Tone;
use core::ops::Range;

/// Dash pattern of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// Line without gaps.
    #[default]
    Solid,
    /// Dotted line.
    Dotted,
    /// Dashed line.
    Dashed,
}

/// Outline of a filled shape. Each operand has its own outline, so that color is never the only difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// Rectangle with corners of this radius.
    Box(u8),
    /// Rectangle with fully rounded ends: an element of A.
    Pill,
    /// Rectangle with a notch in the top edge: an element of B.
    Notch,
    /// Rectangle with a point in the bottom edge: a partial sum.
    Chevron,
    /// Rectangle with pointed ends: an element of C.
    Hexagon,
}

/// Point of a text that is placed at a given position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Left end of the text.
    Start,
    /// Middle of the text.
    Middle,
    /// Right end of the text.
    End,
}

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Rect {
    /// Returns a rectangle with this position and size.
    #[must_use]
    pub const fn new(x: f32, y: f32, w: f32, h: f32) -> Self {
        Self { x, y, w, h }
    }

    /// Returns the center of the rectangle.
    #[must_use]
    pub fn center(&self) -> (f32, f32) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }
}

/// Clamps a length. The panic message of the standard `clamp` would add the float formatter to the page.
#[must_use]
pub const fn between(value: f32, least: f32, most: f32) -> f32 {
    value.min(most).max(least)
}

/// Converts a count to a length or a number of steps on the screen. The result is exact up to 2^24.
#[expect(clippy::cast_precision_loss, reason = "what fits on a screen is counted exactly")]
#[must_use]
pub fn px(count: impl Into<u64>) -> f32 {
    count.into() as f32
}

/// A border or a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Tone of the stroke.
    pub tone: Tone,
    /// Width in CSS pixels.
    pub width: f32,
    /// Dash pattern of the stroke.
    pub dash: Dash,
}

impl Stroke {
    /// Returns a stroke without gaps.
    #[must_use]
    pub const fn solid(tone: Tone, width: f32) -> Self {
        Self { tone, width, dash: Dash::Solid }
    }
}

/// A drawn element of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A filled and bordered shape.
    Shape {
        /// Position and size.
        rect: Rect,
        /// Outline of the shape.
        outline: Outline,
        /// Tone inside the shape.
        fill: Tone,
        /// Border of the shape.
        stroke: Stroke,
    },
    /// Parallel lines across a rectangle. Rising lines mark idle padding, and falling lines mark padding that is
    /// multiplied.
    Hatch {
        /// Position and size.
        rect: Rect,
        /// Tone of the lines.
        tone: Tone,
        /// True if the lines rise to the right.
        rising: bool,
    },
    /// A straight line.
    Line {
        /// Start of the line.
        from: (f32, f32),
        /// End of the line.
        to: (f32, f32),
        /// Tone, width and dash pattern.
        stroke: Stroke,
        /// True if the line ends in an arrowhead.
        arrow: bool,
    },
    /// A filled area under a line.
    Area {
        /// Corners of the area.
        points: Vec<(f32, f32)>,
        /// Tone of the area.
        fill: Tone,
    },
    /// A short text.
    Text {
        /// Position of the anchor. The y coordinate is the vertical middle of the text.
        at: (f32, f32),
        /// Content of the text.
        text: String,
        /// Height of the letters' box in CSS pixels.
        size: f32,
        /// Point of the text that lies at `at`.
        anchor: Anchor,
        /// Tone of the letters.
        tone: Tone,
        /// True if the text is bold.
        bold: bool,
    },
    /// One block of color per PE. [`Picture::pixels`] contains the tones of the blocks.
    Bitmap {
        /// Position and size.
        rect: Rect,
        /// Number of blocks across.
        cols: u32,
        /// Number of blocks down.
        rows: u32,
    },
}

impl Mark {
    /// Returns the mark, enlarged by `scale` and then moved.
    #[must_use]
    pub fn placed(self, (x, y): (f32, f32), scale: f32) -> Self {
        let point = |(dx, dy): (f32, f32)| (x + dx * scale, y + dy * scale);
        let within = |rect: Rect| Rect::new(x + rect.x * scale, y + rect.y * scale, rect.w * scale, rect.h * scale);
        let pen = |stroke: Stroke| Stroke { width: stroke.width * scale, ..stroke };
        match self {
            Self::Shape { rect, outline, fill, stroke } => {
                let outline = if let Outline::Box(radius) = outline { enlarged(radius, scale) } else { outline };
                Self::Shape { rect: within(rect), outline, fill, stroke: pen(stroke) }
            }
            Self::Hatch { rect, tone, rising } => Self::Hatch { rect: within(rect), tone, rising },
            Self::Line { from, to, stroke, arrow } => {
                Self::Line { from: point(from), to: point(to), stroke: pen(stroke), arrow }
            }
            Self::Area { points, fill } => Self::Area { points: points.into_iter().map(point).collect(), fill },
            Self::Text { at, text, size, anchor, tone, bold } => {
                Self::Text { at: point(at), text, size: size * scale, anchor, tone, bold }
            }
            Self::Bitmap { rect, cols, rows } => Self::Bitmap { rect: within(rect), cols, rows },
        }
    }
}

/// Identity of an object in a drawing. An object has the same identity in each drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// Kind of the object. Each drawing function defines its kinds.
    pub kind: u8,
    /// Number that distinguishes objects with equal kind, row and column.
    pub nth: u64,
    /// Row of the object.
    pub row: u64,
    /// Column of the object.
    pub col: u64,
}

/// An object in a drawing that may move before the next drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// Identity of the object.
    pub id: Identity,
    /// Position and size of the object.
    pub rect: Rect,
    /// Range of the object's marks in [`Picture::marks`].
    pub marks: Range<usize>,
    /// Distance in CSS pixels that the object moves if the next drawing does not contain the object.
    pub leaves_by: (f32, f32),
}

/// Fixed place in a drawing where tokens start or end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Port {
    /// Identity of the token.
    pub id: Identity,
    /// Position and size of the place.
    pub rect: Rect,
    /// True if the token ends here, false if the token starts here.
    pub is_sink: bool,
}

/// Returns the outline of a box whose corners are enlarged by this factor.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some tens of pixels")]
fn enlarged(radius: u8, scale: f32) -> Outline {
    Outline::Box((f32::from(radius) * scale).round() as u8)
}

/// A drawing: marks in CSS pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Width in CSS pixels.
    pub width: f32,
    /// Height in CSS pixels.
    pub height: f32,
    /// Marks in the order of drawing: the first mark is at the bottom.
    pub marks: Vec<Mark>,
    /// Numbers of the tones of the bitmap's blocks, row by row.
    pub pixels: Vec<u8>,
    /// Objects that may move from one drawing to the next.
    pub tokens: Vec<Token>,
    /// Places where tokens start and end.
    pub ports: Vec<Port>,
}

impl Picture {
    /// Removes all marks, pixels, tokens and ports, but keeps the allocated memory. Sets the size of the drawing.
    pub fn clear(&mut self, width: f32, height: f32) {
        (self.width, self.height) = (width, height);
        self.marks.clear();
        self.pixels.clear();
        self.tokens.clear();
        self.ports.clear();
    }

    /// Adds a token that consists of the marks from `first_mark` on.
    pub fn token(&mut self, id: Identity, rect: Rect, first_mark: usize, leaves_by: (f32, f32)) {
        self.tokens.push(Token { id, rect, marks: first_mark..self.marks.len(), leaves_by });
    }

    /// Adds a shape.
    pub fn shape(&mut self, rect: Rect, outline: Outline, fill: Tone, stroke: Stroke) {
        self.marks.push(Mark::Shape { rect, outline, fill, stroke });
    }

    /// Adds a line without an arrowhead.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), stroke: Stroke) {
        self.marks.push(Mark::Line { from, to, stroke, arrow: false });
    }

    /// Adds a text.
    pub fn text(&mut self, at: (f32, f32), text: impl Into<String>, size: f32, anchor: Anchor, tone: Tone) {
        self.write(at, text.into(), size, anchor, (tone, false));
    }

    /// Adds a bold text.
    pub fn bold(&mut self, at: (f32, f32), text: impl Into<String>, size: f32, anchor: Anchor, tone: Tone) {
        self.write(at, text.into(), size, anchor, (tone, true));
    }

    /// Adds a text of a tone, which is bold or not.
    pub fn write(&mut self, at: (f32, f32), text: String, size: f32, anchor: Anchor, (tone, bold): (Tone, bool)) {
        self.marks.push(Mark::Text { at, text, size, anchor, tone, bold });
    }

    /// Adds the marks of another drawing, enlarged by `scale` and then moved. If the other drawing has a bitmap, this
    /// bitmap replaces the bitmap of this drawing.
    pub fn place(&mut self, other: Self, (x, y): (f32, f32), scale: f32) {
        self.marks.extend(other.marks.into_iter().map(|mark| mark.placed((x, y), scale)));
        if !other.pixels.is_empty() {
            self.pixels = other.pixels;
        }
    }

    /// All texts of the drawing.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.marks.iter().filter_map(|mark| match mark {
            Mark::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }
}
