//! The matmuls of a pass as one chip runs them, each with its time.

use perfmodel::gemm_time::{GemmTime, StaysOnChip};
use perfmodel::{GemmSizes, Per, Sharding};
use workload::{Kind, Product, Role};

use super::{Estimate, Question};

/// A matmul with its time on one chip.
pub(super) struct Timed<'a> {
    /// The matmul of the model, before sharding over chips.
    pub(super) product: &'a Product,
    /// Sizes of the matmul on one chip, after sharding.
    pub(super) sizes: GemmSizes,
    /// Matrix that never leaves the chip, if the matmul has such a matrix.
    pub(super) stays: StaysOnChip,
    /// Time of a single run of the matmul.
    pub(super) time: GemmTime,
    /// Seconds of a single run, without the launch time. The launch time does not count because the whole program is
    /// launched once.
    pub(super) seconds: f64,
    /// Time of all runs of this matmul, divided by the time of all matmuls.
    pub(super) share: f64,
}

impl Timed<'_> {
    /// Returns the name of the matmul in the model, and the part of a step in which it runs.
    pub(super) fn name(&self) -> String {
        format!("{}, {}", self.product.name, self.product.role.words())
    }
}

impl Estimate {
    /// Iterates over the matmuls in the order of the model, with their times on one chip.
    pub(super) fn timed(&self) -> impl Iterator<Item = Timed<'_>> {
        let question = &self.question;
        self.work.products.iter().filter_map(|product| {
            let (sizes, stays, count) = on_one_chip(product, question);
            let time = GemmTime::in_kernel(&question.chip, question.format(), sizes, Per::Chip, stays).ok()?;
            let seconds = time.total.0 - time.parts.launch.0;
            Some(Timed { product, sizes, stays, time, seconds, share: seconds * count / self.products.total.0 })
        })
    }
}

/// Returns a matmul as one chip runs it: the sizes, the matrix that stays on the chip, and the number of runs.
///
/// In tensor parallelism, each chip computes a part of the columns, but for the combined batch of all chips.
pub(super) fn on_one_chip(product: &Product, question: &Question) -> (GemmSizes, StaysOnChip, f64) {
    let (GemmSizes { m, k, n }, chips) = (product.sizes, question.chips);
    let split = question.split == Sharding::Tensor && chips > 1;
    let sizes = match (product.kind, product.role) {
        // Heads are distributed over the chips; each chip processes the sequences of all chips.
        (Kind::Scores | Kind::Values, _) => GemmSizes { m, k, n },
        _ if !split => GemmSizes { m, k, n },
        // A gradient of the weights sums over the batch.
        (_, Role::WeightGradient) => GemmSizes { m, k: k.saturating_mul(chips), n: n.div_ceil(chips) },
        _ => GemmSizes { m: m.saturating_mul(chips), k, n: n.div_ceil(chips) },
    };
    (sizes, stays(product), product.count as f64)
}

/// Returns the matrix that stays on the chip, which is a matrix of attention scores or their gradient.
fn stays(product: &Product) -> StaysOnChip {
    match (product.kind, product.role) {
        (Kind::Scores, Role::Forward | Role::Recompute) | (Kind::Values, Role::InputGradient) => StaysOnChip::C,
        (Kind::Scores, Role::InputGradient) | (Kind::Values, _) => StaysOnChip::A,
        (Kind::Scores, Role::WeightGradient) => StaysOnChip::B,
        _ => StaysOnChip::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfmodel::Chip;
    use std::sync::Arc;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn split_over_chips_a_product_has_the_batch_of_all_and_a_share_of_the_columns() {
        let on = |split, chips, kind, role| {
            let product = Product { role, ..Product::new("up", kind, [96, 100, 1000], 7).expect("small") };
            let chip = Arc::new(Chip::by_id("tpu-v5e").expect("listed").clone());
            let question = Question { split, chips, chip, ..Question::default() };
            let (sizes, _, count) = on_one_chip(&product, &question);
            assert!((count - 7.0).abs() < 1e-12);
            sizes.mkn()
        };
        let weights = |split, chips, role| on(split, chips, Kind::Weights, role);
        assert_eq!(weights(Sharding::Tensor, 8, Role::Forward), [8 * 96, 100, 125]);
        assert_eq!(weights(Sharding::Tensor, 8, Role::InputGradient), [8 * 96, 100, 125]);
        // The gradient of the weights sums over the batch, which is its depth.
        assert_eq!(weights(Sharding::Tensor, 8, Role::WeightGradient), [96, 8 * 100, 125]);
        assert_eq!(weights(Sharding::Tensor, 3, Role::Forward), [3 * 96, 100, 334]);
        for (split, chips) in [(Sharding::Tensor, 1), (Sharding::Data, 8), (Sharding::FullySharded, 8)] {
            assert_eq!(weights(split, chips, Role::Forward), [96, 100, 1000]);
        }
        // Heads are distributed whole.
        assert_eq!(on(Sharding::Tensor, 8, Kind::Scores, Role::Forward), [96, 100, 1000]);
    }
}
