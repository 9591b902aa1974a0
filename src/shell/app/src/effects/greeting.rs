//! Messages of the host page, which is the page around an embed. The host can ask for a height. It can also send a
//! greeting, and then control this page by messages.

use leptos::ev::Event;
use leptos::leptos_dom::helpers::window_event_listener_untyped;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, MessagePort, Window};

use super::height;
use crate::browser::port::{Greeting, object, parent, property};
use crate::ctx::Ctx;
use crate::navigation;

/// Sends the preferred height of the page to a course system, in the message format of such systems
/// (`lti.frameResize`).
fn tell_height(ctx: Ctx, parent: &Window) {
    let height = JsValue::from_f64(height::wished(ctx));
    // A host that does not know this message ignores it.
    let _ = parent.post_message(&object(&[("subject", "lti.frameResize".into()), ("height", height)]), "*");
}

/// Listens to messages of the host page, and ignores messages of other windows.
pub(crate) fn listen(ctx: Ctx) {
    let Some(host) = parent() else { return };
    let Some(owner) = Owner::current() else { return };
    if ctx.embedded() {
        tell_height(ctx, &host);
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
                    navigation::greet(ctx, owner.clone(), Greeting { data, port });
                }
            }
            Some("iframe-child-init" | "iframe-get-child-dimensions") => {
                let width =
                    crate::browser::window().and_then(|window| window.inner_width().ok()).unwrap_or(JsValue::UNDEFINED);
                let height = JsValue::from_f64(height::wished(ctx));
                let answer = object(&[("type", "iframe-resized".into()), ("width", width), ("height", height)]);
                // The host may be gone.
                let _ = host.post_message(&answer, "*");
            }
            _ => {}
        }
    });
    on_cleanup(move || heard.remove());
}
