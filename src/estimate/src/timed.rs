//! The products of a pass as one chip runs them, each with its time.

use perfmodel::gemm_time::{GemmTime, Kept, Product};
use perfmodel::{Per, Sharding};
use workload::{Gemm, Kind, Role};

use super::{Estimate, Question};

/// A product with its time.
pub(super) struct Timed<'a> {
    /// As the model has it.
    pub(super) gemm: &'a Gemm,
    /// As the chip runs it.
    pub(super) product: Product,
    /// What of it stays on the chip.
    pub(super) kept: Kept,
    /// The time of one.
    pub(super) time: GemmTime,
    /// Seconds of one: what is launched with the rest of the program waits for no launch of its own.
    pub(super) seconds: f64,
    /// Its share of the time of all products.
    pub(super) share: f64,
}

impl Timed<'_> {
    /// What the model calls it, and in which part of a step it runs.
    pub(super) fn name(&self) -> String {
        format!("{}, {}", self.gemm.name, self.gemm.role.words())
    }
}

impl Estimate {
    /// The products in the order of the model.
    pub(super) fn timed(&self) -> impl Iterator<Item = Timed<'_>> {
        let question = &self.question;
        self.work.gemms.iter().filter_map(|gemm| {
            let (product, kept, count) = on_one_chip(gemm, question);
            let time = GemmTime::keeping(&question.chip, question.dtype, product, Per::Chip, kept).ok()?;
            let seconds = time.total.0 - time.parts.launch.0;
            Some(Timed { gemm, product, kept, time, seconds, share: seconds * count / self.products.total.0 })
        })
    }
}

/// A product as one chip runs it, what of it stays on the chip, and how often it runs. Split over chips, its columns are,
/// and the batch of all is on each.
pub(super) fn on_one_chip(gemm: &Gemm, question: &Question) -> (Product, Kept, f64) {
    let (&Gemm { m, k, n, .. }, chips) = (gemm, question.chips);
    let split = question.split == Sharding::Tensor && chips > 1;
    let product = match (gemm.kind, gemm.role) {
        // Heads are dealt out; each chip has the sequences of all.
        (Kind::Scores | Kind::Values, _) => Product { m, k, n },
        _ if !split => Product { m, k, n },
        // The sum of a gradient of the weights runs over the batch.
        (_, Role::WeightGradient) => Product { m, k: k.saturating_mul(chips), n: n.div_ceil(chips) },
        _ => Product { m: m.saturating_mul(chips), k, n: n.div_ceil(chips) },
    };
    (product, kept(gemm), gemm.count as f64)
}

/// The scores of attention stay on the chip, and so does their gradient.
fn kept(gemm: &Gemm) -> Kept {
    match (gemm.kind, gemm.role) {
        (Kind::Scores, Role::Forward | Role::Recompute) | (Kind::Values, Role::InputGradient) => Kept::C,
        (Kind::Scores, Role::InputGradient) | (Kind::Values, _) => Kept::A,
        (Kind::Scores, Role::WeightGradient) => Kept::B,
        _ => Kept::Nothing,
    }
}
