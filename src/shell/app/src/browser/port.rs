//! The host page: its window, its greeting, and the port for messages.

use js_sys::{JSON, Object};
use plain::OrEmpty;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{KeyboardEvent, MessageEvent, MessagePort, Window};

pub(crate) fn property(of: &JsValue, name: &str) -> JsValue {
    // A value that is not an object has no properties.
    js_sys::Reflect::get(of, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// Returns the window of the host page, if this page is in a frame.
pub(crate) fn parent() -> Option<Window> {
    let window = super::window()?;
    window.parent().ok().flatten().filter(|parent| JsValue::from(parent.clone()) != JsValue::from(window))
}

/// Width and height of the frame, and of the view of the array in the frame, in CSS pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) frame: (f64, f64),
    pub(crate) stage: Option<(f64, f64)>,
}

/// Measures the frame.
pub(crate) fn sizes() -> Sizes {
    let side = |side: Result<JsValue, JsValue>| side.ok().and_then(|side| side.as_f64());
    let frame = super::window().and_then(|window| Some((side(window.inner_width())?, side(window.inner_height())?)));
    let stage = super::document().and_then(|document| document.get_element_by_id("stage"));
    let stage = stage.map(|stage| stage.get_bounding_client_rect()).map(|rect| (rect.width(), rect.height()));
    Sizes {
        frame: frame.unwrap_or((800.0, 500.0)),
        stage: stage.filter(|(width, height)| *width > 0.0 && *height > 0.0),
    }
}

pub(crate) fn object(pairs: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in pairs {
        // A new object accepts any property.
        let _ = js_sys::Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

/// Passes each key to `taken` before the page handles the key. If `taken` returns true, the key has no other effect.
pub(crate) fn follow_keys(taken: impl Fn(&str) -> bool + 'static) {
    let pressed = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| {
        let is_plain = !(event.ctrl_key() || event.alt_key() || event.meta_key());
        if is_plain && taken(&event.key()) {
            event.prevent_default();
            event.stop_immediate_propagation();
        }
    });
    let pressed = pressed.into_js_value();
    // Without a window, no key is pressed.
    let _ = super::window()
        .map(|window| window.add_event_listener_with_callback_and_bool("keydown", pressed.unchecked_ref(), true));
}

/// A greeting of the host page, with the port for the answer.
pub(crate) struct Greeting {
    pub(crate) data: JsValue,
    pub(crate) port: MessagePort,
}

impl Greeting {
    /// Returns the greeting as JSON.
    pub(crate) fn text(&self) -> String {
        JSON::stringify(&self.data).ok().and_then(|text| text.as_string()).or_empty()
    }

    /// Opens the connection to the host. `hear` is called with the text of each message, and with the connection for
    /// the answer.
    pub(crate) fn open(self, hear: impl Fn(String, &Line) + 'static) -> Line {
        let line = Line(self.port);
        let back = line.clone();
        let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            hear(request_text(&event.data()), &back);
        });
        line.0.set_onmessage(Some(heard.into_js_value().unchecked_ref()));
        line
    }
}

/// Returns a request as JSON. A number that JSON cannot express becomes a text, so that the answer names this number.
fn request_text(data: &JsValue) -> String {
    let mut expressible = |_, value: JsValue| {
        let is_lost = value.is_bigint() || value.as_f64().is_some_and(|number| !number.is_finite());
        let named = |value: JsValue| {
            format!("{}{}", value.unchecked_ref::<Object>().to_string(), if value.is_bigint() { "n" } else { "" })
        };
        Ok(Some(if is_lost { named(value).into() } else { value }))
    };
    let text = JSON::stringify_with_replacer_func(data, &mut expressible, None);
    let whole = text.or_else(|_| {
        // A value that contains itself has no text. The answer needs only the id and the method.
        let part = |name| (name, property(data, name));
        JSON::stringify(&object(&[part("id"), part("method"), ("params", protocol::UNREADABLE.into())]))
    });
    whole.ok().and_then(|text| text.as_string()).or_empty()
}

/// A connection to a host page that has sent a greeting.
#[derive(Clone)]
pub(crate) struct Line(MessagePort);

impl Line {
    /// Sends a message in JSON.
    pub(crate) fn say(&self, json: &str) {
        if let Ok(message) = JSON::parse(json) {
            // A closed connection ignores the message.
            let _ = self.0.post_message(&message);
        }
    }

    /// Closes the connection.
    pub(crate) fn close(&self) {
        self.0.set_onmessage(None);
        self.0.close();
    }
}
