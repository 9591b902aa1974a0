//! The matmuls of a model that the page can open, one at a time, in the array view.

use crate::{Answered, rows};
use perfmodel::{Compute, PeakDtype};

/// Maximum number of matmuls that are listed.
const OFFERED_MAX: usize = 8;

/// A matmul that the array view can open.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Name of the matmul, and the part of a step in which it runs.
    pub name: String,
    /// Number of further matmuls that have these sizes under other names.
    pub alike: usize,
    /// M, K and N.
    pub sizes: [u64; 3],
    /// Seconds of a single run.
    pub seconds: f64,
    /// Time of all matmuls with these sizes, divided by the time of all matmuls.
    pub share: f64,
}

/// The matmuls of a model, with the chip and the format.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// Id of the chip; `None` if the chip is custom.
    pub chip: Option<&'static str>,
    /// Rows and columns of one of the chip's arrays, if known.
    pub sides: Option<(u32, u32)>,
    /// Format of the operands.
    pub dtype: PeakDtype,
    /// The matmuls, sorted by total time, longest first. Each combination of sizes is listed once.
    pub products: Vec<Layer>,
}

impl Answered {
    /// Returns the model's matmuls for which M, K and N are at most `side`. `None` if no matmul is small enough, or if
    /// the query is about a single matmul or not about a model.
    #[must_use]
    pub fn layers(&self, side: u64) -> Option<Layers> {
        let estimate = &self.model().ok()?.estimate;
        let question = &estimate.question;
        let sides = match &question.chip.compute {
            Compute::Arrays { rows, cols, .. } => rows.value.zip(cols.value),
            Compute::TensorCores { .. } | Compute::Unknown(_) => None,
        };
        let mut products: Vec<Layer> = Vec::new();
        let fits = |row: &crate::Row| row.sizes.iter().all(|&one| one <= side);
        for crate::Row { name, sizes, seconds, share, .. } in rows(estimate).into_iter().filter(fits) {
            match products.iter_mut().find(|layer| layer.sizes == sizes) {
                Some(layer) => {
                    layer.alike += 1;
                    layer.share += share;
                }
                None => products.push(Layer { name, alike: 0, sizes, seconds, share }),
            }
        }
        products.sort_by(|one, other| other.share.total_cmp(&one.share));
        products.truncate(OFFERED_MAX);
        let chip = (!question.chip.is_custom).then_some(question.chip.id);
        (!question.is_product && !products.is_empty()).then_some(Layers {
            chip,
            sides,
            dtype: question.dtype,
            products,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Topic;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn layers(text: &str) -> Option<Layers> {
        Answered::parse(Topic::Model, text).layers(65_536)
    }

    #[test]
    fn the_products_of_a_model_come_once_and_fit() {
        let all = layers("model=llama3-8b&chip=tpu-v5e&chips=64&pass=prefill&seq=2048").expect("a model");
        assert_eq!((all.chip, all.sides, all.dtype), (Some("tpu-v5e"), Some((128, 128)), PeakDtype::Bf16));
        // The vocabulary of 128,256 words exceeds the longest side of the array.
        assert!(all.products.iter().all(|one| one.sizes.iter().all(|&side| side <= 65_536)));
        assert!(all.products.iter().any(|one| one.sizes[1..] == [4096, 14_336]), "{:?}", all.products);
        let mut sizes: Vec<[u64; 3]> = all.products.iter().map(|one| one.sizes).collect();
        sizes.sort_unstable();
        sizes.dedup();
        assert_eq!(sizes.len(), all.products.len());
        let shares: Vec<f64> = all.products.iter().map(|one| one.share).collect();
        assert!(shares.is_sorted_by(|one, next| one >= next) && shares.iter().sum::<f64>() <= 1.0, "{shares:?}");
    }

    #[test]
    fn a_chip_without_arrays_gives_none_and_a_single_product_is_no_model() {
        assert_eq!(layers("chip=h100-sxm").and_then(|all| all.sides), None);
        assert_eq!(layers("model=product&m=1&k=2&n=3"), None);
        assert_eq!(Answered::parse(Topic::Failures, "").layers(65_536), None);
    }
}
