//! Decode at a rate that each user needs: the numbers of chips and of sequences with which a token costs least.

use crate::question::BATCH_MAX;
use crate::splits::doublings;
use crate::{ChosenForRate, Estimate, Inputs, Question, Refusal};

/// Numbers of rows in the tiles of matmuls. A step takes as long for the last row of a tile as for the first.
const TILES: [u64; 6] = [8, 16, 32, 64, 128, 256];
/// Number of multiples of the largest tile that are tried. If one tile runs on each core at once, a step takes as long
/// for the last of these tiles as for the first.
const WAVES: u64 = 16;

impl Estimate {
    /// Returns the tokens per second of each user. `None` except in decode.
    #[must_use]
    pub fn tokens_per_sec_per_user(&self) -> Option<f64> {
        (self.question.pass == workload::PassKind::Decode && self.inputs == Inputs::Sequences)
            .then(|| 1.0 / self.step.0)
    }

    /// True if each user gets fewer tokens per second than the question asks for, or if this is not known.
    #[must_use]
    pub fn misses_rate(&self) -> bool {
        self.has_no_choice() || self.is_below_rate()
    }

    /// True if the question asks for a rate, and the answer could not choose the numbers of chips and of sequences. In
    /// this case, no numbers fit in memory with a communication that is counted.
    #[must_use]
    pub fn has_no_choice(&self) -> bool {
        let Question { chosen, are_chips_set, is_batch_set, .. } = self.question;
        let is_open = chosen == ChosenForRate::default() && !(are_chips_set && is_batch_set);
        let is_asked = self.question.rate_of_user().is_some() && self.tokens_per_sec_per_user().is_some();
        // The step of a traced file has its own sequences.
        is_open && is_asked && self.work.traced.is_none()
    }

    fn is_below_rate(&self) -> bool {
        self.question.rate_of_user().zip(self.tokens_per_sec_per_user()).is_some_and(|(needed, has)| has < needed)
    }

    /// True if the run is possible: it fits in memory, and its communication is known.
    fn can_serve(&self) -> bool {
        self.misfit().is_none() && (self.exchange.is_some() || !self.needs_exchange())
    }
}

/// Returns the question with the numbers of chips and of sequences on a chip with which a token costs least and each user
/// gets the rate of the question. If no such numbers exist, the question has the numbers with the highest rate. Numbers
/// that are set stay. The numbers of chips are powers of two.
///
/// A chip-hour has one price, so the lowest cost of a token is the highest number of tokens per second and chip. The search
/// takes about 0.2 ms for each chip; an estimate without a search takes about 0.005 ms.
pub(crate) fn at_rate(question: &Question, estimate: impl Fn(&Question) -> Result<Estimate, Refusal>) -> Question {
    let chosen = ChosenForRate { chips: !question.are_chips_set, batch: !question.is_batch_set };
    if question.rate_of_user().is_none() || chosen == ChosenForRate::default() {
        return question.clone();
    }
    let run = |chips: u64, batch: u64| {
        let mut question = Question { chips, chosen, ..question.clone() };
        question.set_batch(batch);
        // The step of a traced file has its own sequences.
        estimate(&question).ok().filter(|one| one.question.batch == batch && one.can_serve())
    };
    let (mut cheapest, mut fastest): (Option<Estimate>, Option<Estimate>) = (None, None);
    let rate = Estimate::tokens_per_sec_per_chip;
    for chips in doublings().filter(|chips| chosen.chips || *chips == 1) {
        let chips = if chosen.chips { chips } else { question.chips };
        let run = |batch: u64| run(chips, batch);
        let Some(first) = run(if chosen.batch { 1 } else { question.batch }) else { continue };
        if first.tokens_per_sec_per_user().is_none() {
            return question.clone();
        }
        if first.is_below_rate() {
            if fastest.as_ref().is_none_or(|fastest| first.step < fastest.step) {
                fastest = Some(first);
            }
            continue;
        }
        let others = if chosen.batch {
            batches(chips, |batch| run(batch).is_some_and(|one| !one.is_below_rate()))
        } else {
            Vec::new()
        };
        for one in core::iter::once(first).chain(others.into_iter().filter_map(run)) {
            if cheapest.as_ref().is_none_or(|cheapest| rate(&one) > rate(cheapest)) {
                cheapest = Some(one);
            }
        }
    }
    cheapest.or(fastest).map_or_else(|| question.clone(), |one| one.question)
}

/// Returns the numbers of sequences on each of `chips` chips that can be the best: the largest number that is possible,
/// and the largest numbers below it that end a tile. One sequence on a chip is possible.
fn batches(chips: u64, is_possible: impl Fn(u64) -> bool) -> Vec<u64> {
    let (mut most, mut above) = (1, 2);
    while above <= BATCH_MAX && is_possible(above) {
        (most, above) = (above, 2 * above);
    }
    while above - most > 1 {
        let middle = most + (above - most) / 2;
        if middle <= BATCH_MAX && is_possible(middle) { most = middle } else { above = middle }
    }
    let rows = most * chips;
    let ends = TILES.map(|tile| rows / tile * tile).into_iter();
    let waves = (1..=WAVES).map(|tiles| (rows / TILES[5]).saturating_sub(tiles) * TILES[5]);
    let mut all: Vec<u64> =
        ends.chain(waves).map(|rows| rows / chips).chain([most]).filter(|batch| *batch > 0).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelQuery, Ranking};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn of(text: &str) -> crate::ModelAnswer {
        let query = ModelQuery::parse(&format!("pass=decode&{text}"));
        assert_eq!(query.invalid, [], "{text}");
        query.answer(None).expect("an answer")
    }

    /// Returns the highest tokens per second and chip of all runs with powers of two of chips and any number of
    /// sequences. If no run reaches the rate, returns the tokens per second of each user in the fastest run.
    fn best_of_all(text: &str, rate: f64) -> (Option<f64>, f64) {
        let (mut best, mut fastest): (Option<f64>, f64) = (None, 0.0);
        for chips in (0..=12).map(|power| 1_u64 << power) {
            for batch in 1.. {
                let text = format!("pass=decode&split=tensor&{text}&chips={chips}&batch={batch}");
                let found = Estimate::new(&ModelQuery::parse(&text).question).expect("an answer");
                // More sequences need more memory and more time.
                if found.misfit().is_some() || (found.exchange.is_none() && chips > 1) {
                    break;
                }
                fastest = fastest.max(1.0 / found.step.0);
                if 2.0 / found.step.0 < rate {
                    break;
                }
                let of_chip = f64::from(batch) / found.step.0;
                if 1.0 / found.step.0 >= rate && best.is_none_or(|best| of_chip > best) {
                    best = Some(of_chip);
                }
            }
        }
        (best, fastest)
    }

    #[test]
    fn the_choice_is_the_best_of_all_numbers_of_chips_and_of_sequences() {
        for text in [
            "model=llama3-70b&chip=h100-sxm",
            "model=llama3-70b&chip=tpu-v5e",
            "model=llama3-70b&chip=tpu-v6e&seq=8192&dtype=int8",
            "model=llama3-8b&chip=tpu-v5p",
            "model=qwen3-32b&chip=mi300x&seq=4096",
            "model=gemma-2b&chip=a100-80",
            "model=llama2-7b&chip=mi355x&seq=128",
        ] {
            for rate in [15.0, 30.0, 100.0] {
                let (best, fastest) = best_of_all(text, rate);
                let found = of(&format!("{text}&rate={rate}")).estimate;
                assert!(found.misfit().is_none() && found.question.chosen.chips && found.question.chosen.batch);
                match best {
                    Some(best) => {
                        let ours = found.tokens_per_sec_per_chip().expect("decode");
                        assert!((ours / best - 1.0).abs() < 1e-9, "{text} {rate}: {ours} {best}");
                        assert!(!found.misses_rate() && 1.0 / found.step.0 >= rate, "{text} {rate}");
                    }
                    None => {
                        let ours = 1.0 / found.step.0;
                        assert!(found.misses_rate() && (ours / fastest - 1.0).abs() < 1e-9, "{text} {rate}: {ours}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_choice_on_one_chip_is_that_of_a_calculation_by_hand() {
        // LLaMA 3 8B has 7.505 G weights of 2 bytes in matmuls. A sequence has keys and values of 2049 tokens: 32
        // layers of 2 · 1024 values of 2 bytes. Memory reaches 75 to 87% of its bandwidth. A measured step takes 1.716
        // times as long as its matmuls. The embedding, 0.525 G weights, is in memory and is not read.
        let (weights, sequence, lookup) = (7.505e9 * 2.0, 2049.0 * 32.0 * 2048.0 * 2.0, 0.525e9 * 2.0);
        for (chip, gbs, bytes, usd, rate) in
            [("h100-sxm", 3350.0, 80e9, 3.0, 60.0), ("tpu-v5e", 819.0, 17.18e9, 1.2, 20.0)]
        {
            let text = format!("model=llama3-8b&chip={chip}&chips=1&usd={usd}&rate={rate}");
            let found = of(&text).estimate;
            let batch = found.question.batch as f64;
            let seconds = |batch: f64, share: f64| 1.716 * (weights + batch * sequence) / (gbs * 1e9 * share);
            let has_room = |batch: f64| weights + lookup + batch * sequence <= bytes;
            assert!(seconds(batch, 0.87) <= found.step.0 && found.step.0 <= seconds(batch, 0.75), "{text}: {found:?}");
            assert!(1.0 / found.step.0 >= rate && has_room(batch), "{text}: {batch}");
            // One more sequence would not fit, or each user would get less than the rate.
            assert!(!has_room(batch + 1.0) || 1.0 / seconds(batch + 1.0, 0.87) < rate * 1.16, "{text}: {batch}");
            let million = usd / 3600.0 * found.step.0 / batch * 1e6;
            let ours = found.usd_per_million_tokens().expect("a price");
            assert!((ours / million - 1.0).abs() < 1e-9, "{text}: {ours} {million}");
        }
    }

    #[test]
    fn the_cheaper_column_has_the_fewer_dollars_at_the_rate_with_its_own_users() {
        for (text, cheaper) in
            [("chip=h100-sxm&versus=tpu-v5e", "h100-sxm"), ("chip=tpu-v5e&versus=h100-sxm", "h100-sxm")]
        {
            let answer = of(&format!("model=llama3-70b&{text}&rate=30"));
            let runs = answer.runs();
            let usd: Vec<f64> =
                runs.iter().map(|run| run.estimate.usd_per_million_tokens().expect("a price")).collect();
            let least = usd.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(runs.iter().all(|run| run.estimate.step.0 <= 1.0 / 30.0 && run.estimate.misfit().is_none()));
            assert_ne!(runs[0].estimate.question.users(), runs[1].estimate.question.users());
            let Ranking::Cheapest { runs: [(first, low), _], .. } = answer.ranking() else { panic!("{text}") };
            assert_eq!((first.question.chip.id, low.to_bits()), (cheaper, least.to_bits()), "{text}: {usd:?}");
        }
    }

    #[test]
    fn numbers_that_are_set_stay_and_the_rest_is_chosen() {
        let numbers = |text: &str| {
            let answer = of(&format!("model=llama3-70b&chip=h100-sxm&{text}"));
            let of = |one: &Question| (one.chips, one.batch, one.chosen.chips, one.chosen.batch);
            answer.runs().iter().map(|run| of(&run.estimate.question)).collect::<Vec<_>>()
        };
        let [open] = numbers("rate=30")[..] else { panic!("one run") };
        assert_eq!((open.2, open.3), (true, true));
        let [set] = numbers("rate=30&chips=4")[..] else { panic!("one run") };
        assert_eq!((set.0, set.2, set.3), (4, false, true));
        let [set] = numbers("rate=30&batch=10")[..] else { panic!("one run") };
        assert_eq!((set.1, set.2, set.3), (10, true, false));
        assert_eq!(numbers("rate=30&chips=4&batch=50"), [(4, 50, false, false)]);
        // A column's number of chips applies only to this column.
        let both = numbers("rate=30&chips=4&versus=tpu-v5e");
        assert_eq!((both[0].0, both[0].2, both[1].2), (4, false, true));
        let both = numbers("rate=30&versus=tpu-v5e&chips2=32");
        assert_eq!((both[0], both[1].0, both[1].2), (open, 32, false));
        // Only decode has a rate.
        let training = ModelQuery::parse("rate=30&chip=h100-sxm").answer(None).expect("an answer").estimate;
        let without = ModelQuery::parse("chip=h100-sxm").answer(None).expect("an answer").estimate;
        assert_eq!((training.question.chips, training.step), (without.question.chips, without.step));
    }

    #[test]
    fn runs_below_the_rate_are_not_ranked() {
        let found = of("model=llama3-70b&chip=h100-sxm&versus=tpu-v5e&rate=50");
        let misses: Vec<bool> = found.runs().iter().map(|run| run.estimate.misses_rate()).collect();
        assert_eq!(misses, [false, true]);
        assert!(matches!(found.ranking(), Ranking::Only(only, _) if only.question.chip.id == "h100-sxm"));
        let none = of("model=llama3-70b&chip=h100-sxm&versus=tpu-v5e&rate=1000");
        assert!(matches!(none.ranking(), Ranking::NoneReaches));
        assert!(matches!(of("model=llama3-70b&chip=h100-sxm&rate=1000").ranking(), Ranking::NoneReaches));
        // The links of MI300X are not published, and no single chip holds 811 GB.
        let unknown = of("model=llama3-405b&chip=mi300x&rate=5");
        assert!(unknown.estimate.has_no_choice() && matches!(unknown.ranking(), Ranking::NoneReaches));
    }
}
