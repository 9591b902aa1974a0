//! Reader of a file in any supported format, one piece at a time. Each call returns quickly, and no file is kept in
//! memory as a whole.
//!
//! The reader asks for the bytes that it needs next.
//!
//! ```
//! use workload::{Content, Import};
//!
//! let file = b"M,K,N\n512,1024,4096\n";
//! let mut import = Import::new(file.len() as u64);
//! while let Some(wanted) = import.wants() {
//!     let wanted = usize::try_from(wanted.start)?..usize::try_from(wanted.end)?;
//!     import.feed(&file[wanted])?;
//! }
//! assert!(matches!(import.content(), Some(Content::Products(work)) if work.products.len() == 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::Range;

use crate::foreign::Foreign;
use crate::format::FileFormat;
use crate::huggingface::{self, CONFIG_BYTES_MAX};
use crate::limits::PIECE_MAX;
use crate::problem::Problem;
use crate::transformer::Transformer;
use crate::workload::Workload;
use crate::{paste, stablehlo, topology};
use plain::{Decimal, Wide};

/// Number of bytes in the first piece, and minimum for later pieces.
const PIECE_MIN: usize = 1 << 16;

/// Maximum number of matmuls in a file. The number is limited because the page recomputes its estimates from all
/// matmuls after each change of an input.
pub(crate) const PRODUCTS_MAX: usize = 10_000;

/// Content of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Dimensions of a transformer.
    Transformer(Transformer),
    /// A fixed list of matmuls, which does not depend on batch or sequence length.
    Products(Workload),
}

/// Reason why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Unknown format.
    NoFormat,
    /// File of a known kind that no reader supports.
    Foreign {
        /// Kind of the file.
        kind: Foreign,
        /// Name of the file; empty if nobody stated it.
        file: String,
    },
    /// File that ends before the bytes that the reader asked for.
    Cut,
    /// Configuration that is not UTF-8.
    NotText,
    /// More matmuls than are supported.
    TooManyProducts {
        /// Number of matmuls in the file.
        given: usize,
    },
    /// See [`huggingface::Refusal`].
    HuggingFace(huggingface::Refusal),
    /// See [`stablehlo::Refusal`].
    StableHlo(stablehlo::Refusal),
    /// Problems of the lines that the reader cannot use, up to 20 problems.
    Lines(Vec<Problem>),
    /// Problems of the items of a JSON list of matmuls, up to 20 problems.
    Items(Vec<Problem>),
}

impl std::error::Error for Refusal {}

/// State of an import: the reader for the format of the file. The first piece of the file determines the format.
#[derive(Debug)]
enum Reader {
    Unknown,
    HuggingFace(Vec<u8>),
    Topology(topology::Reader),
    Paste(paste::Reader),
    StableHlo(Box<stablehlo::Reader>),
    Over(Option<Content>),
}

/// Import of a file, one piece at a time.
#[derive(Debug)]
pub struct Import {
    size: u64,
    at: u64,
    piece: usize,
    reader: Reader,
    /// Decimal separator in a table, if the caller knows it.
    decimal: Option<Decimal>,
    /// Order of the bytes, if the file is UTF-16.
    wide: Option<Wide>,
}

impl Import {
    /// Starts the import of a file of `size` bytes.
    pub fn new(size: u64) -> Self {
        Self { size, at: 0, piece: PIECE_MIN, reader: Reader::Unknown, decimal: None, wide: None }
    }

    /// Returns the import with this decimal separator for tables.
    #[must_use]
    pub fn with_decimal(self, decimal: Option<Decimal>) -> Self {
        Self { decimal, ..self }
    }

    /// Returns the range of the file that is needed next, at most 512 KiB. An empty range means that only computation
    /// is left, and the next call of [`feed`](Self::feed) continues the computation. `None` if the import is complete.
    pub fn wants(&self) -> Option<Range<u64>> {
        if matches!(self.reader, Reader::Over(_)) {
            return None;
        }
        Some(self.at..self.at.saturating_add(self.piece as u64).min(self.size))
    }

    /// Fraction of the file that has been read, from 0 to 1.
    pub fn progress(&self) -> f64 {
        if self.size == 0 { 1.0 } else { self.at as f64 / self.size as f64 }
    }

    /// Returns the content of the file. `None` if the import is incomplete or has failed.
    pub fn content(self) -> Option<Content> {
        if let Reader::Over(content) = self.reader { content } else { None }
    }

    /// Reads the bytes that [`wants`](Self::wants) asked for, and works on them for a limited time.
    ///
    /// # Errors
    /// [`Refusal`] if the file cannot be read. The import then ends.
    pub fn feed(&mut self, piece: &[u8]) -> Result<(), Refusal> {
        let fed = self.work(piece);
        if fed.is_err() {
            self.reader = Reader::Over(None);
        }
        fed
    }

    fn work(&mut self, piece: &[u8]) -> Result<(), Refusal> {
        let Some(wanted) = self.wants() else { return Ok(()) };
        let length = wanted.end - wanted.start;
        let piece = usize::try_from(length).ok().and_then(|length| piece.get(..length)).ok_or(Refusal::Cut)?;
        let last = wanted.end == self.size;
        if matches!(self.reader, Reader::Unknown) && self.at == 0 {
            self.wide = Wide::of(piece);
            if self.wide.is_some() {
                // The byte order mark does not belong to the text.
                self.at = 2;
                return Ok(());
            }
        }
        // Readers of text expect UTF-8, so UTF-16 is converted first.
        let text = self.wide.map(|wide| wide.text(piece, last));
        let bytes = piece;
        let piece = text.as_ref().map_or(piece, |text| text.as_bytes());
        if matches!(self.reader, Reader::Unknown) {
            if let Some(kind) = Foreign::of(piece) {
                return Err(Refusal::Foreign { kind, file: String::new() });
            }
            self.reader = self.reader_of(FileFormat::of(piece).ok_or(Refusal::NoFormat)?)?;
        }
        let gone = match &mut self.reader {
            Reader::Unknown | Reader::Over(_) => 0,
            Reader::HuggingFace(text) => {
                text.extend_from_slice(piece);
                piece.len() as u64
            }
            Reader::Topology(reader) => reader.feed(piece, last),
            Reader::Paste(reader) => reader.feed(piece, last),
            Reader::StableHlo(reader) => reader.feed(piece, last).map_err(Refusal::StableHlo)?,
        };
        let gone = match &text {
            // If the length of a UTF-16 file is odd, its last byte is not a unit.
            Some(text) if last && gone >= text.len() as u64 => length,
            Some(text) => Wide::bytes_of(text, usize::try_from(gone).unwrap_or(usize::MAX)),
            None => gone,
        };
        let piece = bytes;
        self.at = self.at.saturating_add(gone).min(self.size);
        // The next piece is twice as large as the used bytes. If no bytes were used, it is twice as large as this
        // piece.
        let used = usize::try_from(gone).ok().filter(|gone| *gone > 0).unwrap_or(piece.len());
        self.piece = used.saturating_mul(2).clamp(PIECE_MIN, PIECE_MAX);
        let full = match &self.reader {
            Reader::Unknown | Reader::Over(_) => false,
            Reader::Topology(reader) => reader.is_full() || self.at == self.size,
            Reader::Paste(reader) => reader.is_full() || self.at == self.size,
            Reader::HuggingFace(_) | Reader::StableHlo(_) => self.at == self.size,
        };
        // No reader should do this: it would ask for the same bytes forever.
        if !full && gone == 0 && !piece.is_empty() && (last || piece.len() >= PIECE_MAX) {
            return Err(Refusal::Cut);
        }
        if full {
            let reader = std::mem::replace(&mut self.reader, Reader::Over(None));
            let content = finish(reader)?;
            if let Content::Products(Workload { products, .. }) = &content
                && products.len() > PRODUCTS_MAX
            {
                return Err(Refusal::TooManyProducts { given: products.len() });
            }
            self.reader = Reader::Over(Some(content));
        }
        Ok(())
    }

    fn reader_of(&self, format: FileFormat) -> Result<Reader, Refusal> {
        Ok(match format {
            FileFormat::HuggingFace if self.size > CONFIG_BYTES_MAX => {
                return Err(Refusal::HuggingFace(huggingface::Refusal::TooLong));
            }
            FileFormat::HuggingFace => Reader::HuggingFace(Vec::new()),
            FileFormat::Topology => Reader::Topology(topology::Reader::new(None, self.decimal)),
            FileFormat::Paste => Reader::Paste(paste::Reader::new(self.decimal)),
            FileFormat::StableHlo => Reader::StableHlo(Box::default()),
        })
    }
}

/// Returns the content that a reader has found.
fn finish(reader: Reader) -> Result<Content, Refusal> {
    match reader {
        Reader::Unknown | Reader::Over(_) => Err(Refusal::NoFormat),
        Reader::HuggingFace(text) => {
            let text = std::str::from_utf8(&text).map_err(|_| Refusal::NotText)?;
            if let Some(list) = paste::items::workload(text) {
                return list.map(Content::Products).map_err(Refusal::Items);
            }
            huggingface::transformer(text).map(Content::Transformer).map_err(Refusal::HuggingFace)
        }
        Reader::Topology(reader) => reader.finish().map(Content::Products).map_err(Refusal::Lines),
        Reader::Paste(reader) => reader.finish().map(Content::Products).map_err(Refusal::Lines),
        Reader::StableHlo(reader) => reader.finish().map(Content::Products).map_err(Refusal::StableHlo),
    }
}

impl Content {
    /// Reads the content of a file that is completely in memory.
    ///
    /// # Errors
    /// [`Refusal`] if the format is unknown or the file cannot be read.
    pub fn of(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut import = Import::new(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        while let Some(wanted) = import.wants() {
            let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
            import.feed(bytes.get(place(wanted.start)..place(wanted.end)).unwrap_or(&[]))?;
        }
        import.content().ok_or(Refusal::NoFormat)
    }
}
