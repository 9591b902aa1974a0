//! A measured run: its MFU and HFU, the ratio of measured to predicted time, and a check that the run is possible.

mod log;
mod number;

pub(crate) use self::number::number_and_unit;

use crate::{Estimate, StepParts};
use perfmodel::{FlopsPerSec, Mfu, MfuRefusal, PublishedMfu, Seconds, Work};

/// A measurement of a run on the question's chips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measured {
    /// The time of a step: `5.67 s`.
    Step(Seconds),
    /// Tokens per second on all chips: `250000 tokens/s`.
    TokensPerSec(f64),
    /// Tokens per second on each chip: `4000 tokens/s/chip`.
    TokensPerSecPerChip(f64),
    /// Sequences per second on all chips: `12.5 samples/s`.
    SequencesPerSec(f64),
    /// FLOPs per second on each chip, as training programs print them: `400 TFLOP/s/chip`.
    FlopsPerSecPerChip(f64),
    /// MFU, in the convention of the question: `57 %`.
    Share(f64),
    /// The time of the whole run: `76 min/run`. The question contains the number of tokens in the run.
    Run(Seconds),
}

/// Units of time, in seconds.
const TIMES: [(&str, f64); 10] = [
    ("ns", 1e-9),
    ("us", 1e-6),
    ("µs", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("min", 60.0),
    ("minutes", 60.0),
    ("h", 3600.0),
    ("hours", 3600.0),
    ("days", 86_400.0),
];

impl Measured {
    /// Reads a number with a unit, or lines of a training log; `None` for an unknown unit and a text without a
    /// measurement.
    ///
    /// ```
    /// use estimate::Measured;
    /// use perfmodel::Seconds;
    ///
    /// assert_eq!(Measured::read("5.67 s"), Some(Measured::Step(Seconds(5.67))));
    /// let line = "completed step: 14, seconds: 54.803, TFLOP/s/device: 392.454, loss: 0.297";
    /// assert_eq!(Measured::read(line), Some(Measured::Step(Seconds(54.803))));
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        Self::of_number(text).or_else(|| log::read(text))
    }

    pub(crate) fn of_number(text: &str) -> Option<Self> {
        let (number, unit) = number_and_unit(text)?;
        // Logs call a chip by its kind, such as GPU, and a step an iteration.
        let of_chip =
            ["/chip", "/device", "/gpu", "/GPU", "/tpu", "/TPU"].iter().find_map(|end| unit.strip_suffix(end));
        if let Some(unit) = of_chip {
            return match unit.to_ascii_lowercase().as_str() {
                "tokens/s" | "tok/s" | "tokens/sec" | "/s" => Some(Self::TokensPerSecPerChip(number)),
                "tflop/s" | "tflops" | "tflops/s" | "tflop/sec" => Some(Self::FlopsPerSecPerChip(number * 1e12)),
                _ => None,
            };
        }
        let (unit, of_run) = match unit.strip_suffix("/run") {
            Some(unit) => (unit, true),
            None => (["/step", "/it", "/iter"].iter().find_map(|end| unit.strip_suffix(end)).unwrap_or(&unit), false),
        };
        let seconds = TIMES.iter().find(|(name, _)| *name == unit).map(|(_, seconds)| Seconds(number * seconds));
        match (unit, of_run) {
            ("%" | "%MFU" | "percent", false) => (number <= 100.0).then_some(Self::Share(number / 100.0)),
            ("tokens/s" | "tok/s" | "tokens/sec" | "/s", false) => Some(Self::TokensPerSec(number)),
            ("samples/s" | "samples/sec" | "sequences/s" | "seq/s", false) => Some(Self::SequencesPerSec(number)),
            ("it/s" | "iter/s" | "steps/s", false) => Some(Self::Step(Seconds(1.0 / number))),
            (_, false) => seconds.map(Self::Step),
            (_, true) => seconds.map(Self::Run),
        }
    }

    /// Returns the step time; `None` if the number of tokens per step or in the run is unknown.
    pub(crate) fn step(self, estimate: &Estimate) -> Option<Seconds> {
        let per_step = estimate.tokens;
        Some(match self {
            Self::Step(seconds) => seconds,
            Self::TokensPerSec(rate) => Seconds(per_step? / rate),
            Self::TokensPerSecPerChip(rate) => Seconds(per_step? / (rate * estimate.question.chips as f64)),
            Self::SequencesPerSec(rate) => {
                let question = &estimate.question;
                Seconds((question.batch as f64) * (question.chips as f64) / rate)
            }
            Self::FlopsPerSecPerChip(rate) => Seconds(estimate.model_flops / rate),
            Self::Share(share) => {
                let peak = estimate.question.chip.peak_flops(estimate.question.multiplied())?;
                Seconds(estimate.model_flops / (peak.0 * share))
            }
            Self::Run(seconds) => Seconds(seconds.0 * per_step? / estimate.question.tokens?),
        })
    }
}

/// Results that follow from a measured run.
#[derive(Clone, Debug)]
pub struct OwnRun {
    /// The measurement.
    pub measured: Measured,
    /// The time of a step.
    pub step: Seconds,
    /// Tokens per second on all chips, if the number of tokens per step is known.
    pub tokens_per_sec: Option<f64>,
    /// MFU of the run; an error if the MFU would be above 100%.
    pub mfu: Result<Mfu, MfuRefusal>,
    /// HFU of the run, with the rematerialization of the question.
    pub hfu: Result<Mfu, MfuRefusal>,
    /// Measured time of a step, divided by the predicted time.
    pub times_predicted: f64,
    /// True if the measured step is inside the 80 % interval of the prediction; `None` without an interval.
    pub is_within: Option<bool>,
    /// Shortest possible step time: the step time at 100% of the peak.
    pub least: Seconds,
    /// Number of chips that would take the measured step time if they ran at 100% of their peak.
    pub chips_at_peak: f64,
    /// Verified published run with the highest MFU on this chip; `None` if the chip is custom or has no verified run.
    pub published: Option<&'static PublishedMfu>,
    /// Efficiency breakdown from the peak to the run: factors whose product is the MFU of the run.
    pub factors: Vec<Factor>,
    /// Largest cause of the gap between the peak and the MFU of the run; `None` if the MFU is not possible.
    pub largest_loss: Option<Part>,
}

/// Reasons why a measurement cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// The number of tokens in the run is not set.
    NoTokensOfRun,
    /// The number of tokens per step is unknown.
    NoTokensOfStep,
    /// The log line has another number of tokens per step than the question.
    OtherTokens,
    /// The peak of the chip is unknown.
    NoPeak,
    /// The run would exceed the peak of the chip.
    AbovePeak,
    /// The question of the run has no estimate.
    NoEstimate,
    /// The pass is not training.
    NotTraining,
}

/// A cause of the gap between the peak and the MFU of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// FLOPs that the chips execute but the MFU does not count: rematerialization, and the causal half of attention.
    NotCounted,
    /// Losses in the matmuls, such as padding and, in training, memory traffic.
    Products,
    /// Memory bandwidth, for which the matmuls of prefill and decode wait.
    Memory,
    /// Communication that does not overlap with arithmetic.
    Exchange,
    /// Time in which the stages of a pipeline wait for each other.
    Pipeline,
    /// Non-matmul overhead of a step, from published runs.
    Rest,
    /// Difference between the measured and the predicted run.
    Run,
}

/// One factor of the efficiency breakdown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor {
    /// The cause of the loss.
    pub part: Part,
    /// Fraction of the speed that remains after this loss; above 1 if the run is faster than predicted.
    pub factor: f64,
    /// Fraction of the peak that remains after this and all earlier factors.
    pub left: f64,
}

impl Estimate {
    /// Returns the efficiency breakdown from the peak to the predicted MFU: factors whose product is the MFU. Empty if
    /// the MFU is unknown. In prefill and decode, the smallest factor is the first.
    #[must_use]
    pub fn factors(&self) -> Vec<Factor> {
        let Ok(mfu) = self.mfu else { return Vec::new() };
        let executed = self.work.executed_flops();
        let (at_peak, matmuls) = (executed / mfu.peak.0, self.products.total.0);
        let waits = 1.0 + self.groups.bubble();
        let mut parts = match self.serving.zip(self.step_parts()) {
            Some((serving, StepParts { multiplied, .. })) => {
                // The lost times follow each other in a step, so no order of them is the right one. Each has a part of
                // the common factor in proportion to its time.
                let busy = self.step.0 / serving.slower / waits;
                let lost = [
                    (Part::Products, multiplied.0 - at_peak),
                    (Part::Memory, matmuls - multiplied.0),
                    (Part::Exchange, busy - matmuls),
                ];
                let lost = lost.map(|(part, seconds)| (part, seconds.max(0.0)));
                let all = lost.iter().map(|(_, seconds)| seconds).sum::<f64>().max(f64::MIN_POSITIVE);
                let factor = |(part, seconds): (Part, f64)| (part, (at_peak / busy).powf(seconds / all));
                let [products, memory, exchange] = lost.map(factor);
                vec![products, memory, (Part::Rest, 1.0 / serving.slower), exchange]
            }
            None => vec![
                (Part::Products, at_peak / matmuls),
                (Part::Rest, matmuls / self.own.0),
                (Part::Exchange, self.own.0 * waits / self.step.0),
            ],
        };
        if self.groups.pipeline > 1 {
            parts.push((Part::Pipeline, 1.0 / waits));
        }
        parts.push((Part::NotCounted, self.model_flops / executed));
        if self.serving.is_some() {
            parts.sort_by(|one, other| one.1.total_cmp(&other.1));
        }
        Factor::ladder(parts)
    }

    /// Returns the largest cause of the gap between the peak and the MFU: the part with the smallest factor. `None` if
    /// the MFU is unknown.
    #[must_use]
    pub fn largest_loss(&self) -> Option<Part> {
        smallest(&self.factors())
    }
}

impl Factor {
    fn ladder(parts: impl IntoIterator<Item = (Part, f64)>) -> Vec<Self> {
        let mut left = 1.0;
        let factor = |(part, factor)| {
            left *= factor;
            Self { part, factor, left }
        };
        parts.into_iter().map(factor).collect()
    }

    /// Returns factors in the order of `parts`; a factor of another part is last.
    #[must_use]
    pub fn in_order(all: &[Self], parts: &[Part]) -> Vec<Self> {
        let mut all: Vec<(Part, f64)> = all.iter().map(|one| (one.part, one.factor)).collect();
        all.sort_by_key(|(part, _)| parts.iter().position(|one| one == part).unwrap_or(usize::MAX));
        Self::ladder(all)
    }
}

/// Returns the part with the smallest factor.
fn smallest(factors: &[Factor]) -> Option<Part> {
    factors.iter().min_by(|one, other| one.factor.total_cmp(&other.factor)).map(|one| one.part)
}

impl OwnRun {
    /// Evaluates a measurement of the estimated run.
    ///
    /// # Errors
    /// [`Unusable`] names the missing value.
    pub fn new(estimate: &Estimate, measured: Measured) -> Result<Self, Unusable> {
        let question = &estimate.question;
        let step = measured.step(estimate).ok_or(match estimate.tokens {
            None => Unusable::NoTokensOfStep,
            Some(_) => Unusable::NoTokensOfRun,
        })?;
        let peak = question.chip.peak_flops(question.multiplied()).ok_or(Unusable::NoPeak)?;
        let chips = question.chips as f64;
        let work = Work { model_flops: estimate.model_flops * chips, chips: question.chips, peak };
        let least = work.time(1.0).map_err(|_| Unusable::NoPeak)?;
        let mfu = work.mfu(step);
        let hfu = Mfu::new(estimate.work.executed_flops() * chips, step, FlopsPerSec(work.total_peak().0));
        let times_predicted = step.0 / estimate.step.0;
        let is_within = estimate.interval().map(|interval| {
            let (shortest, longest) = interval.time(estimate.step.0);
            (shortest..=longest).contains(&step.0)
        });
        let mut factors = if mfu.is_ok() { estimate.factors() } else { Vec::new() };
        if let Some(last) = factors.last().copied() {
            let factor = 1.0 / times_predicted;
            factors.push(Factor { part: Part::Run, factor, left: last.left * factor });
        }
        Ok(Self {
            measured,
            step,
            tokens_per_sec: estimate.tokens.map(|tokens| tokens / step.0),
            mfu,
            hfu,
            times_predicted,
            is_within,
            least,
            chips_at_peak: work.chips_for(step, 1.0).unwrap_or(f64::NAN),
            published: PublishedMfu::highest_on(question.chip.id).filter(|_| !question.chip.is_custom),
            largest_loss: smallest(&factors),
            factors,
        })
    }

    /// Returns the multiple of the chips' peak that an impossible run would need; `None` if the run is possible.
    #[must_use]
    pub fn impossible(&self) -> Option<f64> {
        match self.mfu {
            Err(MfuRefusal::AboveOne { ratio }) => Some(ratio),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelQuery;
    use perfmodel::Attention;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn own(text: &str) -> Result<OwnRun, Unusable> {
        let query = ModelQuery::parse(text);
        assert_eq!(query.invalid, [], "{text}");
        query.answer(None).expect("an answer").own_run.expect("measured")
    }

    #[test]
    fn a_log_line_sets_the_sequences_that_it_contains() {
        // 3.10 s at 5287.2 tokens/s are 16,390 tokens, or 8 sequences of 2048. 243.1 of 459 TFLOP/s are 53%.
        let line = "completed step: 12, seconds: 3.10, TFLOP/s/device: 243.1, Tokens/s/device: 5287.2, loss: 8.1";
        let text = format!("model=llama3-8b&chip=tpu-v5p&chips=64&measured={line}");
        let query = ModelQuery::parse(&text);
        assert_eq!((query.question.batch, query.question.is_batch_of_log), (8, true));
        let mfu = own(&text).expect("known").mfu.expect("possible").ratio;
        assert!((mfu / 0.53 - 1.0).abs() < 0.05, "{mfu}");
        // If other settings contradict the line, there is no result.
        assert_eq!(own(&format!("{text}&batch=4")).err(), Some(Unusable::OtherTokens));
        assert_eq!(own(&format!("{text}&seq=3000")).err(), Some(Unusable::OtherTokens));
        assert!(own(&format!("{text}&batch=2&seq=8192")).is_ok());
    }

    #[test]
    fn bert_in_76_minutes_on_512_cores_cannot_be() {
        // 512 cores of TPU v3 are 256 chips. The LAMB paper has 5.90e10 tokens in sequences of 128 and 2.62e10 in
        // sequences of 512, 246 on average. Their 1.63e20 FLOPs are 113.7% of the chips' peak.
        let run = own("model=bert-large&chip=tpu-v3&chips=v3-512&seq=246&batch=64&tokens=8.52e10&measured=76+min/run");
        let run = run.expect("known");
        let ratio = run.impossible().expect("refused");
        assert!((ratio - 1.14).abs() < 0.006, "{ratio}");
        assert!((288.0..294.0).contains(&run.chips_at_peak), "{}", run.chips_at_peak);
        assert!(run.factors.is_empty());
        // On the paper's 1024 chips, the MFU is a quarter of that.
        let run = own("model=bert-large&chip=tpu-v3&chips=1024&seq=246&batch=64&tokens=8.52e10&measured=76+min/run");
        let run = run.expect("known");
        assert!((run.mfu.expect("possible").ratio - ratio / 4.0).abs() < 1e-9);
    }

    #[test]
    fn units_of_logs_are_read() {
        for (text, measured) in [
            ("2.5 s/it", Measured::Step(Seconds(2.5))),
            ("0.4 it/s", Measured::Step(Seconds(2.5))),
            ("2500 ms/step", Measured::Step(Seconds(2.5))),
            ("4000 tokens/s/device", Measured::TokensPerSecPerChip(4000.0)),
            ("4000 tok/s/GPU", Measured::TokensPerSecPerChip(4000.0)),
            ("400 TFLOP/s/chip", Measured::FlopsPerSecPerChip(4e14)),
            ("400 TFLOPs/GPU", Measured::FlopsPerSecPerChip(4e14)),
        ] {
            assert_eq!(Measured::read(text), Some(measured), "{text}");
        }
        // A rate of all chips together has another meaning, so the unit must say which rate it is.
        assert_eq!(Measured::read("400 TFLOP/s"), None);
        // The rate is 400 of 989.4 TFLOPS for any model.
        let run = own("model=gpt3-175b&chip=h100-sxm&chips=512&measured=400+TFLOP/s/chip").expect("known");
        assert!((run.mfu.expect("possible").ratio - 400.0 / 989.4).abs() < 2e-4);
    }

    #[test]
    fn lines_of_logs_are_read_whole() {
        let step = |seconds| Some(Measured::Step(Seconds(seconds)));
        for (program, line, measured) in [
            (
                "MaxText",
                "I0601 22:14:54 metric_logger.py:181] completed step: 1, seconds: 0.660, TFLOP/s/device: 255.951, \
                 Tokens/s/device: 49639.234, total_weights: 262144, loss: 12.218",
                step(0.66),
            ),
            (
                "torchtitan",
                "[rank0]:[titan] 2025-01-01 10:00:00,000 - root - INFO - step: 10  loss:  7.5432  memory: \
                 40.25GiB(42.36%)  tps: 7,123  tflops: 405.12  mfu: 40.96%",
                Some(Measured::TokensPerSecPerChip(7123.0)),
            ),
            (
                "Megatron-LM",
                " [2025-08-01 07:19:50] iteration        2/    5000 | consumed samples:          256 | elapsed time \
                 per iteration (ms): 12936.1 | throughput per GPU (TFLOP/s/GPU): 118.7 | global batch size:   128 |",
                step(12.9361),
            ),
            ("nanoGPT", "iter 250: loss 2.4012, time 342.15ms, mfu 38.21%", step(0.34215)),
            (
                "NeMo",
                "Training epoch 0, iteration 1/249 | lr: 3.922e-06 | global_batch_size: 8 | global_step: 1 | \
                 reduced_train_loss: 1.653 | train_step_timing in s: 2.505 | consumed_samples: 16",
                step(2.505),
            ),
            (
                "NeMo's progress bar",
                "Epoch 0: : 100%|██████████| 100/100 [10:48<00:00, reduced_train_loss=0.0172, global_step=99.00, \
                 consumed_samples=25600.0, train_step_timing in s=3.130]",
                step(3.13),
            ),
            ("a progress bar", " 20%|██        | 100/500 [02:10<08:40,  1.30s/it, loss=2.1]", step(1.3)),
            (
                "Hugging Face",
                "{'train_runtime': 812.3, 'train_samples_per_second': 12.5, 'train_loss': 2.1}",
                Some(Measured::SequencesPerSec(12.5)),
            ),
            (
                "nanotron",
                "iteration: 8 / 100 | consumed_tokens: 1.31M | tokens_per_sec: 120K | tokens_per_sec_per_gpu: 15K |",
                Some(Measured::TokensPerSecPerChip(15e3)),
            ),
        ] {
            assert_eq!(Measured::read(line), measured, "{program}");
        }
        // Only the last of several lines counts, because the first steps also compile.
        let lines = "step: 1, seconds: 56.766, loss: 12.2\nstep: 2, seconds: 5.660, loss: 12.1\n";
        assert_eq!(Measured::read(lines), step(5.66));
        for text in ["completed step: 1", "iter 3: loss 2.1", "seconds: many", "loss: 2.1, mfu: 38 %", "µ seconds:"] {
            assert_eq!(Measured::read(text), None, "{text}");
        }
        // Each of 512 chips has a sequence, so a step has 512 sequences.
        let by_rate = own("model=gpt3-175b&chip=h100-sxm&chips=512&batch=1&measured=64 samples/s").expect("known");
        assert!((by_rate.step.0 - 8.0).abs() < 1e-12);
    }

    #[test]
    fn a_run_that_takes_as_long_as_predicted_has_the_predicted_mfu() {
        for text in
            ["", "chip=tpu-v4&chips=256", "model=llama2-70b&chip=h100-sxm&attention=causal", "pass=decode&split=tensor"]
        {
            let estimate = Estimate::new(&ModelQuery::parse(text).question).expect("an answer");
            let predicted = estimate.mfu.expect("possible").ratio;
            let rate = estimate.tokens_per_sec().expect("sequences");
            let chips = estimate.question.chips as f64;
            for measured in [
                Measured::Step(estimate.step),
                Measured::TokensPerSec(rate),
                Measured::TokensPerSecPerChip(rate / chips),
            ] {
                let run = OwnRun::new(&estimate, measured).expect("known");
                let mfu = run.mfu.expect("possible").ratio;
                assert!((mfu / predicted - 1.0).abs() < 1e-9, "{text}");
                assert!((run.hfu.expect("possible").ratio / estimate.hfu.expect("possible").ratio - 1.0).abs() < 1e-9);
                assert_ne!(run.is_within, Some(false), "{text}");
            }
            let slow = OwnRun::new(&estimate, Measured::Step(Seconds(3.0 * estimate.step.0))).expect("known");
            let product: f64 = slow.factors.iter().map(|one| one.factor).product();
            assert!((product / slow.mfu.expect("possible").ratio - 1.0).abs() < 1e-9, "{text}");
            assert!((slow.mfu.expect("possible").ratio * 3.0 / predicted - 1.0).abs() < 1e-9, "{text}");
        }
    }

    #[test]
    fn a_published_throughput_has_the_mfu_that_was_published_with_it() {
        // PaLM 540B with 238.3 k tokens/s on 6144 TPU v4 was printed with 46.2%. The FLOPs by layers follow GPT-3's
        // counting. GPT-3 175B with 2048 tokens has 6 · 174.6e9 + 12 · 96 · 96 · 128 · 2048 FLOP for a token.
        let run =
            own("model=gpt3-175b&chip=tpu-v4&chips=6144&seq=2048&batch=1&measured=500000 tokens/s").expect("known");
        let flops = 6.0 * 174.6e9 + 12.0 * 96.0 * 96.0 * 128.0 * 2048.0 * Attention::Full.share();
        let by_hand = 5e5 * flops / (6144.0 * 275e12);
        assert!((run.mfu.expect("possible").ratio / by_hand - 1.0).abs() < 0.01, "{by_hand}");
    }

    #[test]
    fn what_is_missing_is_said() {
        assert_eq!(own("measured=76 min/run").err(), Some(Unusable::NoTokensOfRun));
        assert_eq!(own("model=product&measured=100/s").err(), Some(Unusable::NoTokensOfStep));
        assert!(own("model=product&measured=1 s").is_ok());
    }

    #[test]
    fn units_are_read_and_what_has_none_is_not() {
        for (text, expected) in [
            ("5.67s", Measured::Step(Seconds(5.67))),
            ("250 ms/step", Measured::Step(Seconds(0.25))),
            ("1.5e3 s", Measured::Step(Seconds(1500.0))),
            ("250_000 tokens/s", Measured::TokensPerSec(250_000.0)),
            ("4000 tok/s/chip", Measured::TokensPerSecPerChip(4000.0)),
            ("76 min/run", Measured::Run(Seconds(4560.0))),
            ("436,700 tok/s", Measured::TokensPerSec(436_700.0)),
            ("1,234.5 ms", Measured::Step(Seconds(1.2345))),
            ("2,5 s", Measured::Step(Seconds(2.5))),
            ("0,125 s", Measured::Step(Seconds(0.125))),
            ("2 days/run", Measured::Run(Seconds(172_800.0))),
        ] {
            assert_eq!(Measured::read(text), Some(expected), "{text}");
        }
        for text in
            ["5", "", "s", "-1 s", "0 s", "5 parsecs", "nan s", "inf s", "5 tokens/s/run", "é s", "2,500 s", "1,2,3 s"]
        {
            assert_eq!(Measured::read(text), None, "{text}");
        }
    }
}
