//! A custom model from a file or pasted text, read in pieces.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::{Estimate, Inputs, Question, Refusal};
use workload::onnx::Sizes;
use workload::safetensors::VISITED;
use workload::{Content, Import, Note, PassKind, Workload, import};

/// The content of a file, or the reason why the file cannot be used.
pub type Imported = Result<Content, import::Refusal>;

/// A file that is being read, piece by piece.
#[derive(Debug)]
pub struct ImportProgress(Import);

impl ImportProgress {
    /// Starts to read a file of `bytes` bytes. The file can be a `config.json`, a SCALE-Sim table, lines of M, K, N,
    /// StableHLO text, an ONNX model or a safetensors file.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self(Import::new(bytes))
    }

    /// Returns the import with the sign before decimals in a table.
    #[must_use]
    pub fn with_decimal(self, decimal: Option<plain::Decimal>) -> Self {
        Self(self.0.with_decimal(decimal))
    }

    /// Returns the range of bytes to pass to [`Self::feed`] next: at most 512 KiB. The range is empty if only
    /// computation remains.
    #[must_use]
    pub fn wants(&self) -> Range<u64> {
        self.0.wants().unwrap_or_default()
    }

    /// Returns the fraction of the file that has been read, from 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f64 {
        self.0.progress()
    }

    /// Processes the bytes that [`Self::wants`] requested, for a few milliseconds. Returns `Break` at the end of the
    /// file, or if the file cannot be used.
    pub fn feed(mut self, piece: &[u8]) -> ControlFlow<Imported, Self> {
        match self.0.feed(piece) {
            Err(refusal) => ControlFlow::Break(Err(refusal)),
            Ok(()) if self.0.wants().is_some() => ControlFlow::Continue(self),
            Ok(()) => ControlFlow::Break(self.0.content().ok_or(import::Refusal::NoFormat)),
        }
    }

    /// Reads a whole file from `source`, in the pieces that [`Self::wants`] requests.
    ///
    /// # Errors
    /// Fails if the source cannot be read.
    pub fn read(mut self, mut source: impl Read + Seek) -> io::Result<Imported> {
        loop {
            let wanted = self.wants();
            source.seek(SeekFrom::Start(wanted.start))?;
            let mut piece = Vec::new();
            Read::take(&mut source, wanted.end - wanted.start).read_to_end(&mut piece)?;
            match self.feed(&piece) {
                ControlFlow::Continue(more) => self = more,
                ControlFlow::Break(imported) => return Ok(imported),
            }
        }
    }
}

/// Reads a complete file from bytes in memory.
///
/// # Errors
/// The refusal explains why the bytes cannot be used.
pub fn imported(bytes: &[u8]) -> Imported {
    Content::of(bytes)
}

/// Adds the note that a list of matmuls describes one step of one chip.
fn as_it_stands(mut work: Workload) -> Workload {
    work.notes.push(Note::AsItStands);
    work
}

/// Adds the note that a graph describes one run on one chip.
fn of_a_graph(mut work: Workload) -> Workload {
    work.notes.push(Note::OneRun);
    work
}

impl Estimate {
    /// Computes the estimate for the content of a file.
    ///
    /// # Errors
    /// [`Refusal`] names the reason.
    pub fn of_content(question: &Question, content: &Content) -> Result<Self, Refusal> {
        let question = Question { model: None, is_product: false, ..question.clone() };
        let work = match content {
            Content::Transformer(model) => return Self::of_transformer(&question, model),
            Content::Products(work) if work.products.is_empty() => {
                return Err(Refusal::NothingIn(work.left_out.clone()));
            }
            Content::Products(work) => {
                return Self::of_shared(&question, Arc::new(as_it_stands(work.clone())), Inputs::Unknown);
            }
            Content::Graph(graph) => {
                let decodes = question.pass == PassKind::Decode;
                let sizes = Sizes {
                    batch: Some(question.batch),
                    sequence: Some(if decodes { 1 } else { question.seq }),
                    past: Some(if decodes { question.seq } else { 0 }),
                    named: question.symbols.clone(),
                };
                let found = graph.workload(&sizes).map_err(|why| Refusal::File(import::Refusal::Onnx(why)))?;
                if found.products.is_empty() {
                    return Err(Refusal::NothingIn(found.left_out));
                }
                return Self::of_shared(&question, Arc::new(of_a_graph(found)), Inputs::Unknown);
            }
            Content::Weights(weights) => {
                let visited = question.symbols.iter().find(|(name, _)| name == VISITED).map(|(_, value)| *value);
                let found = weights.workload(&crate::work::pass_spec(&question), visited);
                found.map_err(|why| Refusal::File(import::Refusal::Safetensors(why)))?
            }
        };
        Self::of(&question, work)
    }
}
