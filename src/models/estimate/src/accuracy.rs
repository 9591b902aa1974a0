//! Errors of predicted matmul times, computed from measurements on the same chip.

use super::Estimate;
use perfmodel::Chip;
use perfmodel::gemm_time::accuracy::{self, Check, RangeError, RangeLeftOut, Sides, TPU_V4_F16_LEFT_OUT};
use perfmodel::gemm_time::{GemmTime, StaysOnChip};

/// Published measurements of matmuls on the estimate's chip, with the predictions for these matmuls.
#[derive(Clone, Debug, PartialEq)]
pub enum Accuracy {
    /// Errors for each range of matmul sizes.
    BySize(Vec<RangeAccuracy>),
    /// Single measured matmuls, each with its predicted rate in TFLOP/s.
    Single(Vec<(Check, f64)>),
}

/// Errors of predicted times in a range of matmul sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeAccuracy {
    /// Range of sizes.
    pub sides: Sides,
    /// Share of the estimate's matmul time in the range, from 0 to 1.
    pub share: f64,
    /// Errors of matmuls in the range; `None` if no matmul was measured.
    pub errors: Option<&'static RangeError>,
    /// Errors of matmuls whose group of shapes was left out of the fit; `None` if no matmul was measured.
    pub left_out: Option<&'static RangeLeftOut>,
}

/// Returns the errors to expect in an estimate's matmul times; `None` if no matmul was measured on the chip.
#[must_use]
pub fn accuracy(estimate: &Estimate) -> Option<Accuracy> {
    let question = &estimate.question;
    match accuracy::by_size(&question.chip, question.dtype) {
        Some(ranges) => {
            let of = |(sides, share): (Sides, f64)| RangeAccuracy {
                sides,
                share,
                errors: ranges.iter().find(|range| range.sides == sides),
                left_out: TPU_V4_F16_LEFT_OUT.iter().find(|range| range.sides == sides),
            };
            Some(Accuracy::BySize(Sides::ALL.into_iter().zip(shares(estimate)).map(of).collect()))
        }
        None => Some(singles(&question.chip)).filter(|all| !all.is_empty()).map(Accuracy::Single),
    }
}

fn shares(estimate: &Estimate) -> [f64; Sides::ALL.len()] {
    let mut shares = [0.0; Sides::ALL.len()];
    for one in estimate.timed() {
        // Measurements do not cover matmuls inside a larger kernel.
        let sides = if one.stays == StaysOnChip::Nothing { Sides::of(one.sizes) } else { Sides::Other };
        if let Some(sum) = shares.get_mut(sides as usize) {
            *sum += one.share;
        }
    }
    // The launch of the whole program belongs to no matmul.
    let all: f64 = shares.iter().sum();
    shares.map(|share| if all > 0.0 { share / all } else { 0.0 })
}

/// Returns the published measurements of single matmuls on a chip, each with its predicted rate in TFLOP/s. Empty for a
/// custom chip.
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
        // The file repeats its matmuls in other ranges. The fit gives the times of the two largest.
        let list = |text: &str| imported(text.as_bytes());
        let shares = |text: &str| match found("chip=tpu-v4&dtype=f16", Some(&list(text))) {
            Some(Accuracy::BySize(ranges)) => [0, 1, 2, 3, 4].map(|nth| ranges[nth].share),
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
        // The scores of attention run inside a larger kernel, which no measurement covers.
        assert!(matches!(found("chip=tpu-v4&dtype=f16&model=bert-large&seq=128", None),
            Some(Accuracy::BySize(ranges)) if ranges[4].share > 0.0
                && (ranges.iter().map(|range| range.share).sum::<f64>() - 1.0).abs() < 1e-9));
    }
}
