//! Entry points for untrusted text, with the promise of each. A broken promise panics.
//!
//! `cargo xtask fuzz` looks for such a text, guided by coverage; `tests/entry_points.rs` checks the promises for the texts that the
//! search begins with. Each program of `bin` is one entry point.

mod desk;
mod file;
mod lesson;
mod page;
mod seeds;

use std::borrow::Cow;

pub use seeds::{dictionary, seeds};

/// Input that reads untrusted text.
#[derive(Clone, Copy, Debug)]
pub struct EntryPoint {
    /// Its name, which is that of its program.
    pub name: &'static str,
    /// Hands it what somebody sent.
    pub enter: fn(&[u8]),
}

impl EntryPoint {
    /// The address of the page.
    pub const LINK: Self = Self { name: "link", enter: page::link };
    /// A question to the estimate.
    pub const ASK: Self = Self { name: "ask", enter: desk::ask };
    /// A matrix as somebody pastes it.
    pub const MATRIX: Self = Self { name: "matrix", enter: page::matrix };
    /// A file of any format.
    pub const FILE: Self = Self { name: "file", enter: file::any };
    /// `config.json` of the transformers library.
    pub const CONFIG: Self = Self { name: "config", enter: file::config };
    /// SCALE-Sim's topology.
    pub const TOPOLOGY: Self = Self { name: "topology", enter: file::topology };
    /// Lines of M, K and N.
    pub const LIST: Self = Self { name: "list", enter: file::list };
    /// A program as text.
    pub const STABLEHLO: Self = Self { name: "stablehlo", enter: file::stablehlo };
    /// A file of weights.
    pub const SAFETENSORS: Self = Self { name: "safetensors", enter: file::safetensors };
    /// A graph.
    pub const ONNX: Self = Self { name: "onnx", enter: file::onnx };
    /// Messages of the page around it.
    pub const MESSAGE: Self = Self { name: "message", enter: page::message };
    /// A lesson.
    pub const LESSON: Self = Self { name: "lesson", enter: lesson::lesson };
    /// One that does not keep its promise: what looks for such a text has to find it here.
    pub const BROKEN: Self = Self { name: "broken", enter: page::broken };

    /// Those that have something to keep.
    pub const ALL: [Self; 12] = [
        Self::LINK,
        Self::ASK,
        Self::MATRIX,
        Self::FILE,
        Self::CONFIG,
        Self::TOPOLOGY,
        Self::LIST,
        Self::STABLEHLO,
        Self::SAFETENSORS,
        Self::ONNX,
        Self::MESSAGE,
        Self::LESSON,
    ];
}

/// What comes as text: whoever passes it on has made it UTF-8.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The promise of what is said about what somebody sent: it ends, it is short, and no line of it steers anything.
fn is_sentence(said: &str) {
    assert!(said.ends_with(['.', '?']), "no sentence: {said:?}");
    assert!(said.len() < 2_000, "a sentence of {} bytes: {said:?}", said.len());
    assert!(!said.lines().any(|line| line.contains(plain::is_control_or_bidi)), "it steers: {said:?}");
}
