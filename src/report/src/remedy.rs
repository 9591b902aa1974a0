//! The most important warning of a comparison, with the settings that help.

use super::answer::Remedy;
use super::comparison::{and, use_chips_of, use_sequences, use_split};
use super::memory::{misfit, no_room_for_activations};
use super::{entry, model};
use estimate::{Answered, Entry, Estimate, Held, ModelAnswer, ModelQuery, Question, SPLITS};
use perfmodel::Remat;

/// Largest number of chips that a remedy proposes.
const CHIPS_MAX: u64 = 65_536;
/// Largest number of settings that one button changes.
const SETTINGS_MAX: usize = 6;

/// The warning about one run, with the setting that helps that run.
struct Single {
    says: String,
    set: Option<(String, Entry, String)>,
    is_estimated: bool,
}

/// Returns the most important warning of an answer, with all settings that are needed until no warning is left.
pub(super) fn remedy(answered: &Answered, answer: &ModelAnswer) -> Option<Remedy> {
    let Single { says, set, is_estimated } = single(&of(answer))?;
    let Some((text, entry, value)) = set else {
        return Some(Remedy { says, text: String::new(), set: Vec::new(), is_estimated });
    };
    let mut entries = answered.query().entries().with(entry, &value);
    let (mut texts, mut all) = (vec![text.clone()], vec![(entry, value.clone())]);
    while all.len() <= SETTINGS_MAX {
        let next = ModelQuery::new(entries.clone()).answer(answered.file()).ok();
        match next.map(|next| single(&of(&next))) {
            Some(None) => return Some(Remedy { says, text: and(&texts), set: all, is_estimated }),
            Some(Some(Single { set: Some((text, entry, value)), .. })) => {
                entries = entries.with(entry, &value);
                texts.push(text);
                all.push((entry, value));
            }
            _ => break,
        }
    }
    Some(Remedy { says, text, set: vec![(entry, value)], is_estimated })
}

fn of(answer: &ModelAnswer) -> Vec<(Entry, &Estimate)> {
    answer.runs().iter().map(|run| (run.entry, run.estimate)).collect()
}

/// Returns the most important warning, with the setting that helps.
fn single(all: &[(Entry, &Estimate)]) -> Option<Single> {
    let no_room = all.iter().find_map(|(entry, one)| Some((*entry, *one, misfit(one)?)));
    if let Some((entry, one, says)) = no_room {
        let fits = |chips: &u64| one.on_chips(*chips).is_ok_and(|other| other.misfit().is_none());
        // A chip with one sequence has the least activations.
        let question = |chips| Question { chips, batch: 1, ..one.question.clone() };
        let has_room = |chips: &u64| {
            let held = Held::new(&question(*chips), &one.work);
            let needed = held.in_all().map(|state| state + held.activations.unwrap_or(0.0));
            needed.zip(one.question.chip.memory.bytes()).is_some_and(|(needed, has)| needed <= has)
        };
        let counts = || {
            let all = core::iter::successors(Some(one.question.chips.next_power_of_two()), |chips| Some(chips * 2));
            all.take_while(|chips| *chips <= CHIPS_MAX)
        };
        let enough = counts().find(has_room).filter(|_| !one.question.is_batch_set).or_else(|| counts().find(fits));
        let set = enough.map(|chips| (use_chips_of(chips, one.question.chip.name), entry, chips.to_string()));
        return Some(Single { says, set, is_estimated: false });
    }
    let (_, first) = all.first()?;
    if let Some(dear) = first.dear() {
        let best = SPLITS.into_iter().find(|(_, split)| *split == dear.best);
        let set = best.map(|(id, split)| (use_split(entry::split(split)), Entry::Split, id.to_owned()));
        return Some(Single { says: model::dear(&first.question, dear), set, is_estimated: false });
    }
    let says = all.iter().find_map(|(_, one)| no_room_for_activations(one))?;
    Some(Single { says, set: with_room(all), is_estimated: true })
}

/// Returns the setting with which the activations of every run fit: the largest number of sequences, or full
/// recomputation, or the largest number of sequences with full recomputation.
fn with_room(all: &[(Entry, &Estimate)]) -> Option<(String, Entry, String)> {
    let (_, first) = all.first()?;
    let fits = |batch: u64, remat: Option<Remat>| {
        all.iter().filter(|(_, one)| one.misfit().is_none()).all(|(_, one)| {
            let question = Question { batch, remat: remat.or(one.question.remat), ..one.question.clone() };
            let held = Held::new(&question, &one.work);
            let needed = held.in_all().zip(held.activations).map(|(state, activations)| state + activations);
            needed.zip(question.chip.memory.bytes()).is_none_or(|(needed, has)| needed <= has)
        })
    };
    let batches = || core::iter::successors(Some(first.question.batch / 2), |batch| Some(batch / 2));
    let batch = batches().take_while(|batch| *batch > 0).find(|batch| fits(*batch, None));
    let of_batch = |batch: u64| (use_sequences(batch), Entry::Batch, batch.to_string());
    let recompute = || ("Recompute all activations".to_owned(), Entry::Remat, "full".to_owned());
    // If neither setting is enough, full recomputation comes first, and fewer sequences next.
    let helps = || {
        let is_kept = all.iter().any(|(_, one)| one.question.recomputes() != Remat::Full);
        is_kept && batches().take_while(|batch| *batch > 0).any(|batch| fits(batch, Some(Remat::Full)))
    };
    let is_enough = || fits(first.question.batch, Some(Remat::Full));
    batch.map(of_batch).or_else(|| (is_enough() || helps()).then(recompute))
}

#[cfg(test)]
mod tests {
    use super::super::answer::Columns;
    use super::super::query::answer;
    use estimate::{Answered, Column, Entry, Topic};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn of(text: &str) -> Columns {
        answer(&Answered::parse(Topic::Model, text)).columns
    }

    #[test]
    fn a_run_without_room_has_a_remedy_that_helps() {
        let text = "model=llama3-70b&chip=tpu-v5p&chips=64&versus=h100-sxm&chips2=8&batch=1&remat=full";
        let found = of(text);
        assert!(found.sentence.starts_with("Only 64 × TPU v5p"), "{}", found.sentence);
        let remedy = found.remedy.expect("more chips help");
        assert_eq!(remedy.text, "Use 16 × H100 80GB SXM5");
        assert_eq!(remedy.set, [(Entry::ChipsOf(Column::Second), "16".to_owned())]);
        let mended = of(&format!("{text}&chips2=16"));
        assert!(
            mended.columns[1].cells[0].bar.is_some() && mended.sentence.contains("per million tokens"),
            "{mended:?}"
        );
    }

    #[test]
    fn activations_without_room_have_a_remedy() {
        let set = |text: &str| of(text).remedy.expect("183 GB of activations").set;
        assert_eq!(set("model=llama3-70b&chip=tpu-v5p&chips=64&batch=2"), [(Entry::Batch, "1".to_owned())]);
        let long = set("model=llama3-70b&chip=tpu-v5p&chips=64&batch=1&seq=8192");
        assert_eq!(long, [(Entry::Remat, "full".to_owned())]);
    }

    #[test]
    fn one_press_makes_room_in_every_column() {
        for (text, button, entries) in [
            (
                "model=llama3-70b&chip=tpu-v5p&chips=64&versus=h100-sxm&chips2=8&batch=4",
                "Use 16 × H100 80GB SXM5, recompute all activations, use 2 sequences per chip",
                &[Entry::ChipsOf(Column::Second), Entry::Remat, Entry::Batch][..],
            ),
            // Without a number of sequences, each run has as many as fit.
            (
                "model=llama3-70b&chip=tpu-v5p&chips=64&versus=h100-sxm&chips2=8",
                "Use 64 × H100 80GB SXM5",
                &[Entry::ChipsOf(Column::Second)],
            ),
        ] {
            let remedy = of(text).remedy.expect("140 GB of weights");
            assert_eq!(remedy.text, button);
            let set: Vec<String> = remedy.set.iter().map(|(entry, value)| format!("&{}={value}", entry.id())).collect();
            assert_eq!(remedy.set.iter().map(|one| one.0).collect::<Vec<_>>(), entries);
            let mended = of(&format!("{text}{}", set.concat()));
            assert_eq!(mended.remedy, None);
            assert!(mended.columns.iter().all(|column| column.has_room) && mended.columns.len() == 2);
        }
    }
}
