//! The time of all matmuls that a program runs on a chip, one after another.

use crate::gemm_time::{Kernels, Limit, StaysOnChip};
use crate::{Chip, Format, GemmSizes, MfuRefusal, Per, Seconds};

/// Total time of the matmuls in one pass of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassTime {
    /// Time of all matmuls with only one launch: a compiled program launches as a whole, not matmul by matmul.
    pub total: Seconds,
    /// FLOP of all matmuls, without padding.
    pub flops: f64,
    /// Time per [`Limit`]. The time of a matmul counts under the limit that is its largest part. The single launch
    /// counts under [`Limit::Launch`].
    pub by_limit: [(Limit, Seconds); 5],
    /// Tile efficiency of all matmuls together: FLOP without padding ÷ FLOP with padding. `None` if the chip has no
    /// arrays.
    pub eta_tile: Option<f64>,
}

impl PassTime {
    /// Time of the matmuls `products` on one chip. Each item of `products` has the sizes of a matmul, the matrix that
    /// stays on the chip, and the number of runs.
    ///
    /// # Errors
    /// Fails if [`GemmTime::new`](crate::gemm_time::GemmTime::new) fails for a matmul. [`MfuRefusal::NoRate`] if
    /// `products` has no matmul.
    pub fn new(
        chip: &Chip,
        format: impl Into<Format>,
        products: impl IntoIterator<Item = (GemmSizes, StaysOnChip, f64)>,
    ) -> Result<Self, MfuRefusal> {
        let kernels = Kernels::of(chip, format, Per::Chip);
        let mut by_limit = [Limit::Compute, Limit::Memory, Limit::InTurn, Limit::Reload, Limit::Launch]
            .map(|limit| (limit, Seconds(0.0)));
        let (mut total, mut launch, mut flops, mut useful) = (0.0, 0.0_f64, 0.0, Some(0.0));
        for (product, stays, count) in products {
            let time = kernels.time(product, stays)?;
            let own = (time.total.0 - time.parts.launch.0) * count;
            // All matmuls share one launch, so each matmul counts under its largest part except the launch.
            let limit = time.limit_among_others();
            for (of, seconds) in &mut by_limit {
                seconds.0 += if *of == limit { own } else { 0.0 };
            }
            let work = product.flops() * count;
            (total, launch, flops) = (total + own, launch.max(time.parts.launch.0), flops + work);
            useful = useful.zip(time.eta_tile).map(|(sum, eta)| sum + work / eta);
        }
        if flops <= 0.0 {
            return Err(MfuRefusal::NoRate);
        }
        by_limit[4].1 = Seconds(launch);
        Ok(Self { total: Seconds(total + launch), flops, by_limit, eta_tile: useful.map(|padded| flops / padded) })
    }

    /// The limit with the largest share of the time.
    pub fn limit(&self) -> Limit {
        self.by_limit.iter().fold(self.by_limit[0], |most, one| if one.1 > most.1 { *one } else { most }).0
    }
}
