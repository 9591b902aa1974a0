//! Access to browser features by their names. `web-sys` has no bindings for these features, or the bindings would
//! enlarge the script that every visitor loads.
//!
//! Every function returns `None` if the browser does not have the feature or refuses access to the feature.

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// Returns a property of an object, or `None` if the property is missing, `null` or `undefined`.
pub(crate) fn property(of: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(of, &name.into()).ok().filter(|value| !value.is_null() && !value.is_undefined())
}

/// Sets a property of an object.
pub(crate) fn set(of: &JsValue, name: &str, value: &JsValue) -> Option<()> {
    Reflect::set(of, &name.into(), value).ok().map(drop)
}

/// Calls a method of an object, and returns its result.
pub(crate) fn call<const N: usize>(of: &JsValue, name: &str, arguments: [JsValue; N]) -> Option<JsValue> {
    let method: Function = property(of, name)?.dyn_into().ok()?;
    method.apply(of, &Array::from_iter(arguments)).ok()
}

/// Creates an object of a class that a window defines.
pub(crate) fn make<const N: usize>(window: &JsValue, class: &str, arguments: [JsValue; N]) -> Option<JsValue> {
    let class: Function = property(window, class)?.unchecked_into();
    Reflect::construct(&class, &Array::from_iter(arguments)).ok()
}
