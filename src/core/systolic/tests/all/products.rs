//! Compares matmuls of every format with NumPy and ml_dtypes in the same order of accumulation, bit by bit.

use systolic::lane::Lane;
use systolic::{
    Accumulator, ArrayShape, Dataflow, Dtype, Gemm, MacUnit, Machine, Matrix, Operands, Padding, Passes, Schedule,
    Value, Vectors, dispatch_lane, dispatch_machine_lane, reference,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const PASSES: &str = include_str!("../../../../../tests/golden/ml_dtypes_passes.csv");
const GEMMS: &str = include_str!("../../../../../tests/golden/ml_dtypes_gemms.csv");

/// Reads a number as Python's `float.hex` writes it, or a whole number.
fn number(text: &str) -> f64 {
    let (sign, body) = text.strip_prefix('-').map_or((1.0, text), |body| (-1.0, body));
    let magnitude = match body {
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => match body.strip_prefix("0x") {
            None => body.parse().expect("a whole number"),
            Some(hex) => {
                let (digits, power) = hex.split_once('p').expect("a power");
                let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
                let significand = u64::from_str_radix(&format!("{whole}{fraction}"), 16).expect("digits");
                let power: i32 = power.parse().expect("a power");
                let digits = i32::try_from(fraction.len()).expect("short");
                significand as f64 * 2f64.powi(power - 4 * digits)
            }
        },
    };
    sign * magnitude
}

fn values<L: Lane>(lane: L, sums: &[L::Sum]) -> Vec<Value> {
    sums.iter().map(|&sum| lane.sum(sum)).collect()
}

#[test]
fn products_equal_numpy_and_ml_dtypes_bit_by_bit() {
    let mut n_products = 0;
    for line in GEMMS.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let &[dtype, acc, dataflow, r, c, m, k, n, a, b, expected] = &fields[..] else { panic!("short line {line}") };
        let whole = |text: &str| text.parse::<u64>().expect("a size");
        let gemm = Gemm::new(whole(m), whole(k), whole(n)).expect("in range");
        let array = ArrayShape::new(whole(r), whole(c)).expect("in range");
        let dataflow = Dataflow::from_id(dataflow).expect("a dataflow");
        let schedule = Schedule::new(gemm, array, dataflow, Padding::Ragged).expect("in range");
        let unit = MacUnit::new(Dtype::from_id(dtype).expect("a format"));
        let unit = unit.with_accumulator(Accumulator::from_id(acc).expect("an accumulator")).expect("fits");
        let list = |rows, cols, text: &str| {
            let values: Vec<f64> = text.split(' ').map(number).collect();
            Matrix::listed(rows, cols, values).expect("as many as it needs")
        };
        let operands = Operands::new(list(gemm.m(), gemm.k(), a), list(gemm.k(), gemm.n(), b));
        #[expect(clippy::cast_possible_truncation, reason = "written from f32 and i32")]
        let expected: Vec<Value> = expected
            .split(' ')
            .map(number)
            .map(|value| if unit.dtype().is_integer() { Value::Int(value as i32) } else { Value::Float(value as f32) })
            .collect();
        let by_definition = dispatch_lane!(unit, lane => values(lane, &reference::product(lane, &schedule, &operands)));
        assert_eq!(by_definition, expected, "{}", &line[..40]);
        let stepped = dispatch_machine_lane!(unit, lane => {
            let vectors = Vectors::new(lane, &schedule, &operands);
                let mut machine = Machine::new(&schedule, &vectors, None);
            machine.finish();
            values(lane, &machine.result())
        });
        assert_eq!(stepped, expected, "stepped, {}", &line[..40]);
        n_products += 1;
    }
    assert_eq!(n_products, (6 * 3 + 2) * 3 * 4);
}

#[test]
fn f32_products_in_bf16_passes_equal_numpy_and_ml_dtypes_bit_by_bit() {
    let mut n_products = 0;
    for line in PASSES.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let &[passes, dataflow, r, c, m, k, n, a, b, expected] = &fields[..] else { panic!("short line {line}") };
        let whole = |text: &str| text.parse::<u64>().expect("a size");
        let gemm = Gemm::new(whole(m), whole(k), whole(n)).expect("in range");
        let array = ArrayShape::new(whole(r), whole(c)).expect("in range");
        let dataflow = Dataflow::from_id(dataflow).expect("a dataflow");
        let schedule = Schedule::new(gemm, array, dataflow, Padding::Ragged).expect("in range");
        let list = |rows, cols, text: &str| {
            let values: Vec<f64> = text.split(' ').map(number).collect();
            Matrix::listed(rows, cols, values).expect("as many as it needs")
        };
        let operands = Operands::new(list(gemm.m(), gemm.k(), a), list(gemm.k(), gemm.n(), b));
        #[expect(clippy::cast_possible_truncation, reason = "written from f32")]
        let expected: Vec<Value> = expected.split(' ').map(number).map(|value| Value::Float(value as f32)).collect();
        let passes = Passes::ALL.into_iter().find(|some| some.count() == whole(passes)).expect("1, 3 or 6");
        assert_eq!(passes.product(&schedule, &operands), expected, "{}", &line[..30]);
        n_products += 1;
    }
    assert_eq!(n_products, 3 * 3 * 4);
}
