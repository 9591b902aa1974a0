//! A drawing as a file of pixels, in the colors of the page.

use display::Picture;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, FileReader, HtmlCanvasElement};

use super::measure::Size;
use super::painter::Painter;

/// Called with the bytes of a file, or with nothing where a browser cannot make it.
type Done = Box<dyn FnOnce(Option<Vec<u8>>)>;

/// Paints the drawing on a canvas of its own, with so many pixels for each of its own, and makes a PNG of it.
pub(crate) fn png(picture: &Picture, scale: f64, done: Done) {
    let Some(canvas) = painted(picture, scale) else { return done(None) };
    let got = Closure::once_into_js(move |blob: JsValue| match blob.dyn_into::<Blob>() {
        Ok(blob) => read(&blob, done),
        Err(_) => done(None),
    });
    // Without the blob nothing follows: a canvas of a size that a browser can paint on has one.
    let _ = canvas.to_blob(got.unchecked_ref());
}

fn painted(picture: &Picture, scale: f64) -> Option<HtmlCanvasElement> {
    let canvas: HtmlCanvasElement = super::document()?.create_element("canvas").ok()?.dyn_into().ok()?;
    let size = Size { width: picture.width, height: picture.height, ratio: scale, ..Size::default() };
    let mut painter = Painter::new(canvas)?;
    painter.paint_on_ground(picture, size);
    Some(painter.canvas().clone())
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
