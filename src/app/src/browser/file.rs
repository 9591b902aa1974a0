//! A file that somebody chooses, or text that is pasted: read in the tab a piece at a time, and sent nowhere.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use estimate::{ImportProgress, Imported};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Blob, Event, FileReader, HtmlInputElement};

/// What is told of a file while it is read.
pub(crate) enum Told {
    /// Its name, and the hundredths of it that are behind.
    Part(String, u8),
    /// What it holds, and its name.
    Whole(String, Imported),
}

type Tell = Rc<dyn Fn(Told)>;

thread_local! {
    /// Which file is the latest: the reading of those before ends.
    static TURN: Cell<u32> = const { Cell::new(0) };
}

/// Ends what is being read.
pub(crate) fn stop() -> u32 {
    let turn = TURN.get().wrapping_add(1);
    TURN.set(turn);
    turn
}

/// Reads the file that an input was given, instead of what is being read.
pub(crate) fn read(event: &Event, tell: impl Fn(Told) + 'static) {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(file) = input.and_then(|input| input.files()).and_then(|files| files.get(0)) else { return };
    let name = file.name();
    begin(name, file.into(), Rc::new(tell));
}

/// Reads text as a file is read, instead of what is being read.
pub(crate) fn read_text(text: &str, tell: impl Fn(Told) + 'static) {
    let parts = js_sys::Array::of1(&text.into());
    let Ok(blob) = Blob::new_with_str_sequence(&parts) else { return };
    begin(String::new(), blob, Rc::new(tell));
}

fn begin(name: String, blob: Blob, tell: Tell) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size is a whole number from 0")]
    let progress = ImportProgress::new(blob.size() as u64);
    next(name, blob, progress, stop(), tell);
}

/// Reads the next piece. Other events have their turn before it is there.
fn next(name: String, blob: Blob, progress: ImportProgress, turn: u32, tell: Tell) {
    let wanted = progress.wants();
    let part = blob.slice_with_f64_and_f64(wanted.start as f64, wanted.end as f64);
    let (Ok(reader), Ok(part)) = (FileReader::new(), part) else { return };
    let own = reader.clone();
    let loaded = Closure::once_into_js(move || {
        if TURN.get() != turn {
            return;
        }
        // What could not be read gives no bytes, which the reading then tells.
        let piece = own.result().map(|buffer| js_sys::Uint8Array::new(&buffer).to_vec()).unwrap_or_default();
        match progress.feed(&piece) {
            ControlFlow::Break(imported) => tell(Told::Whole(name, imported)),
            ControlFlow::Continue(progress) => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
                let part = (progress.progress() * 100.0) as u8;
                tell(Told::Part(name.clone(), part));
                next(name, blob, progress, turn, tell);
            }
        }
    });
    reader.set_onloadend(Some(loaded.unchecked_ref()));
    // It fails only while it is reading already.
    let _ = reader.read_as_array_buffer(&part);
}
