//! A function that reads a small file that a person chooses. The content stays in the browser tab.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, FileReader, HtmlInputElement};

/// Function that receives the bytes, or `None` if the file cannot be read.
type Done = Box<dyn FnOnce(Option<Vec<u8>>)>;

/// Reads at most `max_bytes` bytes of the file chosen in an input, and clears the input. So a person can choose the
/// same file again.
pub(crate) fn read(event: &Event, max_bytes: usize, done: Done) {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(input) = input else { return };
    let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
    input.set_value("");
    #[expect(clippy::cast_precision_loss, reason = "some megabytes")]
    let part = file.slice_with_f64_and_f64(0.0, max_bytes as f64);
    let (Ok(reader), Ok(part)) = (FileReader::new(), part) else { return done(None) };
    let source = reader.clone();
    let buffer = move || source.result().ok().filter(|buffer| !buffer.is_null());
    let bytes = move || buffer().map(|buffer| js_sys::Uint8Array::new(&buffer).to_vec());
    let loaded = Closure::once_into_js(move || done(bytes()));
    reader.set_onloadend(Some(loaded.unchecked_ref()));
    // A failed read also ends, without a result.
    let _ = reader.read_as_array_buffer(&part);
}
