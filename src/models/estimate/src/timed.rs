//! The matmuls of a pass as one chip runs them, each with its time.

use perfmodel::gemm_time::{GemmTime, StaysOnChip};
use perfmodel::{GemmSizes, Groups, Per};
use workload::{Kind, Product, Role};

use super::Estimate;

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
    /// Number of runs on one chip in a step.
    pub(super) count: f64,
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
            let (sizes, stays, count) = on_one_chip(product, &self.groups);
            let time = GemmTime::in_kernel(&question.chip, question.format(), sizes, Per::Chip, stays).ok()?;
            let seconds = time.total.0 - time.parts.launch.0;
            let share = seconds * count / self.products.total.0;
            Some(Timed { product, sizes, stays, time, count, seconds, share })
        })
    }
}

/// Returns a matmul as one chip runs it: the sizes, the matrix that stays on the chip, and the number of runs.
///
/// In tensor parallelism, each chip computes a part of the columns, but for the combined batch of its group. A stage of
/// a pipeline computes a part of the layers, but for each micro-batch of its replica. In an expert group, each chip
/// computes a part of the experts, but for the tokens of all replicas of the group.
pub(super) fn on_one_chip(product: &Product, groups: &Groups) -> (GemmSizes, StaysOnChip, f64) {
    let GemmSizes { m, k, n } = product.sizes;
    let Groups { tensor, pipeline, microbatches, expert } = *groups;
    let count = product.count as f64;
    // Heads are distributed over the chips, and each chip processes the sequences of its whole group. So the sizes stay
    // as they are.
    if matches!(product.kind, Kind::Scores | Kind::Values) || *groups == Groups::default() {
        return (product.sizes, stays(product), count);
    }
    let expert = if product.kind == Kind::Expert { expert } else { 1 };
    let times = tensor.saturating_mul(pipeline).saturating_mul(expert);
    let rows = |rows: u64| rows.saturating_mul(times).div_ceil(microbatches);
    let count = count * microbatches as f64 / (pipeline * expert) as f64;
    let n = n.div_ceil(tensor);
    let sizes = match product.role {
        // A gradient of the weights sums over the batch.
        Role::WeightGradient => GemmSizes { m, k: rows(k), n },
        _ => GemmSizes { m: rows(m), k, n },
    };
    (sizes, stays(product), count)
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
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn split_over_chips_a_product_has_the_batch_of_all_and_a_share_of_the_columns() {
        let on = |tensor, kind, role| {
            let product = Product { role, ..Product::new("up", kind, [96, 100, 1000], 7).expect("small") };
            let (sizes, _, count) = on_one_chip(&product, &Groups { tensor, ..Groups::default() });
            assert!((count - 7.0).abs() < 1e-12);
            sizes.mkn()
        };
        let weights = |tensor, role| on(tensor, Kind::Weights, role);
        assert_eq!(weights(8, Role::Forward), [8 * 96, 100, 125]);
        assert_eq!(weights(8, Role::InputGradient), [8 * 96, 100, 125]);
        // The gradient of the weights sums over the batch, which is its depth.
        assert_eq!(weights(8, Role::WeightGradient), [96, 8 * 100, 125]);
        assert_eq!(weights(3, Role::Forward), [3 * 96, 100, 334]);
        assert_eq!(weights(1, Role::Forward), [96, 100, 1000]);
        // Heads are distributed whole.
        assert_eq!(on(8, Kind::Scores, Role::Forward), [96, 100, 1000]);
    }

    #[test]
    fn groups_change_the_shapes_of_matmuls_and_not_their_work() {
        let product = |kind| Product::new("up", kind, [96, 512, 1024], 60).expect("small");
        for (tensor, pipeline, microbatches, expert) in [(2, 3, 6, 1), (4, 2, 8, 5), (1, 6, 12, 2), (8, 1, 1, 4)] {
            let groups = Groups { tensor, pipeline, microbatches, expert };
            for kind in [Kind::Weights, Kind::Expert, Kind::Scores] {
                let (sizes, _, count) = on_one_chip(&product(kind), &groups);
                let macs =
                    |sizes: GemmSizes, count: f64| sizes.mkn().map(|size| size as f64).iter().product::<f64>() * count;
                let own = macs(sizes, count) / macs(product(kind).sizes, 60.0);
                assert!((own - 1.0).abs() < 1e-12, "{groups:?} {kind:?}: {sizes:?} × {count}");
            }
        }
    }
}
