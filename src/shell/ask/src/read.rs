//! Readers of what a person typed or pasted. Each reader returns `None` for a text that it does not recognize.

mod chips;
mod config;
mod formats;
mod link;
mod log;
mod matrices;
mod memory;
mod model;
mod peak;
mod rates;
mod report;
mod run;
mod shapes;
mod tokens;

use form_urlencoded::byte_serialize;

use crate::{Answer, Index, Target};

/// Answers of a reader.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// Answers, best first.
    pub(crate) answers: Vec<Answer>,
    /// True if these answers come before the answers of the search.
    pub(crate) is_certain: bool,
    /// Sentence on parts of the text that the reader did not use.
    pub(crate) note: Option<String>,
}

impl Read {
    fn certain(answer: Answer, note: Option<String>) -> Self {
        Self { answers: vec![answer], is_certain: true, note }
    }
}

/// Maximum number of bytes that are read of a text without a matrix or a configuration.
const TEXT_BYTES_MAX: usize = 1 << 14;

/// Reads a text with the first reader that recognizes it.
pub(crate) fn read(index: &Index, text: &str) -> Read {
    if let Some(read) = link::read(text).or_else(|| config::read(index, text)).or_else(|| matrices::read(text)) {
        return read;
    }
    let text = text.get(..crate::floor(text, TEXT_BYTES_MAX)).unwrap_or_default();
    let readers = [
        memory::read,
        report::scale_sim,
        report::profile,
        log::read,
        rates::read,
        shapes::read,
        model::read,
        run::read,
        report::numbers,
        report::sizes_on_tiles,
        peak::read,
    ];
    readers.into_iter().find_map(|read| read(index, text)).unwrap_or_default()
}

/// Returns the target of an estimate, from the entries as a query.
fn estimate(query: &str) -> Target {
    let encoded: String = byte_serialize(query.as_bytes()).collect();
    Target::Link(format!("?ui=desk&ask={encoded}"))
}
