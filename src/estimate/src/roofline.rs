//! The matmuls of a pass, placed in the roofline plot of the chip.

use super::Estimate;
use super::timed::Timed;

/// A matmul in the roofline plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Name of the matmul in the model, and the part of a step in which it runs.
    pub name: String,
    /// Arithmetic intensity in FLOPs per byte of memory traffic.
    pub intensity: f64,
    /// FLOP/s while the matmul runs.
    pub flops_per_sec: f64,
    /// Time of all runs of this matmul, divided by the time of all matmuls.
    pub share: f64,
}

/// Returns the matmuls with their arithmetic intensity and FLOP/s, sorted by share of time, largest first.
#[must_use]
pub fn placed(estimate: &Estimate) -> Vec<Placed> {
    let dtype = estimate.question.dtype;
    let place = |one: Timed<'_>| {
        Some(Placed {
            name: one.name(),
            intensity: one.sizes.intensity(dtype, one.stays)?,
            flops_per_sec: one.sizes.flops() / one.seconds,
            share: one.share,
        })
    };
    let is_finite = |placed: &Placed| placed.intensity.is_finite() && placed.flops_per_sec.is_finite();
    let mut all: Vec<Placed> = estimate.timed().filter_map(place).filter(is_finite).collect();
    all.sort_by(|a, b| b.share.total_cmp(&a.share));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelQuery, models};
    use perfmodel::Chip;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn no_product_is_above_the_roof() {
        for model in models() {
            for chip in Chip::all() {
                for rest in ["", "&pass=decode&batch=1", "&split=tensor&chips=8"] {
                    let Ok(estimate) = Estimate::new(
                        &ModelQuery::parse(&format!("model={}&chip={}{rest}", model.id, chip.id)).question,
                    ) else {
                        continue;
                    };
                    let dtype = estimate.question.multiplied();
                    let (peak, bandwidth) =
                        (chip.peak_flops(dtype).expect("published").0, chip.memory.bytes_per_sec().expect("published"));
                    for one in placed(&estimate) {
                        // The fit to measured rows of a TPU v4 has no roof; a tenth is within its errors.
                        let slack = if chip.id == "tpu-v4" { 1.1 } else { 1.0 + 1e-9 };
                        let roof = peak.min(one.intensity * bandwidth) * slack;
                        assert!(one.flops_per_sec <= roof, "{} {} {rest}: {one:?} {roof:e}", model.id, chip.id);
                    }
                }
            }
        }
    }
}
