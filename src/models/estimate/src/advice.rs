//! Settings that help: the remedy of a warning, and the settings that raise the MFU.

use crate::question::id_of;
use crate::{Answered, Dear, Entry, Estimate, Held, ModelAnswer, ModelQuery, Question, REMATS, Run, SPLITS};
use perfmodel::{Remat, Sharding};
use workload::PassKind;

/// Largest number of chips that a remedy proposes.
const CHIPS_MAX: u64 = 65_536;
/// Largest number of settings of one remedy.
const SETTINGS_MAX: usize = 6;
/// Number of settings that are listed as raises of the MFU.
const RAISES_MAX: usize = 3;
/// Largest number of chips that is tried for a higher MFU.
const RAISE_CHIPS_MAX: u64 = 4096;
/// Smallest ratio of another MFU to the present MFU at which the other MFU counts as higher.
const HIGHER: f64 = 1.01;

/// A setting that a person can choose with a button.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// Number of chips of a run.
    Chips {
        /// Entry that sets the number of chips.
        entry: Entry,
        /// Number of chips.
        chips: u64,
        /// Name of the chip.
        name: &'static str,
    },
    /// Number of sequences on each chip.
    Batch(u64),
    /// Recomputation of activations.
    Remat(Remat),
    /// Parallelism over chips.
    Split(Sharding),
}

/// A warning about the runs of a comparison.
#[derive(Clone, Debug)]
pub enum Warning<'a> {
    /// The weights of this run do not fit in memory.
    Weights(&'a Estimate),
    /// The parallelism of the first run costs many times as much as another parallelism.
    Dear(&'a Estimate, Dear),
    /// The estimated activations of this run do not fit in memory.
    Activations(&'a Estimate),
}

/// The most important warning of an answer, with the settings that help.
#[derive(Clone, Debug)]
pub struct Remedy<'a> {
    /// The warning.
    pub warning: Warning<'a>,
    /// Settings after which no warning is left. If this is not possible, the first setting that helps; empty if no
    /// setting helps.
    pub settings: Vec<Setting>,
}

/// A setting that raises the MFU of the first run.
#[derive(Clone, Debug, PartialEq)]
pub struct Raise {
    /// The setting, followed by the number of sequences if the setting changes this number.
    pub settings: Vec<Setting>,
    /// MFU before and after, from 0 to 1.
    pub mfu: [f64; 2],
    /// Dollars per million tokens before and after, if known.
    pub usd: Option<[f64; 2]>,
}

impl Setting {
    /// Returns the entry that has the setting.
    #[must_use]
    pub const fn entry(&self) -> Entry {
        match self {
            Self::Chips { entry, .. } => *entry,
            Self::Batch(_) => Entry::Batch,
            Self::Remat(_) => Entry::Remat,
            Self::Split(_) => Entry::Split,
        }
    }

    /// Returns the text of the entry.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Chips { chips, .. } => chips.to_string(),
            Self::Batch(batch) => batch.to_string(),
            Self::Remat(set) => id_of(&REMATS, Some(*set)).to_owned(),
            Self::Split(set) => id_of(&SPLITS, *set).to_owned(),
        }
    }
}

impl Answered {
    /// Returns the most important warning, with all settings that are needed until no warning is left.
    #[must_use]
    pub fn remedy(&self) -> Option<Remedy<'_>> {
        let (warning, first) = warning(self.model().ok()?)?;
        let Some(first) = first else { return Some(Remedy { warning, settings: Vec::new() }) };
        let mut entries = self.query().entries().with(first.entry(), &first.text());
        let mut settings = vec![first];
        while settings.len() <= SETTINGS_MAX {
            let Ok(next) = ModelQuery::new(entries.clone()).answer(self.file()) else { break };
            match self::warning(&next) {
                None => return Some(Remedy { warning, settings }),
                Some((_, None)) => break,
                Some((_, Some(setting))) => {
                    entries = entries.with(setting.entry(), &setting.text());
                    settings.push(setting);
                }
            }
        }
        settings.truncate(1);
        Some(Remedy { warning, settings })
    }

    /// Returns the settings that raise the MFU of the first run, most helpful first, each as a single change of the
    /// question. `None` if the MFU is unknown, or if its interval is too wide for one number.
    #[must_use]
    pub fn raises(&self) -> Option<Vec<Raise>> {
        let base = &self.model().ok()?.estimate;
        let (Ok(before), None) = (base.mfu, base.misfit()) else { return None };
        if base.is_wide() || base.question.is_product {
            return None;
        }
        let raise = |(setting, question): (Setting, Question)| {
            let other = self.again(&question).filter(Estimate::is_ranked)?;
            let after = other.mfu.ok().filter(|after| after.ratio >= before.ratio * HIGHER)?;
            let batch = Some(other.question.batch).filter(|batch| *batch != base.question.batch);
            let batch = batch.filter(|_| setting.entry() != Entry::Batch).map(Setting::Batch);
            let usd = base.usd_per_million_tokens().zip(other.usd_per_million_tokens());
            Some(Raise {
                settings: core::iter::once(setting).chain(batch).collect(),
                mfu: [before.ratio, after.ratio],
                usd: usd.map(Into::into),
            })
        };
        let mut best: Vec<Raise> = Vec::new();
        for raise in changes(&base.question).into_iter().filter_map(raise) {
            let is_same = |one: &&mut Raise| one.settings[0].entry() == raise.settings[0].entry();
            match best.iter_mut().find(is_same) {
                Some(one) if one.mfu[1] < raise.mfu[1] => *one = raise,
                Some(_) => {}
                None => best.push(raise),
            }
        }
        best.sort_by(|one, other| other.mfu[1].total_cmp(&one.mfu[1]));
        best.truncate(RAISES_MAX);
        Some(best)
    }
}

/// Returns the most important warning, with a setting that helps.
fn warning(answer: &ModelAnswer) -> Option<(Warning<'_>, Option<Setting>)> {
    let runs = answer.runs();
    if let Some(run) = runs.iter().find(|run| run.estimate.misfit().is_some()) {
        return Some((Warning::Weights(run.estimate), enough_chips(run)));
    }
    let first = &answer.estimate;
    if let Some(dear) = first.dear() {
        return Some((Warning::Dear(first, dear), Some(Setting::Split(dear.best))));
    }
    let run = runs.iter().find(|run| run.estimate.activations_without_room().is_some())?;
    Some((Warning::Activations(run.estimate), room_for_activations(&runs)))
}

/// True if weights and activations fit in the memory of the question's chip; `None` if a size is unknown.
fn fits(question: &Question, estimate: &Estimate) -> Option<bool> {
    let held = Held::new(question, &estimate.work);
    Some(held.in_all()? + held.activations? <= question.chip.memory.bytes()?)
}

/// Returns the number of chips, doubled until the run fits in memory.
fn enough_chips(run: &Run<'_>) -> Option<Setting> {
    let one = run.estimate;
    let has_weights = |chips: &u64| one.on_chips(*chips).is_ok_and(|other| other.misfit().is_none());
    // A chip with one sequence has the least activations.
    let has_room = |chips: &u64| {
        let held = Held::new(&Question { chips: *chips, batch: 1, ..one.question.clone() }, &one.work);
        let needed = held.in_all().map(|state| state + held.activations.unwrap_or(0.0));
        needed.zip(one.question.chip.memory.bytes()).is_some_and(|(needed, has)| needed <= has)
    };
    let counts = || {
        let all = core::iter::successors(Some(one.question.chips.next_power_of_two()), |chips| Some(chips * 2));
        all.take_while(|chips| *chips <= CHIPS_MAX)
    };
    let enough = counts().find(has_room).filter(|_| !one.question.is_batch_set);
    let chips = enough.or_else(|| counts().find(has_weights))?;
    Some(Setting::Chips { entry: run.entry, chips, name: one.question.chip.name })
}

/// Returns a setting that helps the activations of every run to fit. The setting is the largest number of sequences
/// that fits, or else full recomputation. After full recomputation, a smaller number of sequences may also be
/// necessary.
fn room_for_activations(runs: &[Run<'_>]) -> Option<Setting> {
    let question = &runs.first()?.estimate.question;
    let do_fit = |batch: u64, remat: Option<Remat>| {
        runs.iter().map(|run| run.estimate).filter(|one| one.misfit().is_none()).all(|one| {
            let changed = Question { batch, remat: remat.or(one.question.remat), ..one.question.clone() };
            fits(&changed, one) != Some(false)
        })
    };
    let batches =
        || core::iter::successors(Some(question.batch / 2), |batch| Some(batch / 2)).take_while(|one| *one > 0);
    if let Some(batch) = batches().find(|batch| do_fit(*batch, None)) {
        return Some(Setting::Batch(batch));
    }
    let full = Some(Remat::Full);
    let is_kept = || runs.iter().any(|run| run.estimate.question.recomputes() != Remat::Full);
    let helps = do_fit(question.batch, full) || (is_kept() && batches().any(|batch| do_fit(batch, full)));
    helps.then_some(Setting::Remat(Remat::Full))
}

/// Returns single changes of a question.
fn changes(question: &Question) -> Vec<(Setting, Question)> {
    let mut all = Vec::new();
    let mut add = |setting: Setting, change: &dyn Fn(&mut Question)| {
        let mut other = question.clone();
        change(&mut other);
        all.push((setting, other));
    };
    for times in (1..=7).map(|power| 1 << power) {
        let batch = question.batch.saturating_mul(times);
        add(Setting::Batch(batch), &|other| other.set_batch(batch));
        for chips in [question.chips / times, question.chips.saturating_mul(times)] {
            if (1..=RAISE_CHIPS_MAX).contains(&chips) {
                let name = question.chip.name;
                add(Setting::Chips { entry: Entry::Chips, chips, name }, &|other| other.chips = chips);
            }
        }
    }
    if question.pass == PassKind::Training && question.recomputes() == Remat::Full {
        add(Setting::Remat(Remat::None), &|other| other.remat = Some(Remat::None));
    }
    for (_, split) in SPLITS.into_iter().filter(|(_, split)| *split != question.split && question.chips > 1) {
        add(Setting::Split(split), &|other| other.set_split(split));
    }
    all
}
