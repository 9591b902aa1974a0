//! The page around this one: its window, its greeting, and the port on which both talk.

use plain::OrEmpty;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{KeyboardEvent, MessageEvent, MessagePort, Window};

pub(crate) fn property(of: &JsValue, name: &str) -> JsValue {
    // What is no object has no properties.
    js_sys::Reflect::get(of, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// The page around this one.
pub(crate) fn parent() -> Option<Window> {
    let window = super::window()?;
    window.parent().ok().flatten().filter(|parent| JsValue::from(parent.clone()) != JsValue::from(window))
}

/// The height that the page would like at its width, in CSS pixels: the form of the stage and what stands below it.
pub(crate) fn wished_height() -> f64 {
    let width = super::window().and_then(|window| window.inner_width().ok()?.as_f64()).unwrap_or(800.0);
    (width * 5.0 / 8.0).round().clamp(360.0, 720.0)
}

pub(crate) fn object(pairs: &[(&str, JsValue)]) -> JsValue {
    let object = js_sys::Object::new();
    for (name, value) in pairs {
        // An object of one's own takes any property.
        let _ = js_sys::Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

/// Hands on each key before anything on the page hears of it; one that is `taken` does nothing else.
pub(crate) fn follow_keys(taken: impl Fn(&str) -> bool + 'static) {
    let pressed = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| {
        let is_plain = !(event.ctrl_key() || event.alt_key() || event.meta_key());
        if is_plain && taken(&event.key()) {
            event.prevent_default();
            event.stop_immediate_propagation();
        }
    });
    let pressed = pressed.into_js_value();
    // Without a window no key is pressed.
    let _ = super::window()
        .map(|window| window.add_event_listener_with_callback_and_bool("keydown", pressed.unchecked_ref(), true));
}

/// A greeting of the page around this one, with the port on which it is answered.
pub(crate) struct Greeting {
    pub(crate) data: JsValue,
    pub(crate) port: MessagePort,
}

impl Greeting {
    /// What it says, as JSON.
    pub(crate) fn text(&self) -> String {
        js_sys::JSON::stringify(&self.data).ok().and_then(|text| text.as_string()).or_empty()
    }

    /// Opens the way back: `hear` gets the text of each message, and the way on which to answer.
    pub(crate) fn open(self, hear: impl Fn(&str, &Line) + 'static) -> Line {
        let line = Line(self.port);
        let back = line.clone();
        let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            // What cannot be written as JSON, such as what holds itself, is no request.
            let text = js_sys::JSON::stringify(&event.data()).ok().and_then(|text| text.as_string());
            if let Some(text) = text {
                hear(&text, &back);
            }
        });
        line.0.set_onmessage(Some(heard.into_js_value().unchecked_ref()));
        line
    }
}

/// A way to a host that has greeted.
#[derive(Clone)]
pub(crate) struct Line(MessagePort);

impl Line {
    /// Sends a message that is written as JSON.
    pub(crate) fn say(&self, json: &str) {
        if let Ok(message) = js_sys::JSON::parse(json) {
            // A closed way takes it and does nothing.
            let _ = self.0.post_message(&message);
        }
    }

    /// Ends it.
    pub(crate) fn close(&self) {
        self.0.set_onmessage(None);
        self.0.close();
    }
}
