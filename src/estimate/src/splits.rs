//! How a model is spread over chips: what a workload begins with, and whether a choice costs many times the best one.

use crate::entries::Entries;
use crate::question::{PASSES, SPLITS};
use crate::words::answer as words;
use crate::words::memory::{fits, misfit};
use crate::{Entry, Estimate, Imported, ModelQuery, Question};
use perfmodel::{Sharding, usd_per_million_tokens};
use workload::PassKind;

/// Times the best split from which on a choice is said to be dear.
const DEAR: f64 = 10.0;
/// Most chips that a workload begins with.
const CHIPS_MAX: u64 = 4096;

/// The entries of a model after its workload was changed by hand. Generating tokens one by one begins with tensor
/// parallelism on the fewest chips that fit, and goes back to the usual split when it is left; what somebody set stays.
/// A link says what it says: this is written into it, so that one without it goes on showing the same numbers.
pub(crate) fn begin(query: &ModelQuery, text: &str, file: Option<&Imported>) -> Entries {
    let (entries, tensor) = (query.entries.with(Entry::Pass, text), id(Sharding::Tensor));
    let pass = PASSES.iter().find(|(id, _)| *id == text.trim()).map_or(PassKind::default(), |(_, pass)| *pass);
    let fewest = || fewest_chips(query, file).map(|chips| chips.to_string());
    match (query.question.pass == PassKind::Decode, pass == PassKind::Decode) {
        (false, true) => {
            let chips = || entries.text(Entry::Chips).is_none().then(fewest).flatten();
            match (entries.text(Entry::Split), chips()) {
                (Some(_), _) => entries,
                (None, None) => entries.with(Entry::Split, tensor),
                (None, Some(chips)) => entries.with(Entry::Split, tensor).with(Entry::Chips, &chips),
            }
        }
        (true, false) if entries.text(Entry::Split) == Some(tensor) => {
            let began = entries.text(Entry::Chips).is_some_and(|chips| Some(chips.to_owned()) == fewest());
            let entries = entries.with(Entry::Split, "");
            if began { entries.with(Entry::Chips, "") } else { entries }
        }
        _ => entries,
    }
}

fn id(split: Sharding) -> &'static str {
    SPLITS.iter().find(|(_, one)| *one == split).map_or("", |(id, _)| id)
}

/// The fewest chips, in doublings, that hold a model which generates tokens; `None` where nobody knows what it needs.
fn fewest_chips(query: &ModelQuery, file: Option<&Imported>) -> Option<u64> {
    let question = Question { pass: PassKind::Decode, split: Sharding::Tensor, chips: 1, ..query.question.clone() };
    enough(&query.estimate(&question, file).ok()?)
}

/// The first doubling of chips, from those of an estimate on, that holds its model.
fn enough(estimate: &Estimate) -> Option<u64> {
    let question = |chips| Question { chips, ..estimate.question.clone() };
    let doublings =
        core::iter::successors(estimate.question.chips.checked_next_power_of_two(), |chips| Some(2 * chips));
    let mut doublings = doublings.take_while(|chips| *chips <= CHIPS_MAX);
    doublings.find(|chips| fits(&question(*chips), &estimate.work) == Some(true))
}

/// A sentence for the number of chips where these do not hold the model.
pub(crate) fn too_few(estimate: &Estimate) -> Option<String> {
    fits(&estimate.question, &estimate.work).filter(|fits| !fits)?;
    Some(words::too_few(estimate.question.chips, enough(estimate)))
}

/// A sentence where another split that fits costs a tenth or less.
pub(crate) fn dear(estimate: &Estimate) -> Option<String> {
    let question = &estimate.question;
    let is_decode = question.pass == PassKind::Decode;
    // Outside of decoding a split costs this much only through what is exchanged.
    let waits = estimate.exchange_time().is_some_and(|time| time > estimate.products.total);
    if question.chips < 2 || !(is_decode || waits) {
        return None;
    }
    let rate = |one: &Estimate| one.tokens_per_sec().map(|all| all / one.question.chips as f64);
    let ours = rate(estimate)?;
    let others = SPLITS.iter().filter(|(_, split)| *split != question.split);
    let counted = |one: &Estimate| (one.exchange.is_some() || !one.needs_exchange()) && misfit(one).is_none();
    let others = others.filter_map(|(_, split)| estimate.split(*split).ok()).filter(counted);
    let best = others.max_by(|a, b| rate(a).unwrap_or(0.0).total_cmp(&rate(b).unwrap_or(0.0)))?;
    let theirs = rate(&best).filter(|theirs| *theirs >= DEAR * ours)?;
    let price = |rate| usd_per_million_tokens(question.usd_per_chip_hour()?, rate);
    let (split, other) = (question.split, best.question.split);
    Some(match price(ours).zip(price(theirs)) {
        Some((ours, theirs)) => words::dear(question.pass, split, other, ours, theirs),
        None => words::slow(question.pass, split, other, theirs / ours),
    })
}

#[cfg(test)]
mod tests {
    use crate::{Depth, Entry, Query, Topic, imported};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn set(text: &str, pass: &str) -> String {
        Query::parse(Topic::Model, text).changed(Entry::Pass, pass, None)
    }

    fn notes(text: &str) -> Vec<String> {
        Query::parse(Topic::Model, text).shown(None, Depth::Figures).warnings
    }

    #[test]
    fn who_chooses_decode_begins_with_tensor_parallelism_on_the_fewest_chips_that_fit() {
        // 15 GB of weights and 1.07 GB of keys and values: more than the 16 GB of one v5e, and less than those of two.
        assert_eq!(set("", "decode"), "pass=decode&split=tensor&chips=2");
        assert_eq!(set("chip=h100-sxm", "decode"), "chip=h100-sxm&pass=decode&split=tensor&chips=1");
        // 139 GB: 16 of them have 256 GB, 8 have 128.
        assert_eq!(set("model=llama3-70b", "decode"), "model=llama3-70b&pass=decode&split=tensor&chips=16");
        for pass in ["train", "prefill"] {
            assert_eq!(set(&set("chip=tpu-v6e", "decode"), pass), format!("chip=tpu-v6e&pass={pass}"));
        }
    }

    #[test]
    fn what_a_link_or_a_person_set_stays() {
        assert_eq!(set("split=data", "decode"), "split=data&pass=decode");
        assert_eq!(set("chips=32", "decode"), "chips=32&pass=decode&split=tensor");
        assert_eq!(set("chips=32&pass=decode&split=tensor", "train"), "chips=32&pass=train");
        // A link without a split goes on showing the one that it showed.
        let Query::Model(query) = Query::parse(Topic::Model, "pass=decode") else { panic!("a model") };
        assert_eq!((query.question.split, query.question.chips), (perfmodel::Sharding::FullySharded, 64));
        // Nobody knows what a list needs.
        let list = imported(b"M,K,N\n128,256,512\n");
        let text = Query::parse(Topic::Model, "").changed(Entry::Pass, "decode", Some(&list));
        assert_eq!(text, "pass=decode&split=tensor");
    }

    #[test]
    fn a_number_of_chips_that_is_too_small_says_which_is_not() {
        let said = |text: &str| {
            let answer = Query::parse(Topic::Model, text).shown(None, Depth::Figures);
            answer.notes.into_iter().find(|(entry, _)| *entry == Entry::Chips).map(|(_, sentence)| sentence)
        };
        // Training takes 16 bytes for each of 7.5 G weights: 120 GB, and 8 chips have 128.
        assert_eq!(said("chips=1").as_deref(), Some("Does not fit on 1 chip: use 8."));
        assert_eq!(said("chips=5").as_deref(), Some("Does not fit on 5 chips: use 8."));
        assert_eq!(said("chips=8"), None);
        let whole = "Does not fit on 3 chips, nor on more with this parallelism.";
        assert_eq!(said("chips=3&split=data").as_deref(), Some(whole), "each chip has all weights");
    }

    #[test]
    fn decode_is_shown_by_the_token_and_training_by_the_step() {
        let names = |text: &str| {
            let answer = Query::parse(Topic::Model, text).shown(None, Depth::Tables);
            let rest = answer.tables.into_iter().flat_map(|table| table.rows).map(|(_, cells)| cells[0].clone());
            answer.figures.into_iter().map(|one| one.name.to_owned()).chain(rest).collect::<Vec<_>>()
        };
        let has = |text: &str, name: &str| names(text).iter().any(|one| one == name);
        for (name, decode, train) in [
            ("Time per token", true, false),
            ("Tokens per second per user", true, false),
            ("Step time", false, true),
            ("HFU", false, true),
        ] {
            assert_eq!([has("pass=decode", name), has("", name)], [decode, train], "{name}");
        }
        // 4 sequences on each of 2 chips: all tokens are those of each user, times 8.
        let answer = Query::parse(Topic::Model, "pass=decode&split=tensor&chips=2").shown(None, Depth::Figures);
        let figure = |id: &str| answer.figures.iter().find(|one| one.id == id).expect("a figure").clone();
        let number = |id: &str| {
            let digits: String =
                figure(id).value.chars().filter(|sign| sign.is_ascii_digit() || *sign == '.').collect();
            digits.parse::<f64>().expect("a number")
        };
        let each = number("tokens-per-second-per-user");
        assert!((number("tokens-per-second") / each / 8.0 - 1.0).abs() < 1e-3, "{each}");
        assert_eq!(figure("tokens-per-second-per-user").note, "8 sequences at once");
    }

    #[test]
    fn a_split_that_costs_ten_times_the_best_is_said_with_both_prices() {
        let text = "model=llama3-8b&chip=tpu-v5e&chips=64&pass=decode";
        let price = |split: &str| {
            let answer = Query::parse(Topic::Model, &format!("{text}&split={split}")).shown(None, Depth::Figures);
            let figure = answer.figures.into_iter().find(|one| one.id == "usd-per-million-tokens");
            figure.expect("a price").value
        };
        let (dear, best) = (price("fsdp"), price("tensor"));
        let said = notes(&format!("{text}&split=fsdp"));
        assert_eq!(
            said,
            [format!(
                "Fully sharded weights are gathered for every token: {dear} per million tokens; tensor parallel: {best}."
            )]
        );
        assert_eq!(notes(&format!("{text}&split=tensor")), [""; 0]);
        assert_eq!(notes(""), [""; 0], "training");
        // Without published links nothing is compared.
        assert!(notes("chip=own&own=peak-bf16.200_hbm.900&pass=decode").is_empty());
    }
}
