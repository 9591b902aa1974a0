//! Access to the document and the other interfaces of the browser. No function here takes `Ctx`, so this module does
//! not depend on the state of the page.

pub(crate) mod by_name;
pub(crate) mod cell;
pub(crate) mod clipboard;
pub(crate) mod crash;
pub(crate) mod day;
pub(crate) mod details;
pub(crate) mod dialog;
pub(crate) mod dots;
pub(crate) mod download;
pub(crate) mod drag;
pub(crate) mod entries;
pub(crate) mod file;
pub(crate) mod focus;
pub(crate) mod gif;
pub(crate) mod kept;
pub(crate) mod lines;
pub(crate) mod location;
pub(crate) mod measure;
pub(crate) mod motion;
pub(crate) mod offline;
pub(crate) mod overlay;
pub(crate) mod painter;
pub(crate) mod palette;
pub(crate) mod perfetto;
pub(crate) mod pieces;
pub(crate) mod popover;
pub(crate) mod port;
pub(crate) mod slot;
pub(crate) mod small_file;
pub(crate) mod snapshot;
pub(crate) mod tabs;
pub(crate) mod text;
pub(crate) mod text_cells;
pub(crate) mod timer;
pub(crate) mod timing;
pub(crate) mod video;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{CustomEvent, CustomEventInit, Document, HtmlElement, Window};

/// Runs a function now, and again whenever a signal changes that the function has read. The function is boxed, so that
/// all effects share one type.
#[inline]
pub(crate) fn effect(run: impl FnMut() + 'static) {
    fn of(mut run: Box<dyn FnMut()>) {
        leptos::prelude::Effect::new(move |_: Option<()>| run());
    }
    of(Box::new(run));
}

/// An element of the page that stays empty until a part is loaded and fills the element.
pub(crate) type Place = HtmlElement;

pub(crate) fn window() -> Option<Window> {
    web_sys::window()
}

/// Returns the milliseconds since the page was opened.
pub(crate) fn now_ms() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// True if the person asked the system for reduced motion.
pub(crate) fn wants_no_motion() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

/// True if the page has room for sections that are folded on most screens.
pub(crate) fn is_high() -> bool {
    matches("(min-width: 1180px)") && matches("(min-height: 1040px)")
}

fn matches(query: &str) -> bool {
    let list = window().and_then(|window| window.match_media(query).ok().flatten());
    list.is_some_and(|list| list.matches())
}

pub(crate) fn document() -> Option<Document> {
    window()?.document()
}

/// Returns the element that contains the page.
pub(crate) fn root() -> Option<HtmlElement> {
    document()?.get_element_by_id("app")?.dyn_into().ok()
}

/// Adds a style sheet to the page. The style sheet is never removed.
pub(crate) fn add_stylesheet(style: &str) {
    emit("playground:style", style);
}

/// Calls `take` with the text of each event of this name, as long as the page is open. The scripts around the
/// WebAssembly module send these events.
pub(crate) fn listen(name: &str, take: impl Fn(&str) + 'static) {
    let heard = Closure::<dyn FnMut(CustomEvent)>::new(move |event: CustomEvent| {
        if let Some(detail) = event.detail().as_string() {
            take(&detail);
        }
    });
    // Without a document, no event arrives.
    let _ = document().map(|document| document.add_event_listener_with_callback(name, heard.as_ref().unchecked_ref()));
    heard.forget();
}

/// Sends an event to the scripts around the WebAssembly module: the watchdog, and the loader of the page's parts.
pub(crate) fn emit(name: &str, detail: &str) {
    let init = CustomEventInit::new();
    init.set_detail(&detail.into());
    if let (Some(document), Ok(event)) = (document(), CustomEvent::new_with_event_init_dict(name, &init)) {
        // An event without a listener is not an error.
        let _ = document.dispatch_event(&event);
    }
}
