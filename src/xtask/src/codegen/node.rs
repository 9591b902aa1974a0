//! A JSON value that knows its place in the file, so that every complaint says where.

use std::collections::BTreeSet;

use serde_json::Value;

/// How a value is written in Rust.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// A float.
    Real,
    /// An unsigned integer.
    Whole,
    /// A string.
    Text,
}

/// A JSON value and where it stands, for errors.
pub(super) struct Node<'a> {
    pub(super) value: &'a Value,
    pub(super) place: String,
}

impl<'a> Node<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Self { value, place: String::new() }
    }

    fn child(&self, step: &str, value: &'a Value) -> Self {
        let dot = if self.place.is_empty() { "" } else { "." };
        Self { value, place: format!("{}{dot}{step}", self.place) }
    }

    pub(super) fn get(&self, key: &str) -> Result<Self, String> {
        let value = self.value.get(key).ok_or_else(|| format!("{}: {key:?} is missing", self.place))?;
        Ok(self.child(key, value))
    }

    pub(super) fn items(&self) -> Result<Vec<Self>, String> {
        let items = self.value.as_array().ok_or_else(|| format!("{}: a list is expected", self.place))?;
        Ok(items.iter().enumerate().map(|(index, item)| self.child(&index.to_string(), item)).collect())
    }

    /// Sorted, so that the table does not depend on how serde_json keeps an object.
    pub(super) fn keys(&self) -> Result<BTreeSet<String>, String> {
        let object = self.value.as_object().ok_or_else(|| format!("{}: an object is expected", self.place))?;
        Ok(object.keys().cloned().collect())
    }

    pub(super) fn only(&self, allowed: &[&str]) -> Result<(), String> {
        match self.keys()?.iter().find(|key| !allowed.contains(&key.as_str())) {
            Some(key) => Err(format!("{}: {key:?} is not a known field", self.place)),
            None => Ok(()),
        }
    }

    pub(super) fn id(&self) -> &'a str {
        self.value.get("id").and_then(Value::as_str).unwrap_or("a chip without id")
    }

    pub(super) fn text(&self) -> Result<&'a str, String> {
        self.value.as_str().ok_or_else(|| format!("{}: a text is expected", self.place))
    }

    pub(super) fn word<'w>(&self, words: &[(&str, &'w str)]) -> Result<&'w str, String> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, variant)| *variant).ok_or_else(|| format!("{}: {text:?} is not a known word", self.place))
    }

    pub(super) fn literal(&self, kind: Kind) -> Result<String, String> {
        let literal = match kind {
            _ if self.value.is_null() => return Ok("None".into()),
            Kind::Real => self.value.as_f64().map(|real| format!("{real:?}")),
            Kind::Whole => self.value.as_u64().map(|whole| whole.to_string()),
            Kind::Text => self.value.as_str().map(|text| format!("{text:?}")),
        };
        let literal = literal.ok_or_else(|| format!("{}: {} does not fit here", self.place, self.value))?;
        Ok(format!("Some({literal})"))
    }
}
