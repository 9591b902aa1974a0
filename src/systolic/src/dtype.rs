//! Number formats of the operands and of the sum.

use core::fmt;

/// Operand format; the accumulator format follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dtype {
    /// IEEE binary32 operands, f32 sums.
    F32,
    /// bfloat16 operands, exact products, f32 sums rounded to nearest even at every add.
    Bf16,
    /// 8-bit two's complement operands, i32 sums that wrap.
    Int8,
}

impl Dtype {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::F32, Self::Bf16, Self::Int8];

    /// The name in links, files and on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::Int8 => "int8",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| dtype.id().eq_ignore_ascii_case(id))
    }

    /// Name of the accumulator format.
    #[must_use]
    pub const fn accumulator_id(self) -> &'static str {
        match self {
            Self::F32 | Self::Bf16 => "f32",
            Self::Int8 => "int32",
        }
    }

    /// Size of one operand in bytes.
    #[must_use]
    pub const fn operand_bytes(self) -> u64 {
        match self {
            Self::F32 => 4,
            Self::Bf16 => 2,
            Self::Int8 => 1,
        }
    }

    /// Size of one sum in bytes.
    #[must_use]
    pub const fn accumulator_bytes(self) -> u64 {
        4
    }

    /// Whether operands are whole numbers.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Int8)
    }
}

/// The exact content of a register.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A float; narrower formats are subsets of f32.
    Float(f32),
    /// An integer.
    Int(i32),
}

impl Value {
    /// The number as a double, exactly.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Float(value) => f64::from(value),
            Self::Int(value) => f64::from(value),
        }
    }

    /// Whether it is zero of either sign.
    #[must_use]
    pub fn is_zero(self) -> bool {
        match self {
            Self::Float(value) => value == 0.0,
            Self::Int(value) => value == 0,
        }
    }
}

/// Same kind and same bits; any NaN equals any NaN, because WebAssembly leaves NaN payloads open.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            (Self::Int(a), Self::Int(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
