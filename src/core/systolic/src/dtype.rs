//! Number formats of the operands and of the sum.

use core::fmt;

use crate::minifloat::{MiniFloat, Overflow};
use crate::{Adder, AdderError, Rule};

/// Operand format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dtype {
    /// IEEE binary32.
    F32,
    /// bfloat16: 8 exponent bits, 7 fraction bits.
    Bf16,
    /// IEEE binary16.
    F16,
    /// 8 bits: 4 exponent, 3 fraction, largest 448, no infinity (Ironwood, H100).
    E4m3fn,
    /// 8 bits: 5 exponent, 2 fraction, largest 57344, with infinities.
    E5m2,
    /// 8 bits: 4 exponent with bias 11, 3 fraction, largest 30, no infinity and no −0 (TPU v5, v6e).
    E4m3b11fnuz,
    /// 8 bits: 4 exponent with bias 8, 3 fraction, largest 240, no infinity and no −0 (AMD MI300).
    E4m3fnuz,
    /// 8 bits: 5 exponent with bias 16, 2 fraction, largest 57344, no infinity and no −0 (AMD MI300).
    E5m2fnuz,
    /// 8-bit two's complement.
    Int8,
    /// 4-bit two's complement.
    Int4,
    /// TF32 of tensor cores: 8 exponent bits, 10 fraction bits, in memory as a binary32. Operands are rounded to nearest,
    /// and ties go away from zero, as in frameworks (<https://github.com/pytorch/pytorch/issues/53635>).
    Tf32,
}

crate::named! {
    Dtype {
        F32 => "f32",
        Bf16 => "bf16",
        F16 => "f16",
        E4m3fn => "e4m3fn",
        E5m2 => "e5m2",
        E4m3b11fnuz => "e4m3b11fnuz",
        E4m3fnuz => "e4m3fnuz",
        E5m2fnuz => "e5m2fnuz",
        Int8 => "int8",
        Int4 => "int4",
        Tf32 => "tf32",
    }
}

impl Dtype {
    /// Width of one operand in memory, in bits.
    #[must_use]
    pub const fn bits(self) -> u64 {
        match self {
            Self::F32 | Self::Tf32 => 32,
            Self::Bf16 | Self::F16 => 16,
            Self::E4m3fn | Self::E5m2 | Self::E4m3b11fnuz | Self::E4m3fnuz | Self::E5m2fnuz | Self::Int8 => 8,
            Self::Int4 => 4,
        }
    }

    /// Width of one operand in a register, in bits: sign, exponent and fraction. A tf32 operand has 19 bits, although it
    /// has 32 bits in memory.
    #[must_use]
    pub const fn register_bits(self) -> u64 {
        match self {
            Self::Tf32 => 19,
            _ => self.bits(),
        }
    }

    /// True if operands are whole numbers.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Int8 | Self::Int4)
    }

    /// Smallest and largest whole number of an integer format; `None` for a float format.
    #[must_use]
    pub const fn whole_range(self) -> Option<(i8, i8)> {
        match self {
            Self::Int8 => Some((i8::MIN, i8::MAX)),
            Self::Int4 => Some((-8, 7)),
            _ => None,
        }
    }

    /// Layout of a floating-point format; `None` for an integer format.
    #[must_use]
    pub const fn float(self) -> Option<MiniFloat> {
        match self {
            Self::F32 => {
                Some(MiniFloat { exponent_bits: 8, fraction_bits: 23, bias: 127, overflow: Overflow::Infinity })
            }
            Self::Bf16 => {
                Some(MiniFloat { exponent_bits: 8, fraction_bits: 7, bias: 127, overflow: Overflow::Infinity })
            }
            Self::F16 => {
                Some(MiniFloat { exponent_bits: 5, fraction_bits: 10, bias: 15, overflow: Overflow::Infinity })
            }
            Self::E4m3fn => Some(MiniFloat { exponent_bits: 4, fraction_bits: 3, bias: 7, overflow: Overflow::Nan }),
            Self::E5m2 => {
                Some(MiniFloat { exponent_bits: 5, fraction_bits: 2, bias: 15, overflow: Overflow::Infinity })
            }
            Self::E4m3b11fnuz => {
                Some(MiniFloat { exponent_bits: 4, fraction_bits: 3, bias: 11, overflow: Overflow::NanUnsignedZero })
            }
            Self::E4m3fnuz => {
                Some(MiniFloat { exponent_bits: 4, fraction_bits: 3, bias: 8, overflow: Overflow::NanUnsignedZero })
            }
            Self::E5m2fnuz => {
                Some(MiniFloat { exponent_bits: 5, fraction_bits: 2, bias: 16, overflow: Overflow::NanUnsignedZero })
            }
            Self::Tf32 => {
                Some(MiniFloat { exponent_bits: 8, fraction_bits: 10, bias: 127, overflow: Overflow::Infinity })
            }
            Self::Int8 | Self::Int4 => None,
        }
    }
}

/// Format of the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accumulator {
    /// f32, rounded to nearest even at every add.
    F32,
    /// i32 that wraps in two's complement; for integer operands only.
    Int32,
    /// f32 add, then rounding to bf16, to teach the effect of a narrow accumulator.
    Bf16,
    /// f32 add, then rounding to f16.
    F16,
}

crate::named! {
    Accumulator {
        F32 => "f32",
        Int32 => "int32",
        Bf16 => "bf16",
        F16 => "f16",
    }
}

/// Arithmetic of one PE: operand format, accumulator format and rounding.
///
/// The default [`Adder`] rounds each sum to nearest even, as in IEEE 754. Other adders add as a chip does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MacUnit {
    dtype: Dtype,
    accumulator: Accumulator,
    adder: Adder,
    /// True if an operand beyond the largest number becomes the largest number. If false, as in XLA, the operand
    /// becomes ∞ or NaN, as the format defines. Integers always saturate.
    pub saturate: bool,
    /// True if subnormal operands and sums become zero, as TPUs reportedly do.
    pub flush_subnormals: bool,
}

impl MacUnit {
    /// MAC unit of a format with its default accumulator: i32 for integers, f32 for floats.
    #[must_use]
    pub const fn new(dtype: Dtype) -> Self {
        let accumulator = if dtype.is_integer() { Accumulator::Int32 } else { Accumulator::F32 };
        Self { dtype, accumulator, adder: Adder::F32, saturate: false, flush_subnormals: false }
    }

    /// This MAC unit with another accumulator.
    ///
    /// Returns `None` if the accumulator is a float format for integer operands, or an integer format for float
    /// operands. Also returns `None` if the adder is not [`Adder::F32`] and the accumulator is not f32.
    #[must_use]
    pub fn with_accumulator(self, accumulator: Accumulator) -> Option<Self> {
        let fits = self.dtype.is_integer() == (accumulator == Accumulator::Int32)
            && (self.adder == Adder::F32 || accumulator == Accumulator::F32);
        fits.then_some(Self { accumulator, ..self })
    }

    /// This MAC unit with another adder.
    ///
    /// # Errors
    /// [`AdderError`] if the adder does not add products of this format; or if the adder is not [`Adder::F32`] and the
    /// unit has another accumulator than f32, saturates or flushes.
    pub fn with_adder(self, adder: Adder) -> Result<Self, AdderError> {
        if adder != Adder::F32 {
            let (dtype, accumulator) = (self.dtype, self.accumulator);
            match adder.rule(dtype) {
                None => return Err(AdderError::Format { adder, dtype }),
                Some(_) if accumulator != Accumulator::F32 => {
                    return Err(AdderError::Accumulator { adder, accumulator });
                }
                Some(_) if self.saturate => return Err(AdderError::Saturates { adder }),
                Some(_) if self.flush_subnormals => return Err(AdderError::Flushes { adder }),
                Some(_) => {}
            }
        }
        Ok(Self { adder, ..self })
    }

    /// Adder of the PEs.
    #[must_use]
    pub const fn adder(self) -> Adder {
        self.adder
    }

    /// Rule by which blocks of products are added; `None` if each product is added and rounded by itself.
    #[must_use]
    pub const fn rule(self) -> Option<Rule> {
        self.adder.rule(self.dtype)
    }

    /// This MAC unit with another value of [`saturate`](Self::saturate).
    #[must_use]
    pub const fn with_saturation(self, saturate: bool) -> Self {
        Self { saturate, ..self }
    }

    /// This MAC unit with another value of [`flush_subnormals`](Self::flush_subnormals). The flag stays false for
    /// integers, because they have no subnormals.
    #[must_use]
    pub const fn with_flushing(self, flush: bool) -> Self {
        Self { flush_subnormals: flush && !self.dtype.is_integer(), ..self }
    }

    /// Format of the operands.
    #[must_use]
    pub const fn dtype(self) -> Dtype {
        self.dtype
    }

    /// Format of the accumulator.
    #[must_use]
    pub const fn accumulator(self) -> Accumulator {
        self.accumulator
    }

    /// The operand nearest to a value, ties to even (tf32: away from zero); integer formats truncate toward zero and saturate.
    #[must_use]
    pub fn operand(self, value: f64) -> Value {
        match self.dtype.float() {
            // The processor's rounding to f32 gives equal results, and is ten times as fast as `nearest_f32`.
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
            Some(_) if self.dtype == Dtype::F32 && !self.saturate && !self.flush_subnormals => {
                Value::Float(value as f32)
            }
            Some(format) if self.dtype == Dtype::Tf32 => {
                Value::Float(format.nearest_away_f32(value, self.saturate, self.flush_subnormals))
            }
            Some(format) => Value::Float(format.nearest_f32(value, self.saturate, self.flush_subnormals)),
            None => {
                let (least, most) = self.dtype.whole_range().unwrap_or((0, 0));
                #[expect(clippy::cast_possible_truncation, reason = "the cast saturates; NaN becomes 0")]
                let whole = value as i32;
                Value::Int(whole.clamp(least.into(), most.into()))
            }
        }
    }
}

impl From<Dtype> for MacUnit {
    fn from(dtype: Dtype) -> Self {
        Self::new(dtype)
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
    /// The value as an f64, exactly.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Float(value) => f64::from(value),
            Self::Int(value) => f64::from(value),
        }
    }
}

/// Two values are equal if they are the same variant with the same bits. Any NaN equals any NaN, because WebAssembly
/// does not fix NaN payloads.
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
