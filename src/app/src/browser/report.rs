//! What leaves the page: paper, a file, the whole link. And dots of a plot, which are found by what was clicked.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use estimate::Answer;
use leptos::html::Div;
use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle, window_event_listener_untyped};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, Element, Event, HtmlAnchorElement, HtmlElement, NodeList, Url};

use super::measure::{self, Size};

/// Opens the browser's dialog for printing.
pub(crate) fn print() {
    if let Some(window) = super::window() {
        // Where a frame forbids it, nothing happens; the browser's own command works.
        let _ = window.print();
    }
}

/// How long a file stays at its address for the browser to fetch it.
const SAVED: core::time::Duration = core::time::Duration::from_secs(60);

/// Gives a text to the visitor as a file.
pub(crate) fn save(name: &str, media_type: &str, text: &str) {
    let _: Result<(), JsValue> = (|| {
        let parts = js_sys::Array::of1(&JsValue::from_str(text));
        let kind = BlobPropertyBag::new();
        kind.set_type(media_type);
        let url = Url::create_object_url_with_blob(&Blob::new_with_str_sequence_and_options(&parts, &kind)?)?;
        if let Some(document) = super::document() {
            let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
            link.set_href(&url);
            link.set_download(name);
            link.click();
        }
        // Some browsers fetch it only after the click has been handled.
        set_timeout(
            move || {
                // It fails for what is no address.
                let _ = Url::revoke_object_url(&url);
            },
            SAVED,
        );
        Ok(())
    })();
}

/// A link of this page as it can be followed from anywhere.
pub(crate) fn whole(link: &str) -> String {
    let location = super::window().map(|window| window.location());
    let place = location.and_then(|location| Some((location.origin().ok()?, location.pathname().ok()?)));
    place.map_or_else(|| link.to_owned(), |(origin, path)| format!("{origin}{path}{link}"))
}

const CLOSED: &str = "data-closed";

fn all(css: &str) -> Option<NodeList> {
    super::document()?.query_selector_all(css).ok()
}

fn each(css: &str, act: impl Fn(&Element)) {
    let Some(found) = all(css) else { return };
    for index in 0..found.length() {
        if let Some(element) = found.get(index).and_then(|node| node.dyn_into::<Element>().ok()) {
            act(&element);
        }
    }
}

/// On paper nothing opens: what is closed is open for as long as the page is printed.
pub(crate) fn open_for_print() {
    // These elements take any attribute.
    let before = window_event_listener_untyped("beforeprint", |_| {
        each("#estimate details:not([open])", |element| {
            let _ = element.set_attribute(CLOSED, "").and_then(|()| element.set_attribute("open", ""));
        });
    });
    let after = window_event_listener_untyped("afterprint", |_| {
        each("#estimate details[data-closed]", |element| {
            let _ = element.remove_attribute("open").and_then(|()| element.remove_attribute(CLOSED));
        });
    });
    on_cleanup(move || {
        before.remove();
        after.remove();
    });
}

/// The number of the dot that was clicked.
pub(crate) fn dot_of(event: &Event) -> Option<String> {
    let element = event.target()?.dyn_into::<Element>().ok()?;
    element.closest("[data-dot]").ok()??.get_attribute("data-dot")
}

/// Opens what is folded up and gives it the focus.
pub(crate) fn unfold(id: &str) {
    let Some(details) = super::document().and_then(|document| document.get_element_by_id(id)) else { return };
    // The element takes any attribute.
    let _ = details.set_attribute("open", "");
    if let Some(Ok(summary)) = details.first_element_child().map(|summary| summary.dyn_into::<HtmlElement>()) {
        // An element that takes no focus leaves it where it was.
        let _ = summary.focus();
    }
}

/// A change is drawn when nothing else has changed for so long: figures follow a hand that drags, plots wait for it.
const RESTED: core::time::Duration = core::time::Duration::from_millis(90);

/// A value once it rests.
pub(crate) fn rested<T: Clone + PartialEq + Send + Sync + 'static>(value: Memo<T>) -> ReadSignal<T> {
    let (rested, set_rested) = signal(value.get_untracked());
    let pending: Rc<Cell<Option<TimeoutHandle>>> = Rc::default();
    super::effect(Box::new(move || {
        let now = value.get();
        if let Some(handle) = pending.take() {
            handle.clear();
        }
        let settle = move || {
            set_rested.try_set(now);
        };
        pending.set(set_timeout_with_handle(settle, RESTED).ok());
    }));
    rested
}

/// How long an answer waits for further changes to show together, where it is more than figures.
const PACE: core::time::Duration = core::time::Duration::from_millis(150);

/// An answer as it is a few times a second.
pub(crate) fn paced(answer: Memo<Arc<Answer>>) -> ReadSignal<Arc<Answer>> {
    let (paced, set_paced) = signal(answer.get_untracked());
    let waits: Rc<Cell<bool>> = Rc::default();
    super::effect(Box::new(move || {
        answer.track();
        if !waits.replace(true) {
            let waits = Rc::clone(&waits);
            let show = move || {
                waits.set(false);
                if let Some(answer) = answer.try_get_untracked() {
                    set_paced.try_set(answer);
                }
            };
            set_timeout(show, PACE);
        }
    }));
    paced
}

/// The size of an element, as it changes.
pub(crate) fn size_of(element: NodeRef<Div>) -> ReadSignal<Size> {
    let (size, set_size) = signal(Size::default());
    super::effect(Box::new(move || {
        if let Some(element) = element.get() {
            measure::follow(&element, set_size);
        }
    }));
    size
}
