//! How far the times of products are off, beside those times.

use super::Estimate;
use crate::words::answer as words;
use display::number::{percent, readable};
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

impl Accuracy {
    /// Names of the columns.
    #[must_use]
    pub const fn heads(&self) -> &'static [&'static str] {
        match self {
            Self::BySize(..) => &words::ERROR_HEADS,
            Self::Single(_) => &words::CHECK_HEADS,
        }
    }

    /// Rows of the table.
    #[must_use]
    pub fn rows(&self) -> Vec<Vec<String>> {
        match self {
            Self::BySize(ranges, shares) => Sides::ALL
                .iter()
                .zip(shares)
                .map(|(sides, share)| {
                    let mut cells = vec![sides.words().to_owned(), format!("{} %", percent(*share))];
                    match ranges.iter().find(|range| range.sides == *sides) {
                        Some(one) => {
                            cells.push(one.products.to_string());
                            let all = [one.mean, one.median, one.within_90, one.bias, one.worst, one.held_out];
                            cells.extend(all.map(words::error));
                        }
                        None => cells.push(words::UNMEASURED.to_owned()),
                    }
                    cells.resize(words::ERROR_HEADS.len(), String::new());
                    cells
                })
                .collect(),
            Self::Single(all) => all
                .iter()
                .map(|(check, ours)| {
                    vec![
                        words::square(check),
                        format!("{} TFLOP/s", readable(check.tflops, 4)),
                        format!("{} TFLOP/s", readable(*ours, 4)),
                        words::error((ours / check.tflops - 1.0) * 100.0),
                        if check.is_fitted { words::SETS } else { words::TRIES }.to_owned(),
                    ]
                })
                .collect(),
        }
    }
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

    #[test]
    fn errors_are_listed_for_the_chip_and_format_they_were_measured_on() {
        for text in ["chip=tpu-v4&dtype=bf16", "chip=tpu-v5e", "chip=h100-sxm", "chip=tpu-v4&dtype=f16&own=hbm.900"] {
            assert_eq!(found(text, None), None, "{text}");
        }
        let table = found("chip=tpu-7x", None).expect("three products");
        assert_eq!(table.rows()[1][..1], ["1024³ in bf16 on one core"]);
        assert_eq!(table.rows()[1][3..], ["6.4 %", "check"]);
        let table = found("chip=tpu-v4&dtype=f16", None).expect("by size");
        assert!(table.rows().iter().all(|row| row.len() == table.heads().len()) && table.rows().len() == 5);
        assert_eq!(table.rows()[1][..4], ["multiples of 128 from 128 to 1024", "0.0 %", "357", "5.7 %"]);
    }
}
