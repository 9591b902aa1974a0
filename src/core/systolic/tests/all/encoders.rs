//! Tests every encoder on f32 inputs: some in each run, and all 2^32 on demand.
//!
//! `SYSTOLIC_INPUTS=all cargo test --release -p systolic --test all encoders` tests all of them.

use std::thread;

use systolic::Dtype;

/// Nonnegative numbers of an 8-bit format by code, and the smallest magnitude that overflows.
struct Numbers {
    dtype: Dtype,
    values: Vec<f64>,
    beyond: f64,
    /// True if a number at `beyond` still rounds to the largest number.
    beyond_is_kept: bool,
    /// Value of an overflow.
    overflow: f64,
    has_negative_zero: bool,
}

fn numbers() -> [Numbers; 5] {
    // The largest numbers and the thresholds were measured with ml_dtypes 0.6.0.
    [
        (Dtype::E4m3fn, 0x7e, 464.0, true, f64::NAN, true),
        (Dtype::E5m2, 0x7b, 61_440.0, false, f64::INFINITY, true),
        (Dtype::E4m3b11fnuz, 0x7f, 31.0, false, f64::NAN, false),
        (Dtype::E4m3fnuz, 0x7f, 248.0, false, f64::NAN, false),
        (Dtype::E5m2fnuz, 0x7f, 61_440.0, false, f64::NAN, false),
    ]
    .map(|(dtype, largest, beyond, beyond_is_kept, overflow, has_negative_zero)| {
        let format = dtype.float().expect("a float");
        let values = (0..=largest).map(|code| format.value(code)).collect();
        Numbers { dtype, values, beyond, beyond_is_kept, overflow, has_negative_zero }
    })
}

impl Numbers {
    /// Returns the nearest number by a search through all of them. Ties go to the even code.
    fn nearest(&self, value: f64) -> f64 {
        let magnitude = value.abs();
        if value.is_nan() {
            return f64::NAN;
        }
        let is_beyond = magnitude > self.beyond || (magnitude == self.beyond && !self.beyond_is_kept);
        let nearest = if is_beyond {
            self.overflow
        } else {
            let above = self.values.partition_point(|&number| number < magnitude).min(self.values.len() - 1);
            let below = above.saturating_sub(1);
            let (up, down) = (self.values[above] - magnitude, magnitude - self.values[below]);
            let take_above = up < down || (up == down && above.is_multiple_of(2));
            self.values[if take_above { above } else { below }]
        };
        if nearest == 0.0 && !self.has_negative_zero { 0.0 } else { nearest.copysign(value) }
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Returns the first input for which an encoder and its oracle disagree. The upper 16 bits of the inputs are the
/// `high_halves`.
fn first_difference(high_halves: impl Iterator<Item = u32>) -> Option<String> {
    let numbers = numbers();
    let bf16 = Dtype::Bf16.float().expect("a float");
    let f16 = Dtype::F16.float().expect("a float");
    let small = numbers.each_ref().map(|numbers| numbers.dtype.float().expect("a float"));
    for high in high_halves {
        for low in 0..=0xffff {
            let input = f32::from_bits(high << 16 | low);
            let value = f64::from(input);
            let difference = |dtype: Dtype, ours: f64, expected: f64| {
                Some(format!("{dtype} of {:#010x}: {ours:e}, expected {expected:e}", input.to_bits()))
            };
            let (ours, expected) = (bf16.nearest(value, false, false), half::bf16::from_f32(input).to_f64());
            if !same(ours, expected) {
                return difference(Dtype::Bf16, ours, expected);
            }
            let (ours, expected) = (f16.nearest(value, false, false), half::f16::from_f32(input).to_f64());
            if !same(ours, expected) {
                return difference(Dtype::F16, ours, expected);
            }
            for (numbers, format) in numbers.iter().zip(&small) {
                let (ours, expected) = (format.nearest(value, false, false), numbers.nearest(value));
                if !same(ours, expected) {
                    return difference(numbers.dtype, ours, expected);
                }
                // The number has a code, and this code has the value of the number.
                let back = format.value(format.code(ours));
                if !same(back, ours) {
                    return difference(numbers.dtype, back, ours);
                }
            }
        }
    }
    None
}

#[test]
fn every_encoder_rounds_f32_inputs_as_its_oracle_does() {
    let all = std::env::var("SYSTOLIC_INPUTS").is_ok_and(|inputs| inputs == "all");
    // By default, the test uses every 263rd high half, which visits all exponents and both signs.
    let step = if all { 1 } else { 263 };
    let halves: Vec<u32> = (0..=0xffff).step_by(step).collect();
    let workers = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = halves.len().div_ceil(workers);
    let difference = thread::scope(|scope| {
        let parts: Vec<_> =
            halves.chunks(share).map(|part| scope.spawn(move || first_difference(part.iter().copied()))).collect();
        parts.into_iter().find_map(|part| part.join().expect("a worker ends"))
    });
    assert_eq!(difference, None, "of {} inputs", halves.len() << 16);
}
