//! The 80% prediction interval of a training run. The spread of the prediction and the errors of predictions for
//! held-out published runs determine the width of the interval.

use crate::{Cost, Estimate};
use perfmodel::Seconds;
use perfmodel::{Evidence, left_out};

/// A prediction interval, stored as two factors of the step time. The factors apply to every quantity that depends on
/// the step time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Published training runs on which the prediction rests, such as runs on other chips of the same maker. `None` for
    /// serving.
    pub from: Option<Evidence>,
    /// Number of publications of the evidence.
    pub publications: usize,
    /// Longest step in the interval, divided by the predicted step; at least 1.
    slower: f64,
    /// Width of the interval of the MFU, as a ratio of the peak.
    width: f64,
    /// Predicted step, divided by the shortest step in the interval; at least 1.
    faster: f64,
}

/// Largest width of an MFU interval that is shown as one number, its middle.
const WIDTH_MAX: f64 = 0.3;

impl Interval {
    /// True if the interval is so wide that one number in its middle would mislead.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        self.width > WIDTH_MAX
    }

    /// Returns the low and the high end of the interval around the rate `point` (MFU, HFU, tokens per second).
    #[must_use]
    pub fn rate(&self, point: f64) -> (f64, f64) {
        (point / self.slower, point * self.faster)
    }

    /// Returns the low and the high end of the interval around `point`. This value is a time, or a cost or an energy
    /// that is proportional to time.
    #[must_use]
    pub fn time(&self, point: f64) -> (f64, f64) {
        (point / self.faster, point * self.slower)
    }

    /// Returns the low and the high end of the bill's total, in dollars. Costs that do not grow with time are equal at
    /// both ends. `None` if the bill is for one day, or if a line is unknown.
    #[must_use]
    pub fn bill(&self, estimate: &Estimate, cost: &Cost) -> Option<(f64, f64)> {
        if cost.is_day {
            return None;
        }
        let (shortest, longest) = self.time(estimate.step.0);
        let total = |step: f64| {
            let other = Estimate { step: Seconds(step), ..estimate.clone() };
            Cost::of_steps(cost.n_steps, &other, &cost.inputs).bill.total().map(|usd| usd.0)
        };
        total(shortest).zip(total(longest))
    }
}

impl Estimate {
    /// Returns the 80 % interval. `None` if the MFU is unknown, or for a pass without sequences of tokens.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let mfu = self.mfu.ok()?.ratio;
        if let Some(serving) = self.serving {
            // No step is shorter than its matmuls and its communication.
            let (slower, faster) = (serving.log.exp(), serving.log.exp().min(serving.slower));
            let width = mfu * (faster - 1.0 / slower);
            return Some(Interval { from: None, publications: serving.publications, width, slower, faster });
        }
        let share = self.share.as_ref()?;
        // The upper end keeps the HFU at or below 1.
        let runs = self.hfu.map_or(1.0, |hfu| hfu.ratio);
        let (low, high) = share.forecast.around(mfu, runs / mfu, share.factor);
        let from = share.forecast.evidence();
        let publications = match from {
            Evidence::ThisChip => share.forecast.publications_on_chip,
            Evidence::SameMaker => share.forecast.publications_of_maker,
            Evidence::OtherMaker => left_out::publications(&left_out::verified()).len(),
        };
        Some(Interval { from: Some(from), publications, width: high - low, slower: mfu / low, faster: high / mfu })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelQuery, models};
    use perfmodel::Chip;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn of(text: &str) -> Estimate {
        Estimate::new(&ModelQuery::parse(text).question).expect("an answer")
    }

    #[test]
    fn a_chip_without_a_run_has_a_wider_interval() {
        let width = |chip: &str| {
            let estimate = of(&format!("chip={chip}&remat=none"));
            let (mfu, interval) = (estimate.mfu.expect("possible").ratio, estimate.interval().expect("training"));
            mfu / interval.rate(mfu).0
        };
        for own in ["tpu-v5e", "tpu-v5p", "tpu-v4", "a100-80", "h100-sxm"] {
            for other in ["tpu-v2", "b200-sxm", "gb200", "gaudi2", "mi300x"] {
                assert!(width(own) < width(other), "{own} {other}");
            }
        }
    }

    #[test]
    fn a_range_above_thirty_points_has_no_headline() {
        assert!(of("chip=h100-sxm").interval().is_some_and(|interval| !interval.is_wide()));
        assert!(of("chip=h100-sxm&dtype=fp8").interval().is_some_and(|interval| !interval.is_wide()));
        let has_headline = |chip: &str| {
            let experts = of(&format!("model=qwen3-235b&chip={chip}&chips=256"));
            !experts.interval().expect("training").is_wide()
        };
        assert!(has_headline("h100-sxm") && !has_headline("mi300x"), "no run of AMD is published");
    }

    #[test]
    fn no_interval_reaches_beyond_the_peak_or_to_nothing() {
        for model in models() {
            for chip in Chip::all() {
                for rest in ["", "&remat=none", "&remat=full&attention=causal", "&chips=1&own=hbm.100"] {
                    let text = format!("model={}&chip={}{rest}", model.id, chip.id);
                    let Ok(estimate) = Estimate::new(&ModelQuery::parse(&text).question) else { continue };
                    let (Some(interval), Ok(mfu), Ok(hfu)) = (estimate.interval(), estimate.mfu, estimate.hfu) else {
                        continue;
                    };
                    let ((low, high), most) = (interval.rate(mfu.ratio), interval.rate(hfu.ratio).1);
                    assert!(0.0 < low && low <= mfu.ratio && mfu.ratio <= high, "{text}");
                    assert!(high <= 1.0 && most <= 1.0 + 1e-12, "{text}: {high} {most}");
                    let (shortest, longest) = interval.time(estimate.step.0);
                    assert!(
                        (shortest / estimate.step.0 - mfu.ratio / high).abs() < 1e-9 && longest.is_finite(),
                        "{text}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_serving_step_is_never_shorter_than_its_matmuls_and_communication() {
        for text in ["pass=prefill", "pass=decode", "pass=decode&chip=h100-sxm&split=tensor&chips=8"] {
            let found = of(text);
            let (shortest, longest) = found.interval().expect("measured").time(found.step.0);
            assert!(shortest >= found.products.total.0 * (1.0 - 1e-12) && longest > found.step.0, "{text}");
        }
        assert_eq!(of("model=resnet50&pass=prefill").interval(), None, "no serving run has images");
    }

    #[test]
    fn a_bill_grows_with_time_except_for_what_does_not() {
        let query =
            ModelQuery::parse("chips=64&tokens=1e10&weeks=1&week-usd=1000&mtbf=1e9&save=0.001&restart=0&shapes=0");
        let answer = query.answer(None).expect("an answer");
        let (estimate, cost) = (&answer.estimate, &answer.cost);
        let interval = estimate.interval().expect("training");
        let (low, high) = interval.bill(estimate, cost).expect("known");
        let compute = cost.bill.compute.expect("known").0;
        let (cheap, dear) = interval.time(compute);
        assert!((low - cheap - 1000.0).abs() < 0.01 * compute && (high - dear - 1000.0).abs() < 0.01 * compute);
        let day = ModelQuery::parse("").answer(None).expect("an answer");
        assert_eq!(interval.bill(&day.estimate, &day.cost), None, "a day is a day");
    }
}
