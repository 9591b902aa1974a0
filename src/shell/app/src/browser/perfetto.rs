//! The trace viewer Perfetto, in a new tab that gets a trace from this page.
//!
//! This page sends the message `PING` until the viewer answers `PONG`, and then sends the trace
//! (<https://perfetto.dev/docs/visualization/deep-linking-to-perfetto-ui>). This page makes no request.

use core::cell::Cell;
use core::time::Duration;
use std::rc::Rc;

use leptos::leptos_dom::helpers::window_event_listener_untyped;
use wasm_bindgen::JsValue;

use super::by_name::{call, property};
use super::port::object;
use super::timer::later;
use super::{download, location, now_ms};

/// Time between two pings. A browser extends this time if the page is hidden.
const PING: Duration = Duration::from_millis(100);
/// Time for which the viewer may load, in milliseconds.
const PATIENCE_MS: f64 = 60_000.0;

/// True if the viewer accepts traces from this page. The viewer refuses senders without an origin: a file, and a frame
/// in a sandbox.
pub(crate) fn accepts_traces() -> bool {
    location::is_served() && !download::is_in_sandbox()
}

/// A tab with the viewer.
pub(crate) struct Viewer {
    tab: JsValue,
    origin: JsValue,
}

impl Viewer {
    /// Opens the address of a link in a new tab. Returns `None` if the browser blocks the tab. A browser blocks each tab
    /// that opens too long after a click.
    pub(crate) fn open(link: &JsValue) -> Option<Self> {
        let tab = call(&super::window()?.into(), "open", [property(link, "href")?, "_blank".into()])?;
        Some(Self { tab: Some(tab).filter(JsValue::is_object)?, origin: property(link, "origin")? })
    }

    /// Sends a trace as soon as the viewer answers. Calls `done` with false if the viewer does not answer.
    pub(crate) fn send(self, name: &str, trace: &[u8], done: impl FnOnce(bool) + 'static) {
        let bytes = JsValue::from(js_sys::Uint8Array::from(trace));
        let buffer = property(&bytes, "buffer").unwrap_or(bytes);
        let trace = object(&[("buffer", buffer), ("title", name.into()), ("fileName", name.into())]);
        let message = object(&[("perfetto", trace)]);
        let is_ready = Rc::new(Cell::new(false));
        let heard = Rc::clone(&is_ready);
        let (tab, origin) = (self.tab.clone(), self.origin.clone());
        let listener = window_event_listener_untyped("message", move |event| {
            let event = JsValue::from(event);
            let has = |name, value: &JsValue| property(&event, name).as_ref() == Some(value);
            if has("source", &tab) && has("origin", &origin) && has("data", &"PONG".into()) {
                heard.set(true);
            }
        });
        let finish = move |viewer: Self, is_ready: bool| {
            listener.remove();
            let sent = is_ready.then(|| call(&viewer.tab, "postMessage", [message, viewer.origin])).flatten();
            done(sent.is_some());
        };
        self.wait(is_ready, now_ms() + PATIENCE_MS, Box::new(finish));
    }

    /// Sends pings until the viewer is ready, or closed, or late.
    fn wait(self, is_ready: Rc<Cell<bool>>, end_ms: f64, finish: Box<dyn FnOnce(Self, bool)>) {
        let is_closed = property(&self.tab, "closed").is_none_or(|closed| closed.is_truthy());
        if is_ready.get() || is_closed || now_ms() > end_ms {
            let is_ready = is_ready.get();
            return finish(self, is_ready);
        }
        // A ping has no content, so it may reach any page in the tab. Only the viewer gets the trace.
        call(&self.tab, "postMessage", ["PING".into(), "*".into()]);
        later(move || self.wait(is_ready, end_ms, finish), PING);
    }
}
