//! Parameters that this version does not know. The next link keeps these parameters, because a later version may know
//! them.

use std::sync::Arc;

/// The part of a link in which a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The query, after the `?`.
    Query,
    /// The fragment, after the `#`.
    Fragment,
}

/// Names and values of unknown parameters, in the order of the link. Clones share the parameters, because every change
/// clones the state of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    pairs: Arc<Vec<(Part, String, String)>>,
    n_bytes: usize,
}

impl Unknown {
    /// Maximum number of bytes of all names and values. The number is limited, because the page writes a link at every
    /// change.
    pub const BYTES_MAX: usize = 16_384;

    /// Adds a parameter. Returns false if the parameters would exceed [`BYTES_MAX`](Self::BYTES_MAX).
    pub fn push(&mut self, part: Part, name: &str, value: &str) -> bool {
        let n_bytes = self.n_bytes + name.len() + value.len();
        // Even an empty parameter counts.
        let has_room = n_bytes + self.pairs.len() < Self::BYTES_MAX;
        if has_room {
            self.n_bytes = n_bytes;
            Arc::make_mut(&mut self.pairs).push((part, name.to_owned(), value.to_owned()));
        }
        has_room
    }

    /// Returns names and values of one part, in the order of the link.
    pub fn of(&self, part: Part) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().filter(move |pair| pair.0 == part).map(|(_, name, value)| (name.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn some_kilobytes_are_carried_on_and_no_more() {
        let mut unknown = Unknown::default();
        assert!(unknown.push(Part::Query, "lesson", "3"));
        assert!(!unknown.push(Part::Query, "note", &"x".repeat(Unknown::BYTES_MAX)), "too long on its own");
        let n_added = (0..100_000).filter(|_| unknown.push(Part::Fragment, "x", "")).count();
        assert!(n_added > 1000 && n_added < Unknown::BYTES_MAX, "{n_added}");
        assert_eq!(unknown.of(Part::Query).next(), Some(("lesson", "3")));
    }
}
