//! Protocol `sap/1`, by which the playground exchanges messages with its host. The playground is in a frame. The host
//! is the page that contains the frame.
//!
//! The host posts `{sap: 1, type: "hello", nonce}` to the frame with a `MessagePort`; the frame answers on the port
//! with [`welcome`]. After that, the port carries requests `{id, method, params}`, answers `{id, ok, result}` or
//! `{id, ok: false, error: {code, path, given, allowed, message}}`, and events `{event, data}`.
//!
//! The `app` crate sends and receives the messages in a browser. Functions of this crate only compute values, so tests
//! need no browser:
//! - [`Request::read`] parses a request, and fails only with a [`Failure`].
//! - [`Request::actions`] returns the changes that the request makes.
//! - [`Request::answer`] returns the answer to the request.
//!
//! ```
//! use protocol::Request;
//! use serde_json::json;
//! let (session, playhead) = studio::Session::open(&studio::Link::default());
//! let request = Request::read("seek", &json!({ "cycle": 9 })).unwrap();
//! assert_eq!(request.actions(&session).unwrap().len(), 1);
//! assert_eq!(Request::read("zap", &json!({})).unwrap_err().code.id(), "E_METHOD");
//! ```
//!
//! One table has all methods and events (`table.rs`). `UPDATE=1 cargo test -p protocol` generates the reference, the
//! schemas, the types and the table of `links.html` from this table and from `studio::Entry`.

mod answer;
mod change;
mod failure;
mod message;
mod request;
mod table;
mod words;

pub use change::Change;
pub use failure::{Code, Failure};
pub use message::{Message, answered, changed, pressed, resized, stepped, wanted_keys, welcome};
pub use request::{Answer, FileAnswer, Request, Setting};
pub use table::{Event, Method, Param, Value as Kind};
pub use words::UNREADABLE;
pub use words::host::host_page;
pub use words::link::{link_markdown, link_page, link_schema, link_types};
pub use words::reference::{markdown, schema, types};

/// The version of the protocol.
pub const VERSION: u64 = 1;
