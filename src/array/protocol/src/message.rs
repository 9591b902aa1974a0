//! Messages as JSON text: requests to the frame, and answers and events from the frame.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use studio::{Playhead, Session};
use systolic::Cycle;

use crate::{Event, Failure, Method, Request, VERSION, answer, request, words};

/// A request as received: its id as text, its method and its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// JSON text of the id. The text stays unparsed, because parsing and formatting a number can change its last digit.
    id: String,
    /// Version of the protocol, if the message names one.
    version: Value,
    method: String,
    params: Value,
}

/// The fields of a message by name, each as its JSON text.
#[derive(Default)]
struct Parts(BTreeMap<String, Box<RawValue>>);

/// JSON text of a missing field.
const NOTHING: &str = "null";

impl Parts {
    fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }

    fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or(NOTHING, |part| part.get())
    }

    /// Parses a field; a missing field is null. JSON that is nested too deeply becomes [`words::UNREADABLE`].
    fn value(&self, name: &str) -> Value {
        serde_json::from_str(self.text(name)).unwrap_or_else(|_| json!(words::UNREADABLE))
    }
}

/// Formats the JSON object `rest` with one more field. The JSON text of this field stays unchanged.
fn with(name: &str, text: &str, rest: &Value) -> String {
    rest.to_string().replacen('{', &format!("{{\"{name}\":{text},"), 1)
}

impl Message {
    /// Reads a request. Returns `None` for a text that gets no answer: the text is not a JSON object, or it is an answer.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let parts = Parts::read(text)?;
        // A host that returns every message would otherwise get answers without end.
        let is_answer = parts.0.contains_key("ok");
        let (version, params) = (parts.value("sap"), parts.value("params"));
        let method = request::text(&parts.value("method"));
        (!is_answer).then(|| Self { id: parts.text("id").to_owned(), version, method, params })
    }

    /// Parses the method and the parameters.
    ///
    /// # Errors
    /// Fails if [`Request::read`] fails, or if the message names another version of the protocol.
    pub fn request(&self) -> Result<Request, Failure> {
        if !self.version.is_null() && self.version.as_u64() != Some(VERSION) {
            return Err(Failure::version(&self.version));
        }
        Request::read(&self.method, &self.params)
    }

    /// Formats the answer to this request, with the id of the request.
    #[must_use]
    pub fn reply(&self, result: Result<Value, Failure>) -> String {
        reply(&self.id, result)
    }
}

fn reply(id: &str, result: Result<Value, Failure>) -> String {
    let rest = match result {
        Ok(result) => json!({ "sap": VERSION, "ok": true, "result": result }),
        Err(failure) => json!({ "sap": VERSION, "ok": false, "error": failure.to_json() }),
    };
    with("id", id, &rest)
}

/// Returns the answer of the frame to the greeting of a host.
///
/// ```
/// assert!(protocol::welcome(r#"{"sap": 1, "type": "hello", "nonce": 5}"#).unwrap().contains(r#""nonce":5"#));
/// assert!(protocol::welcome(r#"{"sap": 2}"#).unwrap_err().contains("E_VERSION"));
/// ```
///
/// # Errors
/// Fails if the greeting names another version of the protocol, or no version. The error is the answer to the host.
pub fn welcome(greeting: &str) -> Result<String, String> {
    let greeting = Parts::read(greeting).unwrap_or_default();
    let version = greeting.value("sap");
    if version.as_u64() != Some(VERSION) {
        return Err(reply(NOTHING, Err(Failure::version(&version))));
    }
    let welcome = json!({ "sap": VERSION, "type": "welcome", "apiVersion": VERSION,
                          "appVersion": env!("CARGO_PKG_VERSION"), "features": Method::NAMES });
    Ok(with("nonce", greeting.text("nonce"), &welcome))
}

fn event(event: Event, data: &Value) -> String {
    json!({ "sap": VERSION, "event": event.id(), "data": data }).to_string()
}

/// Returns the event for a new cycle. If the cycle is the last cycle, also returns the event for the end.
#[must_use]
pub fn stepped(cycle: Cycle, last: Cycle) -> Vec<String> {
    let data = json!({ "cycle": cycle.get(), "last": last.get() });
    let mut events = vec![event(Event::Step, &data)];
    if cycle == last {
        events.push(event(Event::End, &data));
    }
    events
}

/// Returns the event for changed settings.
#[must_use]
pub fn changed(session: &Session, playhead: &Playhead) -> String {
    event(Event::Change, &answer::state(session, playhead))
}

/// Returns the event for a new height of the page, in CSS pixels.
#[must_use]
pub fn resized(height: f64) -> String {
    event(Event::Resize, &json!({ "height": height }))
}

/// Returns the event for an answered question, or for a task that a reader completed.
#[must_use]
pub fn answered(card: &str, is_right: bool) -> String {
    event(Event::Answer, &json!({ "card": card, "right": is_right }))
}

/// Maximum number of keys that a greeting may name.
const KEYS_MAX: usize = 16;

/// Returns the keys that a greeting reserves for the host. A greeting cannot reserve keys that type a character.
///
/// ```
/// let greeting = r#"{"sap": 1, "type": "hello", "keys": ["PageDown", "a", 7]}"#;
/// assert_eq!(protocol::wanted_keys(greeting), ["PageDown"]);
/// ```
#[must_use]
pub fn wanted_keys(greeting: &str) -> Vec<String> {
    let greeting: Value = serde_json::from_str(greeting).unwrap_or(Value::Null);
    let named = greeting["keys"].as_array().into_iter().flatten().filter_map(Value::as_str);
    named.filter(|key| key.len() > 1 && key.is_ascii()).take(KEYS_MAX).map(str::to_owned).collect()
}

/// Returns the event for a pressed key that is reserved for the host.
#[must_use]
pub fn pressed(key: &str) -> String {
    event(Event::Key, &json!({ "key": key }))
}
