//! What a browser has and `web-sys` does not bind, or binds at a price in every visitor's script: asked for by name.
//!
//! Nothing is there for sure, so all of it answers with nothing where a browser has no such thing or refuses.

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// A property; nothing where it is none, `null` or undefined.
pub(crate) fn property(of: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(of, &name.into()).ok().filter(|value| !value.is_null() && !value.is_undefined())
}

/// Sets a property.
pub(crate) fn set(of: &JsValue, name: &str, value: &JsValue) -> Option<()> {
    Reflect::set(of, &name.into(), value).ok().map(drop)
}

/// What a method gives.
pub(crate) fn call<const N: usize>(of: &JsValue, name: &str, arguments: [JsValue; N]) -> Option<JsValue> {
    let method: Function = property(of, name)?.dyn_into().ok()?;
    method.apply(of, &Array::from_iter(arguments)).ok()
}

/// A new object of a class that a window has.
pub(crate) fn make<const N: usize>(window: &JsValue, class: &str, arguments: [JsValue; N]) -> Option<JsValue> {
    let class: Function = property(window, class)?.unchecked_into();
    Reflect::construct(&class, &Array::from_iter(arguments)).ok()
}
