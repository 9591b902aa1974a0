//! Functions that read a chosen file or a pasted text piece by piece. The content never leaves the browser tab.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use estimate::{ImportProgress, Imported};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Blob, Event, FileReader, HtmlInputElement};

/// An event that is reported while the page reads a file: the progress, or the imported content.
pub(crate) enum FileEvent {
    /// Name of the file, and the percentage of the file that has been read.
    Progress(String, u8),
    /// Name of the file, and its imported content.
    Done(String, Box<Imported>),
}

type Report = Rc<dyn Fn(FileEvent)>;

thread_local! {
    /// Number of the latest file. The page stops reading files with earlier numbers.
    static TURN: Cell<u32> = const { Cell::new(0) };
}

/// Stops reading, and returns the number of the next file.
pub(crate) fn stop() -> u32 {
    let turn = TURN.get().wrapping_add(1);
    TURN.set(turn);
    turn
}

/// Stops reading any earlier file, and reads the file chosen in an input.
pub(crate) fn read(event: &Event, report: impl Fn(FileEvent) + 'static) {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(file) = input.and_then(|input| input.files()).and_then(|files| files.get(0)) else { return };
    let name = file.name();
    begin(name, file.into(), Rc::new(report));
}

/// Stops reading any earlier file, and reads a text as if it were the content of a file.
pub(crate) fn read_text(text: &str, report: impl Fn(FileEvent) + 'static) {
    let parts = js_sys::Array::of1(&text.into());
    let Ok(blob) = Blob::new_with_str_sequence(&parts) else { return };
    begin(String::new(), blob, Rc::new(report));
}

fn begin(name: String, blob: Blob, report: Report) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size is a whole number from 0")]
    let progress = ImportProgress::new(blob.size() as u64);
    next(name, blob, progress, stop(), report);
}

/// Reads the next piece of a file. The page handles other events until the browser has read the piece.
fn next(name: String, blob: Blob, progress: ImportProgress, turn: u32, report: Report) {
    let wanted = progress.wants();
    let part = blob.slice_with_f64_and_f64(wanted.start as f64, wanted.end as f64);
    let (Ok(reader), Ok(part)) = (FileReader::new(), part) else { return };
    let own = reader.clone();
    let loaded = Closure::once_into_js(move || {
        if TURN.get() != turn {
            return;
        }
        // A failed read gives no bytes, which the importer then reports.
        let piece = own.result().map_or_else(|_| Vec::new(), |buffer| js_sys::Uint8Array::new(&buffer).to_vec());
        match progress.feed(&piece) {
            ControlFlow::Break(imported) => report(FileEvent::Done(name, Box::new(imported))),
            ControlFlow::Continue(progress) => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
                let part = (progress.progress() * 100.0) as u8;
                report(FileEvent::Progress(name.clone(), part));
                next(name, blob, progress, turn, report);
            }
        }
    });
    reader.set_onloadend(Some(loaded.unchecked_ref()));
    // Fails only if the reader is already reading.
    let _ = reader.read_as_array_buffer(&part);
}
