//! Adders of a PE: the ways in which chips add products.
//!
//! The default adds one product at a time in f32. Real chips add blocks of products. These rules reproduce the digits
//! that chips printed. They change the values of sums, and never the cycles, moves or reads of a run.
//!
//! - `tpu`: a table of outputs that a TPU printed in 2024 (<https://github.com/jax-ml/jax/commit/9114b084fc>) follows
//!   the rule in all digits. The rule was derived from this table. The kernel had tiles of 256 values of k, so only
//!   arrays of 256 rows are confirmed. No file names the chip.
//! - Tensor cores: the rule and its parameters are those of MMA-Sim (Xie et al., arXiv 2511.10909) and of Khattak and
//!   Mikaitis (arXiv 2512.07004). Products of one instruction are confirmed. No published data test longer sums.

use core::fmt;

use crate::{Accumulator, Dataflow, Dtype, Overlap};

/// Adder of the PEs.
///
/// ```
/// use systolic::{Adder, AdderError, Dtype, MacUnit, Rule};
///
/// let rule = Adder::A100.rule(Dtype::Tf32).expect("A100 adds products of tf32");
/// assert_eq!(rule.block(), 4);
/// let refused = MacUnit::new(Dtype::E5m2).with_adder(Adder::A100);
/// assert_eq!(refused, Err(AdderError::Format { adder: Adder::A100, dtype: Dtype::E5m2 }));
/// assert_eq!(Adder::A100.formats().collect::<Vec<_>>(), [Dtype::Bf16, Dtype::F16, Dtype::Tf32]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Adder {
    /// One product at a time, with one rounding per add, in the format of the accumulator.
    #[default]
    F32,
    /// TPU of 2024 with 256 rows: 8 products of the lower half of a tile of k, then 8 of the upper half, in turn. Each
    /// group of 8 is added exactly, then rounded once.
    Tpu,
    /// NVIDIA V100 tensor core.
    V100,
    /// NVIDIA A100 tensor core.
    A100,
    /// NVIDIA H100 tensor core.
    H100,
    /// NVIDIA B200 tensor core.
    B200,
}

crate::named! {
    Adder {
        F32 => "f32",
        Tpu => "tpu",
        V100 => "v100",
        A100 => "a100",
        H100 => "h100",
        B200 => "b200",
    }
}

/// Rule by which an adder adds a block of products to the sum `c` before them. A sum is a chain of blocks: the result of
/// a block is the `c` of the next block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Exact addition of `c` and the products, then one rounding to f32, to nearest even.
    Exact {
        /// Number of products in a block.
        block: u32,
    },
    /// Alignment to the largest exponent and truncation toward zero, before and after an exact addition.
    Truncated {
        /// Number of products in a block.
        block: u32,
        /// Number F of bits after the binary point that an aligned product keeps. The unit of an aligned product is
        /// 2^(E − F), where E is the largest exponent of the block.
        fraction_bits: u32,
        /// Number of fraction bits of the result.
        result_bits: u32,
        /// True if `c` is added afterwards, in f32 with rounding to nearest even. Else `c` is aligned with the products.
        adds_c_after: bool,
    },
}

impl Rule {
    /// Largest number of products in a block.
    pub const BLOCK_MAX: usize = 32;

    /// Number of products in a block.
    #[must_use]
    pub const fn block(self) -> u32 {
        match self {
            Self::Exact { block } | Self::Truncated { block, .. } => block,
        }
    }

    /// True if a sum goes on from fold to fold. False if each fold starts from zero, and f32 adders outside the array
    /// add the folds.
    #[must_use]
    pub const fn continues(self) -> bool {
        matches!(self, Self::Truncated { .. })
    }
}

impl Adder {
    /// Number of products that a TPU adds from one half of a tile before it changes to the other half.
    pub(crate) const GROUP: u32 = 8;

    /// Rule for products of operands in a format. `None` if the adder does not add such products, and for
    /// [`Adder::F32`], which has no blocks.
    #[must_use]
    pub const fn rule(self, dtype: Dtype) -> Option<Rule> {
        const fn cut(block: u32, fraction_bits: u32, result_bits: u32) -> Option<Rule> {
            Some(Rule::Truncated { block, fraction_bits, result_bits, adds_c_after: false })
        }
        match (self, dtype) {
            (Self::Tpu, Dtype::Bf16) => Some(Rule::Exact { block: Self::GROUP }),
            (Self::V100, Dtype::F16) => cut(4, 23, 23),
            (Self::A100, Dtype::Bf16 | Dtype::F16) => cut(8, 24, 23),
            (Self::A100, Dtype::Tf32) => cut(4, 24, 23),
            (Self::H100 | Self::B200, Dtype::Bf16 | Dtype::F16) => cut(16, 25, 23),
            (Self::H100 | Self::B200, Dtype::Tf32) => cut(8, 25, 23),
            (Self::H100, Dtype::E4m3fn | Dtype::E5m2) => cut(32, 13, 13),
            (Self::B200, Dtype::E4m3fn | Dtype::E5m2) => {
                Some(Rule::Truncated { block: 32, fraction_bits: 25, result_bits: 23, adds_c_after: true })
            }
            _ => None,
        }
    }

    /// Operand formats whose products the adder adds.
    pub fn formats(self) -> impl Iterator<Item = Dtype> {
        Dtype::ALL.into_iter().filter(move |&dtype| self == Self::F32 || self.rule(dtype).is_some())
    }
}

/// Error for an adder that does not fit the format, the array or the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdderError {
    /// The adder does not add products of this operand format. [`Adder::formats`] lists the formats.
    Format {
        /// The adder.
        adder: Adder,
        /// The rejected format.
        dtype: Dtype,
    },
    /// The adder has sums in f32 only.
    Accumulator {
        /// The adder.
        adder: Adder,
        /// The rejected format of the sums.
        accumulator: Accumulator,
    },
    /// The adder does not saturate operands.
    Saturates {
        /// The adder.
        adder: Adder,
    },
    /// The adder does not flush subnormal numbers.
    Flushes {
        /// The adder.
        adder: Adder,
    },
    /// The adder does not fit this dataflow: `tpu` needs k along the rows (WS, IS).
    Dataflow {
        /// The adder.
        adder: Adder,
        /// The rejected dataflow.
        dataflow: Dataflow,
    },
    /// The number of rows is not a multiple of `step`. A block of products would cross the middle of a tile or the end of
    /// a fold.
    Rows {
        /// The adder.
        adder: Adder,
        /// The rejected number of rows.
        given: u32,
        /// The number of rows must be a multiple of this number.
        step: u32,
        /// Next larger number of rows that fits.
        next: u32,
    },
    /// K, without padding, is not a whole number of tiles.
    K {
        /// The adder.
        adder: Adder,
        /// The rejected K.
        given: u64,
        /// K must be a multiple of this number, the rows of the array.
        step: u64,
        /// Next larger K that fits.
        next: u64,
    },
    /// Folds overlap, so the next fold may begin before the sum that it continues has left the array.
    Overlap {
        /// The adder.
        adder: Adder,
    },
}

impl fmt::Display for AdderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formats = |adder: Adder| adder.formats().map(Dtype::id).collect::<Vec<_>>().join(", ");
        let (name, given, usable) = match *self {
            Self::Format { adder, dtype } => ("format", dtype.id().to_owned(), formats(adder)),
            Self::Accumulator { accumulator, .. } => ("accumulator", accumulator.id().to_owned(), "f32".to_owned()),
            Self::Saturates { .. } => ("saturate", true.to_string(), false.to_string()),
            Self::Flushes { .. } => ("flush", true.to_string(), false.to_string()),
            Self::Dataflow { dataflow, .. } => ("dataflow", dataflow.id().to_owned(), "ws".to_owned()),
            Self::Rows { given, next, .. } => ("rows", given.to_string(), next.to_string()),
            Self::K { given, next, .. } => ("k", given.to_string(), next.to_string()),
            Self::Overlap { .. } => {
                let [usable, given] = [Overlap::None, Overlap::DoubleBuffered].map(|overlap| overlap.id().to_owned());
                ("overlap", given, usable)
            }
        };
        write!(f, "{name} = {given}: use {usable}")
    }
}

impl core::error::Error for AdderError {}
