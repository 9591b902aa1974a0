//! Text of the remedy of a warning, and of the settings that raise the MFU.

use super::answer::Remedy;
use super::comparison::sequences;
use super::{entry, memory, model};
use display::amount::Amount;
use display::number::{grouped, percent};
use estimate::{Answered, Entry, Setting, Warning};
use perfmodel::Remat;

/// A setting that raises the MFU.
#[derive(Clone, Debug, PartialEq)]
pub struct Raise {
    /// Text of the button.
    pub text: String,
    /// Effect of the setting on the MFU and on the cost.
    pub says: String,
    /// Entries that the button sets, each with its new text.
    pub set: Vec<(Entry, String)>,
}

/// Returns the most important warning of an answer, with a button that sets all settings that help.
pub(super) fn remedy(answered: &Answered) -> Option<Remedy> {
    let estimate::Remedy { warning, settings } = answered.remedy()?;
    let says = match &warning {
        Warning::Weights(one) => memory::misfit(one)?,
        Warning::Dear(one, dear) => model::dear(&one.question, *dear),
        Warning::Activations(one) => memory::no_room_for_activations(one)?,
    };
    let name = |setting: &Setting| match setting {
        Setting::Chips { chips, name, .. } => format!("use {} × {name}", grouped(*chips)),
        _ => button(setting),
    };
    let is_estimated = matches!(warning, Warning::Activations(_));
    Some(Remedy { says, text: joined(settings.iter().map(name)), set: set(&settings), is_estimated })
}

/// Returns the settings that raise the MFU of the first run, most helpful first. `None` if the MFU is unknown, or if its
/// interval is too wide for one number.
#[must_use]
pub fn raises(answered: &Answered) -> Option<Vec<Raise>> {
    let raise = |estimate::Raise { settings, mfu: [before, after], usd }: estimate::Raise| {
        let text = match settings.as_slice() {
            [setting, Setting::Batch(batch)] => format!("{}, {} per chip", button(setting), sequences(*batch)),
            settings => joined(settings.iter().map(button)),
        };
        let mfu = format!("{} → {} % MFU", percent(before), percent(after));
        let usd = usd.map(|usd| usd.map(Amount::Usd));
        let says = usd.map_or(mfu.clone(), |[before, after]| format!("{mfu}, {before} → {after} per million tokens"));
        Raise { text: capital(&text), says, set: set(&settings) }
    };
    Some(answered.raises()?.into_iter().map(raise).collect())
}

fn set(settings: &[Setting]) -> Vec<(Entry, String)> {
    settings.iter().map(|setting| (setting.entry(), setting.text())).collect()
}

/// Returns the text of a button, without its capital letter.
fn button(setting: &Setting) -> String {
    match setting {
        Setting::Chips { chips, .. } => {
            format!("use {} {}", grouped(*chips), if *chips == 1 { "chip" } else { "chips" })
        }
        Setting::Batch(batch) => format!("use {} per chip", sequences(*batch)),
        Setting::Remat(Remat::Full) => "recompute all activations".to_owned(),
        Setting::Remat(Remat::None) => "recompute no activations".to_owned(),
        Setting::Split(split) => format!("use {}", entry::split(*split)),
    }
}

/// Joins the texts of buttons to the text of one button.
fn joined(texts: impl Iterator<Item = String>) -> String {
    capital(&texts.collect::<Vec<_>>().join(", "))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::super::answer::Columns;
    use super::super::query::answer;
    use super::*;
    use estimate::{Column, Topic};
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
                assert!(now >= mfu(text) * 1.01 && now <= last, "{text}: {one:?}");
                assert!(one.says.contains(&percent(now)), "{text}: {one:?}");
                last = now;
            }
            let mut entries: Vec<Entry> = found.iter().map(|one| one.set[0].0).collect();
            entries.dedup();
            assert_eq!(entries.len(), found.len(), "each entry once");
        }
    }

    #[test]
    fn a_run_without_an_mfu_has_none() {
        for text in [
            "model=llama3-70b&chip=h100-sxm&chips=1",
            "model=product",
            "chip=own",
            "model=qwen3-235b&chip=mi300x&chips=256",
        ] {
            assert_eq!(raises(&Answered::parse(Topic::Model, text)), None, "{text}");
        }
    }

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
