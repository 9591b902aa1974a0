//! Whether the browser keeps the page for when there is no network. `public/offline.js` asks it to.

use wasm_bindgen::JsValue;

/// Whether this page opens again without a network.
pub(crate) fn is_kept() -> bool {
    let property = |of: JsValue, name: &str| js_sys::Reflect::get(&of, &JsValue::from_str(name)).ok();
    // `web-sys` would bind the whole of it for one question.
    let controller = || {
        let container = property(super::window()?.into(), "navigator").and_then(|of| property(of, "serviceWorker"))?;
        property(container, "controller")
    };
    controller().is_some_and(|controller| controller.is_object())
}
