//! A drawing as a file of pixels, in the colors of the page.

use display::Picture;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, FileReader, HtmlCanvasElement};

use super::by_name::{call, property};
use super::measure::Size;
use super::painter::Painter;

/// Called with the bytes of a file, or with nothing where a browser cannot make it.
type Done = Box<dyn FnOnce(Option<Vec<u8>>)>;

/// Paints the drawing on a canvas of its own, with so many pixels for each of its own, and makes a PNG of it.
pub(crate) fn png(picture: &Picture, scale: f64, done: Done) {
    let Some(mut easel) = OffscreenCanvas::new(picture, scale) else { return done(None) };
    let got = Closure::once_into_js(move |blob: JsValue| match blob.dyn_into::<Blob>() {
        Ok(blob) => read(&blob, done),
        Err(_) => done(None),
    });
    // Without the blob nothing follows: a canvas of a size that a browser can paint on has one.
    let _ = easel.canvas(picture).to_blob(got.unchecked_ref());
}

/// A canvas of its own on which one drawing after the other is painted, on the color of the page.
pub(crate) struct OffscreenCanvas {
    painter: Painter,
    size: Size,
}

impl OffscreenCanvas {
    /// One for drawings of this size, with so many pixels for each of theirs; nothing where a browser has no canvas.
    pub(crate) fn new(picture: &Picture, scale: f64) -> Option<Self> {
        let canvas: HtmlCanvasElement = super::document()?.create_element("canvas").ok()?.dyn_into().ok()?;
        let size = Size { width: picture.width, height: picture.height, ratio: scale, ..Size::default() };
        Some(Self { painter: Painter::new(canvas)?, size })
    }

    /// Pixels in a row, and rows, at a pixel for each of a drawing's own.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "drawings are a few thousand wide")]
    pub(crate) fn size(&self) -> (u16, u16) {
        (self.size.width as u16, self.size.height as u16)
    }

    /// The canvas with a drawing on it.
    pub(crate) fn canvas(&mut self, picture: &Picture) -> &HtmlCanvasElement {
        self.painter.paint_on_ground(picture, self.size);
        self.painter.canvas()
    }

    /// The pixels of a drawing: red, green, blue and alpha of each, row by row.
    pub(crate) fn pixels(&mut self, picture: &Picture) -> Option<Vec<u8>> {
        let (width, height) = self.size();
        let context = call(self.canvas(picture), "getContext", ["2d".into()])?;
        let image = call(&context, "getImageData", [0.into(), 0.into(), width.into(), height.into()])?;
        Some(js_sys::Uint8ClampedArray::from(property(&image, "data")?).to_vec())
    }
}

fn read(blob: &Blob, done: Done) {
    let Ok(reader) = FileReader::new() else { return done(None) };
    let source = reader.clone();
    let loaded = Closure::once_into_js(move || {
        let bytes = source.result().ok().map(|buffer| js_sys::Uint8Array::new(&buffer).to_vec());
        done(bytes);
    });
    reader.set_onloadend(Some(loaded.unchecked_ref()));
    // What cannot be read ends too, without a result.
    let _ = reader.read_as_array_buffer(blob);
}
