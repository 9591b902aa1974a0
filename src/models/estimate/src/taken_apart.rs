//! The speed-up between two runs, split into the effects of single settings. The settings change one at a time.

use std::sync::Arc;

use crate::{Entry, Estimate, LayoutFrom, Question};
use workload::PassKind;

/// One changed setting, with its effect.
#[derive(Clone, Debug)]
pub struct Change {
    /// The setting; [`Entry::Chip`] includes the price of the chip.
    pub entry: Entry,
    /// The question before the change.
    pub from: Question,
    /// The question after the change.
    pub to: Question,
    /// Speed after the change, divided by the speed before.
    pub faster: f64,
    /// Cost per token before the change, divided by the cost after; `None` if a price is unknown.
    pub cheaper: Option<f64>,
    /// Ratio of the peaks and ratio of the MFUs (after ÷ before); `None` unless the chip changes.
    pub peak_and_mfu: Option<(f64, f64)>,
}

impl Change {
    /// True if only the price of the chip changed.
    #[must_use]
    pub fn is_price(&self) -> bool {
        self.entry == Entry::Chip && is_same(self.entry, &self.from, &self.to)
    }
}

/// Settings in which runs may differ, in the order of the changes.
const ORDER: [Entry; 9] = [
    Entry::Chip,
    Entry::Chips,
    Entry::Dtype,
    Entry::Remat,
    Entry::Framework,
    Entry::Split,
    Entry::Overlap,
    Entry::Batch,
    Entry::Seq,
];
/// Settings that matter only in training.
const OF_TRAINING: [Entry; 2] = [Entry::Remat, Entry::Framework];

/// Copies the value of one setting from `of` to `question`.
fn take(entry: Entry, question: &mut Question, of: &Question) {
    match entry {
        Entry::Chip => {
            question.chip = Arc::clone(&of.chip);
            question.own = of.own.clone();
            (question.listed, question.usd) = (of.listed.clone(), of.usd);
        }
        Entry::Chips => question.chips = of.chips,
        Entry::Dtype => (question.dtype, question.passes) = (of.dtype, of.passes),
        // The rematerialization of published runs depends on the chip, so it is a separate change.
        Entry::Remat => question.remat = Some(of.recomputes()),
        Entry::Framework => question.framework = Some(of.framework()),
        Entry::Split => {
            (question.split, question.groups, question.layout) = (of.split, of.groups, of.layout);
            question.reset_layout();
        }
        Entry::Overlap => question.overlap = of.overlap,
        Entry::Batch => question.set_batch(of.batch),
        Entry::Seq => question.seq = of.seq,
        _ => {}
    }
}

/// True if two questions have the same value of a setting.
fn is_same(entry: Entry, one: &Question, other: &Question) -> bool {
    match entry {
        Entry::Chip => one.chip.id == other.chip.id,
        Entry::Chips => one.chips == other.chips,
        // Passes count only for a format that a chip multiplies in passes.
        Entry::Dtype => match [one, other].map(|question| question.chip.as_run(question.format())) {
            [Ok(one), Ok(other)] => one == other,
            _ => one.dtype == other.dtype,
        },
        Entry::Remat => one.recomputes() == other.recomputes(),
        Entry::Framework => one.framework() == other.framework(),
        Entry::Split if one.layout != LayoutFrom::Set && other.layout != LayoutFrom::Set => true,
        Entry::Split => (one.split, one.groups) == (other.split, other.groups),
        Entry::Overlap => one.overlap_percent() == other.overlap_percent(),
        Entry::Batch => one.batch == other.batch,
        Entry::Seq => one.seq == other.seq,
        _ => true,
    }
}

/// Returns the changes that lead from the run `there` to the run `here`, one setting at a time. `answered` returns the
/// estimate of a question about the same model. Empty if an intermediate question has no estimate.
pub(crate) fn difference_by_setting(
    here: &Estimate,
    there: &Estimate,
    answered: impl Fn(&Question) -> Option<Estimate>,
) -> Vec<Change> {
    let mut question = there.question.clone();
    question.remat = Some(question.recomputes());
    question.framework = Some(question.framework());
    question.is_batch_set = true;
    let mut before = there.clone();
    let mut all = Vec::new();
    let is_training = here.question.pass == PassKind::Training;
    for entry in ORDER.into_iter().filter(|entry| is_training || !OF_TRAINING.contains(entry)) {
        let mut next = question.clone();
        take(entry, &mut next, &here.question);
        let price = |one: &Question| one.usd_per_chip_hour().map(f64::to_bits);
        if is_same(entry, &question, &next) && !(entry == Entry::Chip && price(&question) != price(&next)) {
            question = next;
            continue;
        }
        let Some(after) = answered(&next) else { return Vec::new() };
        let peak_and_mfu = before.mfu.ok().zip(after.mfu.ok()).filter(|_| entry == Entry::Chip);
        all.push(Change {
            entry,
            from: question,
            to: next.clone(),
            faster: after.rate() / before.rate(),
            cheaper: before.usd_per_million().zip(after.usd_per_million()).map(|(before, after)| before / after),
            peak_and_mfu: peak_and_mfu
                .map(|(before, after)| (after.peak.0 / before.peak.0, after.ratio / before.ratio)),
        });
        (question, before) = (next, after);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn apart(text: &str) -> (Vec<Change>, f64, Option<f64>) {
        let query = ModelQuery::parse(text);
        assert_eq!(query.invalid, [], "{text}");
        let answer = query.answer(None).expect("an answer");
        let there = &answer.comparison().expect("another").0;
        let cheaper = there.usd_per_million().zip(answer.estimate.usd_per_million()).map(|(there, here)| there / here);
        let faster = answer.estimate.rate() / there.rate();
        (answer.changes, faster, cheaper)
    }

    #[test]
    fn the_changes_multiply_to_the_whole() {
        for text in [
            "chip=tpu-v6e&versus=a100-80",
            "than=batch.1_dtype.f32_chips.8",
            "chip=tpu-v5p&versus=h100-sxm&than=chips.512_seq.4096_remat.full_split.data&batch=2",
            "pass=decode&split=tensor&than=batch.1_split.fsdp",
            "chip=tpu-v5e&usd=0.5&than=usd.1",
            "model=product&chip=tpu-v4&versus=tpu-v5e",
        ] {
            let (changes, faster, cheaper) = apart(text);
            assert!(!changes.is_empty(), "{text}");
            let product: f64 = changes.iter().map(|one| one.faster).product();
            assert!((product / faster - 1.0).abs() < 1e-9, "{text}: {product} {faster}");
            let product: Option<f64> = changes.iter().map(|one| one.cheaper).product();
            let (product, cheaper) = (product.expect("known"), cheaper.expect("known"));
            assert!((product / cheaper - 1.0).abs() < 1e-9, "{text}: {product} {cheaper}");
        }
    }

    #[test]
    fn another_chip_is_its_peak_and_the_share_that_is_used() {
        let (changes, ..) = apart("chip=tpu-v5e&versus=a100-80&remat=none&framework=other&batch=4");
        let [chip] = &changes[..] else { panic!("{changes:?}") };
        let (peak, mfu) = chip.peak_and_mfu.expect("known");
        assert!((peak - 197.0 / 312.0).abs() < 1e-9 && (peak * mfu / chip.faster - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_published_runs_computed_again_is_a_step_of_its_own() {
        let (changes, ..) = apart("chip=tpu-v5e&versus=tpu-v6e&batch=4");
        let entries: Vec<Entry> = changes.iter().map(|one| one.entry).collect();
        assert_eq!(entries, [Entry::Chip, Entry::Remat]);
    }
}
