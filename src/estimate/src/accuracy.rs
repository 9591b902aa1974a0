//! How far the times of matmuls are off, beside those times.

use super::Estimate;
use perfmodel::Chip;
use perfmodel::gemm_time::accuracy::{self, Check, RangeError, Sides};
use perfmodel::gemm_time::{GemmTime, StaysOnChip};

/// What was measured on the chip of an estimate.
#[derive(Clone, Debug, PartialEq)]
pub enum Accuracy {
    /// Errors by size, and which share of the estimate's products, by time, falls into each range; the last share is
    /// that of sizes that were not measured.
    BySize(&'static [RangeError], [f64; Sides::ALL.len()]),
    /// Single products, each with the rate that the model gives it, in TFLOP/s.
    Single(Vec<(Check, f64)>),
}

/// How far the times of an estimate's products may be off; `None` where no product was measured on the chip.
#[must_use]
pub fn accuracy(estimate: &Estimate) -> Option<Accuracy> {
    let question = &estimate.question;
    match accuracy::by_size(&question.chip, question.dtype) {
        Some(ranges) => Some(Accuracy::BySize(ranges, shares(estimate))),
        None => Some(singles(&question.chip)).filter(|all| !all.is_empty()).map(Accuracy::Single),
    }
}

fn shares(estimate: &Estimate) -> [f64; Sides::ALL.len()] {
    let mut shares = [0.0; Sides::ALL.len()];
    for one in estimate.timed() {
        // Products inside a larger kernel are not what was measured.
        let sides = if one.stays == StaysOnChip::Nothing { Sides::of(one.sizes) } else { Sides::Other };
        if let Some(sum) = shares.get_mut(sides as usize) {
            *sum += one.share;
        }
    }
    // The launch of the whole is no product's.
    let all: f64 = shares.iter().sum();
    shares.map(|share| if all > 0.0 { share / all } else { 0.0 })
}

/// What was published of single products on a chip as its maker sells it.
fn singles(chip: &Chip) -> Vec<(Check, f64)> {
    let of_the_chip = accuracy::CHECKS.iter().filter(|check| check.chip == chip.id && !chip.is_custom);
    let with_ours = of_the_chip.filter_map(|check| {
        let time = GemmTime::new(chip, check.dtype, check.product(), check.per).ok()?;
        Some((*check, check.product().flops() / time.total.0 / 1e12))
    });
    with_ours.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Imported, ModelQuery, imported};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn found(text: &str, file: Option<&Imported>) -> Option<Accuracy> {
        let case = ModelQuery::parse(text);
        assert_eq!(case.invalid, [], "{text}");
        accuracy(&case.answer(file).expect("an answer").estimate)
    }

    #[test]
    fn each_product_counts_in_its_range() {
        // Twice the same products in other ranges; the fit gives the times of the two largest.
        let list = |text: &str| imported(text.as_bytes());
        let shares = |text: &str| match found("chip=tpu-v4&dtype=f16", Some(&list(text))) {
            Some(Accuracy::BySize(_, shares)) => shares,
            other => panic!("{other:?}"),
        };
        let near = |found: [f64; 5], wanted: [f64; 5]| found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near(shares("M,K,N\n512,512,512\n"), [0.0, 1.0, 0.0, 0.0, 0.0]));
        assert!(near(shares("M,K,N,count\n512,512,512,3\n512,512,512,1\n"), [0.0, 1.0, 0.0, 0.0, 0.0]));
        assert!(near(shares("M,K,N\n9000,512,512\n"), [0.0, 0.0, 0.0, 0.0, 1.0]));
        let mixed = shares("M,K,N\n100,100,100\n1025,1024,1024\n2048,2048,2048\n");
        assert!(
            mixed[0] > 0.0 && mixed[2] > mixed[3] && mixed[3] > 0.0 && (mixed.iter().sum::<f64>() - 1.0).abs() < 1e-9
        );
        // The scores of attention are no product that was measured, whatever its sides.
        assert!(matches!(found("chip=tpu-v4&dtype=f16&model=bert-large&seq=128", None),
            Some(Accuracy::BySize(_, shares)) if shares[4] > 0.0 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9));
    }
}
