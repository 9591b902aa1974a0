//! Floating-point formats of up to 32 bits: rounding to nearest, bit patterns (codes), and the edge cases in which
//! formats differ.
//!
//! All computation is in f64, which represents every number of these formats and has twice as many fraction bits.
//! Scaling by a power of two is exact in f64, so the only rounding is the rounding to the format.

/// Result of rounding a value that is above the largest number of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// Infinity, as in IEEE 754. The largest exponent is reserved for ∞ and NaN.
    Infinity,
    /// NaN, whose only codes have all ones in exponent and fraction. Other codes with the largest exponent are numbers
    /// (`fn` formats).
    Nan,
    /// NaN, whose only code is the code that would be −0. The format has no −0 (`fnuz` formats).
    NanUnsignedZero,
}

/// Layout of a format: one sign bit, then exponent, then fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MiniFloat {
    /// Bits of the exponent.
    pub exponent_bits: u32,
    /// Bits of the fraction.
    pub fraction_bits: u32,
    /// Number that is subtracted from the exponent's code.
    pub bias: i32,
    /// Result for a value above the largest number.
    pub overflow: Overflow,
}

/// Returns 2^`power`, which must be a normal number in f64.
#[expect(clippy::cast_sign_loss, reason = "powers above −1023")]
const fn two_to(power: i32) -> f64 {
    f64::from_bits(((power + 1023) as u64) << 52)
}

impl MiniFloat {
    /// Exponent of the smallest normal number.
    #[must_use]
    pub const fn exponent_min(self) -> i32 {
        1 - self.bias
    }

    /// Exponent of the smallest subnormal number. Neighboring subnormal numbers differ by this smallest number.
    const fn quantum_exponent_min(self) -> i32 {
        self.exponent_min() - self.fraction_bits as i32
    }

    /// Largest number of the format.
    #[must_use]
    pub const fn max(self) -> f64 {
        let codes = 1i32 << self.exponent_bits;
        let ones = (1u64 << (self.fraction_bits + 1)) - 1;
        // The largest exponent, and the largest fraction with it, depend on the codes of ∞ and NaN.
        let (exponent, significand) = match self.overflow {
            Overflow::Infinity => (codes - 2 - self.bias, ones),
            Overflow::Nan => (codes - 1 - self.bias, ones - 1),
            Overflow::NanUnsignedZero => (codes - 1 - self.bias, ones),
        };
        significand as f64 * two_to(exponent - self.fraction_bits as i32)
    }

    /// Returns the number of the format that is nearest to the given value; ties go to even.
    ///
    /// With `saturate`, a value beyond the largest number becomes the largest number. Without `saturate`, the value
    /// becomes ∞ or NaN as in [`Overflow`]. `flush` turns subnormal results into zero of the same sign. The sign of the
    /// value is also the sign of a NaN.
    #[must_use]
    pub fn nearest(self, value: f64, saturate: bool, flush: bool) -> f64 {
        self.rounded(value, f64::round_ties_even, saturate, flush)
    }

    /// Returns the number of the format that is nearest to the given value as f32; ties go away from zero. The other
    /// arguments are those of [`MiniFloat::nearest`].
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "exact: f32 holds every number of the format")]
    pub fn nearest_away_f32(self, value: f64, saturate: bool, flush: bool) -> f32 {
        self.rounded(value, f64::round, saturate, flush) as f32
    }

    fn rounded(self, value: f64, to_whole: fn(f64) -> f64, saturate: bool, flush: bool) -> f64 {
        if value.is_nan() {
            return f64::NAN.copysign(value);
        }
        let beyond = || match self.overflow {
            _ if saturate => self.max().copysign(value),
            Overflow::Infinity => f64::INFINITY.copysign(value),
            Overflow::Nan | Overflow::NanUnsignedZero => f64::NAN.copysign(value),
        };
        if value.is_infinite() {
            return beyond();
        }
        let exponent = ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        let quantum = two_to((exponent - self.fraction_bits as i32).max(self.quantum_exponent_min()));
        let rounded = to_whole(value / quantum) * quantum;
        if rounded.abs() > self.max() {
            return beyond();
        }
        let flushed = flush && rounded.abs() < two_to(self.exponent_min());
        let result = if flushed { 0.0f64.copysign(value) } else { rounded };
        // −0 has no code in an unsigned-zero format.
        if result == 0.0 && self.overflow == Overflow::NanUnsignedZero { 0.0 } else { result }
    }

    /// Result of [`MiniFloat::nearest`] as f32, which represents every number of these formats.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "exact: f32 holds every number of the format")]
    pub fn nearest_f32(self, value: f64, saturate: bool, flush: bool) -> f32 {
        self.nearest(value, saturate, flush) as f32
    }

    /// Code (bit pattern) of a number, in the low bits of the result. The number must be in the format, for example a
    /// result of [`MiniFloat::nearest`].
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "codes of at most 32 bits")]
    pub fn code(self, number: f64) -> u32 {
        let sign = u32::from(number.is_sign_negative()) << (self.exponent_bits + self.fraction_bits);
        let exponent_ones = ((1u32 << self.exponent_bits) - 1) << self.fraction_bits;
        if number.is_nan() {
            return match self.overflow {
                Overflow::Infinity => sign | exponent_ones | 1 << (self.fraction_bits - 1),
                Overflow::Nan => sign | exponent_ones | ((1 << self.fraction_bits) - 1),
                Overflow::NanUnsignedZero => 1 << (self.exponent_bits + self.fraction_bits),
            };
        }
        if number.is_infinite() {
            return sign | exponent_ones;
        }
        let exponent = ((number.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        if exponent < self.exponent_min() {
            return sign | (number.abs() / two_to(self.quantum_exponent_min())) as u32;
        }
        let fraction = (number.to_bits() << 12 >> (64 - self.fraction_bits)) as u32;
        sign | ((exponent + self.bias) as u32) << self.fraction_bits | fraction
    }

    /// Number with this code (bit pattern).
    #[must_use]
    pub const fn value(self, code: u32) -> f64 {
        let fraction = code & ((1 << self.fraction_bits) - 1);
        let exponent = (code >> self.fraction_bits) & ((1 << self.exponent_bits) - 1);
        let negative = code >> (self.exponent_bits + self.fraction_bits) & 1 == 1;
        let all_ones = exponent == (1 << self.exponent_bits) - 1;
        let magnitude = match self.overflow {
            Overflow::Infinity if all_ones && fraction == 0 => f64::INFINITY,
            Overflow::Infinity if all_ones => f64::NAN,
            Overflow::Nan if all_ones && fraction == (1 << self.fraction_bits) - 1 => f64::NAN,
            Overflow::NanUnsignedZero if negative && exponent == 0 && fraction == 0 => f64::NAN,
            _ if exponent == 0 => fraction as f64 * two_to(self.quantum_exponent_min()),
            _ => {
                let significand = (1u32 << self.fraction_bits) + fraction;
                significand as f64 * two_to(exponent as i32 - self.bias - self.fraction_bits as i32)
            }
        };
        if negative { -magnitude } else { magnitude }
    }
}
