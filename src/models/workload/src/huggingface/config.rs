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
    /// Keys of the objects that were read.
    pub(super) opened: Vec<&'a str>,
}

/// Dimensions on which the defaults of other keys depend.
#[derive(Clone, Copy)]
pub(super) struct Basics {
    pub(super) hidden: u64,
    pub(super) heads: u64,
}

impl<'a> Config<'a> {
    pub(super) fn new(object: &'a Value<'a>, family: &'static Family) -> Self {
        Self { object, family, notes: Vec::new(), opened: Vec::new() }
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
            Some((key, Value::List(list))) => return count_of_all(key, list, most),
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

    /// Reads a count from 1 to 2²⁴, or returns the default for a missing key. If the configuration has several of the
    /// `keys`, the first of them is used.
    pub(super) fn count(&mut self, keys: &'static [&'static str], missing: u64) -> Result<u64, Refusal> {
        let is = Fallback::Is(missing);
        self.number(&Count { keys, missing: is, null: is }, Basics { hidden: 0, heads: 0 })
    }

    /// Reads a list of whole numbers. `None` if the key is missing or null.
    pub(super) fn numbers(&self, key: &str, most: u64) -> Result<Option<Vec<u64>>, Refusal> {
        let Some(list) = self.list(key)? else { return Ok(None) };
        let number = |value: &Value<'_>| match value {
            Value::Number(text) => text.parse().ok().filter(|number| *number <= most),
            _ => None,
        };
        let bad = |value: &Value<'_>| bad(key, FoundValue::Value(value.shown()), most);
        list.iter().map(|value| number(value).ok_or_else(|| bad(value))).collect::<Result<_, _>>().map(Some)
    }

    /// True if the configuration has a value for the key.
    pub(super) fn has(&self, key: &str) -> bool {
        !matches!(self.object.get(key), None | Some(Value::Null))
    }

    /// Reads a positive number, or `None` for anything else.
    pub(super) fn fraction(&self, key: &str) -> Option<f64> {
        match self.object.get(key) {
            Some(Value::Number(text)) => text.parse().ok().filter(|number: &f64| *number > 0.0 && *number <= 1024.0),
            _ => None,
        }
    }

    /// Runs `read` on the object under `key`, or on an empty object if there is none.
    pub(super) fn inside<T>(&mut self, key: &'static str, read: impl FnOnce(&mut Self) -> T) -> T {
        static EMPTY: Value<'static> = Value::Object(Vec::new());
        self.opened.push(key);
        let whole = self.object;
        self.object = whole.get(key).filter(|inner| matches!(inner, Value::Object(_))).unwrap_or(&EMPTY);
        let found = read(self);
        self.object = whole;
        found
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
        _ if key == "vocab_size" && text == "-1" => {
            let given = FoundValue::Value(text.into());
            Err(Refusal::BadValue { key: key.into(), given, allowed: Allowed::Vocabulary })
        }
        _ => Err(bad(key, FoundValue::Value(plain::cut(text)), most)),
    }
}

/// Parses a list with one count for each layer. All counts must be equal.
fn count_of_all(key: &str, list: &[Value<'_>], most: u64) -> Result<u64, Refusal> {
    match list.first() {
        Some(Value::Number(text)) if list.iter().all(|other| other == &Value::Number(text)) => count(key, text, most),
        _ => {
            let given = FoundValue::List { length: list.len() };
            Err(Refusal::BadValue { key: key.into(), given, allowed: Allowed::SameForAll })
        }
    }
}

fn bad(key: &str, given: FoundValue, most: u64) -> Refusal {
    Refusal::BadValue { key: key.into(), given, allowed: Allowed::UpTo(most) }
}
