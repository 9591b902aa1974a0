//! What happens where the problem does not fill the array.

use crate::{ArrayShape, Axis, Dataflow, Gemm, RangeError};

/// How the problem is padded before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Padding {
    /// Nothing is added: PEs outside an edge fold idle.
    Ragged,
    /// The two axes on the array are filled with zeros to a multiple of it: the PEs multiply zeros.
    ToArray,
    /// M is filled with zeros to a multiple of this number, as bucketed batch sizes are.
    MultipleOfM(u32),
}

impl Padding {
    /// Largest multiple that M may be padded to.
    pub const MULTIPLE_MAX: u64 = 65_536;

    /// The problem as it runs, zeros included.
    ///
    /// # Errors
    /// When padding pushes a dimension above [`Gemm::DIM_MAX`].
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
