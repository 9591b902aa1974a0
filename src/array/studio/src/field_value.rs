//! Typed values of fields. Text is parsed into a value once, at the start, and written from a value at the end.

use core::fmt;

use perfmodel::F32Passes;
use systolic::{Adder, Dataflow, Drain, Dtype, KTiles, Load, Overlap, ResultFormat};

use crate::{Feed, Field, FillKind, MatrixText, PaddingKind};

/// A value of a [`Field`].
///
/// ```
/// use studio::{Field, FieldValue, Scenario};
///
/// let first_screen = Scenario::default();
/// assert_eq!(first_screen.get(Field::Rows), FieldValue::Count(4));
/// assert_eq!(first_screen.get(Field::Dataflow).to_string(), "ws");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// A whole number, e.g. a size or the seed.
    Count(u64),
    /// Dataflow: the matrix that stays in the PEs.
    Dataflow(Dataflow),
    /// Operand format.
    Dtype(Dtype),
    /// Kind of padding.
    Padding(PaddingKind),
    /// Source of the matrix elements.
    Fill(FillKind),
    /// Overlap of a fold with the fold before it.
    Overlap(Overlap),
    /// Way in which the stationary operand is shifted in; `None` for the default of the overlap.
    Load(Option<Load>),
    /// Way in which the sums of an output-stationary fold leave the array.
    Drain(Drain),
    /// Order of the tiles of k.
    KTiles(KTiles),
    /// Source of B.
    Feed(Feed),
    /// The id of a chip.
    Chip(&'static str),
    /// Number of bf16 passes in which a TPU multiplies f32.
    Passes(F32Passes),
    /// Adder of the PEs.
    Adder(Adder),
    /// Format to which complete results are rounded.
    Out(ResultFormat),
    /// A typed or pasted matrix, if there is one.
    Matrix(Option<MatrixText>),
}

/// Fields, each with its new value.
pub type Settings = Vec<(Field, FieldValue)>;

impl FieldValue {
    /// Name, in a link, of the default way to load the stationary operand.
    pub(crate) const DEFAULT_LOAD: &'static str = "usual";

    /// Returns the number of this value; `None` if the value is not a number.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Count(count) => Some(*count),
            Self::Passes(passes) => Some(passes.count().into()),
            _ => None,
        }
    }

    /// Returns the name of the value in a link; `None` for counts, matrices and lists of tiles.
    #[must_use]
    pub const fn id(&self) -> Option<&'static str> {
        Some(match self {
            Self::Dataflow(dataflow) => dataflow.id(),
            Self::Dtype(dtype) => dtype.id(),
            Self::Padding(padding) => padding.id(),
            Self::Fill(fill) => fill.id(),
            Self::Overlap(overlap) => overlap.id(),
            Self::Load(Some(load)) => load.id(),
            Self::Load(None) => Self::DEFAULT_LOAD,
            Self::Drain(drain) => drain.id(),
            Self::KTiles(order) => return order.name(),
            Self::Feed(feed) => feed.id(),
            Self::Chip(chip) => chip,
            Self::Passes(passes) => passes.id(),
            Self::Adder(adder) => adder.id(),
            Self::Out(format) => format.id(),
            Self::Count(_) | Self::Matrix(_) => return None,
        })
    }
}

/// Writes the value as in a link.
impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::KTiles(order) => order.fmt(f),
            Self::Matrix(matrix) => matrix.as_ref().map_or(Ok(()), |matrix| f.write_str(&matrix.to_text())),
            other => f.write_str(other.id().unwrap_or("")),
        }
    }
}
