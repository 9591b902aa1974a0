//! Parallelism over chips: the initial choice for each pass, and a warning if a choice is far slower than the best
//! choice.

use crate::entries::Entries;
use crate::memory::fits;
use crate::question::{SPLITS, id_of};
use crate::{Column, Entry, Estimate, Imported, ModelQuery, Question};
use perfmodel::Sharding;
use workload::PassKind;

/// Smallest speed-up at which the page warns that the chosen parallelism is expensive. The speed-up is the speed of the
/// best parallelism, divided by the speed of the chosen parallelism.
const DEAR: f64 = 10.0;
/// Largest number of chips that the page suggests for a model.
const CHIPS_MAX: u64 = 4096;

/// Returns the entries of a query after a user changes one entry in the form.
///
/// Decode starts with tensor parallelism. If no column sets a number of chips, each column starts with the smallest
/// number that can hold the model in memory. All columns then have as many users at once. These numbers follow the
/// model, the chips and the other settings until a user changes one of the numbers. If the question has a rate per
/// user, the answer chooses the numbers. Any other pass returns to the default parallelism. Settings from a link or
/// from the user do not change. The function writes the choice into the entries. Links without a parallelism therefore
/// keep their results.
pub(crate) fn changed(query: &ModelQuery, entry: Entry, text: &str, file: Option<&Imported>) -> Entries {
    let entries = query.entries.with(entry, text);
    let split = |entries: &Entries| entries.text(Entry::Split).map(str::to_owned);
    let tensor = id_of(&SPLITS, Sharding::Tensor);
    let is_tensor = split(&query.entries).as_deref() == Some(tensor);
    let [was, is] =
        [&query.question, &ModelQuery::new(entries.clone()).question].map(|one| one.pass == PassKind::Decode);
    match (was, is) {
        (false, true) if split(&entries).is_none() => with_fewest(entries.with(Entry::Split, tensor), file),
        (true, false) if is_tensor => without(entries.with(Entry::Split, ""), &begun_with(&query.entries, file)),
        (true, true) if is_tensor && !is_of_start(entry) => {
            let begun = begun_with(&query.entries, file);
            let is_rate_gone = entry == Entry::Rate && query.question.rate.is_some();
            if begun.is_empty() && !is_rate_gone {
                return entries;
            }
            let fewest = with_fewest(without(entries.clone(), &begun), file);
            // Entries in another order would be another link.
            if Column::starts().all(|entry| fewest.text(entry) == entries.text(entry)) { entries } else { fewest }
        }
        _ => entries,
    }
}

/// True if the entry is the parallelism, or one of the numbers with which decode starts.
fn is_of_start(entry: Entry) -> bool {
    entry == Entry::Split || Column::starts().any(|one| one == entry)
}

fn without(entries: Entries, settings: &[(Entry, String)]) -> Entries {
    settings.iter().fold(entries, |entries, (entry, _)| entries.with(*entry, ""))
}

/// Returns the entries with decode's initial settings added. The entries do not change if a column sets a number of
/// chips. They also do not change if the question has a rate per user, because the answer then chooses the numbers.
fn with_fewest(entries: Entries, file: Option<&Imported>) -> Entries {
    let query = ModelQuery::new(entries.clone());
    if query.question.rate.is_some() || Column::chips().any(|entry| entries.text(entry).is_some()) {
        return entries;
    }
    let fewest = fewest_chips(&query, file).unwrap_or_default();
    fewest.iter().fold(entries, |entries, (entry, text)| entries.with(*entry, text))
}

/// Returns the settings with which decode started, if they are still set; else nothing.
fn begun_with(entries: &Entries, file: Option<&Imported>) -> Vec<(Entry, String)> {
    let with_batch = Column::chips().fold(entries.clone(), |entries, entry| entries.with(entry, ""));
    let begun = |before: Entries| {
        let fewest = fewest_chips(&ModelQuery::new(before), file)?;
        let is_set = |(entry, text): &(Entry, String)| entries.text(*entry) == Some(text);
        fewest.iter().all(is_set).then_some(fewest)
    };
    [with_batch.with(Entry::Batch, ""), with_batch].into_iter().find_map(begun).unwrap_or_default()
}

impl Column {
    /// Entries with the numbers of chips of all columns.
    fn chips() -> impl Iterator<Item = Entry> {
        core::iter::once(Entry::Chips).chain(Self::ALL.map(Entry::ChipsOf))
    }

    /// Entries that decode sets when it starts.
    fn starts() -> impl Iterator<Item = Entry> {
        Self::chips().chain([Entry::Batch])
    }
}

/// Returns the settings with which decode starts; `None` if no such numbers are known. Each column has the smallest
/// number of chips, as a power of two, that can decode the query's model. In two cases, the settings also have the
/// sequences on a chip of the first column. Otherwise, a column would have no users, or no number of chips could hold
/// the default.
fn fewest_chips(query: &ModelQuery, file: Option<&Imported>) -> Option<Vec<(Entry, String)>> {
    let Question { batch, is_batch_set, .. } = query.question;
    let fewer = core::iter::successors(Some(batch), |batch| Some(batch / 2)).take_while(|batch| *batch > 0);
    let mut tried = fewer.take(if is_batch_set { 1 } else { usize::MAX });
    tried.find_map(|batch| fewest_chips_for(batch, query, file))
}

/// Returns the settings of [`fewest_chips`] with at least `batch` sequences on each chip of the first column.
fn fewest_chips_for(batch: u64, query: &ModelQuery, file: Option<&Imported>) -> Option<Vec<(Entry, String)>> {
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
    let mut chips: Vec<u64> = vec![fewest_alone(batch, query, file)?];
    let mut users = batch * chips[0];
    if columns.len() > 1 {
        loop {
            chips = columns.iter().map(|(_, question)| fewest(question, users)).collect::<Option<_>>()?;
            let most = batch * chips.iter().copied().max()?;
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

/// Returns the smallest number of chips of the first column that can decode the query's model with `batch` sequences on
/// each chip; `None` if no such number is known.
fn fewest_alone(batch: u64, query: &ModelQuery, file: Option<&Imported>) -> Option<u64> {
    let mut question = Question { pass: PassKind::Decode, split: Sharding::Tensor, chips: 1, ..query.question.clone() };
    question.set_batch(batch);
    enough(&query.estimate(&question, file).ok()?)
}

/// Iterates over the numbers of chips that the form suggests.
pub(crate) fn doublings() -> impl Iterator<Item = u64> {
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
    use super::*;
    use crate::{Query, Topic, imported};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn set(text: &str, pass: &str) -> String {
        Query::parse(Topic::Model, text).changed(Entry::Pass, pass, None)
    }

    #[test]
    fn who_chooses_decode_begins_with_tensor_parallelism_on_the_fewest_chips_that_fit() {
        // The model has 15 GB of weights and 1.07 GB of keys and values, which is less than the 16 GiB of one v5e. With
        // twice the sequences, it needs two chips.
        assert_eq!(set("", "decode"), "pass=decode&split=tensor&chips=1");
        assert_eq!(set("batch=16", "decode"), "batch=16&pass=decode&split=tensor&chips=2");
        assert_eq!(set("chip=h100-sxm", "decode"), "chip=h100-sxm&pass=decode&split=tensor&chips=1");
        // The model needs 139 GB. 16 chips have 256 GB, and 8 chips have 128 GB.
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
        // Either all columns have the fewest chips, or none does.
        let own = format!("{columns}&chips2=8");
        assert_eq!(set(&own, "decode"), format!("{own}&pass=decode&split=tensor"));
        // If the link gives the number of sequences, this number sets the users of all columns.
        let few = "model=llama3-70b&chip=tpu-v5p&versus=h100-sxm&batch=1";
        assert_eq!(set(few, "decode"), format!("{few}&pass=decode&split=tensor&chips=2&chips2=2"));
    }

    /// Returns all orders of `items`.
    fn orders<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
        if items.is_empty() {
            return vec![Vec::new()];
        }
        let rest = |nth: usize| {
            items.iter().enumerate().filter(|(other, _)| *other != nth).map(|(_, one)| one.clone()).collect::<Vec<_>>()
        };
        let first = |nth: usize, order: Vec<T>| core::iter::once(items[nth].clone()).chain(order).collect();
        (0..items.len()).flat_map(|nth| orders(&rest(nth)).into_iter().map(move |order| first(nth, order))).collect()
    }

    fn in_order(start: &str, settings: &[(Entry, &str)]) -> Query {
        let set = |query: Query, (entry, text): &(Entry, &str)| {
            Query::parse(Topic::Model, &query.changed(*entry, text, None))
        };
        settings.iter().fold(Query::parse(Topic::Model, start), set)
    }

    /// Returns chip, number of chips and number of sequences of each run of an answer.
    fn runs(query: &Query) -> Vec<(&'static str, u64, u64)> {
        let Query::Model(query) = query else { panic!("a model") };
        let answer = query.answer(None).expect("an answer");
        let of = |question: &Question| (question.chip.id, question.chips, question.batch);
        answer.runs().iter().map(|run| of(&run.estimate.question)).collect()
    }

    #[test]
    fn columns_begin_with_the_fewest_chips_in_each_order_of_the_entries() {
        let settings = [
            (Entry::Model, "llama3-70b"),
            (Entry::Pass, "decode"),
            (Entry::Versus, "h100-sxm"),
            (Entry::Chip, "tpu-v5e"),
            (Entry::Seq, "4096"),
        ];
        // The model has 141 GB of weights. The keys and values of 32 users are 43 GB. 16 TPU v5e hold the keys and
        // values twice, so they need 227 of 275 GB. With 64 users, the keys and values would be too large for any
        // number of TPU v5e. H100 chips hold them once, so 184 GB need 4 chips.
        let all = orders(&settings);
        assert_eq!(all.len(), 120);
        for order in &all {
            let query = in_order("", order);
            assert_eq!(runs(&query), [("tpu-v5e", 16, 2), ("h100-sxm", 4, 8)], "{order:?}");
            let Query::Model(model) = &query else { panic!("a model") };
            let answer = model.answer(None).expect("an answer");
            let users: Vec<u64> = answer.runs().iter().map(|run| run.estimate.question.users()).collect();
            assert_eq!(users[0], users[1]);
            for run in answer.runs() {
                let (one, half) = (run.estimate, run.estimate.question.chips / 2);
                assert!(one.misfit().is_none(), "{order:?}");
                // Half as many chips cannot hold the model for the same number of users.
                let mut fewer = Question { chips: half, ..one.question.clone() };
                fewer.set_batch(one.question.users() / half.max(1));
                assert!(half == 0 || Estimate::new(&fewer).expect("an answer").misfit().is_some(), "{order:?} {half}");
            }
        }
    }

    #[test]
    fn a_rate_chooses_the_numbers_in_each_order_of_the_entries() {
        let settings =
            [(Entry::Model, "llama3-70b"), (Entry::Pass, "decode"), (Entry::Versus, "h100-sxm"), (Entry::Rate, "30")];
        let all = orders(&settings);
        let first = runs(&in_order("", &all[0]));
        for order in &all {
            let query = in_order("", order);
            assert!(Column::starts().all(|entry| query.entries().text(entry).is_none()), "{order:?}");
            assert_eq!(runs(&query), first, "{order:?}");
            // Without the rate, decode starts as before.
            let without = in_order("", &settings[..3]);
            assert_eq!(runs(&in_order(&query.entries().to_text(), &[(Entry::Rate, "")])), runs(&without), "{order:?}");
        }
    }

    #[test]
    fn numbers_that_a_person_changes_no_longer_follow() {
        let begun = set("model=llama3-70b&chip=h100-sxm", "decode");
        assert_eq!(begun, "model=llama3-70b&chip=h100-sxm&pass=decode&split=tensor&chips=2");
        let own = in_order(&begun, &[(Entry::Chips, "8"), (Entry::Model, "llama3-8b")]);
        assert_eq!(own.entries().to_text(), "chip=h100-sxm&pass=decode&split=tensor&chips=8&model=llama3-8b");
        let followed = in_order(&begun, &[(Entry::Model, "llama3-8b")]);
        assert_eq!(followed.entries().to_text(), "chip=h100-sxm&pass=decode&split=tensor&model=llama3-8b&chips=1");
    }

    #[test]
    fn what_a_link_or_a_person_set_stays() {
        assert_eq!(set("split=data", "decode"), "split=data&pass=decode");
        assert_eq!(set("chips=32", "decode"), "chips=32&pass=decode&split=tensor");
        assert_eq!(set("chips=32&pass=decode&split=tensor", "train"), "chips=32&pass=train");
        // A link that names no parallelism still has fully sharded weights.
        let Query::Model(query) = Query::parse(Topic::Model, "pass=decode") else { panic!("a model") };
        assert_eq!((query.question.split, query.question.chips), (Sharding::FullySharded, 64));
        // The memory of a list is unknown.
        let list = imported(b"M,K,N\n128,256,512\n");
        let text = Query::parse(Topic::Model, "").changed(Entry::Pass, "decode", Some(&list));
        assert_eq!(text, "pass=decode&split=tensor");
    }
}
