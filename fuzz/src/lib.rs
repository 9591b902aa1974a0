//! Entry points for untrusted text. Each entry point guarantees something, and panics if a text breaks the guarantee.
//!
//! `cargo xtask fuzz` searches for such a text, guided by coverage. `tests/entry_points.rs` checks the guarantees for
//! the seeds of the search. Each program of `bin` except `seeds` runs one entry point.

mod desk;
mod file;
mod lesson;
mod page;
mod seeds;

use std::borrow::Cow;

pub use seeds::{dictionary, seeds};

/// Function that reads untrusted text, with its name.
#[derive(Clone, Copy, Debug)]
pub struct EntryPoint {
    /// Name of the entry point and of its program.
    pub name: &'static str,
    /// Function that reads the text, and panics if the text breaks the guarantee.
    pub enter: fn(&[u8]),
}

impl EntryPoint {
    /// Address of the page.
    pub const LINK: Self = Self { name: "link", enter: page::link };
    /// Question to the estimate.
    pub const ASK: Self = Self { name: "ask", enter: desk::ask };
    /// Matrix as a person pastes it.
    pub const MATRIX: Self = Self { name: "matrix", enter: page::matrix };
    /// File of any format.
    pub const FILE: Self = Self { name: "file", enter: file::any };
    /// `config.json` of the transformers library.
    pub const CONFIG: Self = Self { name: "config", enter: file::config };
    /// Topology of SCALE-Sim.
    pub const TOPOLOGY: Self = Self { name: "topology", enter: file::topology };
    /// Lines of M, K and N.
    pub const LIST: Self = Self { name: "list", enter: file::list };
    /// StableHLO program as text.
    pub const STABLEHLO: Self = Self { name: "stablehlo", enter: file::stablehlo };
    /// Array of NumPy.
    pub const NPY: Self = Self { name: "npy", enter: page::npy };
    /// Messages from the page that embeds this page.
    pub const MESSAGE: Self = Self { name: "message", enter: page::message };
    /// Lesson in Markdown.
    pub const LESSON: Self = Self { name: "lesson", enter: lesson::lesson };
    /// Entry point with a deliberate fault: every search has to find a text that breaks its guarantee.
    pub const BROKEN: Self = Self { name: "broken", enter: page::broken };

    /// Entry points without the deliberate fault.
    pub const ALL: [Self; 11] = [
        Self::LINK,
        Self::ASK,
        Self::MATRIX,
        Self::FILE,
        Self::CONFIG,
        Self::TOPOLOGY,
        Self::LIST,
        Self::STABLEHLO,
        Self::NPY,
        Self::MESSAGE,
        Self::LESSON,
    ];
}

/// Converts bytes to text. Invalid UTF-8 is replaced, because callers of the real entry points pass only UTF-8.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Checks a message about foreign input: it is a short sentence without control or bidirectional characters.
fn is_sentence(said: &str) {
    assert!(said.ends_with(['.', '?']), "no sentence: {said:?}");
    assert!(said.len() < 2_000, "a sentence of {} bytes: {said:?}", said.len());
    assert!(!said.lines().any(|line| line.contains(plain::is_control_or_bidi)), "it steers: {said:?}");
}
