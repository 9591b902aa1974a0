//! The arithmetic of one PE, per format: an IEEE f32 round-to-nearest-even model, and wrapping integers.
//!
//! The product of two bf16 numbers is exact in f32 over the normal range, so an f32 multiply followed by an f32 add
//! rounds once, at the add. The two are never fused: a fused multiply-add gives other bits for f32 operands.

use crate::{Dtype, Value};
use half::bf16;

/// What a PE of one format multiplies, adds and stores.
pub trait Lane: Copy + 'static {
    /// An operand in its true width.
    type Operand: Copy + Default + fmt_bounds::Plain;
    /// A sum.
    type Sum: Copy + Default + fmt_bounds::Plain;

    /// The format.
    const DTYPE: Dtype;

    /// The nearest operand (ties to even; integers are truncated toward zero and saturate).
    fn encode(value: f64) -> Self::Operand;
    /// The operand's value.
    fn operand(operand: Self::Operand) -> Value;
    /// The sum's value.
    fn sum(sum: Self::Sum) -> Value;
    /// `sum + x·w`, rounded as the hardware rounds.
    fn mac(sum: Self::Sum, x: Self::Operand, w: Self::Operand) -> Self::Sum;
    /// `a + b` in the accumulators outside the array.
    fn add(a: Self::Sum, b: Self::Sum) -> Self::Sum;
}

mod fmt_bounds {
    /// Plain numbers.
    pub trait Plain: core::fmt::Debug + PartialEq + Send + Sync + 'static {}
    impl<T: core::fmt::Debug + PartialEq + Send + Sync + 'static> Plain for T {}
}

/// f32 operands and sums.
#[derive(Clone, Copy, Debug)]
pub struct F32;

/// bf16 operands, stored as their 16 bits, and f32 sums.
#[derive(Clone, Copy, Debug)]
pub struct Bf16;

/// i8 operands and i32 sums.
#[derive(Clone, Copy, Debug)]
pub struct Int8;

impl Lane for F32 {
    type Operand = f32;
    type Sum = f32;
    const DTYPE: Dtype = Dtype::F32;

    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
    fn encode(value: f64) -> f32 {
        value as f32
    }
    fn operand(operand: f32) -> Value {
        Value::Float(operand)
    }
    fn sum(sum: f32) -> Value {
        Value::Float(sum)
    }
    #[inline(always)]
    fn mac(sum: f32, x: f32, w: f32) -> f32 {
        sum + x * w
    }
    #[inline(always)]
    fn add(a: f32, b: f32) -> f32 {
        a + b
    }
}

#[inline(always)]
fn widen(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

impl Lane for Bf16 {
    type Operand = u16;
    type Sum = f32;
    const DTYPE: Dtype = Dtype::Bf16;

    fn encode(value: f64) -> u16 {
        bf16::from_f64(value).to_bits()
    }
    fn operand(operand: u16) -> Value {
        Value::Float(widen(operand))
    }
    fn sum(sum: f32) -> Value {
        Value::Float(sum)
    }
    #[inline(always)]
    fn mac(sum: f32, x: u16, w: u16) -> f32 {
        sum + widen(x) * widen(w)
    }
    #[inline(always)]
    fn add(a: f32, b: f32) -> f32 {
        a + b
    }
}

impl Lane for Int8 {
    type Operand = i8;
    type Sum = i32;
    const DTYPE: Dtype = Dtype::Int8;

    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, as documented")]
    fn encode(value: f64) -> i8 {
        value as i8
    }
    fn operand(operand: i8) -> Value {
        Value::Int(i32::from(operand))
    }
    fn sum(sum: i32) -> Value {
        Value::Int(sum)
    }
    #[inline(always)]
    fn mac(sum: i32, x: i8, w: i8) -> i32 {
        sum.wrapping_add(i32::from(x) * i32::from(w))
    }
    #[inline(always)]
    fn add(a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }
}

/// Runs a generic expression for the lane of a [`Dtype`].
#[macro_export]
macro_rules! with_lane {
    ($dtype:expr, $lane:ident => $body:expr) => {
        match $dtype {
            $crate::Dtype::F32 => {
                type $lane = $crate::lane::F32;
                $body
            }
            $crate::Dtype::Bf16 => {
                type $lane = $crate::lane::Bf16;
                $body
            }
            $crate::Dtype::Int8 => {
                type $lane = $crate::lane::Int8;
                $body
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_bf16_code_widens_as_half_does() {
        for bits in 0..=u16::MAX {
            assert_eq!(Value::Float(widen(bits)), Value::Float(bf16::from_bits(bits).to_f32()), "code {bits:#06x}");
        }
    }

    #[test]
    fn every_bf16_code_survives_a_round_trip() {
        for bits in 0..=u16::MAX {
            let value = Bf16::operand(bits);
            assert_eq!(Bf16::operand(Bf16::encode(value.as_f64())), value, "code {bits:#06x}");
        }
    }

    #[test]
    fn zero_times_infinity_is_not_a_number() {
        let infinity = Bf16::encode(f64::INFINITY);
        assert!(matches!(Bf16::sum(Bf16::mac(1.0, 0, infinity)), Value::Float(sum) if sum.is_nan()));
    }

    #[test]
    fn int8_sums_wrap_in_two_s_complement() {
        assert_eq!(Int8::mac(i32::MAX, 1, 1), i32::MIN);
    }
}
