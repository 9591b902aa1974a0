//! Sums without rounding, to measure the error of a rounded sum.
//!
//! Every product of two numbers of the supported formats is a whole multiple of 2^−298 and smaller than 2^257. A
//! fixed-point register of 640 bits is therefore wide enough for any sum of 2^31 such products (Kulisch's long
//! accumulator).

use crate::{Dtype, MacUnit, Value};

/// Number of 64-bit words in the register.
const WORDS: usize = 10;

/// Number of bits after the binary point. The lowest bit, 2^−298, is the square of the smallest subnormal of f32.
const POINT: i32 = 298;

/// An exact sum of products.
#[derive(Clone, Debug)]
pub struct ExactSum {
    /// Fixed-point sum in two's complement, the lowest word first.
    words: [u64; WORDS],
    /// The infinite or NaN sum, after an infinity or a NaN was added; `None` before.
    special: Option<f64>,
}

impl Default for ExactSum {
    fn default() -> Self {
        Self { words: [0; WORDS], special: None }
    }
}

impl ExactSum {
    /// Adds `x·w` for two operands of any format.
    pub fn add_product(&mut self, x: Value, w: Value) {
        // The product of two 24-bit significands has 48 bits, which an f64 holds. The squared range of each format is
        // within the range of f64 too.
        self.add(x.as_f64() * w.as_f64());
    }

    /// Adds a number that is a whole multiple of 2^−298 and below 2^300.
    pub fn add(&mut self, value: f64) {
        if !value.is_finite() || self.special.is_some() {
            self.special = Some(self.special.map_or(value, |special| special + value));
            return;
        }
        let bits = value.to_bits();
        let code = (bits >> 52 & 0x7ff) as i32;
        if code == 0 {
            return; // Zero: such multiples are never subnormal doubles.
        }
        let significand = bits & ((1 << 52) - 1) | 1 << 52;
        let place = code - 1023 - 52 + POINT;
        // Bits below the last place are zeros.
        let (significand, place) = if place < 0 { (significand >> -place, 0) } else { (significand, place) };
        let Ok(place) = usize::try_from(place) else { return };
        let wide = u128::from(significand) << (place % 64);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        let halves = [wide as u64, (wide >> 64) as u64];
        self.add_words(place / 64, halves, value.is_sign_negative());
    }

    fn add_words(&mut self, at: usize, halves: [u64; 2], negative: bool) {
        let mut carry = false;
        for (index, word) in self.words.iter_mut().enumerate().skip(at) {
            let part = halves.get(index - at).copied().unwrap_or(0);
            let (first, second) = if negative {
                let (difference, borrow) = word.overflowing_sub(part);
                let (difference, again) = difference.overflowing_sub(u64::from(carry));
                (difference, borrow || again)
            } else {
                let (sum, over) = word.overflowing_add(part);
                let (sum, again) = sum.overflowing_add(u64::from(carry));
                (sum, over || again)
            };
            (*word, carry) = (first, second);
            if !carry && index > at {
                break;
            }
        }
    }

    /// The sum as an f64. The 53 bits of an f64 are enough to measure an error.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.rounded(|both| {
            #[expect(clippy::cast_precision_loss, reason = "rounded to nearest, once")]
            let value = both as f64;
            value
        })
    }

    /// The sum as an f32, rounded once, to nearest even.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
    pub fn to_f32(&self) -> f32 {
        // The result keeps 53 bits. Its last bit is 1 if any lower bit is 1. The f64 is then a tie of f32 only if the
        // sum is a tie.
        let odd = |both: u128| {
            let dropped = (u128::BITS - both.leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS);
            let rest = u128::from(both & ((1 << dropped) - 1) != 0);
            #[expect(clippy::cast_precision_loss, reason = "exact: 53 bits")]
            let value = ((both >> dropped | rest) << dropped) as f64;
            value
        };
        self.rounded(odd) as f32
    }

    /// The sum as an f64. `round` rounds the highest 128 bits. The last of these bits is 1 if any lower bit is 1.
    fn rounded(&self, round: impl Fn(u128) -> f64) -> f64 {
        if let Some(special) = self.special {
            return special;
        }
        let negative = self.words[WORDS - 1] >> 63 == 1;
        let mut magnitude = self.words;
        if negative {
            let mut carry = true;
            for word in &mut magnitude {
                let (next, over) = (!*word).overflowing_add(u64::from(carry));
                (*word, carry) = (next, over);
            }
        }
        // The highest nonzero word and the word below it set all bits of the result but the last. Lower words only
        // affect the last bit.
        let Some(top) = (0..WORDS).rev().find(|&index| magnitude[index] != 0) else { return 0.0 };
        let below = top.checked_sub(1).map_or(0, |index| magnitude[index]);
        let rest = u64::from(magnitude[..top.saturating_sub(1)].iter().any(|&word| word != 0));
        let both = u128::from(magnitude[top]) << 64 | u128::from(below | rest);
        let value = round(both);
        let power = 64 * (i32::try_from(top).unwrap_or(i32::MAX) - 1) - POINT;
        let value = scaled(value, power);
        if negative { -value } else { value }
    }

    /// Error of a result against this sum, in units in the last place (ulp). An ulp is the spacing of the accumulator's
    /// format at this sum. A correctly rounded result has an error of at most ½.
    ///
    /// If the sum or the result is ∞ or NaN, returns 0 if both are the same, else `None`.
    #[must_use]
    pub fn ulps_off(&self, result: Value, unit: MacUnit) -> Option<f64> {
        let (exact, got) = (self.to_f64(), result.as_f64());
        if !exact.is_finite() || !got.is_finite() {
            return (exact == got || (exact.is_nan() && got.is_nan())).then_some(0.0);
        }
        let mut rest = self.clone();
        rest.add(-got);
        Some(rest.to_f64().abs() / ulp(exact, unit))
    }
}

/// Returns `value` · 2^power, if the result is in the range of f64. The function multiplies in two steps, because
/// 2^power may be out of range.
fn scaled(value: f64, power: i32) -> f64 {
    let half = power / 2;
    value * 2f64.powi(half) * 2f64.powi(power - half)
}

/// Distance between neighboring numbers of the accumulator's format at a value.
fn ulp(value: f64, unit: MacUnit) -> f64 {
    let format = match unit.accumulator() {
        crate::Accumulator::Int32 => return 1.0,
        crate::Accumulator::F32 => Dtype::F32,
        crate::Accumulator::Bf16 => Dtype::Bf16,
        crate::Accumulator::F16 => Dtype::F16,
    };
    let Some(format) = format.float() else { return 1.0 };
    let exponent = (value.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    2f64.powi(exponent.max(format.exponent_min()) - format.fraction_bits.cast_signed())
}
