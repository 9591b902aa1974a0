//! Access to the keys of a configuration, with the defaults of its family.

use super::rules::{Count, Fallback, Family};
use super::{Allowed, FoundValue, Refusal};
use crate::json::Value;
use crate::note::Note;

/// Largest width, vocabulary or number of experts in a configuration.
const COUNT_MAX: u64 = 1 << 24;

/// Configuration of one model.
pub(super) struct Config<'a> {
    object: &'a Value<'a>,
    pub(super) family: &'static Family,
    /// Notes about the defaults that were used.
    pub(super) notes: Vec<Note>,
}

/// Dimensions on which the defaults of other keys depend.
#[derive(Clone, Copy)]
pub(super) struct Basics {
    pub(super) hidden: u64,
    pub(super) heads: u64,
}

impl<'a> Config<'a> {
    pub(super) fn new(object: &'a Value<'a>, family: &'static Family) -> Self {
        Self { object, family, notes: Vec::new() }
    }

    /// Adds a note unless it is already in the list. An encoder and a decoder read the same keys, so duplicates occur.
    fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Reads a count from 1 to 2²⁴, or returns the default of the count.
    pub(super) fn number(&mut self, number: &Count, known: Basics) -> Result<u64, Refusal> {
        self.number_to(number, known, COUNT_MAX)
    }

    /// Reads a count from 1 to `most`, or returns the default of the count.
    pub(super) fn number_to(&mut self, number: &Count, known: Basics, most: u64) -> Result<u64, Refusal> {
        let name = number.keys.first().copied().unwrap_or("");
        let found = number.keys.iter().find_map(|key| Some((*key, self.object.get(key)?)));
        let (otherwise, is_null) = match found {
            Some((key, Value::Number(text))) => return count(key, text, most),
            Some((_, Value::Null)) => (number.null, true),
            Some((key, other)) => return Err(bad(key, FoundValue::Value(other.shown()), most)),
            None => (number.missing, false),
        };
        let value = match otherwise {
            Fallback::Is(value) => value,
            Fallback::Heads => known.heads,
            Fallback::Hidden(times) => known.hidden.saturating_mul(times),
            Fallback::PerHead => {
                if !known.hidden.is_multiple_of(known.heads.max(1)) {
                    let given = FoundValue::ForHeads { value: known.hidden, heads: known.heads };
                    let key = "hidden_size".into();
                    return Err(Refusal::BadValue { key, given, allowed: Allowed::MultipleOfHeads });
                }
                known.hidden / known.heads.max(1)
            }
            Fallback::Refuse => return Err(Refusal::Missing { key: name }),
        };
        // A default without a key needs no note.
        if number.keys.is_empty() {
            return Ok(value);
        }
        self.note(Note::Default { key: name, is_null, value, family: self.family.model_type });
        Ok(value)
    }

    /// Reads an optional count. `None` if the key is null or zero, or if it is missing and has no default.
    pub(super) fn optional(&mut self, key: &'static str, missing: Option<u64>) -> Result<Option<u64>, Refusal> {
        match self.object.get(key) {
            Some(Value::Null | Value::Number("0")) => Ok(None),
            Some(Value::Number(text)) => count(key, text, COUNT_MAX).map(Some),
            Some(other) => Err(bad(key, FoundValue::Value(other.shown()), COUNT_MAX)),
            None => {
                if let Some(value) = missing {
                    let family = self.family.model_type;
                    self.note(Note::Default { key, is_null: false, value, family });
                }
                Ok(missing)
            }
        }
    }

    /// Reads a Boolean, or returns its default.
    pub(super) fn flag(&self, key: &str, missing: bool) -> Result<bool, Refusal> {
        match self.object.get(key) {
            Some(Value::Bool(value)) => Ok(*value),
            None | Some(Value::Null) => Ok(missing),
            Some(other) => Err(Refusal::BadValue {
                key: key.into(),
                given: FoundValue::Value(other.shown()),
                allowed: Allowed::Switch,
            }),
        }
    }

    /// Reads a string, or returns its default.
    pub(super) fn word(&self, key: &str, missing: &'static str) -> Result<&str, Refusal> {
        match self.object.get(key) {
            Some(Value::Text(text)) => Ok(text),
            None | Some(Value::Null) => Ok(missing),
            Some(other) => Err(Refusal::BadValue {
                key: key.into(),
                given: FoundValue::Value(other.shown()),
                allowed: Allowed::Word,
            }),
        }
    }

    /// Reads a list. `None` if the key is missing or null.
    pub(super) fn list(&self, key: &str) -> Result<Option<&'a [Value<'a>]>, Refusal> {
        match self.object.get(key) {
            Some(Value::List(items)) => Ok(Some(items)),
            None | Some(Value::Null) => Ok(None),
            Some(other) => Err(Refusal::BadValue {
                key: key.into(),
                given: FoundValue::Value(other.shown()),
                allowed: Allowed::List,
            }),
        }
    }
}

/// Parses a count from 1 to `most`.
fn count(key: &str, text: &str, most: u64) -> Result<u64, Refusal> {
    match text.parse() {
        Ok(value) if (1..=most).contains(&value) => Ok(value),
        _ => Err(bad(key, FoundValue::Value(plain::cut(text)), most)),
    }
}

fn bad(key: &str, given: FoundValue, most: u64) -> Refusal {
    Refusal::BadValue { key: key.into(), given, allowed: Allowed::UpTo(most) }
}
