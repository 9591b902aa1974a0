//! Tests of the exact sum, and of the errors that are measured with it.

use proptest::prelude::*;
use systolic::lane::Float;
use systolic::{
    Accumulator, ArrayShape, Dataflow, Dtype, ExactSum, Fill, Gemm, Lane, MacUnit, Matrix, Operands, Padding, Passes,
    Schedule, Value, dispatch_lane, product, reference, split,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::common::{cases, runner};

/// Returns `value` · 2^60 as an integer. `value` is a small multiple of 2^−60.
fn scaled(value: f64) -> i128 {
    #[expect(clippy::cast_possible_truncation, reason = "a whole number")]
    let whole = (value * 2f64.powi(60)) as i128;
    whole
}

#[test]
fn an_exact_sum_equals_the_sum_in_whole_numbers() {
    runner(2_000)
        .run(&proptest::collection::vec((-(1i32 << 24)..1 << 24, 0i32..30), 0..40), |terms| {
            let mut sum = ExactSum::default();
            let mut whole = 0i128;
            for (significand, power) in terms {
                let value = f64::from(significand) * 2f64.powi(-power);
                sum.add(value);
                whole += scaled(value);
            }
            #[expect(clippy::cast_precision_loss, reason = "rounded to nearest, once")]
            let expected = whole as f64 * 2f64.powi(-60);
            prop_assert_eq!(sum.to_f64(), expected);
            Ok(())
        })
        .expect("the sums are equal");
}

#[test]
fn an_exact_sum_holds_the_largest_and_the_smallest_products() {
    let (least, most) = (Value::Float(f32::from_bits(1)), Value::Float(f32::MAX));
    let mut sum = ExactSum::default();
    sum.add_product(least, least);
    assert_eq!(sum.to_f64(), 2f64.powi(-298));
    for _ in 0..1000 {
        sum.add_product(most, most);
    }
    for _ in 0..1000 {
        sum.add_product(most, Value::Float(-f32::MAX));
    }
    assert_eq!(sum.to_f64(), 2f64.powi(-298), "nothing was lost beside the largest");
    sum.add(f64::INFINITY);
    sum.add(f64::NEG_INFINITY);
    assert!(sum.to_f64().is_nan());
}

#[test]
fn a_single_rounding_is_off_by_at_most_half_an_ulp_and_more_only_by_more() {
    let unit = MacUnit::new(Dtype::F32);
    let mut sum = ExactSum::default();
    sum.add(1.0);
    sum.add(2f64.powi(-24));
    assert_eq!(sum.ulps_off(Value::Float(1.0), unit), Some(0.5));
    assert_eq!(sum.ulps_off(Value::Float(1.0 + f32::EPSILON), unit), Some(0.5));
    assert_eq!(sum.ulps_off(Value::Float(1.0 + 2.0 * f32::EPSILON), unit), Some(1.5));
    let narrow = MacUnit::new(Dtype::Bf16).with_accumulator(Accumulator::Bf16).expect("a float");
    assert_eq!(sum.ulps_off(Value::Float(1.0 + 2f32.powi(-7)), narrow), Some(1.0 - 2f64.powi(-17)));
    assert_eq!(sum.ulps_off(Value::Float(f32::INFINITY), unit), None);
    let mut endless = ExactSum::default();
    endless.add(f64::INFINITY);
    assert_eq!(endless.ulps_off(Value::Float(f32::INFINITY), unit), Some(0.0));
}

#[test]
fn the_product_by_rows_is_the_product_by_definition() {
    runner(1_000)
        .run(&cases(), |case| {
            let operands = case.operands();
            let same = dispatch_lane!(case.unit, lane => {
                let by_rows = product(lane, &case.schedule, &operands, |_| ());
                let defined = reference::product(lane, &case.schedule, &operands);
                by_rows.len() == defined.len()
                    && by_rows.iter().zip(&defined).all(|(&a, &b)| lane.sum(a) == lane.sum(b))
            });
            prop_assert!(same);
            Ok(())
        })
        .expect("one product");
}

fn f32_case(k: u64) -> (Schedule, Operands) {
    let gemm = Gemm::new(4, k, 4).expect("small");
    let array = ArrayShape::new(32, 32).expect("small");
    let schedule = Schedule::new(gemm, array, Dataflow::WeightStationary, Padding::Ragged).expect("small");
    let matrix = |rows, cols, salt| Matrix::new(rows, cols, Fill::Uniform { seed: 5 }, salt, Dtype::F32);
    (schedule, Operands::new(matrix(4, k, 0), matrix(k, 4, 1)))
}

#[test]
fn three_bf16_numbers_make_up_an_f32_number() {
    runner(2_000)
        .run(&any::<f32>(), |value| {
            let [first, second, third] = split(f64::from(value));
            let half = half::bf16::from_f32(value);
            prop_assert!(first == half.to_f64() || (first.is_nan() && half.is_nan()));
            // In the exponent range of bf16, three parts of 8 bits are the 24 bits of an f32.
            if value.is_finite() && first.is_finite() && value.abs() > 1e-30 {
                prop_assert_eq!(first + second + third, f64::from(value));
            }
            Ok(())
        })
        .expect("the parts add up");
}

#[test]
fn more_passes_come_nearer_and_each_is_the_sum_of_its_bf16_products() {
    let (schedule, operands) = f32_case(128);
    let gemm = schedule.gemm();
    let error = |values: &[Value]| {
        let mut worst = 0f64;
        for m in 0..gemm.m() {
            for n in 0..gemm.n() {
                let terms = |k| (operands.a.at(m, k), operands.b.at(k, n));
                let exact: f64 = (0..gemm.k()).map(terms).map(|(a, b)| a * b).sum();
                let size: f64 = (0..gemm.k()).map(terms).map(|(a, b)| (a * b).abs()).sum();
                let got = values[usize::try_from(m * gemm.n() + n).expect("small")].as_f64();
                worst = worst.max((got - exact).abs() / size);
            }
        }
        worst
    };
    let [one, three, six] = Passes::ALL.map(|passes| error(&passes.product(&schedule, &operands)));
    // At K = 128, splitting into one pass costs an error of about 1.2e-3, and three passes cost 2.4e-6. With six
    // passes, the rounding of the f32 sums dominates.
    assert!((1e-5..2e-3).contains(&one), "{one:e}");
    assert!((1e-8..5e-6).contains(&three), "{three:e}");
    assert!(six < 1e-6 && six < three, "{six:e}");
    assert!(three < one / 100.0);

    // One pass is the bf16 matmul of the rounded operands.
    let unit = MacUnit::new(Dtype::Bf16);
    let bf16: Vec<Value> =
        product(Float(unit), &schedule, &operands, |_| ()).into_iter().map(|sum| Float(unit).sum(sum)).collect();
    assert_eq!(Passes::One.product(&schedule, &operands), bf16);
}
