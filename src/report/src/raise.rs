//! Settings that raise the MFU of the first run, most helpful first.

use super::{comparison as words, entry};
use display::amount::Amount;
use estimate::{Answered, Entry, Estimate, Question, SPLITS};
use perfmodel::Remat;
use workload::PassKind;

/// Number of settings that are shown.
const SHOWN_MAX: usize = 3;
/// Largest number of chips that is tried.
const CHIPS_MAX: u64 = 4096;
/// Smallest ratio of the MFUs that counts as higher.
const HIGHER: f64 = 1.01;

/// A setting that raises the MFU.
#[derive(Clone, Debug, PartialEq)]
pub struct Raise {
    /// Text of the button.
    pub text: String,
    /// Effect of the setting on the MFU and on the cost.
    pub says: String,
    /// Entries that the button sets, each with its text: the setting, and the number of sequences if it differs.
    pub set: Vec<(Entry, String)>,
}

/// Returns the settings that raise the MFU of the first run. Each one is a single change of the question. `None` if the
/// MFU is unknown, or if its interval is too wide for one number.
#[must_use]
pub fn raises(answered: &Answered) -> Option<Vec<Raise>> {
    let base = &answered.model().ok()?.estimate;
    let is_wide = base.is_wide();
    let (Ok(before), false, None) = (base.mfu, is_wide || base.question.is_product, base.misfit()) else {
        return None;
    };
    let mut found: Vec<(f64, Raise)> = Vec::new();
    for (text, entry, question) in changes(&base.question) {
        let Some(other) = answered.again(&question) else { continue };
        let Ok(after) = other.mfu else { continue };
        if after.ratio < before.ratio * HIGHER || !other.has_room() {
            continue;
        }
        let says = words::raised([before.ratio, after.ratio], usd(base).zip(usd(&other)));
        let mut set = vec![(entry, question.text(entry))];
        let mut text = text;
        let batch = other.question.batch;
        if entry != Entry::Batch && batch != base.question.batch {
            set.push((Entry::Batch, batch.to_string()));
            text = format!("{text}, {} per chip", words::sequences(batch));
        }
        let raise = Raise { text, says, set };
        match found.iter_mut().find(|(_, one)| one.set.first().is_some_and(|one| one.0 == entry)) {
            Some(one) if one.0 < after.ratio => *one = (after.ratio, raise),
            Some(_) => {}
            None => found.push((after.ratio, raise)),
        }
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    Some(found.into_iter().take(SHOWN_MAX).map(|(_, raise)| raise).collect())
}

fn usd(estimate: &Estimate) -> Option<Amount> {
    estimate.usd_per_million_tokens().map(Amount::Usd)
}

/// Returns single changes of a question, each with the text of its button.
fn changes(question: &Question) -> Vec<(String, Entry, Question)> {
    let mut all = Vec::new();
    let mut add = |text: String, entry, change: &dyn Fn(&mut Question)| {
        let mut other = question.clone();
        change(&mut other);
        all.push((text, entry, other));
    };
    for times in (1..=7).map(|power| 1 << power) {
        let batch = question.batch.saturating_mul(times);
        add(words::use_sequences(batch), Entry::Batch, &|other| other.set_batch(batch));
        for chips in [question.chips / times, question.chips.saturating_mul(times)] {
            if (1..=CHIPS_MAX).contains(&chips) {
                add(words::use_chips(chips), Entry::Chips, &|other| other.chips = chips);
            }
        }
    }
    if question.pass == PassKind::Training && question.recomputes() == Remat::Full {
        add(words::NO_RECOMPUTATION.to_owned(), Entry::Remat, &|other| other.remat = Some(Remat::None));
    }
    for (_, split) in SPLITS.into_iter().filter(|(_, split)| *split != question.split && question.chips > 1) {
        add(words::use_split(entry::split(split)), Entry::Split, &|other| other.split = split);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::Topic;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn mfu(text: &str) -> f64 {
        Answered::parse(Topic::Model, text).model().expect("an answer").estimate.mfu.expect("possible").ratio
    }

    #[test]
    fn each_setting_raises_the_mfu_as_it_says_and_the_best_comes_first() {
        for text in [
            "chip=tpu-v6e&batch=1",
            "chip=tpu-v5e&batch=2",
            "chip=h100-sxm&chips=512&batch=1",
            "chip=tpu-v5e&chips=64",
            "pass=decode&split=tensor&chips=1",
            "model=llama3-70b&chip=tpu-v5p&chips=256&batch=1&seq=512",
        ] {
            let found = raises(&Answered::parse(Topic::Model, text)).expect("an MFU");
            assert!(!found.is_empty() || text != "chip=tpu-v6e&batch=1", "{text}");
            let mut last = f64::INFINITY;
            for one in &found {
                let set: String = one.set.iter().map(|(entry, value)| format!("&{}={value}", entry.id())).collect();
                let now = mfu(&format!("{text}{set}"));
                assert!(now >= mfu(text) * HIGHER && now <= last, "{text}: {one:?}");
                assert!(one.says.contains(&display::number::percent(now)), "{text}: {one:?}");
                last = now;
            }
            let mut entries: Vec<Entry> = found.iter().map(|one| one.set[0].0).collect();
            entries.dedup();
            assert_eq!(entries.len(), found.len(), "each entry once");
        }
    }

    #[test]
    fn a_run_without_an_mfu_has_none() {
        for text in ["model=llama3-70b&chip=h100-sxm&chips=1", "model=product", "chip=own", "dtype=fp8&chip=h100-sxm"] {
            assert_eq!(raises(&Answered::parse(Topic::Model, text)), None, "{text}");
        }
    }
}
