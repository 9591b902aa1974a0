//! Padding of a problem that does not fill the array.

use crate::{ArrayShape, Axis, Dataflow, Gemm, RangeError};

/// Padding of the problem before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Padding {
    /// No padding: in an edge fold, the PEs without elements of the problem are idle.
    Ragged,
    /// Zeros on the two axes that are mapped to rows and columns, so that each extent is a multiple of the array's rows
    /// or columns. PEs multiply these zeros.
    ToArray,
    /// Zeros on axis M, so that M is a multiple of this number, as for bucketed batch sizes.
    MultipleOfM(u32),
}

impl Padding {
    /// Largest number for [`Padding::MultipleOfM`].
    pub const MULTIPLE_MAX: u64 = 65_536;

    /// Dimensions of a GEMM after padding.
    ///
    /// # Errors
    /// [`RangeError`] if padding pushes a dimension above [`Gemm::DIM_MAX`].
    pub fn applied(self, gemm: Gemm, array: ArrayShape, dataflow: Dataflow) -> Result<Gemm, RangeError> {
        if self == Self::Ragged {
            return Ok(gemm);
        }
        let mapping = dataflow.mapping();
        let extent = |axis: Axis| {
            let real = gemm.extent(axis);
            match self {
                Self::ToArray if mapping.rows == axis => real.next_multiple_of(u64::from(array.rows())),
                Self::ToArray if mapping.cols == axis => real.next_multiple_of(u64::from(array.cols())),
                Self::MultipleOfM(multiple) if axis == Axis::M => real.next_multiple_of(u64::from(multiple.max(1))),
                Self::Ragged | Self::ToArray | Self::MultipleOfM(_) => real,
            }
        };
        Gemm::new(extent(Axis::M), extent(Axis::K), extent(Axis::N))
    }
}
