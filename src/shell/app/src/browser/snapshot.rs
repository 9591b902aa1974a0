//! Drawings as pixels, in the colors of the page.

use display::Picture;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, FileReader, HtmlCanvasElement};

use super::by_name::{call, property};
use super::measure::Size;
use super::painter::Painter;
use super::port::object;

/// Function that receives the bytes of a file, or `None` if the browser cannot make the file.
type Done = Box<dyn FnOnce(Option<Vec<u8>>)>;

/// Makes a PNG of a drawing, with `scale` pixels per pixel of the drawing, and passes the PNG to `done`.
pub(crate) fn png(picture: &Picture, scale: f64, done: Done) {
    let Some(mut easel) = OffscreenCanvas::new(picture, scale) else { return done(None) };
    let got = Closure::once_into_js(move |blob: JsValue| match blob.dyn_into::<Blob>() {
        Ok(blob) => read(&blob, done),
        Err(_) => done(None),
    });
    // If this fails, `done` is not called. A canvas of a paintable size has a blob.
    let _ = call(easel.canvas(picture), "toBlob", [got]);
}

/// A canvas outside the page. Each drawing is painted on the background color of the page, and replaces the previous
/// drawing.
pub(crate) struct OffscreenCanvas {
    painter: Painter,
    size: Size,
}

impl OffscreenCanvas {
    /// Creates a canvas of the size of a drawing, with `scale` pixels per pixel of the drawing. Returns `None` if the
    /// browser has no canvas.
    pub(crate) fn new(picture: &Picture, scale: f64) -> Option<Self> {
        let canvas: HtmlCanvasElement = super::document()?.create_element("canvas").ok()?.dyn_into().ok()?;
        // Without this option, the browser draws on the graphics card. It would then read pixels slowly and with a
        // warning.
        let options = object(&[("willReadFrequently", true.into())]);
        call(&canvas, "getContext", ["2d".into(), options])?;
        let size = Size { width: picture.width, height: picture.height, ratio: scale, ..Size::default() };
        Some(Self { painter: Painter::new(canvas)?, size })
    }

    /// Returns width and height of the canvas, in pixels of the drawing.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "drawings are a few thousand wide")]
    pub(crate) fn size(&self) -> (u16, u16) {
        (self.size.width as u16, self.size.height as u16)
    }

    /// Paints a drawing, and returns the canvas.
    pub(crate) fn canvas(&mut self, picture: &Picture) -> &HtmlCanvasElement {
        self.painter.paint_on_ground(picture, self.size);
        self.painter.canvas()
    }

    /// Returns the pixels of a drawing: red, green, blue and alpha of each pixel, row by row.
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
    // A failed read also ends, without a result.
    let _ = reader.read_as_array_buffer(blob);
}
