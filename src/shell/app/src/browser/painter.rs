//! A painter that draws the marks of a picture on a canvas. Its code does not depend on the array.

use std::cell::RefCell;
use std::rc::Rc;

use display::Tone;
use display::picture::geometry;
use display::picture::{Anchor, Dash, Mark, Outline, Picture, Rect, Stroke};
use wasm_bindgen::{Clamped, JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use super::measure::Size;
use super::palette::Palette;

/// A canvas with its context, its colors, and buffers that are reused in later frames.
pub(crate) struct Painter {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    field: Option<(HtmlCanvasElement, CanvasRenderingContext2d)>,
    bytes: Vec<u8>,
    palette: Rc<Palette>,
    /// Number of times that the palette has changed.
    epoch: u32,
    names: Rc<FontNames>,
    /// Current settings of the context. The painter skips calls that change nothing, because such a call costs as much
    /// as any other call.
    pen: Pen,
}

/// Settings of a canvas context.
#[derive(Default)]
struct Pen {
    font: (f32, bool),
    fill: Option<Tone>,
    stroke: Option<(Tone, f32)>,
    dash: Dash,
    anchor: Option<Anchor>,
}

const FAMILY: &str = "Array, ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/// Font names as JavaScript strings, kept for reuse. The browser compares a reused string by its address, but a new
/// string letter by letter. Painting a view with tokens changes the font a thousand times.
struct FontNames {
    property: JsValue,
    known: RefCell<Vec<((u32, bool), JsValue)>>,
}

impl Default for FontNames {
    fn default() -> Self {
        Self { property: JsValue::from_str("font"), known: RefCell::default() }
    }
}

impl FontNames {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a text size")]
    fn font(&self, size: f32, is_bold: bool) -> JsValue {
        let tenths = (size * 10.0).round() as u32;
        let mut known = self.known.borrow_mut();
        if let Some((_, name)) = known.iter().find(|(font, _)| *font == (tenths, is_bold)) {
            return name.clone();
        }
        let weight = if is_bold { 700 } else { 400 };
        let name = JsValue::from_str(&format!("{weight} {}.{}px {FAMILY}", tenths / 10, tenths % 10));
        if known.len() == FONTS_MAX {
            known.clear();
        }
        known.push(((tenths, is_bold), name.clone()));
        name
    }
}

/// Maximum number of fonts that are kept. The array view needs a few fonts at each of its sizes.
const FONTS_MAX: usize = 32;

fn context_of(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok().flatten()?.dyn_into().ok()
}

/// Creates a canvas that is not on the page.
fn canvas() -> Option<HtmlCanvasElement> {
    super::document()?.create_element("canvas").ok()?.dyn_into().ok()
}

impl Painter {
    pub(crate) fn new(canvas: HtmlCanvasElement) -> Option<Self> {
        let context = context_of(&canvas)?;
        Some(Self {
            canvas,
            context,
            field: None,
            bytes: Vec::new(),
            palette: Rc::new(Palette::read()),
            epoch: 0,
            names: Rc::default(),
            pen: Pen::default(),
        })
    }

    /// Creates a painter with the same colors on a new canvas. This canvas is not on the page yet, and pointers ignore
    /// it.
    pub(crate) fn twin(&self) -> Option<Self> {
        let canvas = canvas()?;
        // Every browser accepts both names.
        let _ = canvas.set_attribute("aria-hidden", "true");
        let _ = canvas.style().set_property("pointer-events", "none");
        let context = context_of(&canvas)?;
        let (palette, epoch, names) = (Rc::clone(&self.palette), self.epoch, Rc::clone(&self.names));
        Some(Self { canvas, context, field: None, bytes: Vec::new(), palette, epoch, names, pen: Pen::default() })
    }

    pub(crate) fn set_palette(&mut self, palette: Palette) {
        self.palette = Rc::new(palette);
        self.epoch = self.epoch.wrapping_add(1);
    }

    /// Uses the colors of another painter.
    pub(crate) fn share_palette(&mut self, other: &Self) {
        self.palette = Rc::clone(&other.palette);
    }

    /// Returns the number of times that the palette has changed.
    pub(crate) const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Returns the canvas of the painter.
    pub(crate) const fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    /// Clears the canvas, and paints a picture on it.
    pub(crate) fn paint(&mut self, picture: &Picture, size: Size) {
        self.clear(&Rect::new(0.0, 0.0, size.width, size.height), size.ratio);
        self.marks(&picture.marks, &picture.pixels);
    }

    /// Paints a picture on the background color of the page, because an image file has no page behind it.
    pub(crate) fn paint_on_ground(&mut self, picture: &Picture, size: Size) {
        let all = Rect::new(0.0, 0.0, size.width, size.height);
        self.clear(&all, size.ratio);
        self.shape(&all, Outline::Box(0), Tone::Ground, &Stroke::solid(Tone::Clear, 0.0));
        self.marks(&picture.marks, &picture.pixels);
    }

    /// Clears the canvas, and paints the marks in one rectangle of a picture. Texts are painted last, grouped by font.
    pub(crate) fn paint_part(&mut self, marks: &[Mark], place: &Rect, ratio: f64) {
        self.clear(place, ratio);
        let mut fonts: Vec<(f32, bool)> = Vec::new();
        for mark in marks {
            match mark {
                Mark::Text { size, bold, .. } if fonts.contains(&(*size, *bold)) => {}
                Mark::Text { size, bold, .. } => fonts.push((*size, *bold)),
                mark => self.mark(mark, &[]),
            }
        }
        for font in fonts {
            let is_of_font = |mark: &&Mark| matches!(mark, Mark::Text { size, bold, .. } if (*size, *bold) == font);
            marks.iter().filter(is_of_font).for_each(|mark| self.mark(mark, &[]));
        }
    }

    /// Clears the canvas, and gives it the size of this rectangle of a picture.
    fn clear(&mut self, place: &Rect, ratio: f64) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes of a screen")]
        let pixels = |length: f32| (f64::from(length) * ratio).round().max(1.0) as u32;
        let (width, height) = (pixels(place.w), pixels(place.h));
        if self.canvas.width() != width || self.canvas.height() != height {
            self.canvas.set_width(width);
            self.canvas.set_height(height);
        }
        if self.pen.dash != Dash::Solid {
            self.set_dash(Dash::Solid);
        }
        self.pen = Pen::default();
        let [x, y, w, h] = [place.x, place.y, place.w, place.h].map(f64::from);
        // These calls fail only for numbers that are not finite, and a picture has none.
        let _ = self.context.set_transform(ratio, 0.0, 0.0, ratio, -x * ratio, -y * ratio);
        self.context.clear_rect(x, y, w, h);
        self.context.set_text_baseline("middle");
        self.context.set_line_join("round");
    }

    fn fill_with(&mut self, tone: Tone) {
        if self.pen.fill.replace(tone) != Some(tone) {
            #[expect(deprecated, reason = "what takes a text reads it anew for each mark")]
            self.context.set_fill_style(self.palette.text(tone));
        }
    }

    fn marks(&mut self, marks: &[Mark], pixels: &[u8]) {
        for mark in marks {
            self.mark(mark, pixels);
        }
    }

    fn mark(&mut self, mark: &Mark, pixels: &[u8]) {
        match mark {
            Mark::Shape { rect, outline, fill, stroke } => self.shape(rect, *outline, *fill, stroke),
            Mark::Hatch { rect, tone, rising } => self.hatch(rect, *tone, *rising),
            Mark::Line { from, to, stroke, arrow } => {
                self.context.begin_path();
                self.path(&[*from, *to]);
                self.stroke(stroke);
                if *arrow {
                    self.polygon(&geometry::arrowhead(*from, *to), stroke.tone);
                }
            }
            Mark::Area { points, fill } => self.polygon(points, *fill),
            Mark::Text { at, text, size, anchor, tone, bold } => {
                if self.pen.font != (*size, *bold) {
                    self.pen.font = (*size, *bold);
                    // Fails only on an object that accepts no properties.
                    let _ = js_sys::Reflect::set(&self.context, &self.names.property, &self.names.font(*size, *bold));
                }
                if self.pen.anchor.replace(*anchor) != Some(*anchor) {
                    self.context.set_text_align(match anchor {
                        Anchor::Start => "left",
                        Anchor::Middle => "center",
                        Anchor::End => "right",
                    });
                }
                self.fill_with(*tone);
                let _ = self.context.fill_text(text, f64::from(at.0), f64::from(at.1));
            }
            Mark::Bitmap { rect, cols, rows } => {
                // A browser without enough memory for a bitmap shows only the outlines.
                let _ = self.bitmap(rect, *cols, *rows, pixels);
            }
        }
    }

    fn path(&self, points: &[(f32, f32)]) {
        for (index, (x, y)) in points.iter().enumerate() {
            let (x, y) = (f64::from(*x), f64::from(*y));
            if index == 0 {
                self.context.move_to(x, y);
            } else {
                self.context.line_to(x, y);
            }
        }
    }

    fn polygon(&mut self, points: &[(f32, f32)], fill: Tone) {
        self.context.begin_path();
        self.path(points);
        self.context.close_path();
        self.fill_with(fill);
        self.context.fill();
    }

    fn stroke(&mut self, stroke: &Stroke) {
        if stroke.tone == Tone::Clear || stroke.width <= 0.0 {
            return;
        }
        if core::mem::replace(&mut self.pen.dash, stroke.dash) != stroke.dash {
            self.set_dash(stroke.dash);
        }
        if self.pen.stroke.replace((stroke.tone, stroke.width)) != Some((stroke.tone, stroke.width)) {
            #[expect(deprecated, reason = "what takes a text reads it anew for each mark")]
            self.context.set_stroke_style(self.palette.text(stroke.tone));
            self.context.set_line_width(f64::from(stroke.width));
        }
        self.context.stroke();
    }

    fn set_dash(&self, dash: Dash) {
        let lengths: &[f64] = match dash {
            Dash::Solid => &[],
            Dash::Dotted => &[1.5, 3.0],
            Dash::Dashed => &[6.0, 4.0],
        };
        let array: js_sys::Array = lengths.iter().map(|&length| JsValue::from_f64(length)).collect();
        let _ = self.context.set_line_dash(&array);
    }

    fn shape(&mut self, rect: &Rect, outline: Outline, fill: Tone, stroke: &Stroke) {
        let (x, y, w, h) = (f64::from(rect.x), f64::from(rect.y), f64::from(rect.w), f64::from(rect.h));
        let radius = match outline {
            Outline::Box(radius) => f64::from(radius),
            Outline::Pill => h / 2.0,
            Outline::Notch | Outline::Chevron | Outline::Hexagon => 0.0,
        };
        self.context.begin_path();
        let corners = geometry::corners(outline, rect);
        if !corners.is_empty() {
            self.path(&corners);
            self.context.close_path();
        } else if radius > 0.0 {
            let _ = self.context.round_rect_with_f64(x, y, w, h, radius);
        } else {
            self.context.rect(x, y, w, h);
        }
        if fill != Tone::Clear {
            self.fill_with(fill);
            self.context.fill();
        }
        self.stroke(stroke);
    }

    fn hatch(&mut self, rect: &Rect, tone: Tone, rising: bool) {
        self.context.begin_path();
        for (from, to) in geometry::hatch_lines(rect, rising) {
            self.path(&[from, to]);
        }
        self.stroke(&Stroke::solid(tone, 1.0));
    }

    /// Paints a bitmap with one pixel per PE on a hidden canvas, and enlarges it without smoothing.
    fn bitmap(&mut self, rect: &Rect, cols: u32, rows: u32, tones: &[u8]) -> Result<(), JsValue> {
        self.bytes.resize(4 * tones.len(), 0);
        for (pixel, &tone) in self.bytes.chunks_exact_mut(4).zip(tones) {
            pixel.copy_from_slice(&self.palette.bytes(tone));
        }
        let fits = self.field.as_ref().is_some_and(|(field, _)| field.width() == cols && field.height() == rows);
        if !fits {
            self.field = canvas().and_then(|field| {
                field.set_width(cols);
                field.set_height(rows);
                let context = context_of(&field)?;
                Some((field, context))
            });
        }
        let Some((field, context)) = &self.field else { return Ok(()) };
        let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(&self.bytes), cols, rows)?;
        context.put_image_data(&image, 0.0, 0.0)?;
        self.context.set_image_smoothing_enabled(false);
        let (x, y, w, h) = (f64::from(rect.x), f64::from(rect.y), f64::from(rect.w), f64::from(rect.h));
        self.context.draw_image_with_html_canvas_element_and_dw_and_dh(field, x, y, w, h)
    }
}
