//! Stands in for the crate of that name, of which Leptos' server functions use these four functions.
//!
//! The page calls no server. But the real crate exports its streams to scripts, and what is exported stays in the
//! module with all it needs: over 5 KB of every visitor's download, for streams that nothing opens.

use futures_util::stream::{Empty, Stream, empty};
use wasm_bindgen::{JsCast, JsValue};

/// A stream that holds nothing.
#[derive(Debug)]
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    /// Forgets the stream: there is no server to send it to.
    pub fn from_stream(_: impl Stream<Item = Result<JsValue, JsValue>>) -> Self {
        Self(JsValue::UNDEFINED.unchecked_into())
    }

    /// The browser's own stream.
    #[must_use]
    pub const fn from_raw(raw: web_sys::ReadableStream) -> Self {
        Self(raw)
    }

    /// The browser's own stream.
    #[must_use]
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// What it holds: nothing.
    pub fn into_stream(self) -> Empty<Result<JsValue, JsValue>> {
        empty()
    }
}
