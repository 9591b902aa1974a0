//! Compares formats with other programs: `half` for every code, and ml_dtypes for casts of the 8-bit floats.

use systolic::lane::{Bf16, F16, Lane};
use systolic::{Accumulator, Dtype, Fill, MacUnit, Matrix, MiniFloat, Value};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Casts by ml_dtypes 0.6.0: the bits of an f32, then its code in each 8-bit format. See tests/oracle.
const CASTS: &str = include_str!("../../../../../tests/golden/ml_dtypes_casts.csv");

/// The 8-bit floats in the order of the columns.
const FP8: [Dtype; 5] = [Dtype::E4m3fn, Dtype::E5m2, Dtype::E4m3b11fnuz, Dtype::E4m3fnuz, Dtype::E5m2fnuz];

fn layout(dtype: Dtype) -> MiniFloat {
    dtype.float().expect("a float")
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[test]
fn every_16_bit_code_means_what_half_says() {
    for code in 0..=u16::MAX {
        let (bf16, f16) = (half::bf16::from_bits(code).to_f64(), half::f16::from_bits(code).to_f64());
        assert!(same(layout(Dtype::Bf16).value(code.into()), bf16), "bf16 {code:#06x}");
        assert!(same(layout(Dtype::F16).value(code.into()), f16), "f16 {code:#06x}");
        assert_eq!(Bf16.operand(code), Value::Float(half::bf16::from_bits(code).to_f32()), "bf16 {code:#06x}");
        assert_eq!(F16.operand(code), Value::Float(half::f16::from_bits(code).to_f32()), "f16 {code:#06x}");
    }
}

#[test]
fn every_code_of_every_small_format_survives_a_round_trip() {
    for dtype in [Dtype::Bf16, Dtype::F16].into_iter().chain(FP8) {
        let format = layout(dtype);
        for code in 0..1u32 << dtype.bits() {
            let value = format.value(code);
            assert!(same(format.nearest(value, false, false), value), "{dtype} {code:#x} is its own nearest");
            if value.is_nan() {
                let sign = 1 << (dtype.bits() - 1);
                assert_eq!(format.code(value) & sign, code & sign, "{dtype} {code:#x} keeps its sign");
            } else {
                assert_eq!(format.code(value), code, "{dtype} {value:e}");
            }
        }
    }
}

#[test]
fn rounding_f32_equals_half_on_a_spread_of_all_inputs() {
    // The inputs are every 997th f32: 4.3 million numbers with all exponents and both sides of rounding ties.
    for bits in (0..=u32::MAX).step_by(997) {
        let value = f64::from(f32::from_bits(bits));
        for (dtype, expected) in [
            (Dtype::Bf16, half::bf16::from_f32(f32::from_bits(bits)).to_f64()),
            (Dtype::F16, half::f16::from_f32(f32::from_bits(bits)).to_f64()),
            (Dtype::F32, value),
        ] {
            let ours = layout(dtype).nearest(value, false, false);
            assert!(same(ours, expected), "{dtype} of {bits:#010x}: {ours:e}, half says {expected:e}");
        }
    }
}

#[test]
fn casts_to_fp8_equal_ml_dtypes() {
    let mut n_casts = 0;
    for line in CASTS.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let bits = u32::from_str_radix(fields[0], 16).expect("bits");
        let value = f64::from(f32::from_bits(bits));
        for (dtype, code) in FP8.into_iter().zip(&fields[1..]) {
            let code = u32::from_str_radix(code, 16).expect("a code");
            let format = layout(dtype);
            let ours = format.nearest(value, false, false);
            assert!(same(ours, format.value(code)), "{dtype} of {bits:#010x}: {ours:e}, code {code:#04x}");
            // The code of a NaN has the sign of the input.
            assert_eq!(format.code(ours), code, "{dtype} of {bits:#010x}");
        }
        n_casts += 1;
    }
    assert!(n_casts > 20_000, "{n_casts}");
}

#[test]
fn the_edges_are_where_the_formats_have_them() {
    let cast = |dtype, value, saturate| layout(dtype).nearest(value, saturate, false);
    assert_eq!(cast(Dtype::E4m3fn, 464.0, false), 448.0, "a tie goes to the even neighbor");
    assert!(cast(Dtype::E4m3fn, 464.1, false).is_nan());
    assert_eq!(cast(Dtype::E4m3fn, 464.1, true), 448.0);
    assert_eq!(cast(Dtype::E4m3fn, f64::NEG_INFINITY, true), -448.0);
    assert_eq!(cast(Dtype::E5m2, 61_440.0, false), f64::INFINITY);
    assert_eq!(cast(Dtype::E5m2, 61_439.0, false), 57_344.0);
    assert!(cast(Dtype::E4m3b11fnuz, 31.0, false).is_nan());
    assert_eq!(cast(Dtype::E4m3b11fnuz, 30.9, false), 30.0);
    assert!(cast(Dtype::E4m3b11fnuz, -0.0, false).is_sign_positive(), "there is no −0");
    assert!(cast(Dtype::E4m3fnuz, 248.0, false).is_nan());
    assert_eq!(cast(Dtype::E4m3fnuz, 247.9, false), 240.0);
    assert_eq!(layout(Dtype::E4m3fnuz).code(240.0), 0x7f);
    assert_eq!(FP8.map(|dtype| layout(dtype).max()), [448.0, 57_344.0, 30.0, 240.0, 57_344.0]);
    let max = |dtype| layout(dtype).max();
    assert_eq!(max(Dtype::F16), 65_504.0);
    assert_eq!(max(Dtype::F32), f64::from(f32::MAX));
}

#[test]
fn products_of_all_pairs_of_fp8_numbers_are_exact_in_f32() {
    for dtype in FP8 {
        let values: Vec<f64> = (0..256).map(|code| layout(dtype).value(code)).collect();
        for &a in &values {
            for &b in &values {
                #[expect(clippy::cast_possible_truncation, reason = "the question")]
                let product = (a as f32) * (b as f32);
                assert!(same(f64::from(product), a * b), "{dtype} {a} × {b}");
            }
        }
    }
}

#[test]
fn a_double_just_above_a_tie_is_rounded_up_once() {
    // 194.5/256 is a tie between two bf16 numbers. Any larger number must round up.
    let above = 194.5 / 256.0 + 2f64.powi(-40);
    assert_eq!(MacUnit::new(Dtype::Bf16).operand(above), Value::Float(195.0 / 256.0));
    assert_eq!(Bf16.operand(Bf16.encode(above)), Value::Float(195.0 / 256.0));
    assert_eq!(MacUnit::new(Dtype::Bf16).operand(194.5 / 256.0), Value::Float(194.0 / 256.0));
    let layout = Dtype::F32.float().expect("a float");
    for value in [0.1, 1.0 + 2f64.powi(-24), 1.0 + 2f64.powi(-24) + 2f64.powi(-50), 1e-40, 1e-46, 3.5e38, -0.0] {
        let own = layout.nearest_f32(value, false, false);
        assert_eq!(MacUnit::new(Dtype::F32).operand(value), Value::Float(own), "{value:e}");
    }
    let above = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
    assert_eq!(F16.operand(F16.encode(above)), Value::Float(1.0 + 2f32.powi(-10)));
}

#[test]
fn subnormals_are_flushed_only_by_a_unit_that_flushes() {
    let unit = MacUnit::new(Dtype::Bf16);
    let tiny = f64::from(f32::from_bits(0x0001_0000));
    assert_eq!(unit.operand(-tiny), Value::Float(-f32::from_bits(0x0001_0000)));
    assert_eq!(unit.with_flushing(true).operand(-tiny), Value::Float(-0.0));
}

#[test]
fn small_and_counted_numbers_fit_every_format_and_whole_ones_use_its_range() {
    for dtype in Dtype::ALL {
        let unit = MacUnit::new(dtype);
        let numbers = |fill: Fill| {
            let matrix = Matrix::new(40, 40, fill, 0, dtype);
            (0..40).flat_map(|i| (0..40).map(move |j| (i, j))).map(|(i, j)| matrix.at(i, j)).collect::<Vec<_>>()
        };
        for fill in [Fill::Small { seed: 7 }, Fill::Counting, Fill::Identity] {
            for number in numbers(fill) {
                assert_eq!(unit.operand(number).as_f64(), number, "{dtype} {fill:?}");
            }
        }
        if let Some((least, most)) = dtype.whole_range() {
            let found = numbers(Fill::Uniform { seed: 7 });
            assert!(found.iter().all(|&number| unit.operand(number).as_f64() == number), "{dtype}");
            assert!(found.contains(&f64::from(least)) && found.contains(&f64::from(most)), "{dtype}");
        }
    }
}

#[test]
fn tf32_rounds_float32_to_nearest_with_ties_away_from_zero() {
    let unit = MacUnit::new(Dtype::Tf32);
    // The inputs are every 997th f32, and the neighbors of all ties in one binade.
    let ties = (0..1u32 << 10).flat_map(|code| (0xfff..=0x1001).map(move |low| 0x3f80_0000 | code << 13 | low));
    for bits in (0..=u32::MAX).step_by(997).chain(ties) {
        let value = f32::from_bits(bits);
        // Adding half of the last place carries into it; the dropped bits are then zeros.
        let expected = if value.is_finite() { f32::from_bits((bits + 0x1000) & 0xffff_e000) } else { value };
        assert_eq!(unit.operand(value.into()), Value::Float(expected), "{bits:#010x}");
    }
    // Printed by an RTX 3090 (https://github.com/pytorch/pytorch/issues/53635); ties to even would give 1024.
    assert_eq!(unit.operand(1024.5), Value::Float(1025.0));
    assert_eq!((Dtype::Tf32.bits(), Dtype::ALL.last()), (32, Some(&Dtype::Tf32)));
}

#[test]
fn products_of_tf32_numbers_are_exact_in_f32() {
    let unit = MacUnit::new(Dtype::Tf32);
    let numbers: Vec<f32> = (0..1u32 << 10).map(|code| f32::from_bits(0x3f80_0000 | code << 13)).collect();
    for &a in &numbers {
        assert_eq!(unit.operand(a.into()), Value::Float(a));
        for &b in &numbers {
            assert_eq!(f64::from(a * b), f64::from(a) * f64::from(b), "{a} × {b}");
        }
    }
}

#[test]
fn integers_saturate_at_their_own_ends() {
    for (dtype, least, most) in [(Dtype::Int8, -128, 127), (Dtype::Int4, -8, 7)] {
        let unit = MacUnit::new(dtype);
        assert_eq!((unit.operand(-1e9), unit.operand(1e9)), (Value::Int(least), Value::Int(most)));
        assert_eq!(unit.operand(f64::NAN), Value::Int(0));
    }
}

#[test]
fn integers_and_floats_do_not_share_accumulators() {
    assert_eq!(MacUnit::new(Dtype::Int8).with_accumulator(Accumulator::F32), None);
    assert_eq!(MacUnit::new(Dtype::Bf16).with_accumulator(Accumulator::Int32), None);
    assert!(MacUnit::new(Dtype::E5m2).with_accumulator(Accumulator::Bf16).is_some());
}
