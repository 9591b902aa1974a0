//! The page around this one, where there is one: it may greet, ask for a height, and from then on steer by messages.

use leptos::ev::Event;
use leptos::leptos_dom::helpers::window_event_listener_untyped;
use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{KeyboardEvent, MessageEvent, MessagePort, Window};

use crate::ctx::Ctx;
use crate::parts;

fn property(of: &JsValue, name: &str) -> JsValue {
    // What is no object has no properties.
    js_sys::Reflect::get(of, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// The page around this one.
fn parent() -> Option<Window> {
    let window = super::window()?;
    window.parent().ok().flatten().filter(|parent| JsValue::from(parent.clone()) != JsValue::from(window))
}

/// The height that the page would like at its width, in CSS pixels: the form of the stage and what stands below it.
pub(crate) fn wished_height() -> f64 {
    let width = super::window().and_then(|window| window.inner_width().ok()?.as_f64()).unwrap_or(800.0);
    (width * 5.0 / 8.0).round().clamp(360.0, 720.0)
}

fn object(pairs: &[(&str, JsValue)]) -> JsValue {
    let object = js_sys::Object::new();
    for (name, value) in pairs {
        // An object of one's own takes any property.
        let _ = js_sys::Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

/// Tells a course system the height, in the words that it listens to.
fn tell_height(parent: &Window) {
    let height = JsValue::from_f64(wished_height());
    // A host that does not know the words does nothing.
    let _ = parent.post_message(&object(&[("subject", "lti.frameResize".into()), ("height", height)]), "*");
}

/// Listens to the page around this one, and to nobody else.
pub(crate) fn listen(ctx: Ctx) {
    let Some(host) = parent() else { return };
    let Some(owner) = Owner::current() else { return };
    if ctx.embedded() {
        tell_height(&host);
    }
    let heard = window_event_listener_untyped("message", move |event: Event| {
        let Ok(event) = event.dyn_into::<MessageEvent>() else { return };
        if event.source().map(JsValue::from) != Some(JsValue::from(host.clone())) {
            return;
        }
        let data = event.data();
        match property(&data, "type").as_string().as_deref() {
            Some("hello") if !property(&data, "sap").is_undefined() => {
                if let Ok(port) = event.ports().get(0).dyn_into::<MessagePort>() {
                    parts::greet(ctx, owner.clone(), Greeting { data, port });
                }
            }
            Some("iframe-child-init" | "iframe-get-child-dimensions") => {
                let width = super::window().and_then(|window| window.inner_width().ok()).unwrap_or(JsValue::UNDEFINED);
                let height = JsValue::from_f64(wished_height());
                let answer = object(&[("type", "iframe-resized".into()), ("width", width), ("height", height)]);
                // The host may be gone.
                let _ = host.post_message(&answer, "*");
            }
            _ => {}
        }
    });
    on_cleanup(move || heard.remove());
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
    data: JsValue,
    port: MessagePort,
}

impl Greeting {
    /// What it says, as JSON.
    pub(crate) fn text(&self) -> String {
        js_sys::JSON::stringify(&self.data).ok().and_then(|text| text.as_string()).unwrap_or_default()
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
