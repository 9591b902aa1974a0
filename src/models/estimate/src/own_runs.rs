//! The user's own runs, which determine how fast the user's software is: `chips.64: 41 %; chips.256: 5.67 s`.

use std::sync::Arc;

use perfmodel::{Chip, MfuModel, Seconds, Work};

use crate::measured::number_and_unit;
use crate::step_share::setting;
use crate::{
    Allowed, Entry, Estimate, InvalidEntry, Measured, Question, Refusal, SettingOverrides, Software, Unusable,
};

/// Settings in which an own run may differ from the question.
const SETTINGS: [Entry; 9] = [
    Entry::Model,
    Entry::Chips,
    Entry::Dtype,
    Entry::Seq,
    Entry::Batch,
    Entry::Remat,
    Entry::Framework,
    Entry::Split,
    Entry::Overlap,
];
/// Maximum number of the user's own runs.
const RUNS_MAX: usize = 20;

/// The user's own runs, as read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnRuns(Vec<(SettingOverrides, Value)>);

/// Value that was measured in an own run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    /// MFU as a ratio, in the convention of the question.
    Mfu(f64),
    Measured(Measured),
}

impl Value {
    fn read(text: &str) -> Option<Self> {
        let percent = number_and_unit(text).filter(|(_, unit)| matches!(unit.as_str(), "%" | "%MFU" | "%mfu"));
        match percent {
            Some((number, _)) => (number <= 100.0).then_some(Self::Mfu(number / 100.0)),
            None => Measured::read(text).map(Self::Measured),
        }
    }

    /// Returns the time of a step.
    fn step(self, estimate: &Estimate) -> Result<Seconds, Unusable> {
        let question = &estimate.question;
        let peak = question.chip.peak_flops(question.multiplied()).ok_or(Unusable::NoPeak)?;
        let work = Work { model_flops: estimate.model_flops, chips: 1, peak };
        let step = match self {
            Self::Mfu(mfu) => work.time(mfu).map_err(|_| Unusable::NoPeak)?,
            Self::Measured(measured) => measured.step(estimate).ok_or(Unusable::NoTokensOfStep)?,
        };
        work.mfu(step).map_err(|_| Unusable::AbovePeak)?;
        Ok(step)
    }
}

impl OwnRuns {
    /// Reads runs on `chip`, separated by semicolons or lines, and lists unusable runs. A run is a measurement or an MFU
    /// in percent. Settings that differ from the question come before a colon.
    #[must_use]
    pub fn read(text: &str, chip: &Arc<Chip>) -> (Self, Vec<InvalidEntry>) {
        let (mut runs, mut invalid) = (Vec::new(), Vec::new());
        for piece in text.split([';', '\n']).map(str::trim).filter(|piece| !piece.is_empty()) {
            let (settings, value) = match piece.split_once(':') {
                Some((settings, value)) if is_settings(settings) => (settings, value),
                _ => ("", piece),
            };
            let (settings, refused) = SettingOverrides::read_of(&SETTINGS, Entry::Runs, settings, chip);
            let value = Value::read(value.trim()).filter(|_| runs.len() < RUNS_MAX);
            match value {
                Some(value) if refused.is_empty() => runs.push((settings, value)),
                Some(_) => invalid.extend(refused),
                None => invalid.push(InvalidEntry::new(Entry::Runs, piece, Allowed::OwnRuns(RUNS_MAX))),
            }
        }
        (Self(runs), invalid)
    }

    /// Returns the regression of published runs, updated with these runs, which determine the speed of the user's
    /// software; `None` without runs. `answered` returns the estimate of a question.
    ///
    /// # Errors
    /// [`Unusable`] names the missing value, or the impossible run.
    pub fn software(
        &self,
        question: &Question,
        answered: impl Fn(&Question) -> Result<Estimate, Refusal>,
    ) -> Result<Option<Software>, Unusable> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let mut estimates = Vec::new();
        for (settings, value) in &self.0 {
            let of_run = Question { software: None, ..settings.of(question) };
            let estimate = answered(&of_run).map_err(|_| Unusable::NoEstimate)?;
            let share = estimate.share.as_ref().ok_or(Unusable::NotTraining)?;
            // The time of the measured run differs from its prediction by a factor. The time of a run with large
            // matmuls differs by this factor too.
            let mfu = share.forecast.mfu * estimate.step.0 / value.step(&estimate)?.0;
            estimates.push((estimate, mfu));
        }
        let runs: Vec<_> = estimates
            .iter()
            .map(|(estimate, mfu)| (setting(&estimate.question, &estimate.work, estimate.tokens), *mfu))
            .collect();
        Ok(Some(Software::of_user(MfuModel::shipped().after(&runs))))
    }
}

/// True if a text consists of settings with values: `chips.64_seq.4096`.
fn is_settings(text: &str) -> bool {
    let is_setting = |piece: &str| {
        piece.split_once('.').is_some_and(|(name, _)| SETTINGS.iter().any(|setting| setting.id() == name.trim()))
    };
    text.split('_').all(is_setting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn answer(text: &str) -> crate::ModelAnswer {
        let query = ModelQuery::parse(text);
        assert_eq!(query.invalid, [], "{text}");
        query.answer(None).expect("an answer")
    }

    /// Returns the lower end of the interval, the MFU, and the upper end.
    fn range(text: &str) -> (f64, f64, f64) {
        let estimate = answer(text).estimate;
        let mfu = estimate.mfu.expect("possible").ratio;
        let (low, high) = estimate.interval().expect("training").rate(mfu);
        (low, mfu, high)
    }

    #[test]
    fn own_runs_move_the_prediction_and_narrow_the_interval() {
        let question = "model=llama3-8b&chip=h100-sxm&chips=512&seq=4096&batch=2";
        let (low, mfu, high) = range(question);
        let (own_low, own, own_high) = range(&format!("{question}&runs=chips.64: 30 %25"));
        assert!(0.30 < own && own < mfu, "{own} {mfu}");
        assert!(own_high / own_low < high / low, "{own_low} {own_high} {low} {high}");
        // More runs move the MFU further. A run with a step time counts as the run with its MFU.
        let more = range(&format!("{question}&runs=chips.64: 30 %25; chips.128: 30 %25; 29 %25")).1;
        assert!(more < own, "{more} {own}");
        let step = answer(&format!("{question}&measured=1 s")).own_run.expect("measured").expect("known");
        let percent = step.mfu.expect("possible").ratio * 100.0;
        let (by_step, by_mfu) =
            (range(&format!("{question}&runs=1 s")), range(&format!("{question}&runs={percent} %25")));
        assert!((by_step.1 / by_mfu.1 - 1.0).abs() < 1e-4, "{by_step:?} {by_mfu:?}");
    }

    #[test]
    fn own_runs_count_on_other_chips_and_in_other_settings_of_the_comparison() {
        let without = answer("chip=h100-sxm&versus=a100-80");
        let with = answer("chip=h100-sxm&versus=a100-80&runs=30 %25");
        let other = |answer: &crate::ModelAnswer| answer.comparison().expect("beside").0.step;
        assert!(other(&with) > other(&without));
    }

    #[test]
    fn a_run_that_cannot_be_used_is_named() {
        let invalid = |runs: &str| {
            let query = ModelQuery::parse(&format!("runs={runs}"));
            query.invalid.iter().map(|one| one.given.clone()).collect::<Vec<_>>()
        };
        assert_eq!(invalid("zebra"), ["zebra"]);
        assert_eq!(invalid("zebra.1: 41 %25"), ["zebra.1: 41 %"]);
        assert_eq!(invalid("chips.0: 41 %25; 40 %25"), ["chips.0"]);
        assert_eq!(invalid("141 %25"), ["141 %"]);
        assert_eq!(answer("runs=1 us").software, Err(Unusable::AbovePeak));
        assert_eq!(answer("pass=decode&runs=41 %25").software, Err(Unusable::NotTraining));
        assert_eq!(answer("").software, Ok(None));
    }
}
