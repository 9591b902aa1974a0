//! A model of one's own, from a file or pasted text, read a piece at a time.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::{Asked, Estimate, Why};
use workload::import::Refusal;
use workload::{Content, Import, Workload};

/// Why a file gives no answer: sentences, one for each problem.
pub type Refused = Vec<String>;

/// What a file holds, or why it is of no use.
pub type Given = Result<Content, Refused>;

fn refused(refusal: &Refusal) -> Refused {
    match refusal {
        Refusal::Lines(problems) => problems.iter().map(ToString::to_string).collect(),
        Refusal::NoFormat => vec![crate::words::answer::NO_FORMAT.to_owned()],
        other => vec![other.to_string()],
    }
}

/// A file that is being read.
#[derive(Debug)]
pub struct Reading(Import);

impl Reading {
    /// A file of so many bytes, of which none is read: a `config.json`, a SCALE-Sim table, lines of M, K, N, StableHLO
    /// text, an ONNX model or a safetensors file.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self(Import::new(bytes))
    }

    /// The bytes that are wanted next: at most 512 KiB, and none when there is only something to work out.
    #[must_use]
    pub fn wants(&self) -> Range<u64> {
        self.0.wants().unwrap_or_default()
    }

    /// The part of the file that is behind, from 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f64 {
        self.0.progress()
    }

    /// Takes the bytes that were wanted and works on them for a few milliseconds; breaks when all is told.
    pub fn feed(mut self, piece: &[u8]) -> ControlFlow<Given, Self> {
        match self.0.feed(piece) {
            Err(refusal) => ControlFlow::Break(Err(refused(&refusal))),
            Ok(()) if self.0.wants().is_some() => ControlFlow::Continue(self),
            Ok(()) => ControlFlow::Break(self.0.content().ok_or_else(|| refused(&Refusal::NoFormat))),
        }
    }
}

/// What bytes that are all there hold.
///
/// # Errors
/// What cannot be used, a sentence each.
pub fn given(bytes: &[u8]) -> Given {
    Content::of(bytes).map_err(|refusal| refused(&refusal))
}

/// A list that says nothing of passes is one chip's step as it stands.
fn as_it_stands(mut work: Workload) -> Workload {
    work.notes.push(crate::words::answer::AS_IT_STANDS.to_owned());
    work
}

impl Estimate {
    /// Answers a question about what a file holds.
    ///
    /// # Errors
    /// Why there is no answer, a sentence each.
    pub fn of_content(asked: &Asked, content: &Content) -> Result<Self, Refused> {
        let why = |why: Why| vec![crate::words::answer::why(&why)];
        let asked = Asked { model: None, ..asked.clone() };
        let work = match content {
            Content::Transformer(model) => return Self::of_transformer(&asked, model).map_err(why),
            Content::Products(work) if work.gemms.is_empty() => return Err(crate::words::answer::nothing_in(work)),
            Content::Products(work) => {
                return Self::of_shared(&asked, Arc::new(as_it_stands(work.clone())), false).map_err(why);
            }
            Content::Weights(weights) => {
                weights.workload(&super::ask(&asked)).map_err(|refusal| vec![refusal.to_string()])?
            }
        };
        Self::of(&asked, work).map_err(why)
    }
}
