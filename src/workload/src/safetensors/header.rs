//! Reader of a safetensors header that arrives in pieces.

use super::{KINDS_MAX, Kinds, Refusal, Weights, expert, header_bytes, pattern, sorted, tensor};
use std::collections::BTreeMap;

use crate::json::{Broken, Reader as Json, Scan, Wanted};
use crate::limits::RECORDS_MAX;
use plain::quote;

/// Maximum bytes of one tensor's entry.
const ENTRY_BYTES_MAX: usize = 1 << 15;
/// Number of bytes of entries after which a call returns.
const AT_ONCE_MAX: usize = 1 << 16;
/// Key of the metadata entry. The metadata entry describes no tensor, so it may be longer than other entries.
const METADATA: &str = "__metadata__";

/// Reader of a header, with the tensors that it has found.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// Bytes in the file. `needed` is the number of bytes up to the end of the header.
    given: u64,
    needed: Option<u64>,
    /// Position of the next piece in the file, in bytes.
    at: u64,
    place: Place,
    /// State of the scan of a skipped entry, if the entry continues in the next piece.
    passing: Option<Scan>,
    kinds: Kinds,
    /// Number of experts for each name whose tensors belong to one expert.
    experts: BTreeMap<String, u64>,
    elements: u128,
}

/// Position of the next byte in the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Before,
    FirstEntry,
    NextEntry,
    After,
}

impl Reader {
    /// Creates a reader for a file of `given` bytes.
    pub(crate) fn new(given: u64) -> Self {
        Self { given, ..Self::default() }
    }

    /// Reads the complete entries of a piece, and returns the number of bytes read.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Result<u64, Refusal> {
        let Some(needed) = self.needed else {
            let needed = header_bytes(piece)?;
            if needed > self.given {
                return Err(Refusal::Cut { needed, given: self.given });
            }
            (self.needed, self.at) = (Some(needed), 8);
            return Ok(8);
        };
        let left = usize::try_from(needed.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let piece = piece.get(..left).unwrap_or(piece);
        let mut gone = 0;
        for _ in 0..RECORDS_MAX {
            if gone > AT_ONCE_MAX {
                break;
            }
            let rest = plain::after(piece, gone);
            let Some(more) = self.entry(rest, rest.len() == left - gone)? else { break };
            self.at = self.at.saturating_add(more as u64);
            gone += more;
        }
        if self.is_full() && self.place != Place::After {
            return Err(self.broken(Wanted::RestOfHeader));
        }
        Ok(gone as u64)
    }

    /// Reads the next entry and returns its number of bytes. `None` if the entry continues after the piece.
    fn entry(&mut self, rest: &[u8], last: bool) -> Result<Option<usize>, Refusal> {
        if let Some(mut scan) = self.passing {
            let Some(end) = scan.end(rest) else {
                self.passing = Some(scan);
                return Ok((!rest.is_empty()).then_some(rest.len()));
            };
            self.passing = None;
            return self.ended(rest, end);
        }
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let next = match (self.place, rest.get(blank)) {
            (_, None) => return Ok((blank > 0).then_some(blank)),
            (Place::Before, Some(b'{')) => Place::FirstEntry,
            (Place::Before, Some(0x80..)) => return Err(Refusal::NotText),
            (Place::Before, _) => return Err(self.broken(Wanted::Object)),
            (Place::FirstEntry, Some(b'}')) => Place::After,
            (Place::After, _) => return Err(self.broken(Wanted::End)),
            (Place::FirstEntry | Place::NextEntry, _) => {
                let mut scan = Scan::default();
                let end = scan.end(rest);
                if is_metadata(rest) {
                    self.passing = end.is_none().then_some(scan);
                } else if end.unwrap_or(rest.len()) > ENTRY_BYTES_MAX {
                    let start = String::from_utf8_lossy(rest.get(blank..ENTRY_BYTES_MAX).unwrap_or(&[]));
                    return Err(Refusal::BadShape { tensor: quote(&start) });
                } else if end.is_some() || last {
                    self.tensor(rest.get(..end.unwrap_or(rest.len())).unwrap_or(&[]))?;
                }
                return match end {
                    Some(end) => self.ended(rest, end),
                    None if self.passing.is_some() => Ok(Some(rest.len())),
                    None if last => {
                        // The tensor is complete, but the closing brace of the header is missing.
                        self.at = self.at.saturating_add(rest.len() as u64);
                        Err(self.broken(Wanted::RestOfHeader))
                    }
                    None => Ok(None),
                };
            }
        };
        self.place = next;
        Ok(Some(blank + 1))
    }

    /// Continues after the comma or brace that ends an entry.
    fn ended(&mut self, rest: &[u8], end: usize) -> Result<Option<usize>, Refusal> {
        self.place = match rest.get(end) {
            Some(b',') => Place::NextEntry,
            Some(b'}') => Place::After,
            _ => return Err(self.broken(Wanted::CommaOrBrace)),
        };
        Ok(Some(end + 1))
    }

    /// Parses the tensor of an entry, and counts the tensor.
    fn tensor(&mut self, entry: &[u8]) -> Result<(), Refusal> {
        let text = std::str::from_utf8(entry).map_err(|_| Refusal::NotText)?;
        // Positions are bytes of the header, without the 8 bytes before it.
        let before = usize::try_from(self.at.saturating_sub(8)).unwrap_or(usize::MAX);
        let mut json = Json::with_offset(before, text);
        let name = json.key()?;
        let (shape, packed) = tensor(&name, &mut json)?;
        json.end()?;
        let elements = shape.iter().fold(1, |all, &by| u128::from(by).saturating_mul(all));
        self.elements = self.elements.saturating_add(elements);
        let pattern = pattern(&name);
        if let Some(expert) = expert(&name) {
            let experts = self.experts.entry(pattern.clone()).or_default();
            *experts = expert.saturating_add(1).max(*experts);
        }
        let key = (pattern, shape, packed);
        if self.kinds.len() >= KINDS_MAX && !self.kinds.contains_key(&key) {
            return Err(Refusal::TooManyKinds);
        }
        *self.kinds.entry(key).or_default() += 1;
        Ok(())
    }

    fn broken(&self, wanted: Wanted) -> Refusal {
        Refusal::NotJson(Broken { at: usize::try_from(self.at.saturating_sub(8)).unwrap_or(usize::MAX), wanted })
    }

    /// True if the whole header has been read.
    pub(crate) fn is_full(&self) -> bool {
        self.needed.is_some_and(|needed| self.at >= needed)
    }

    pub(crate) fn finish(self) -> Result<Weights, Refusal> {
        Ok(Weights { elements: self.elements, ..sorted(self.kinds, &self.experts)? })
    }
}

/// True if an entry has the key [`METADATA`], so the entry describes no tensor.
fn is_metadata(entry: &[u8]) -> bool {
    let key = entry.trim_ascii_start().strip_prefix(b"\"");
    key.and_then(|key| key.strip_prefix(METADATA.as_bytes())).is_some_and(|rest| rest.starts_with(b"\""))
}
