//! The figure of the rounding error: an upper bound of the error of a sum, compared with a tolerance of a thousandth.

use display::figure::{Citation, Figure};
use display::number::{grouped, readable};
use perfmodel::gemm_time::ProductOnChip;
use perfmodel::{Conversion, MfuRefusal};
use studio::Plan;

/// Tolerance that the note of the figure compares with the bound.
const TOLERANCE: f64 = 1e-3;

/// Returns the largest relative error of a product after both operands are rounded to the format that the chip
/// multiplies. The text lists the terms that add up to this error. `None` for integers.
fn of_operands(plan: &Plan, on: &Result<ProductOnChip, MfuRefusal>) -> Option<(f64, &'static str)> {
    let format = plan.dtype().float()?;
    let in_passes = on.as_ref().ok().map(|on| on.time.as_run).filter(|run| run.conversion == Conversion::Passes);
    Some(match in_passes.map(|run| run.passes) {
        Some(1) => (unit(8) * (2.0 + unit(8)), "2u + u², u = 2⁻⁸ of bf16"),
        // Three passes split each operand into two parts. They leave out the rest of each operand, and the product of
        // the second parts.
        Some(3) => (3.0 * unit(16), "3 · 2⁻¹⁶, lost in three passes"),
        Some(_) => (4.0 * unit(24), "4 · 2⁻²⁴, lost in six passes"),
        None => {
            let u = unit(format.fraction_bits + 1);
            (u * (2.0 + u), "2u + u², u = half a unit in the last place")
        }
    })
}

/// Returns 2 to the power of minus `bits`.
fn unit(bits: u32) -> f64 {
    (0..bits).fold(1.0, |unit, _| unit / 2.0)
}

/// Returns the figure of the rounding error of a sum.
pub(super) fn figure(plan: &Plan, on: &Result<ProductOnChip, MfuRefusal>) -> Figure {
    let Some((operands, terms)) = of_operands(plan, on) else { return exact() };
    let k = plan.schedule().gemm().k();
    let sums = systolic::Elements(k).as_f64() * unit(24);
    let bound = operands + sums;
    let digits = |value: f64| readable(value, 2);
    let note = if bound > TOLERANCE {
        format!("in {} at K = {}: a tolerance of 10⁻³ may reject correct results", plan.dtype().id(), grouped(k))
    } else {
        let looser = digits(TOLERANCE / bound);
        format!("in {} at K = {}: a tolerance of 10⁻³ is {looser} times this bound", plan.dtype().id(), grouped(k))
    };
    Figure {
        id: "rounding",
        name: "Rounding error of a sum, at most",
        value: digits(bound),
        range: None,
        note,
        formula: "rounding of the operands + K · 2⁻²⁴, relative to the sum of |a · b|",
        worked: format!("{} ({terms}) + {} · 2⁻²⁴ = {}", digits(operands), grouped(k), digits(bound)),
        says: "Upper bound of the difference between a correct result and the exact result. A tolerance below this bound can reject correct results. A tolerance far above this bound also accepts results of lower precision.",
        leaves_out: "Cancellation of rounding errors: errors with random signs add up to a far smaller error, especially in long sums.",
        citations: vec![Citation {
            what: "bound".to_owned(),
            source: "Higham, Accuracy and Stability of Numerical Algorithms, 2002, errors of sums and inner products",
            confidence: String::new(),
            note: "",
        }],
    }
}

/// Returns the figure for integers, whose sums are exact.
fn exact() -> Figure {
    Figure {
        id: "rounding",
        name: "Rounding error of a sum, at most",
        value: "0".to_owned(),
        range: None,
        note: "integers are exact: any difference is an error".to_owned(),
        formula: "K · 2⁷ · 2⁷ < 2³¹",
        worked: "K ≤ 65 536: a sum of int8 products fits int32".to_owned(),
        says: "Sums of integers are exact in every order, so a test needs no tolerance.",
        leaves_out: "The rounding error of scaling to and from integers, outside of the matmul.",
        citations: vec![Citation {
            what: "bound".to_owned(),
            source: "Arithmetic: 65 536 products of −128 · −128 add up to 2³⁰",
            confidence: String::new(),
            note: "",
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn rounding(query: &str) -> Figure {
        let plan = Plan::new(&studio::Link::parse(query, "").scenario).expect("a run");
        figure(&plan, &plan.on_chip())
    }

    #[test]
    fn a_thousandth_is_less_than_the_rounding_of_bf16_and_much_more_than_that_of_f32() {
        let bf16 = rounding("k=128&dt=bf16");
        // The tolerance is 2 · 2⁻⁸ + 2⁻¹⁶ + 128 · 2⁻²⁴ = 0.00784.
        assert_eq!(bf16.value, "0.0078");
        assert!(bf16.note.ends_with("may reject correct results"), "{}", bf16.note);
        // A GPU multiplies f32 in one pass, so the tolerance is 2 · 2⁻²⁴ + 128 · 2⁻²⁴.
        let f32 = rounding("k=128&dt=f32&chip=a100-80");
        assert!(f32.value.starts_with("7.7 × 10") && f32.note.contains("times this bound"), "{f32:?}");
        assert_eq!(rounding("dt=int8").value, "0", "whole numbers are exact");
    }

    #[test]
    fn f32_on_a_tpu_rounds_as_its_passes_do() {
        let value = |passes: u32| rounding(&format!("k=4&dt=f32&chip=tpu-v5e&passes={passes}")).value;
        assert_eq!(value(1), "0.0078");
        assert!(value(3).starts_with("4.6 × 10") && value(6).starts_with("4.8 × 10"), "{} {}", value(3), value(6));
    }
}
