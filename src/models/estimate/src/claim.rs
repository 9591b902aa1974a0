//! A claim about two runs, such as "2.7 times faster", and the values that would make the claim true.

use crate::Estimate;
use crate::measured::number_and_unit;
use perfmodel::{PublishedMfu, usd_per_million_tokens};

/// Quantity that a claim compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Tokens per second.
    Faster,
    /// Dollars per token.
    Cheaper,
}

/// The claim that the first run is a number of times faster or cheaper than the other run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// Quantity that the claim compares.
    pub better: Better,
    /// Claimed factor, such as 2.7.
    pub times: f64,
}

impl Claim {
    /// Reads `2.7 faster` or `3x cheaper`; `None` for any other text.
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

/// A claim, with the values that would make the claim true.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The claim.
    pub claim: Claim,
    /// Predicted factor by which the first run is faster or cheaper than the other run.
    pub predicted: f64,
    /// MFU of the first run that would make the claim true, if the other run has its predicted MFU. A value above 1 is
    /// impossible.
    pub mfu_here: f64,
    /// MFU of the other run that would make the claim true, if the first run has its predicted MFU.
    pub mfu_there: f64,
    /// Number of chips that the first run needs to make the claim true at the predicted MFUs; `None` for a claim about
    /// price.
    pub chips: Option<f64>,
    /// Price of the first run's chips, in dollars per chip-hour, that makes the claim true; `None` for a claim about
    /// speed.
    pub usd_per_chip_hour: Option<f64>,
    /// Verified published run with the highest MFU on the first run's chip; `None` if the chip is custom or has no
    /// verified run.
    pub highest_here: Option<&'static PublishedMfu>,
    /// Verified published run with the lowest MFU on the other run's chip; `None` if the chip is custom or has no
    /// verified run.
    pub lowest_there: Option<&'static PublishedMfu>,
}

/// Verdict on a claim, from the MFU that the first run would need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim needs more FLOP/s than the chip's peak.
    Impossible,
    /// The claim is possible, but needs a higher MFU than any published run on this chip.
    NeverPublished,
    /// A published run on this chip reached the MFU that the claim needs.
    Published,
    /// The claim is possible, but this chip has no published run to compare with.
    NothingPublished,
}

/// Reasons why a claim cannot be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncheckable {
    /// No other run is chosen.
    NothingBeside,
    /// MFU of one of the runs is unknown.
    NoMfu,
    /// Price of one of the runs is unknown.
    NoPrice,
}

impl Estimate {
    /// Returns tokens per second on all chips, or steps per second if the number of tokens per step is unknown.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.tokens_per_sec().unwrap_or(1.0 / self.step.0)
    }

    /// Returns dollars per million tokens, or per million steps if the number of tokens per step is unknown; `None`
    /// without a price.
    #[must_use]
    pub fn usd_per_million(&self) -> Option<f64> {
        usd_per_million_tokens(self.question.usd_per_chip_hour()?, self.rate() / self.question.chips as f64)
    }
}

impl Claimed {
    /// Uses the predictions of both runs to check the claim that `here` is better than `there`.
    ///
    /// # Errors
    /// [`Uncheckable`] names the missing value.
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
            // A rounding error must not add a chip.
            chips: is_speed.then(|| (here.question.chips as f64 * more * (1.0 - 1e-12)).ceil()),
            usd_per_chip_hour: here.question.usd_per_chip_hour().map(|usd| usd / more).filter(|_| !is_speed),
            highest_here: PublishedMfu::highest_on(here.question.chip.id).filter(|_| as_listed(here)),
            lowest_there: PublishedMfu::lowest_on(there.question.chip.id).filter(|_| as_listed(there)),
        })
    }

    /// Compares the MFU that the claim needs with the peak and with published runs.
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
        // The peaks are 197 and 312 TFLOPS. At the same MFU, equal numbers of v5e are 0.63 times as fast as A100. So
        // the claim needs 7.3 times the MFU.
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
        // A true claim needs the predicted MFU and no more chips.
        let same = claimed(&format!("{base}&claim={} faster", found.predicted)).expect("known");
        assert_eq!(same.chips, Some(64.0));
        let predicted = ModelQuery::parse(base).answer(None).expect("an answer").estimate.mfu.expect("possible").ratio;
        assert!((same.mfu_here / predicted - 1.0).abs() < 1e-9);
        // 61% of a v5e was published, but not 98%.
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
        assert_eq!(claimed("versus=gaudi3&claim=2 cheaper").err(), Some(Uncheckable::NoPrice));
        assert!(claimed("versus=gaudi3&claim=2 faster").is_ok());
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
