//! Parallelism over chips: the initial choice for each pass, and a warning if a choice is far slower than the best
//! choice.

use crate::entries::Entries;
use crate::memory::fits;
use crate::question::{PASSES, SPLITS, id_of};
use crate::{Column, Entry, Estimate, Imported, ModelQuery, Question};
use perfmodel::Sharding;
use workload::PassKind;

/// Smallest speed-up at which the page warns that the chosen parallelism is expensive. The speed-up is the speed of the
/// best parallelism, divided by the speed of the chosen parallelism.
const DEAR: f64 = 10.0;
/// Largest number of chips that the page suggests for a model.
const CHIPS_MAX: u64 = 4096;

/// Returns the entries of a query after a user changes the pass in the form.
///
/// Decode starts with tensor parallelism. If no column has a number of chips, each column starts with the smallest number
/// of chips that can hold the model in memory, for as many users at once. Any other pass returns to the default
/// parallelism. Settings from a link or from the user do not change. The function writes the choice into the entries.
/// Links without a parallelism therefore keep their results.
pub(crate) fn begin(query: &ModelQuery, text: &str, file: Option<&Imported>) -> Entries {
    let (entries, tensor) = (query.entries.with(Entry::Pass, text), id_of(&SPLITS, Sharding::Tensor));
    let pass = PASSES.iter().find(|(id, _)| *id == text.trim()).map_or(PassKind::default(), |(_, pass)| *pass);
    let chips = || core::iter::once(Entry::Chips).chain(Column::ALL.map(Entry::ChipsOf));
    match (query.question.pass == PassKind::Decode, pass == PassKind::Decode) {
        (false, true) if entries.text(Entry::Split).is_none() => {
            let has_chips = chips().any(|entry| entries.text(entry).is_some());
            let fewest = if has_chips { Vec::new() } else { fewest_chips(query, file).unwrap_or_default() };
            let entries = entries.with(Entry::Split, tensor);
            fewest.iter().fold(entries, |entries, (entry, text)| entries.with(*entry, text))
        }
        (true, false) if entries.text(Entry::Split) == Some(tensor) => {
            let entries = entries.with(Entry::Split, "");
            let with_batch = chips().fold(entries.clone(), |entries, entry| entries.with(entry, ""));
            let without_batch = with_batch.with(Entry::Batch, "");
            // Only what decode started with goes.
            let began = |before: Entries| {
                let fewest = fewest_chips(&ModelQuery::new(before), file)?;
                let is_set = |(entry, text): &(Entry, String)| entries.text(*entry) == Some(text);
                fewest.iter().all(is_set).then_some(fewest)
            };
            let began = [without_batch, with_batch].into_iter().find_map(began).unwrap_or_default();
            began.iter().fold(entries.clone(), |entries, (entry, _)| entries.with(*entry, ""))
        }
        _ => entries,
    }
}

/// Returns the settings with which decode starts. Each column has the smallest number of chips, as a power of two, that
/// can decode the query's model. If the default would leave a column without users, the settings also have the sequences
/// on a chip of the first column. `None` if a number is not known.
fn fewest_chips(query: &ModelQuery, file: Option<&Imported>) -> Option<Vec<(Entry, String)>> {
    let first = &query.question;
    let further = Column::ALL.into_iter().filter_map(|column| Some((Entry::ChipsOf(column), query.column(column)?)));
    let columns: Vec<(Entry, Question)> = core::iter::once((Entry::Chips, first.clone())).chain(further).collect();
    let fewest = |question: &Question, users: u64| {
        doublings().find(|chips| {
            let mut question =
                Question { pass: PassKind::Decode, split: Sharding::Tensor, chips: *chips, ..question.clone() };
            question.set_batch(users.div_ceil(*chips));
            query.estimate(&question, file).is_ok_and(|found| fits(&question, &found.work) == Some(true))
        })
    };
    // More users need more chips, and a chip of the largest column needs a user.
    let mut chips: Vec<u64> = vec![fewest_alone(query, file)?];
    let mut users = first.batch * chips[0];
    if columns.len() > 1 {
        loop {
            chips = columns.iter().map(|(_, question)| fewest(question, users)).collect::<Option<_>>()?;
            let most = first.batch * chips.iter().copied().max()?;
            if first.is_batch_set || most <= users {
                break;
            }
            users = most;
        }
    }
    let batch = users / chips[0];
    let batch = (batch != first.batch).then(|| (Entry::Batch, batch.to_string()));
    let chips = columns.iter().zip(chips).map(|((entry, _), chips)| (*entry, chips.to_string()));
    Some(chips.chain(batch).collect())
}

/// Returns the smallest number of chips of the first column that can decode the query's model with its sequences on each
/// chip; `None` if no such number is known.
fn fewest_alone(query: &ModelQuery, file: Option<&Imported>) -> Option<u64> {
    let question = Question { pass: PassKind::Decode, split: Sharding::Tensor, chips: 1, ..query.question.clone() };
    enough(&query.estimate(&question, file).ok()?)
}

/// Iterates over the numbers of chips that the form suggests.
fn doublings() -> impl Iterator<Item = u64> {
    core::iter::successors(Some(1), |chips| Some(2 * chips)).take_while(|chips| *chips <= CHIPS_MAX)
}

/// Returns the smallest number of chips that can hold the model in memory. The number is a power of two, and at least
/// the number of chips in the estimate.
fn enough(estimate: &Estimate) -> Option<u64> {
    let question = |chips| Question { chips, ..estimate.question.clone() };
    let mut enough = doublings().skip_while(|chips| *chips < estimate.question.chips);
    enough.find(|chips| fits(&question(*chips), &estimate.work) == Some(true))
}

/// Advice for a number of chips that is too small for the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFew {
    /// Smallest sufficient number of chips, as a power of two; `None` if more chips do not help.
    pub enough: Option<u64>,
}

/// Advice for a parallelism that costs many times as much as another parallelism.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dear {
    /// The fastest parallelism with which the model fits in memory.
    pub best: Sharding,
    /// Speed of the best parallelism, divided by the speed of the chosen parallelism.
    pub times: f64,
    /// Dollars per million tokens with the chosen and with the best parallelism, if a price is known.
    pub usd: Option<(f64, f64)>,
}

impl Estimate {
    /// Returns advice if the model does not fit on the chips; `None` if the model fits, or if its size is unknown.
    #[must_use]
    pub fn too_few(&self) -> Option<TooFew> {
        fits(&self.question, &self.work).filter(|fits| !fits)?;
        Some(TooFew { enough: enough(self) })
    }

    /// Returns advice if another parallelism, with which the model fits in memory, is at least ten times as fast.
    #[must_use]
    pub fn dear(&self) -> Option<Dear> {
        let question = &self.question;
        let is_decode = question.pass == PassKind::Decode;
        // Except in decode, only communication can make a parallelism this expensive.
        let waits = self.bound() == crate::Bound::Communication;
        if question.chips < 2 || !(is_decode || waits) {
            return None;
        }
        let rate = Self::tokens_per_sec_per_chip;
        let ours = rate(self)?;
        let others = SPLITS.iter().filter(|(_, split)| *split != question.split);
        let counted = |one: &Self| (one.exchange.is_some() || !one.needs_exchange()) && one.misfit().is_none();
        let others = others.filter_map(|(_, split)| self.split(*split).ok()).filter(counted);
        let best = others.max_by(|a, b| rate(a).unwrap_or(0.0).total_cmp(&rate(b).unwrap_or(0.0)))?;
        let theirs = rate(&best).filter(|theirs| *theirs >= DEAR * ours)?;
        let usd = self.usd_per_million_tokens().zip(best.usd_per_million_tokens());
        Some(Dear { best: best.question.split, times: theirs / ours, usd })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Entry, Query, Topic, imported};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn set(text: &str, pass: &str) -> String {
        Query::parse(Topic::Model, text).changed(Entry::Pass, pass, None)
    }

    #[test]
    fn who_chooses_decode_begins_with_tensor_parallelism_on_the_fewest_chips_that_fit() {
        // 15 GB of weights and 1.07 GB of keys and values: less than the 16 GiB of one v5e. With twice the sequences,
        // two chips are needed.
        assert_eq!(set("", "decode"), "pass=decode&split=tensor&chips=1");
        assert_eq!(set("batch=16", "decode"), "batch=16&pass=decode&split=tensor&chips=2");
        assert_eq!(set("chip=h100-sxm", "decode"), "chip=h100-sxm&pass=decode&split=tensor&chips=1");
        // 139 GB: 16 chips have 256 GB, 8 have 128.
        assert_eq!(set("model=llama3-70b", "decode"), "model=llama3-70b&pass=decode&split=tensor&chips=16");
        for pass in ["train", "prefill"] {
            assert_eq!(set(&set("chip=tpu-v6e", "decode"), pass), format!("chip=tpu-v6e&pass={pass}"));
        }
    }

    #[test]
    fn each_column_of_decode_begins_with_its_fewest_chips_for_as_many_users() {
        let columns = "model=llama3-70b&chip=tpu-v5p&versus=h100-sxm&third=tpu-v5e";
        // 16 TPU v5e with 4 sequences each have 64 users. 141 GB of weights and 43 GB of keys and values fit on 2 TPU v5p
        // (204 GB), and not on 2 H100 (160 GB). 16 TPU v5e hold each of 8 heads of keys and values twice: 227 of 275 GB.
        let begun = format!("{columns}&pass=decode&split=tensor&chips=2&chips2=4&chips3=16&batch=32");
        assert_eq!(set(columns, "decode"), begun);
        assert_eq!(set(&begun, "train"), format!("{columns}&pass=train"));
        let Query::Model(query) = Query::parse(Topic::Model, &begun) else { panic!("a model") };
        let answer = query.answer(None).expect("an answer");
        assert!(answer.runs().iter().all(|run| run.estimate.question.users() == 64 && run.estimate.misfit().is_none()));
        // Fewest in all columns or in none.
        let own = format!("{columns}&chips2=8");
        assert_eq!(set(&own, "decode"), format!("{own}&pass=decode&split=tensor"));
        // A set number of sequences sets the users of all columns.
        let few = "model=llama3-70b&chip=tpu-v5p&versus=h100-sxm&batch=1";
        assert_eq!(set(few, "decode"), format!("{few}&pass=decode&split=tensor&chips=2&chips2=2"));
    }

    #[test]
    fn what_a_link_or_a_person_set_stays() {
        assert_eq!(set("split=data", "decode"), "split=data&pass=decode");
        assert_eq!(set("chips=32", "decode"), "chips=32&pass=decode&split=tensor");
        assert_eq!(set("chips=32&pass=decode&split=tensor", "train"), "chips=32&pass=train");
        // A link without a parallelism keeps the one that it showed.
        let Query::Model(query) = Query::parse(Topic::Model, "pass=decode") else { panic!("a model") };
        assert_eq!((query.question.split, query.question.chips), (perfmodel::Sharding::FullySharded, 64));
        // The memory of a list is unknown.
        let list = imported(b"M,K,N\n128,256,512\n");
        let text = Query::parse(Topic::Model, "").changed(Entry::Pass, "decode", Some(&list));
        assert_eq!(text, "pass=decode&split=tensor");
    }
}
