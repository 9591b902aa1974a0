//! Names and values of a link. A mail program, a chat or the sentence around the link may have changed it:
//!
//! - `&amp;` in place of `&`
//! - `=` and `&` written as `%3D` and `%26`, also twice
//! - capitals
//! - marks after the link, such as a period or a bracket
//!
//! In these cases, the reader finds the parameter that was meant. A known name stays as it is.

use crate::Entry;

/// Marks that a sentence puts after a link.
const MARKS: [char; 13] = ['.', ',', ';', ':', '!', ')', '>', ']', '"', '\'', '’', '”', '*'];
/// Maximum number of times that a link can be percent-encoded.
const TIMES_MAX: u8 = 3;

/// Names and values, in order, and what could not be read.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub(super) all: Vec<(String, String)>,
    /// True if a part was percent-encoded.
    is_encoded: bool,
}

impl Pairs {
    /// Reads one part of a link, up to `most` parameters and one more. The extra parameter shows that there are too
    /// many.
    pub(super) fn read(text: &str, most: usize) -> Self {
        let mut pairs = Self::default();
        pairs.add(text, most, TIMES_MAX);
        pairs
    }

    fn add(&mut self, text: &str, most: usize, times: u8) {
        for (name, value) in form_urlencoded::parse(text.as_bytes()) {
            if self.all.len() > most {
                return;
            }
            let name = name.strip_prefix("amp;").unwrap_or(&name);
            let holds_more = value.is_empty() && (name.contains('=') || name.contains("%3D") || name.contains("%3d"));
            if holds_more && times > 0 {
                self.is_encoded = true;
                self.add(name, most, times - 1);
                continue;
            }
            let lower = name.trim().to_ascii_lowercase();
            let is_shouted = Entry::of(name).is_none() && Entry::of(&lower).is_some();
            self.all.push(match is_shouted {
                true => (lower, value.to_ascii_lowercase()),
                false => (name.to_owned(), value.into_owned()),
            });
        }
    }

    /// Removes the marks of a sentence after the last value. Texts that a part of the page reads keep their marks.
    pub(super) fn cut(&mut self) {
        if let Some((name, value)) = self.all.last_mut()
            && !matches!(Entry::of(name), None | Some(Entry::Text(_)))
        {
            value.truncate(value.trim_end_matches(MARKS).len());
        }
    }

    /// True if the part was percent-encoded, and still has no known name.
    pub(super) fn is_unreadable(&self) -> bool {
        self.is_encoded && self.all.iter().all(|(name, _)| Entry::of(name).is_none())
    }
}
