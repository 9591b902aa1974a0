//! What somebody claims of two runs, "2.7 times faster", and what would have to be true for it.

use crate::Estimate;
use crate::measured::number_and_unit;
use perfmodel::{PublishedMfu, usd_per_million_tokens};

/// What is claimed to be better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Tokens per second.
    Faster,
    /// Dollars for a token.
    Cheaper,
}

/// The claim that one run is a number of times better than the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// In what.
    pub better: Better,
    /// How many times.
    pub times: f64,
}

impl Claim {
    /// Reads `2.7 faster` or `3x cheaper`; `None` where it is neither.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (times, unit) = number_and_unit(text)?;
        let word = unit.trim_start_matches(['x', '×']);
        let word = word.strip_prefix("times").unwrap_or(word);
        let better = match word {
            "faster" | "asfast" => Better::Faster,
            "cheaper" | "ascheap" => Better::Cheaper,
            _ => return None,
        };
        Some(Self { better, times })
    }
}

/// What a claim takes.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The claim.
    pub claim: Claim,
    /// How many times it is by the two predictions.
    pub predicted: f64,
    /// The MFU that makes it true, with the other run as it is predicted; above 1 it cannot be.
    pub mfu_here: f64,
    /// The MFU of the other run that makes it true, with this one as it is predicted.
    pub mfu_there: f64,
    /// Chips that make it true where each runs as it is predicted; `None` for a price.
    pub chips: Option<f64>,
    /// Dollars for a chip and an hour that make it true; `None` for a speed.
    pub usd_per_chip_hour: Option<f64>,
    /// The verified run of the highest MFU on this chip.
    pub highest_here: Option<&'static PublishedMfu>,
    /// The verified run of the lowest MFU on the other chip.
    pub lowest_there: Option<&'static PublishedMfu>,
}

/// What the claim amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// More than the whole peak.
    Impossible,
    /// Possible, and more than anybody published on this chip.
    NeverPublished,
    /// Within what was published on this chip.
    Published,
    /// Possible; nobody published a run on this chip.
    NothingPublished,
}

/// Why nothing follows from a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncheckable {
    /// Nothing is chosen that it is compared with.
    NothingBeside,
    /// One of the runs has no MFU.
    NoMfu,
    /// One of the prices is not known.
    NoPrice,
}

impl Estimate {
    /// Tokens per second, or steps where nobody says how many tokens a step has.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.tokens_per_sec().unwrap_or(1.0 / self.step.0)
    }

    /// Dollars for a million tokens, or steps; `None` where no price is known.
    #[must_use]
    pub fn usd_per_million(&self) -> Option<f64> {
        usd_per_million_tokens(self.question.usd_per_chip_hour()?, self.rate() / self.question.chips as f64)
    }
}

impl Claimed {
    /// Holds a claim of `here` over `there` against the predictions of both.
    ///
    /// # Errors
    /// [`Uncheckable`]: what is missing.
    pub fn new(claim: Claim, here: &Estimate, there: &Estimate) -> Result<Self, Uncheckable> {
        let (Ok(mfu_here), Ok(mfu_there)) = (here.mfu, there.mfu) else { return Err(Uncheckable::NoMfu) };
        let predicted = match claim.better {
            Better::Faster => here.rate() / there.rate(),
            Better::Cheaper => there
                .usd_per_million()
                .zip(here.usd_per_million())
                .map(|(there, here)| there / here)
                .ok_or(Uncheckable::NoPrice)?,
        };
        let more = claim.times / predicted;
        let is_speed = claim.better == Better::Faster;
        let as_listed = |estimate: &Estimate| !estimate.question.chip.is_custom;
        Ok(Self {
            claim,
            predicted,
            mfu_here: mfu_here.ratio * more,
            mfu_there: mfu_there.ratio / more,
            chips: is_speed.then(|| (here.question.chips as f64 * more).ceil()),
            usd_per_chip_hour: here.question.usd_per_chip_hour().map(|usd| usd / more).filter(|_| !is_speed),
            highest_here: PublishedMfu::highest_on(here.question.chip.id).filter(|_| as_listed(here)),
            lowest_there: PublishedMfu::lowest_on(there.question.chip.id).filter(|_| as_listed(there)),
        })
    }

    /// What it amounts to.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.highest_here.and_then(|row| row.mfu_percent.value) {
            _ if self.mfu_here > 1.0 => Verdict::Impossible,
            None => Verdict::NothingPublished,
            Some(percent) if self.mfu_here * 100.0 > percent => Verdict::NeverPublished,
            Some(_) => Verdict::Published,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn claimed(text: &str) -> Result<Claimed, Uncheckable> {
        let query = ModelQuery::parse(text);
        assert_eq!(query.invalid, [], "{text}");
        query.answer(None).expect("an answer").claim.expect("claimed")
    }

    #[test]
    fn a_v5e_cannot_be_4_6_times_as_fast_as_an_a100() {
        // The peaks are 197 and 312: as many chips are 0.63 times as fast at the same MFU, so it takes 7.3 times the MFU.
        let found = claimed("model=llama2-7b&chip=tpu-v5e&chips=8&versus=a100-40&claim=4.6 faster").expect("known");
        assert_eq!(found.verdict(), Verdict::Impossible);
        let estimate = |chip: &str| {
            let query = ModelQuery::parse(&format!("model=llama2-7b&chips=8&chip={chip}"));
            query.answer(None).expect("an answer").estimate.mfu.expect("possible").ratio
        };
        assert!((found.mfu_here / estimate("a100-40") / (4.6 * 312.0 / 197.0) - 1.0).abs() < 1e-9);
        assert!((found.mfu_there * 4.6 * 312.0 / 197.0 / estimate("tpu-v5e") - 1.0).abs() < 1e-9);
        assert!((found.predicted - 0.63 * estimate("tpu-v5e") / estimate("a100-40")).abs() < 0.01);
        assert_eq!(found.chips, Some((8.0 * 4.6 / found.predicted).ceil()));
    }

    #[test]
    fn what_makes_a_claim_true_makes_it_true() {
        let base = "model=llama3-8b&chip=tpu-v6e&versus=h100-sxm&chips=64";
        let found = claimed(&format!("{base}&claim=3x cheaper")).expect("known");
        let price = found.usd_per_chip_hour.expect("a price");
        let again = claimed(&format!("{base}&usd={price}&claim=3x cheaper")).expect("known");
        assert!((again.predicted / 3.0 - 1.0).abs() < 1e-6, "{}", again.predicted);
        let found = claimed(&format!("{base}&claim=2 faster")).expect("known");
        assert!(found.usd_per_chip_hour.is_none() && found.chips.is_some());
        // A claim that is true takes the predicted MFU and no more chips.
        let same = claimed(&format!("{base}&claim={} faster", found.predicted)).expect("known");
        assert_eq!(same.chips, Some(64.0));
        let predicted = ModelQuery::parse(base).answer(None).expect("an answer").estimate.mfu.expect("possible").ratio;
        assert!((same.mfu_here / predicted - 1.0).abs() < 1e-9);
        // 61 % of a v5e was published, and not 98 %.
        let verdict =
            |times: &str| claimed(&format!("chip=tpu-v5e&versus=tpu-v4&claim={times} faster")).map(|one| one.verdict());
        let predicted = claimed("chip=tpu-v5e&versus=tpu-v4&claim=1 faster").expect("known").predicted;
        assert_eq!(verdict(&predicted.to_string()), Ok(Verdict::Published));
        assert_eq!(verdict(&(1.5 * predicted).to_string()), Ok(Verdict::NeverPublished));
        assert_eq!(verdict(&(3.0 * predicted).to_string()), Ok(Verdict::Impossible));
    }

    #[test]
    fn what_is_missing_is_said() {
        assert_eq!(claimed("claim=2 faster").err(), Some(Uncheckable::NothingBeside));
        assert_eq!(claimed("versus=tpu-7x&claim=2 cheaper").err(), Some(Uncheckable::NoPrice));
        assert!(claimed("versus=tpu-7x&claim=2 faster").is_ok());
        assert!(claimed("than=batch.1&claim=2 faster").is_ok());
    }

    #[test]
    fn claims_are_read() {
        let faster = |times| Some(Claim { better: Better::Faster, times });
        for text in ["2.7 faster", "2.7x faster", "2.7 times faster", "2.7 × as fast", "2.7 times as fast"] {
            assert_eq!(Claim::read(text), faster(2.7), "{text}");
        }
        assert_eq!(Claim::read("3x cheaper"), Some(Claim { better: Better::Cheaper, times: 3.0 }));
        for text in ["", "faster", "2.7", "2.7 better", "-2 faster", "0x faster"] {
            assert_eq!(Claim::read(text), None, "{text}");
        }
    }
}
