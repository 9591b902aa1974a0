//! The value of a field, typed. Text is read into it once, and written from it last.

use core::fmt;

use perfmodel::F32Passes;
use systolic::{Dataflow, Drain, Dtype, Load, Overlap};

use crate::{Feed, FillKind, MatrixText, PaddingKind};

/// A value of a [`Field`](crate::Field).
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
    /// A whole number.
    Count(u64),
    /// What stays in the PEs.
    Dataflow(Dataflow),
    /// Operand format.
    Dtype(Dtype),
    /// Kind of padding.
    Padding(PaddingKind),
    /// Where the numbers come from.
    Fill(FillKind),
    /// Whether a fold waits for the one before it.
    Overlap(Overlap),
    /// How the stationary operand is shifted in; `None` for what is default for the overlap.
    Load(Option<Load>),
    /// How the sums of an output-stationary fold leave.
    Drain(Drain),
    /// Where B comes from.
    Feed(Feed),
    /// The id of a chip.
    Chip(&'static str),
    /// Passes of bf16.
    Passes(F32Passes),
    /// Typed or pasted numbers.
    Matrix(Option<MatrixText>),
}

impl FieldValue {
    /// The name of the default load in a link.
    pub(crate) const DEFAULT_LOAD: &'static str = "usual";

    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Count(count) => Some(*count),
            Self::Passes(passes) => Some(passes.count().into()),
            _ => None,
        }
    }

    /// The name in a link; `None` for counts and matrices.
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
            Self::Feed(feed) => feed.id(),
            Self::Chip(chip) => chip,
            Self::Passes(passes) => passes.id(),
            Self::Count(_) | Self::Matrix(_) => return None,
        })
    }
}

/// As a link has it.
impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::Matrix(matrix) => matrix.as_ref().map_or(Ok(()), |matrix| f.write_str(&matrix.to_text())),
            other => f.write_str(other.id().unwrap_or("")),
        }
    }
}
