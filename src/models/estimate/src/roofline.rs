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

/// Maximum number of placed matmuls. The matmuls that take the least time have no place.
const PLACED_MAX: usize = 40;

/// The roof of a chip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roof {
    /// Peak in 10¹² FLOP/s.
    pub peak: f64,
    /// Bandwidth of the memory in 10¹² byte/s.
    pub bandwidth: f64,
    /// Arithmetic intensity from which the peak is the limit, in FLOP per byte.
    pub ridge: f64,
}

/// The matmuls of a pass under the roof of their chip.
#[derive(Clone, Debug, PartialEq)]
pub struct Roofline {
    /// The roof.
    pub roof: Roof,
    /// Matmuls at nearly the same point, as one group. Groups with the most time come first.
    pub groups: Vec<Vec<Placed>>,
    /// Matmuls without a place, because they take the least time.
    pub rest: Vec<Placed>,
    /// Share of the time of all matmuls that is spent in matmuls to the left of the ridge.
    pub share_left: f64,
}

impl Estimate {
    /// Returns the roof of the chip; `None` if the peak or the bandwidth is not published.
    #[must_use]
    pub fn roof(&self) -> Option<Roof> {
        let (chip, dtype) = (&self.question.chip, self.question.multiplied());
        let peak = chip.peak_flops(dtype)?.0 / 1e12;
        Some(Roof { peak, bandwidth: chip.memory.bytes_per_sec()? / 1e12, ridge: chip.ridge(dtype)? })
    }

    /// Returns the matmuls under the roof of the chip; `None` if the peak or the bandwidth is not published.
    #[must_use]
    pub fn roofline(&self) -> Option<Roofline> {
        let roof = self.roof()?;
        let mut all = placed(self);
        let share_left = all.iter().filter(|one| one.intensity < roof.ridge).map(|one| one.share).sum();
        let rest = all.split_off(all.len().min(PLACED_MAX));
        Some(Roofline { roof, groups: grouped(all), rest, share_left })
    }
}

/// Groups matmuls that are less than 2% apart on both axes.
fn grouped(all: Vec<Placed>) -> Vec<Vec<Placed>> {
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.02;
    let mut groups: Vec<Vec<Placed>> = Vec::new();
    for one in all {
        let joins = |group: &&mut Vec<Placed>| {
            near(one.intensity, group[0].intensity) && near(one.flops_per_sec, group[0].flops_per_sec)
        };
        match groups.iter_mut().find(joins) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    let share = |group: &[Placed]| group.iter().map(|one| one.share).sum::<f64>();
    groups.sort_by(|a, b| share(b).total_cmp(&share(a)));
    groups
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
                        // The fit to measured rows of a TPU v4 has no roof, so a time can be below it by a tenth. This
                        // is within the errors of the fit.
                        let slack = if chip.id == "tpu-v4" { 1.1 } else { 1.0 + 1e-9 };
                        let roof = peak.min(one.intensity * bandwidth) * slack;
                        assert!(one.flops_per_sec <= roof, "{} {} {rest}: {one:?} {roof:e}", model.id, chip.id);
                    }
                }
            }
        }
    }
}
