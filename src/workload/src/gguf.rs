//! Reader of the header of a GGUF file, in which llama.cpp stores weights (docs/gguf.md of ggml).
//!
//! The header has metadata, then the name, the shape and the format of each tensor. Shapes count weights, whatever the
//! format packs. The reader never asks for weights.

use std::collections::BTreeMap;

use crate::limits::RECORDS_MAX;
use crate::note::{Omitted, Tensor};
use crate::safetensors::{KINDS_MAX, Matrix, Visits, Weights, pattern};
use crate::workload::LeftOut;
use plain::quote;

/// Maximum bytes of a name, and of a text in the metadata that the reader keeps in one piece.
const NAME_BYTES_MAX: u64 = 1 << 15;
/// Maximum number of tensors, and of entries of the metadata.
pub(crate) const ENTRIES_MAX: u64 = 1_000_000;

/// Reason why a GGUF file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The header ends before its last entry.
    Cut,
    /// An unsupported version of the format.
    Version {
        /// Version in the file.
        given: u32,
    },
    /// The header has a value that the format does not allow.
    Malformed,
    /// The header has too many entries or kinds of tensors.
    TooMany,
}

/// Value of a metadata entry that is still being skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Skipped {
    /// Type of the elements.
    kind: u32,
    /// Number of elements left.
    left: u64,
}

/// Reader of a header that arrives in pieces.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    has_start: bool,
    /// Entries of the metadata and tensors that are left.
    entries: u64,
    tensors: u64,
    skipped: Option<Skipped>,
    /// Bytes of a long text that are left to skip.
    text: u64,
    /// Experts of a layer, and experts that a token visits.
    experts: Option<u64>,
    visited: Option<u64>,
    kinds: BTreeMap<(String, Vec<u64>), u64>,
    elements: u128,
}

/// Reads numbers and texts from the start of a piece.
struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.rest = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// Reads a name. `None` if the piece ends before.
    fn name(&mut self) -> Option<Result<String, Refusal>> {
        let length = self.u64()?;
        if length > NAME_BYTES_MAX {
            return Some(Err(Refusal::Malformed));
        }
        Some(Ok(String::from_utf8_lossy(self.take(length)?).into_owned()))
    }
}

/// Bytes of an element of a metadata type. `None` for texts and lists.
fn width(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

impl Reader {
    /// Reads the complete entries of a piece, and returns the number of bytes read.
    pub(crate) fn feed(&mut self, piece: &[u8], last: bool) -> Result<u64, Refusal> {
        let mut gone = 0;
        for _ in 0..RECORDS_MAX {
            if self.is_full() {
                break;
            }
            let rest = piece.get(gone..).unwrap_or(&[]);
            let more = self.entry(rest)?;
            if more == 0 {
                if last {
                    return Err(Refusal::Cut);
                }
                break;
            }
            gone += more;
        }
        Ok(gone as u64)
    }

    /// Reads one entry, or a part of a long entry. Returns 0 if the piece ends before the end of the entry.
    fn entry(&mut self, rest: &[u8]) -> Result<usize, Refusal> {
        let mut bytes = Bytes { rest };
        let read = if self.text > 0 {
            let part = self.text.min(rest.len() as u64);
            self.text -= part;
            bytes.take(part).map(|_| ())
        } else if self.skipped.is_some() {
            self.skip(&mut bytes)?
        } else if !self.has_start {
            self.start(&mut bytes).transpose()?
        } else if self.entries > 0 {
            self.metadata(&mut bytes)?
        } else {
            self.tensor(&mut bytes)?
        };
        Ok(if read.is_some() { rest.len() - bytes.rest.len() } else { 0 })
    }

    fn start(&mut self, bytes: &mut Bytes<'_>) -> Option<Result<(), Refusal>> {
        let magic = bytes.take(4)?;
        let version = bytes.u32()?;
        let (tensors, entries) = (bytes.u64()?, bytes.u64()?);
        Some(if magic != b"GGUF" {
            Err(Refusal::Malformed)
        } else if !(2..=3).contains(&version) {
            Err(Refusal::Version { given: version })
        } else if tensors > ENTRIES_MAX || entries > ENTRIES_MAX {
            Err(Refusal::TooMany)
        } else {
            (self.has_start, self.tensors, self.entries) = (true, tensors, entries);
            Ok(())
        })
    }

    /// Reads the key and a short value of a metadata entry. A long value is skipped by later calls.
    fn metadata(&mut self, bytes: &mut Bytes<'_>) -> Result<Option<()>, Refusal> {
        let Some(key) = bytes.name() else { return Ok(None) };
        let key = key?;
        let Some(kind) = bytes.u32() else { return Ok(None) };
        if let Some(width) = width(kind) {
            let Some(value) = bytes.take(width) else { return Ok(None) };
            let number = value.iter().rev().fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
            if matches!(kind, 4 | 5 | 10 | 11) {
                match key.rsplit('.').next() {
                    Some("expert_count") => self.experts = Some(number),
                    Some("expert_used_count") => self.visited = Some(number),
                    _ => {}
                }
            }
            self.entries -= 1;
            return Ok(Some(()));
        }
        match kind {
            8 => {
                let Some(length) = bytes.u64() else { return Ok(None) };
                self.text = length;
            }
            9 => {
                let Some((kind, left)) = bytes.u32().zip(bytes.u64()) else { return Ok(None) };
                if width(kind).is_none() && kind != 8 {
                    return Err(Refusal::Malformed);
                }
                self.skipped = (left > 0).then_some(Skipped { kind, left });
            }
            _ => return Err(Refusal::Malformed),
        }
        self.entries -= 1;
        Ok(Some(()))
    }

    /// Skips some elements of a list.
    fn skip(&mut self, bytes: &mut Bytes<'_>) -> Result<Option<()>, Refusal> {
        let Some(Skipped { kind, left }) = self.skipped else { return Ok(None) };
        let gone = match width(kind) {
            Some(width) => {
                let gone = left.min(bytes.rest.len() as u64 / width);
                if bytes.take(gone * width).is_none() || gone == 0 {
                    return Ok(None);
                }
                gone
            }
            None => {
                let Some(length) = bytes.u64() else { return Ok(None) };
                self.text = length;
                1
            }
        };
        self.skipped = (left > gone).then_some(Skipped { kind, left: left - gone });
        Ok(Some(()))
    }

    fn tensor(&mut self, bytes: &mut Bytes<'_>) -> Result<Option<()>, Refusal> {
        let Some(name) = bytes.name() else { return Ok(None) };
        let name = name?;
        let Some(n_dims) = bytes.u32() else { return Ok(None) };
        if n_dims > 8 {
            return Err(Refusal::Malformed);
        }
        let mut shape = Vec::new();
        for _ in 0..n_dims {
            let Some(size) = bytes.u64() else { return Ok(None) };
            shape.push(size);
        }
        // The format of the elements, and the place of the data.
        if bytes.take(12).is_none() {
            return Ok(None);
        }
        let elements = shape.iter().fold(1, |all, &by| u128::from(by).saturating_mul(all));
        self.elements = self.elements.saturating_add(elements);
        let key = (pattern(&name), shape);
        if self.kinds.len() >= KINDS_MAX && !self.kinds.contains_key(&key) {
            return Err(Refusal::TooMany);
        }
        *self.kinds.entry(key).or_default() += 1;
        self.tensors -= 1;
        Ok(Some(()))
    }

    /// True if the whole header has been read.
    pub(crate) fn is_full(&self) -> bool {
        self.has_start && self.entries == 0 && self.tensors == 0 && self.text == 0 && self.skipped.is_none()
    }

    pub(crate) fn finish(self) -> Result<Weights, Refusal> {
        let mut weights = Weights { elements: self.elements, ..Weights::default() };
        for ((name, shape), count) in self.kinds {
            let mut leave = |what| {
                weights.left_out.push(LeftOut::unknown(Omitted::Tensor { name: quote(&name), count, what }));
            };
            match shape[..] {
                [_, _] if name.contains("token_embd") || name.contains("rope_") => leave(Tensor::Lookup),
                // The first size is the width of a row, which is K.
                [k, n] if k > 0 && n > 0 => {
                    weights.matrices.push(Matrix { name, k, n, count, visits: None });
                }
                [k, n, experts] if name.contains("_exps.") => {
                    let count = count.checked_mul(experts).ok_or(Refusal::Malformed)?;
                    let per_token = self.visited.filter(|_| self.experts == Some(experts));
                    weights.matrices.push(Matrix { name, k, n, count, visits: Some(Visits { experts, per_token }) });
                }
                [_, _, _] => leave(Tensor::Stack),
                [_, _, _, _] => leave(Tensor::Convolution),
                _ => {}
            }
        }
        Ok(weights)
    }
}
