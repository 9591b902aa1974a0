//! The address of the page, read.

use plain::OrEmpty;
use wasm_bindgen::JsValue;

use super::by_name::property;

/// The address, or what stands for it in the text of a frame: `public/boot.js`.
fn place() -> Option<JsValue> {
    let window = JsValue::from(super::window()?);
    let own = property(&window, "playground").and_then(|playground| property(&playground, "place"));
    own.or_else(|| property(&window, "location"))
}

/// Query and fragment.
pub(crate) fn read() -> (String, String) {
    let place = place();
    let part = |name| place.as_ref().and_then(|place| property(place, name)?.as_string()).or_empty();
    (part("search"), part("hash"))
}

/// The drill of the supervisor that the link demands: `chaos=panic`, `chaos=trap` or `chaos=memory`.
pub(crate) fn chaos_parameter() -> Option<String> {
    let (query, _) = read();
    query.trim_start_matches('?').split('&').find_map(|pair| pair.strip_prefix("chaos=")).map(str::to_owned)
}

/// A link of this page as it can be followed from anywhere.
pub(crate) fn absolute_link(link: &str) -> String {
    let location = super::window().map(|window| window.location());
    let place = location.and_then(|location| Some((location.origin().ok()?, location.pathname().ok()?)));
    place.map_or_else(|| link.to_owned(), |(origin, path)| format!("{origin}{path}{link}"))
}

/// The address of a page next to this one; none if this page is a single file or the text of a frame.
pub(crate) fn page_beside(name: &str) -> Option<String> {
    let location = super::window()?.location();
    let path = location.pathname().ok()?;
    let is_served = location.protocol().is_ok_and(|protocol| protocol.starts_with("http"));
    let folder = path.strip_suffix("index.html").unwrap_or(&path);
    (is_served && folder.ends_with('/')).then(|| format!("{folder}{name}"))
}
