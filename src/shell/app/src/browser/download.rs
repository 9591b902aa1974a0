//! Downloads of files that are made in the browser tab.

use core::time::Duration;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use super::by_name::property;
use super::timer::later;

/// Time for which a file is available at its address. Some browsers fetch the file only after the click has been
/// handled.
const AVAILABLE: Duration = Duration::from_secs(60);

/// True if the page is in a sandbox, where a download can fail without a message.
pub(crate) fn is_in_sandbox() -> bool {
    let origin = super::window().and_then(|window| property(&window, "origin"));
    origin.and_then(|origin| origin.as_string()).is_some_and(|origin| origin == "null")
}

/// Saves bytes as a browser download with this file name.
///
/// # Errors
/// Fails if the browser cannot make a file of the bytes.
pub(crate) fn save_bytes(name: &str, media_type: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let kind = BlobPropertyBag::new();
    kind.set_type(media_type);
    let url = Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?)?;
    if let Some(document) = super::document() {
        let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    later(
        move || {
            // Fails only for an invalid address.
            let _ = Url::revoke_object_url(&url);
        },
        AVAILABLE,
    );
    Ok(())
}
