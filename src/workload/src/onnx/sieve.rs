//! Sieve: a filter for a model that arrives in pieces. The sieve skips data that matmuls do not need, mostly weights.

use super::wire::{Head, Kind as Wire, Malformed};

/// Maximum bytes of a field that the sieve keeps unchanged.
const FIELD_BYTES_MAX: u64 = 1 << 15;
/// Maximum size, in bytes, of a message in the graph that the sieve keeps unfiltered.
const SMALL_BYTES_MAX: u64 = 1 << 8;
/// Maximum bytes of a tensor's values that are kept, enough for a shape, axes or the sizes of a split.
const VALUE_BYTES_MAX: u64 = 640;
/// Maximum depth of messages in messages. A graph in a graph takes three levels.
const DEPTH_MAX: usize = 24;
/// Maximum bytes that are kept in total.
const BYTES_MAX: usize = 12 << 20;
/// Maximum number of fields that one call reads.
const FIELDS_MAX: usize = 10_000;

/// Type of an ONNX message whose fields the sieve filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Message {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
}

/// Action of the sieve for a field of a message.
enum FieldRule {
    Keep,
    Enter(Message),
    Skip,
    /// Refuse the file, because no model has such a field.
    Refuse,
}

/// A message that is currently being read.
#[derive(Debug)]
struct Level {
    message: Message,
    number: u64,
    /// Position of the end of the message in the file.
    end: u64,
    /// Bytes kept from the message.
    retained: Vec<u8>,
}

/// Reason why the sieve stops early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stuck {
    Malformed,
    TooMuch,
}

impl From<Malformed> for Stuck {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

/// Sieve of a model, with the data that it has kept.
#[derive(Debug)]
pub(super) struct Sieve {
    open: Vec<Level>,
    at: u64,
    graph: Option<Vec<u8>>,
    retained: usize,
}

impl Sieve {
    /// Creates a sieve for a file of `size` bytes.
    pub(super) fn new(size: u64) -> Self {
        let model = Level { message: Message::Model, number: 0, end: size, retained: Vec::new() };
        Self { open: vec![model], at: 0, graph: None, retained: 0 }
    }

    /// Reads the complete fields of a piece. Returns the number of bytes from the start of this piece to the start of
    /// the next piece. The next piece may start far after the end of this piece.
    pub(super) fn feed(&mut self, piece: &[u8], last: bool) -> Result<u64, Stuck> {
        let start = self.at;
        for _ in 0..FIELDS_MAX {
            self.close()?;
            let Some(level) = self.open.last() else { break };
            let gone = usize::try_from(self.at.saturating_sub(start)).unwrap_or(usize::MAX);
            let Some(rest) = piece.get(gone..).filter(|rest| !rest.is_empty()) else { break };
            let Some(head) = Head::read(rest)? else { if last { return Err(Stuck::Malformed) } else { break } };
            let whole = head.bytes.saturating_add(head.length);
            if self.at.saturating_add(whole) > level.end {
                return Err(Stuck::Malformed);
            }
            match rule(level.message, &head) {
                FieldRule::Keep => {
                    let field = usize::try_from(whole).ok().and_then(|whole| rest.get(..whole));
                    let Some(field) = field else { break };
                    self.keep(field)?;
                    self.at += whole;
                }
                FieldRule::Enter(_) if self.open.len() >= DEPTH_MAX => return Err(Stuck::TooMuch),
                FieldRule::Enter(message) => {
                    self.at += head.bytes;
                    let end = self.at + head.length;
                    self.open.push(Level { message, number: head.number, end, retained: Vec::new() });
                }
                FieldRule::Skip => self.at += whole,
                FieldRule::Refuse => return Err(Stuck::Malformed),
            }
        }
        self.close()?;
        Ok(self.at - start)
    }

    /// Closes the messages that end at the current position.
    fn close(&mut self) -> Result<(), Stuck> {
        while let Some(level) = self.open.pop_if(|level| level.end <= self.at) {
            match level.message {
                Message::Model => {}
                // If a model has two graphs, the later one counts.
                Message::Graph if self.open.len() == 1 => {
                    self.retained = level.retained.len();
                    self.graph = Some(level.retained);
                }
                _ => {
                    self.retained = self.retained.saturating_sub(level.retained.len());
                    self.keep(&delimited(level.number, &level.retained))?;
                }
            }
        }
        Ok(())
    }

    fn keep(&mut self, field: &[u8]) -> Result<(), Stuck> {
        self.retained = self.retained.saturating_add(field.len());
        if self.retained > BYTES_MAX {
            return Err(Stuck::TooMuch);
        }
        if let Some(level) = self.open.last_mut() {
            level.retained.extend_from_slice(field);
        }
        Ok(())
    }

    /// True if the whole file has been sieved.
    pub(super) fn is_full(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes the kept bytes of the graph, if the file has a graph.
    pub(super) fn graph(&mut self) -> Option<Vec<u8>> {
        self.graph.take()
    }
}

/// Returns the action for a field, by the field numbers of the ONNX definition.
fn rule(message: Message, head: &Head) -> FieldRule {
    let bytes = head.kind == Wire::Bytes;
    let values = message == Message::Tensor && matches!(head.number, 4 | 5 | 7 | 9 | 10);
    let short = !bytes || head.length <= if values { VALUE_BYTES_MAX } else { FIELD_BYTES_MAX };
    let inside = |message| if head.length <= SMALL_BYTES_MAX { FieldRule::Keep } else { FieldRule::Enter(message) };
    match (message, head.number) {
        (Message::Model, 7) | (Message::Attribute, 6) if bytes => FieldRule::Enter(Message::Graph),
        (Message::Graph, 1) if bytes => inside(Message::Node),
        (Message::Node, 5) if bytes => inside(Message::Attribute),
        (Message::Graph | Message::Attribute, 5) if bytes => inside(Message::Tensor),
        (Message::Graph, 2 | 11..=13)
        | (Message::Node, 1..=4 | 7)
        | (Message::Attribute, 1..=4 | 7 | 8)
        | (Message::Tensor, 1 | 2 | 4 | 5 | 7..=10)
            if short =>
        {
            FieldRule::Keep
        }
        (Message::Node, 1..=4 | 7) => FieldRule::Refuse,
        _ => FieldRule::Skip,
    }
}

/// Encodes a field whose value is `bytes`.
fn delimited(number: u64, bytes: &[u8]) -> Vec<u8> {
    let mut field = Vec::with_capacity(bytes.len() + 12);
    for mut value in [number << 3 | 2, u64::try_from(bytes.len()).unwrap_or(u64::MAX)] {
        while value > 0x7f {
            field.push(u8::try_from(value & 0x7f).unwrap_or(u8::MAX) | 0x80);
            value >>= 7;
        }
        field.push(u8::try_from(value).unwrap_or(u8::MAX));
    }
    field.extend_from_slice(bytes);
    field
}
