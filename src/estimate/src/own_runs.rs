//! The user's own runs, which determine how fast the user's software is: `chips.64: 41 %; chips.256: 5.67 s`.

use std::sync::Arc;

use perfmodel::{Chip, MfuModel, Seconds, Work};

use crate::measured::number_and_unit;
use crate::step_share::setting;
use crate::{Allowed, Entry, Estimate, InvalidEntry, Measured, Question, Refusal, SettingOverrides, Unusable};

/// Settings in which an own run may differ from the question.
const SETTINGS: [Entry; 8] =
    [Entry::Model, Entry::Chips, Entry::Dtype, Entry::Seq, Entry::Batch, Entry::Remat, Entry::Split, Entry::Overlap];
/// Most runs of the user.
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

/// The user's software, as far as the user's own runs determine its speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Software {
    /// The regression of published runs, after the user's own runs.
    pub model: MfuModel,
    /// Number of own runs.
    pub runs: usize,
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
    /// in percent. Settings that differ from the question stand before a colon.
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

    /// Returns the user's software as these runs determine it; `None` without runs. `answered` returns the estimate of a
    /// question.
    ///
    /// # Errors
    /// [`Unusable`] names the missing value, or the impossible run.
    pub fn software(
        &self,
        question: &Question,
        answered: impl Fn(&Question) -> Result<Estimate, Refusal>,
    ) -> Result<Option<Arc<Software>>, Unusable> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let mut estimates = Vec::new();
        for (settings, value) in &self.0 {
            let of_run = Question { software: None, ..settings.of(question) };
            let estimate = answered(&of_run).map_err(|_| Unusable::NoEstimate)?;
            let share = estimate.share.as_ref().ok_or(Unusable::NotTraining)?;
            // The measured run is faster or slower than predicted by a factor, and so is a run with large matmuls.
            let mfu = share.forecast.mfu * estimate.step.0 / value.step(&estimate)?.0;
            estimates.push((estimate, mfu));
        }
        let runs: Vec<_> = estimates
            .iter()
            .map(|(estimate, mfu)| (setting(&estimate.question, &estimate.work, estimate.tokens), *mfu))
            .collect();
        Ok(Some(Arc::new(Software { model: MfuModel::shipped().after(&runs), runs: runs.len() })))
    }
}

/// True if a text consists of settings with values: `chips.64_seq.4096`.
fn is_settings(text: &str) -> bool {
    let is_setting = |piece: &str| {
        piece.split_once('.').is_some_and(|(name, _)| SETTINGS.iter().any(|setting| setting.id() == name.trim()))
    };
    text.split('_').all(is_setting)
}
