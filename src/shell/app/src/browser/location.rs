//! Functions that read the address of the page.

use plain::OrEmpty;
use wasm_bindgen::JsValue;
use web_sys::MouseEvent;

use super::by_name::property;

/// Returns the location object of the page. `public/boot.js` can replace this object, because a page in the `srcdoc` of
/// a frame has no address.
fn place() -> Option<JsValue> {
    let window = JsValue::from(super::window()?);
    let own = property(&window, "playground").and_then(|playground| property(&playground, "place"));
    own.or_else(|| property(&window, "location"))
}

/// Returns the query and the fragment of the address.
pub(crate) fn read() -> (String, String) {
    let place = place();
    let part = |name| place.as_ref().and_then(|place| property(place, name)?.as_string()).or_empty();
    (part("search"), part("hash"))
}

/// Returns the fault that the link asks to inject: `chaos=panic`, `chaos=trap` or `chaos=memory`.
pub(crate) fn chaos_parameter() -> Option<String> {
    let (query, _) = read();
    query.trim_start_matches('?').split('&').find_map(|pair| pair.strip_prefix("chaos=")).map(str::to_owned)
}

/// True if a web server sent the page, so that its address works elsewhere. A page from a disk, or in the `srcdoc` of a
/// frame, has no such address.
pub(crate) fn is_served() -> bool {
    super::window()
        .is_some_and(|window| window.location().protocol().is_ok_and(|protocol| protocol.starts_with("http")))
}

/// Returns a link of this page as an absolute address. If the page has no address that works elsewhere, returns only
/// the part that begins with `?`. A path on a disk would reveal the name of the user, and nobody else could open it.
pub(crate) fn absolute_link(link: &str) -> String {
    let location = super::window().map(|window| window.location()).filter(|_| is_served());
    let place = location.and_then(|location| Some((location.origin().ok()?, location.pathname().ok()?)));
    place.map_or_else(|| link.to_owned(), |(origin, path)| format!("{origin}{path}{link}"))
}

/// Returns the address of a page in the same folder as this page. Returns `None` if this page is a single file or the
/// `srcdoc` of a frame.
pub(crate) fn page_beside(name: &str) -> Option<String> {
    let path = super::window()?.location().pathname().ok()?;
    let folder = path.strip_suffix("index.html").unwrap_or(&path);
    (is_served() && folder.ends_with('/')).then(|| format!("{folder}{name}"))
}

/// True if a click only follows the link in this tab. The browser handles clicks with a modifier key or another mouse
/// button.
pub(crate) fn is_plain(event: &MouseEvent) -> bool {
    event.button() == 0 && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
}

/// True if the book is next to the page. A page in one file has no book, so the publisher removes this element.
pub(crate) fn has_book() -> bool {
    super::document().is_some_and(|document| document.query_selector("link[rel=help]").is_ok_and(|link| link.is_some()))
}
