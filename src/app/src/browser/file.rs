//! A file that somebody chooses, read in the tab and sent nowhere.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, FileReader, HtmlInputElement};

/// Bytes of a file that are read: a configuration or a list is far smaller, and a file of weights begins with its header.
const BYTES_MAX: f64 = 64.0 * 1024.0 * 1024.0;

/// A file.
pub(crate) struct Read {
    /// Its name.
    pub(crate) name: String,
    /// Its first bytes.
    pub(crate) bytes: Vec<u8>,
}

/// Reads the file that an input was given, then calls back.
pub(crate) fn read(event: &Event, done: impl Fn(Read) + 'static) {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(file) = input.and_then(|input| input.files()).and_then(|files| files.get(0)) else { return };
    let name = file.name();
    let (Ok(reader), Ok(part)) = (FileReader::new(), file.slice_with_f64_and_f64(0.0, BYTES_MAX.min(file.size())))
    else {
        return;
    };
    let own = reader.clone();
    let loaded = Closure::once_into_js(move || {
        // What could not be read gives no bytes, which are then refused as an empty file.
        let bytes = own.result().map(|buffer| js_sys::Uint8Array::new(&buffer).to_vec()).unwrap_or_default();
        done(Read { name, bytes });
    });
    reader.set_onloadend(Some(loaded.unchecked_ref()));
    // It fails only while it is reading already.
    let _ = reader.read_as_array_buffer(&part);
}
