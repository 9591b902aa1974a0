//! Padding options of a GEMM, for comparison. Each option has a cost in cycles of the array on screen, in bytes, and in
//! time on the chip.

use crate::Plan;
use perfmodel::gemm_time::ProductOnChip;
use perfmodel::{GemmSizes, MfuRefusal};
use systolic::{Gemm, Padding, Schedule};

/// Number of rows of the smallest bucket. A bucket is a padded M that many lengths share, so that few programs are
/// compiled.
const BUCKET_MIN: u64 = 128;

/// A way to pad a GEMM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// No padding.
    Ragged,
    /// Zeros for the array on screen: the axis along each side of the array is padded to a multiple of that side.
    ToTheArray,
    /// Zeros that pad M to a multiple of the chip's sublanes, and K and N to multiples of the rows and columns of
    /// the chip's arrays.
    ToTheChip,
    /// M padded to the next power of two, from 128 on, so that few shapes are compiled.
    Bucket,
    /// One bucket that is filled with GEMMs with the same B, one after another, as many as fit.
    Packed,
}

impl Way {
    /// All ways to pad a GEMM.
    pub const ALL: [Self; 5] = [Self::Ragged, Self::ToTheArray, Self::ToTheChip, Self::Bucket, Self::Packed];
}

/// A GEMM that is padded in one way. All numbers except `sizes` and `products` are for one original GEMM.
#[derive(Clone, Debug)]
pub struct PaddingOption {
    /// The way to pad.
    pub way: Way,
    /// Sizes of the padded GEMM that runs.
    pub sizes: GemmSizes,
    /// Number of original GEMMs in the padded GEMM.
    pub products: u64,
    /// Cycles of the array on screen; `None` if they are too many to count.
    pub cycles: Option<f64>,
    /// Bytes that move between the chip and its memory.
    pub bytes: f64,
    /// Time on the whole chip, in seconds.
    pub seconds: f64,
    /// MFU: useful FLOP divided by the time and by the peak, from 0 to 1.
    pub mfu: f64,
}

fn up(extent: u64, of: u64) -> u64 {
    extent.div_ceil(of.max(1)).saturating_mul(of.max(1))
}

impl Plan {
    /// Returns the run's GEMM, padded in each way that applies to the run's chip.
    ///
    /// # Errors
    /// [`MfuRefusal`] if a number that the time or the MFU needs is not published.
    pub fn ways(&self) -> Result<Vec<PaddingOption>, MfuRefusal> {
        let gemm = self.schedule().gemm();
        let useful = GemmSizes { m: gemm.m(), k: gemm.k(), n: gemm.n() };
        let ragged = ProductOnChip::new(self.chip(), self.format(), useful)?;
        let all = Way::ALL.into_iter().filter_map(|way| self.in_this_way(way, useful, &ragged)).collect();
        Ok(all)
    }

    fn in_this_way(&self, way: Way, useful: GemmSizes, ragged: &ProductOnChip) -> Option<PaddingOption> {
        let bucket = useful.m.max(BUCKET_MIN).next_power_of_two();
        let (sizes, products) = match way {
            Way::Ragged => (useful, 1),
            Way::ToTheArray => (self.to_the_array()?, 1),
            Way::ToTheChip => {
                let (rows, cols) = ragged.numbers.sides?;
                let (m, k) = (up(useful.m, ragged.numbers.sublanes), up(useful.k, rows.into()));
                (GemmSizes { m, k, n: up(useful.n, cols.into()) }, 1)
            }
            Way::Bucket => (GemmSizes { m: bucket, ..useful }, 1),
            Way::Packed => (GemmSizes { m: bucket, ..useful }, bucket / useful.m),
        };
        let share = products as f64;
        let on = ProductOnChip::padded(self.chip(), self.format(), sizes, useful.flops() * share).ok()?;
        // Padding to the array costs no cycle, because an edge fold takes as long as a full one.
        let padding = if way == Way::ToTheArray { Padding::ToArray } else { Padding::Ragged };
        let of = if way == Way::ToTheArray { useful } else { sizes };
        Some(PaddingOption {
            way,
            sizes,
            products,
            cycles: self.cycles_of(of, padding).map(|cycles| cycles as f64 / share),
            bytes: on.numbers.moved_bytes / share,
            seconds: on.time.total.0 / share,
            mfu: on.mfu.ratio,
        })
    }

    fn to_the_array(&self) -> Option<GemmSizes> {
        let run = self.filled(self.schedule().gemm(), Padding::ToArray)?.run();
        Some(GemmSizes { m: run.m(), k: run.k(), n: run.n() })
    }

    fn filled(&self, gemm: Gemm, padding: Padding) -> Option<Schedule> {
        let of = self.schedule();
        Schedule::new(gemm, of.array(), of.dataflow(), padding).and_then(|one| one.with(of.design())).ok()
    }

    fn cycles_of(&self, sizes: GemmSizes, padding: Padding) -> Option<u64> {
        let gemm = Gemm::new(sizes.m, sizes.k, sizes.n).ok()?;
        Some(self.filled(gemm, padding)?.cycles().get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn ways(query: &str) -> Vec<PaddingOption> {
        Plan::new(&crate::Link::parse(query, "").scenario).expect("a run").ways().expect("known")
    }

    fn of(all: &[PaddingOption], way: Way) -> &PaddingOption {
        all.iter().find(|one| one.way == way).expect("a way")
    }

    const RUN: &str = "m=129&k=129&n=129&rows=128&cols=128&dt=bf16&chip=tpu-v4";

    #[test]
    fn zeros_up_to_the_array_cost_bytes_and_no_cycles() {
        let all = ways(RUN);
        let [ragged, zero] = [Way::Ragged, Way::ToTheArray].map(|way| of(&all, way));
        // A weight-stationary array of 128×128 rounds K and N up to 256, and M streams. 4 folds take 2·128 + 128 + 129
        // − 2 cycles.
        assert_eq!(zero.sizes.mkn(), [129, 256, 256]);
        assert_eq!((ragged.cycles, zero.cycles), (Some(4.0 * 511.0), Some(4.0 * 511.0)));
        // A, B and C have 2 bytes per element in bf16.
        let bytes = |m: f64, k: f64, n: f64| 2.0 * (m * k + k * n + m * n);
        assert!((ragged.bytes - bytes(129.0, 129.0, 129.0)).abs() < 0.5, "{}", ragged.bytes);
        assert!((zero.bytes - bytes(129.0, 256.0, 256.0)).abs() < 0.5);
        assert!(zero.seconds >= ragged.seconds && zero.mfu <= ragged.mfu);
    }

    #[test]
    fn lanes_and_sublanes_are_the_chips() {
        let all = ways(RUN);
        // bf16 packs two rows into each of 8 sublanes.
        assert_eq!(of(&all, Way::ToTheChip).sizes.mkn(), [144, 256, 256]);
        let gpu = ways("m=129&k=129&n=129&dt=bf16&chip=a100-80");
        assert!(gpu.iter().all(|one| one.way != Way::ToTheChip), "tensor cores have no lanes of an array");
    }

    #[test]
    fn packing_shares_a_bucket() {
        let all = ways("m=30&k=512&n=512&rows=128&cols=128&dt=bf16&chip=tpu-v5e");
        let [bucket, packed] = [Way::Bucket, Way::Packed].map(|way| of(&all, way));
        assert_eq!((bucket.sizes.m, bucket.products, packed.products), (128, 1, 4));
        assert!((packed.seconds * 4.0 / bucket.seconds - 1.0).abs() < 1e-12);
        assert!((packed.mfu / bucket.mfu / 4.0 - 1.0).abs() < 1e-12);
        assert!((packed.bytes * 4.0 / bucket.bytes - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_ragged_way_is_the_product_of_the_panel() {
        let plan = Plan::new(&crate::Link::parse(RUN, "").scenario).expect("a run");
        let (ragged, on) = (plan.ways().expect("known").remove(0), plan.on_chip().expect("known"));
        assert_eq!((ragged.seconds, ragged.mfu), (on.time.total.0, on.mfu.ratio));
        assert_eq!(ragged.cycles, Some(plan.schedule().cycles().get() as f64));
    }
}
