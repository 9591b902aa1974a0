//! Reads the key blocks of a lesson: one `key: value` per line.

use crate::mistake::What;
use crate::{Expression, Mistake, Position};

/// Value of a key, with its byte offset in the lesson.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) at: usize,
    pub(crate) text: &'a str,
}

/// Keys and values of a key block.
#[derive(Debug)]
pub(crate) struct Keys<'a> {
    lesson: &'a str,
    at: usize,
    entries: Vec<(&'a str, Entry<'a>)>,
}

impl<'a> Keys<'a> {
    /// Reads a key block that has this byte offset and length in the lesson. Accepts only `known` keys.
    pub(crate) fn read(lesson: &'a str, block: (usize, usize), known: &'static [&str]) -> Result<Self, Mistake> {
        let (at, length) = block;
        let body = lesson.get(at..at + length).unwrap_or("");
        let mut keys = Keys { lesson, at, entries: Vec::new() };
        let mut begin = at;
        for line in body.split_inclusive('\n') {
            let here = begin;
            begin += line.len();
            let line = line.trim_end();
            if line.is_empty() {
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                return Err(keys.wrong(here, What::NoColon(plain::cut(line))));
            };
            let key = key.trim();
            if !known.contains(&key) {
                return Err(keys.wrong(here, What::Key(plain::cut(key), known)));
            }
            if keys.get(key).is_some() {
                return Err(keys.wrong(here, What::Twice(key.to_owned())));
            }
            let value_at = here + line.len() - value.trim_start().len();
            keys.entries.push((key, Entry { at: value_at, text: value.trim() }));
        }
        Ok(keys)
    }

    /// Returns the keys of a drawn version of a card. The list is empty, because no line of a lesson has the numbers of
    /// a drawn version.
    pub(crate) const fn none() -> Self {
        Keys { lesson: "", at: 0, entries: Vec::new() }
    }

    pub(crate) fn wrong(&self, at: usize, what: What) -> Mistake {
        Mistake { at: Position::of(self.lesson, at), what }
    }

    pub(crate) fn get(&self, key: &str) -> Option<Entry<'a>> {
        self.entries.iter().find(|(known, _)| *known == key).map(|(_, entry)| *entry)
    }

    /// Returns the value of a key that a check refuses. A drawn version has no line, so its value is empty.
    pub(crate) fn written(&self, key: &str) -> Entry<'a> {
        self.get(key).unwrap_or(Entry { at: self.at, text: "" })
    }

    pub(crate) fn need(&self, key: &'static str) -> Result<Entry<'a>, Mistake> {
        self.get(key).ok_or_else(|| self.missing(key))
    }

    pub(crate) fn missing(&self, key: &'static str) -> Mistake {
        self.wrong(self.at, What::NoKey(key))
    }

    /// Splits the value of a key at its commas. Returns an empty list if the key is absent.
    pub(crate) fn list(&self, key: &str) -> Vec<Entry<'a>> {
        let Some(entry) = self.get(key) else { return Vec::new() };
        let mut at = entry.at;
        let mut parts = Vec::new();
        for part in entry.text.split(',') {
            let text = part.trim();
            parts.push(Entry { at: at + part.len() - part.trim_start().len(), text });
            at += part.len() + 1;
        }
        parts
    }

    pub(crate) fn expression(&self, entry: Entry<'_>) -> Result<Expression, Mistake> {
        Expression::parse(entry.text).map_err(|(byte, what)| self.wrong(entry.at + byte, what))
    }

    pub(crate) fn one_of<T: Copy>(&self, entry: Entry<'_>, all: &[T], names: &'static [&str]) -> Result<T, Mistake> {
        let found = names.iter().position(|name| *name == entry.text).and_then(|at| all.get(at).copied());
        found.ok_or_else(|| self.wrong(entry.at, What::NotOneOf(plain::cut(entry.text), names)))
    }
}
