//! Messages as texts: what comes over the port and what goes back.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use studio::{Playhead, Session};
use systolic::Cycle;

use crate::{Event, Failure, METHODS, Request, VERSION, answer};

/// A request as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// As it was written: a number that is read and written anew may differ in its last digit.
    id: String,
    method: String,
    params: Value,
}

/// The parts of a message, as they were written.
#[derive(Default)]
struct Parts(BTreeMap<String, Box<RawValue>>);

/// What is not there.
const NOTHING: &str = "null";

impl Parts {
    fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }

    fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or(NOTHING, |part| part.get())
    }

    /// Nothing where it lies too deep.
    fn value(&self, name: &str) -> Option<Value> {
        serde_json::from_str(self.text(name)).ok()
    }
}

/// An object as text, with one part more that goes back as it came.
fn with(name: &str, text: &str, rest: &Value) -> String {
    rest.to_string().replacen('{', &format!("{{\"{name}\":{text},"), 1)
}

impl Message {
    /// Reads a message; what names no method is no request, and is not answered.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let parts = Parts::read(text)?;
        let method = parts.value("method")?.as_str()?.to_owned();
        Some(Self { id: parts.text("id").to_owned(), method, params: parts.value("params")? })
    }

    /// What it wants.
    ///
    /// # Errors
    /// As [`Request::read`] has them.
    pub fn request(&self) -> Result<Request, Failure> {
        Request::read(&self.method, &self.params)
    }

    /// The answer to it.
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

/// The first answer of a frame to a greeting.
///
/// ```
/// assert!(protocol::welcome(r#"{"sap": 1, "type": "hello", "nonce": 5}"#).unwrap().contains(r#""nonce":5"#));
/// assert!(protocol::welcome(r#"{"sap": 2}"#).unwrap_err().contains("E_VERSION"));
/// ```
///
/// # Errors
/// The greeting is of another version: the text is the answer that says so.
pub fn welcome(greeting: &str) -> Result<String, String> {
    let greeting = Parts::read(greeting).unwrap_or_default();
    let version = greeting.value("sap").unwrap_or(Value::Null);
    if version.as_u64() != Some(VERSION) {
        return Err(reply(NOTHING, Err(Failure::version(&version))));
    }
    let features: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
    let welcome = json!({ "sap": VERSION, "type": "welcome", "apiVersion": VERSION,
                          "appVersion": env!("CARGO_PKG_VERSION"), "features": features });
    Ok(with("nonce", greeting.text("nonce"), &welcome))
}

fn event(event: Event, data: &Value) -> String {
    json!({ "sap": VERSION, "event": event.name(), "data": data }).to_string()
}

/// Another cycle is shown; at the last one that is said too.
#[must_use]
pub fn stepped(cycle: Cycle, last: Cycle) -> Vec<String> {
    let data = json!({ "cycle": cycle.get(), "last": last.get() });
    let mut events = vec![event(Event::Step, &data)];
    if cycle == last {
        events.push(event(Event::End, &data));
    }
    events
}

/// The settings changed.
#[must_use]
pub fn changed(session: &Session, playhead: &Playhead) -> String {
    event(Event::Change, &answer::state(session, playhead))
}

/// The height that the page would like, in CSS pixels.
#[must_use]
pub fn resized(height: f64) -> String {
    event(Event::Resize, &json!({ "height": height }))
}

/// A question was answered, or a task met.
#[must_use]
pub fn answered(card: &str, is_right: bool) -> String {
    event(Event::Answer, &json!({ "card": card, "right": is_right }))
}

/// Keys that a greeting may name.
const KEYS_MAX: usize = 16;

/// The keys that a host wants for itself, as its greeting names them. Keys that write something stay with the frame.
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

/// A key was pressed that the host wants for itself.
#[must_use]
pub fn pressed(key: &str) -> String {
    event(Event::Key, &json!({ "key": key }))
}
