//! Table of the errors of predicted matmul times.

use super::model as words;
use super::table::Cell;
use display::amount::Amount;
use estimate::Accuracy;

/// Returns the column headings of the table of errors.
pub(crate) const fn heads(found: &Accuracy) -> &'static [&'static str] {
    match found {
        Accuracy::BySize(..) => &words::ERROR_HEADS,
        Accuracy::Single(_) => &["matmul", "measured", "predicted", "error", "used as"],
    }
}

/// Returns the rows of the table of errors.
pub(crate) fn rows(found: &Accuracy) -> Vec<Vec<Cell>> {
    match found {
        Accuracy::BySize(ranges) => ranges
            .iter()
            .map(|range| {
                let mut cells = vec![range.sides.words().into(), Amount::Share(range.share).into()];
                match range.errors {
                    Some(one) => {
                        cells.push(one.products.to_string().into());
                        let all = [one.mean, one.median, one.within_90, one.bias, one.worst, one.held_out];
                        cells.extend(all.map(|error| Cell::from(words::error(error))));
                    }
                    None => cells.push("none".into()),
                }
                cells.resize(words::ERROR_HEADS.len(), "".into());
                cells
            })
            .collect(),
        Accuracy::Single(all) => all
            .iter()
            .map(|(check, ours)| {
                vec![
                    words::square(check).into(),
                    Amount::Number(check.tflops, 4, "TFLOP/s").into(),
                    Amount::Number(*ours, 4, "TFLOP/s").into(),
                    words::error((ours / check.tflops - 1.0) * 100.0).into(),
                    if check.is_fitted { "calibration" } else { "check" }.into(),
                ]
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::{Imported, ModelQuery, accuracy};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn found(text: &str, file: Option<&Imported>) -> Option<Accuracy> {
        let case = ModelQuery::parse(text);
        assert_eq!(case.invalid, [], "{text}");
        accuracy(&case.answer(file).expect("an answer").estimate)
    }

    fn texts(table: &Accuracy) -> Vec<Vec<String>> {
        rows(table).iter().map(|cells| cells.iter().map(Cell::to_string).collect()).collect()
    }

    #[test]
    fn errors_are_listed_for_the_chip_and_format_they_were_measured_on() {
        for text in ["chip=tpu-v4&dtype=bf16", "chip=tpu-v5e", "chip=h100-sxm", "chip=tpu-v4&dtype=f16&own=hbm.900"] {
            assert_eq!(found(text, None), None, "{text}");
        }
        let table = found("chip=tpu-7x", None).expect("three products");
        assert_eq!(texts(&table)[1][..1], ["1024³ in bf16 on one core"]);
        assert_eq!(texts(&table)[1][3..], ["6.1 %", "check"]);
        let table = found("chip=tpu-v4&dtype=f16", None).expect("by size");
        assert!(rows(&table).iter().all(|row| row.len() == heads(&table).len()) && rows(&table).len() == 5);
        assert_eq!(texts(&table)[1][..4], ["multiples of 128 from 128 to 1024", "0.0 %", "357", "5.7 %"]);
    }
}
