//! The estimate for a question: times, FLOPs and ratios, as numbers.

use std::sync::Arc;

use crate::groups::groups;
use crate::step_share::setting;
use crate::work::{pass_spec, settled, variant, work_of};
use crate::{GroupsRefusal, Question, Serving, StepShare, exchange, timed};
use perfmodel::{
    Concurrent, FlopsPerSec, Groups, Mfu, MfuRefusal, PassTime, PublishedMfu, Seconds, StepTime, usd_per_million_tokens,
};
use workload::models::Model;
use workload::{PassKind, Workload};

/// The answer to a [`Question`] about a model.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The question.
    pub question: Question,
    /// Matmuls of a pass over one chip's sequences, before sharding over the chips.
    pub work: Arc<Workload>,
    /// Groups of chips that split the model.
    pub groups: Groups,
    /// Time of the matmuls on one chip.
    pub products: PassTime,
    /// Times of arithmetic and communication in the step; `None` if the chips do not communicate, or if their links are
    /// not published.
    pub exchange: Option<StepTime>,
    /// Fraction of the step time in which matmuls run. `None` except in training.
    pub share: Option<StepShare>,
    /// Measured serving runs from which the time of a step follows. `None` in training, and
    /// without sequences of tokens.
    pub serving: Option<&'static Serving>,
    /// Time of a chip's own work in a step: matmuls and, in training, the non-matmul overhead.
    pub own: Seconds,
    /// Time of the whole step.
    pub step: Seconds,
    /// Model FLOPs per chip and step.
    pub model_flops: f64,
    /// Kind of inputs that the model processes.
    pub inputs: Inputs,
    /// Number of tokens per step on all chips; `None` if unknown.
    pub tokens: Option<f64>,
    /// Number of weights that matmuls use; `None` if it is unknown which operands are weights.
    pub parameters: Option<f64>,
    /// MFU: model FLOPs of the step, divided by the step time and the peak FLOP/s.
    pub mfu: Result<Mfu, MfuRefusal>,
    /// HFU: executed FLOPs of the step, divided by the step time and the peak FLOP/s.
    pub hfu: Result<Mfu, MfuRefusal>,
}

/// Kind of inputs that a model processes in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Sequences of tokens.
    Sequences,
    /// Inputs without tokens, such as images. Each input counts as one token.
    Single,
    /// Inputs of unknown kind and number, because a list of matmuls does not state its inputs.
    Unknown,
}

/// Part of a step that takes the longest time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Arithmetic of the matmuls.
    Arithmetic,
    /// Main memory, which the matmuls wait for.
    Memory,
    /// Communication between chips.
    Communication,
}

impl Bound {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Arithmetic, Self::Memory, Self::Communication];

    /// Name of the bound in tables.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Arithmetic => "arithmetic",
            Self::Memory => "memory",
            Self::Communication => "communication",
        }
    }
}

/// Reasons why no estimate is possible.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// No model is chosen.
    NoModel,
    /// The listed model cannot run the pass with these settings.
    Model(workload::models::Refusal),
    /// The model of a configuration file cannot run the pass with these settings.
    Transformer(workload::transformer::Refusal),
    /// A single matmul is too large to count exactly.
    TooLarge(workload::TooLarge),
    /// The chips cannot form the groups of the question.
    Groups(GroupsRefusal),
    /// The file has no matmul that can be counted; the value lists the omitted parts.
    NothingIn(Vec<workload::LeftOut>),
    /// The maker of the chip has not published the required values.
    Chip(MfuRefusal),
    /// The file cannot be used.
    File(workload::import::Refusal),
}

impl Estimate {
    /// Answers a question about a listed model or a single matmul.
    ///
    /// # Errors
    /// [`Refusal`] names the reason.
    pub fn new(question: &Question) -> Result<Self, Refusal> {
        let (question, work) = work_of(question)?;
        if question.is_product {
            return Self::of_shared(&question, Arc::new(work), Inputs::Unknown);
        }
        Self::of(&question, work)
    }

    /// Answers the same question for another number of chips. Each chip keeps its number of sequences, so the matmuls
    /// do not change.
    ///
    /// # Errors
    /// [`Refusal`] names the reason.
    pub fn on_chips(&self, chips: u64) -> Result<Self, Refusal> {
        Self::of_shared(&Question { chips, ..self.question.clone() }, Arc::clone(&self.work), self.inputs)
    }

    /// Answers the same question with another parallelism. The workload before sharding does not change.
    ///
    /// # Errors
    /// [`Refusal`] names the reason.
    pub fn split(&self, split: perfmodel::Sharding) -> Result<Self, Refusal> {
        let mut question = self.question.clone();
        question.set_split(split);
        Self::of_shared(&question, Arc::clone(&self.work), self.inputs)
    }

    /// Answers a question about the model of a configuration file.
    ///
    /// # Errors
    /// [`Refusal`] names the reason.
    pub fn of_transformer(question: &Question, model: &workload::Transformer) -> Result<Self, Refusal> {
        let model = variant(question, model.clone());
        let matmuls = |question: &Question| model.workload(&pass_spec(question)).map_err(Refusal::Transformer);
        let (question, work) = settled(question, matmuls)?;
        Self::of(&question, work)
    }

    /// Answers a question about the matmuls in `work`, which one chip computes in a step.
    ///
    /// # Errors
    /// [`Refusal`] names the reason.
    pub fn of(question: &Question, work: Workload) -> Result<Self, Refusal> {
        let has_sequences = question.model.is_none_or(Model::has_sequences);
        Self::of_shared(question, Arc::new(work), if has_sequences { Inputs::Sequences } else { Inputs::Single })
    }

    pub(crate) fn of_shared(question: &Question, work: Arc<Workload>, inputs: Inputs) -> Result<Self, Refusal> {
        let mut question = question.clone();
        question.reset_layout();
        let usual = Self::laid_out(&question, work, inputs)?;
        Ok(usual.in_faster_layout().unwrap_or(usual))
    }

    /// Answers a question with the parallelism of the question, without a search for a faster parallelism.
    pub(crate) fn laid_out(question: &Question, work: Arc<Workload>, inputs: Inputs) -> Result<Self, Refusal> {
        let chips = question.chips as f64;
        let groups = groups(question, &work)?;
        let on_one_chip = work.products.iter().map(|product| timed::on_one_chip(product, &groups));
        let products = PassTime::new(&question.chip, question.format(), on_one_chip).map_err(Refusal::Chip)?;
        let parameters = work.weights();
        let per_input = match inputs {
            Inputs::Sequences if question.pass != PassKind::Decode => Some(question.seq as f64),
            Inputs::Sequences | Inputs::Single => Some(1.0),
            Inputs::Unknown => None,
        };
        let tokens = per_input.map(|tokens| tokens * question.batch as f64 * chips);
        let model_flops = work.flops();
        let exchange = tokens.and_then(|tokens| exchange::exchange(question, &groups, &work, &products, tokens));
        // A list of matmuls is not a training step, so it takes only the time of its matmuls. A traced step is a
        // training step.
        let is_step = question.pass == PassKind::Training && (inputs != Inputs::Unknown || work.traced.is_some());
        let share = is_step.then(|| StepShare::new(question, &work, &products, tokens));
        let serving = Serving::of(question.pass).filter(|_| inputs == Inputs::Sequences);
        let slower = serving.map_or(1.0, |serving| serving.slower);
        // The rest of a step is work of the chip itself, which also hides communication.
        let own = Seconds(products.total.0 / share.as_ref().map_or(1.0, |share| share.share));
        let sent = |step: StepTime| Concurrent { math: own, exchange: exchanged(question, &step) };
        let longest = exchange.map_or(own, |step| sent(step).time(question.overlap_percent() as f64 / 100.0));
        let step = Seconds(longest.0 * (1.0 + groups.bubble()) * slower);
        let peak = question.chip.peak_flops(question.multiplied()).unwrap_or(FlopsPerSec(0.0));
        Ok(Self {
            mfu: Mfu::new(model_flops, step, peak),
            hfu: Mfu::new(work.executed_flops(), step, peak),
            question: question.clone(),
            work,
            groups,
            products,
            exchange,
            share,
            serving,
            own,
            step,
            model_flops,
            inputs,
            tokens,
            parameters,
        })
    }

    /// Returns the communication time of a step. In training, this time includes the backward pass.
    #[must_use]
    pub fn exchange_time(&self) -> Option<Seconds> {
        self.exchange.map(|step| exchanged(&self.question, &step))
    }

    /// Returns what takes the longest time in a step.
    #[must_use]
    pub fn bound(&self) -> Bound {
        match self.products.limit() {
            _ if self.exchange_time().is_some_and(|time| time > self.own) => Bound::Communication,
            perfmodel::gemm_time::Limit::Memory => Bound::Memory,
            _ => Bound::Arithmetic,
        }
    }

    /// True if the chips communicate in a step.
    #[must_use]
    pub fn needs_exchange(&self) -> bool {
        exchange::is_needed(&self.question, &self.groups)
    }

    /// Returns the published runs on the chip that resemble the run most, nearest first. Empty unless the pass is
    /// training.
    #[must_use]
    pub fn nearest(&self, most: usize) -> Vec<&'static PublishedMfu> {
        if self.share.is_none() {
            return Vec::new();
        }
        PublishedMfu::nearest(&setting(&self.question, &self.work, self.tokens), most)
    }

    /// Returns the nearest published runs whose MFU is known with attention counted in full. Each run has this MFU as a
    /// share, from 0 to 1, of the peak of the run's format.
    #[must_use]
    pub fn nearest_mfus(&self, most: usize) -> Vec<(&'static PublishedMfu, f64)> {
        // Published runs in fp8 have their MFU in percent of the 16-bit peak.
        let speedup = self.share.as_ref().map_or(1.0, |share| share.speedup);
        self.nearest(most).into_iter().filter_map(|row| Some((row, row.full_ratio()? / speedup))).collect()
    }

    /// Returns tokens per second on all chips; `None` if the number of tokens per step is unknown.
    #[must_use]
    pub fn tokens_per_sec(&self) -> Option<f64> {
        self.tokens.map(|tokens| tokens / self.step.0)
    }

    /// Returns tokens per second on each chip; `None` if the number of tokens per step is unknown.
    #[must_use]
    pub fn tokens_per_sec_per_chip(&self) -> Option<f64> {
        self.tokens_per_sec().map(|all| all / self.question.chips as f64)
    }

    /// Returns dollars per step on all chips; `None` without a price.
    #[must_use]
    pub fn usd_per_step(&self) -> Option<f64> {
        self.question.usd_per_step(self.step)
    }

    /// Returns dollars per million tokens; `None` without a price or without a number of tokens per step.
    #[must_use]
    pub fn usd_per_million_tokens(&self) -> Option<f64> {
        usd_per_million_tokens(self.question.usd_per_chip_hour()?, self.tokens_per_sec_per_chip()?)
    }
}

/// Communication time of a step in a question's pass.
fn exchanged(question: &Question, step: &StepTime) -> Seconds {
    let backward = if question.pass == PassKind::Training { step.backward.exchange.0 } else { 0.0 };
    Seconds(step.forward.exchange.0 + backward)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelQuery;
    use perfmodel::Chip;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;
    use workload::models::Model;

    fn question(text: &str) -> Question {
        let ModelQuery { question, invalid, .. } = ModelQuery::parse(text);
        assert_eq!(invalid, [], "{text}");
        question
    }

    fn answer(text: &str) -> Estimate {
        Estimate::new(&question(text)).expect("an answer")
    }

    fn mfu(estimate: &Estimate) -> f64 {
        estimate.mfu.expect("possible").ratio
    }

    #[test]
    fn a_published_run_lies_in_its_interval() {
        // MaxText reports 57% for Llama 2 70B with 4096 tokens on 64 v4.
        for (text, published) in [
            ("model=llama2-70b&chip=tpu-v4&chips=64&seq=4096", 0.57),
            ("model=gpt3-175b&chip=h100-sxm&chips=4608&seq=2048&framework=megatron", 0.42),
        ] {
            let found = answer(text);
            let (low, high) = found.interval().expect("training").rate(mfu(&found));
            assert!((low..=high).contains(&published), "{text}: {low} {published} {high}");
        }
    }

    #[test]
    fn ordinary_questions_are_near_a_published_run_of_their_kind() {
        let mut n_compared = 0;
        for chip in ["tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "a100-80", "h100-sxm", "b200-sxm"] {
            for rest in ["64&batch=1", "64&batch=4", "512&batch=1", "512&batch=4"] {
                for model in ["llama3-8b", "llama3-70b"] {
                    let found = answer(&format!("model={model}&chip={chip}&chips={rest}"));
                    // A model that does not fit has no headline.
                    let Some(mfu) = found.mfu.ok().filter(|_| found.misfit().is_none()) else { continue };
                    for (nearest, published) in found.nearest_mfus(5).into_iter().take(1) {
                        let times = (mfu.ratio / published).max(published / mfu.ratio);
                        assert!(
                            times <= 1.6,
                            "{model} {chip} {rest}: {} against {published} of {nearest:?}",
                            mfu.ratio
                        );
                        n_compared += 1;
                    }
                }
            }
        }
        assert!(n_compared >= 36, "{n_compared}");
    }

    #[test]
    fn recomputation_never_shortens_a_step() {
        for chip in ["tpu-v5e", "tpu-v6e", "tpu-v5p", "h100-sxm", "b200-sxm", "trainium2"] {
            for (batch, seq) in [(1, 512), (1, 2048), (2, 2048), (8, 4096)] {
                for split in ["data&overlap=0", "data", "fsdp", "tensor"] {
                    let of = |remat: &str| {
                        answer(&format!("chip={chip}&chips=64&batch={batch}&seq={seq}&split={split}&remat={remat}"))
                    };
                    let (none, full) = (of("none"), of("full"));
                    assert!(full.step.0 >= none.step.0, "{chip} {batch} {seq} {split}");
                    let factors: f64 = full.factors().iter().map(|one| one.factor).product();
                    assert!((factors / mfu(&full) - 1.0).abs() < 1e-9, "{chip} {batch} {seq} {split}: {factors}");
                }
            }
        }
    }

    #[test]
    fn recomputation_is_that_of_most_publications_unless_it_is_chosen() {
        let usual = answer("model=llama3-8b&chip=tpu-v5e&chips=256&seq=2048&batch=6");
        let full = answer("model=llama3-8b&chip=tpu-v5e&chips=256&seq=2048&batch=6&remat=full");
        assert_eq!((usual.question.recomputes(), usual.step), (perfmodel::Remat::Full, full.step));
        let hfu = usual.hfu.expect("possible").ratio;
        assert!((hfu / mfu(&usual) - 8.0 / 6.0).abs() < 0.001, "{hfu}");
        assert_eq!(answer("chip=tpu-v6e").question.recomputes(), perfmodel::Remat::None);
        // Recomputation costs less time than its FLOPs suggest, because the saved memory allows larger matmuls.
        // Measured runs show this.
        let none = answer("model=llama3-8b&chip=tpu-v5e&chips=256&seq=2048&batch=6&remat=none");
        let kept = mfu(&full) / mfu(&none);
        assert!((0.8..1.0).contains(&kept), "{kept}");
    }

    #[test]
    fn a_step_takes_no_less_than_its_exchange() {
        for pass in ["train", "prefill", "decode"] {
            for split in ["data", "fsdp", "tensor"] {
                for chips in [4, 64, 256] {
                    let one = answer(&format!("model=llama3-70b&pass={pass}&split={split}&chips={chips}"));
                    let exchange = one.exchange_time().map_or(0.0, |time| time.0);
                    assert!(one.step.0 >= exchange, "{pass} {split} {chips}: {} {exchange}", one.step.0);
                    // Sharded weights are gathered for every pass; replicated weights are not.
                    assert_eq!(exchange > 0.0, pass == "train" || split != "data", "{pass} {split} {chips}");
                }
            }
        }
    }

    #[test]
    fn what_has_no_sequences_has_no_tokens_but_inputs() {
        let [short, long] = [128, 4096].map(|seq| answer(&format!("model=resnet50&batch=4&chips=2&seq={seq}")));
        assert_eq!((short.tokens, long.tokens), (Some(8.0), Some(8.0)));
        assert!(answer("model=llama3-8b&batch=4&chips=2&seq=128").inputs == Inputs::Sequences);
    }

    #[test]
    fn flops_are_those_of_the_formula() {
        // A token has 6·N + 12·L·H·Q·T FLOP (PaLM, appendix B). LLaMA 3 8B has N = 7.50 G weights in matmuls.
        let estimate = answer("model=llama3-8b&seq=2048&batch=4&chips=64");
        let model = Model::by_id("llama3-8b").expect("known");
        let embedding = 128_256.0 * 4096.0;
        let n = model.params.map_or(0.0, |params| params as f64) - embedding - (2.0 * 32.0 + 1.0) * 4096.0;
        let tokens = 4.0 * 2048.0;
        let formula = tokens * (6.0 * n + 12.0 * 32.0 * 32.0 * 128.0 * 2048.0);
        assert!((estimate.model_flops / formula - 1.0).abs() < 1e-12, "{} {formula}", estimate.model_flops);
        assert!(estimate.parameters.is_some_and(|parameters| (parameters / n - 1.0).abs() < 1e-12));
    }

    #[test]
    fn parts_that_do_not_change_the_arithmetic_change_what_they_should() {
        let answer = |text: &str| answer(&format!("batch=4&{text}"));
        let one = answer("chips=64&overlap=100&remat=none");
        let none = answer("chips=64&overlap=0&remat=none");
        assert!(none.step > one.step && none.products == one.products);
        let remat = answer("chips=64&remat=full");
        assert_eq!(remat.model_flops.to_bits(), one.model_flops.to_bits());
        assert!(remat.hfu.expect("possible").ratio > mfu(&remat) && remat.step > one.step);
        let causal = answer("chips=64&attention=causal&remat=none");
        assert!(causal.model_flops < one.model_flops && causal.step == one.step);
        let alone = answer("chips=1&remat=none");
        assert!(alone.exchange.is_none() && alone.step <= one.step);
    }

    #[test]
    fn decoding_is_bound_by_memory_until_the_batch_is_large() {
        // In the scaling book, the limit on v5e is a batch of 240 tokens for bf16 weights.
        let limit = |batch: u64| answer(&format!("pass=decode&seq=1&chips=1&batch={batch}")).products.limit();
        assert_eq!(limit(8), perfmodel::gemm_time::Limit::Memory);
        assert_eq!(limit(2048), perfmodel::gemm_time::Limit::Compute);
    }

    #[test]
    fn a_share_of_a_step_is_above_zero_and_at_most_one() {
        for chip in Chip::all() {
            for dtype in ["bf16", "fp8"] {
                for rest in ["chips=1&seq=128&batch=1", "chips=4096&remat=full", "seq=131072&batch=1"] {
                    let Ok(found) = Estimate::new(&question(&format!("chip={}&dtype={dtype}&{rest}", chip.id))) else {
                        continue;
                    };
                    let share = found.share.expect("training").share;
                    assert!(share > 0.05 && share <= 1.0, "{} {dtype} {rest}: {share}", chip.id);
                    assert!(found.mfu.is_ok_and(|mfu| mfu.ratio < 1.0), "{} {dtype} {rest}", chip.id);
                }
            }
        }
    }

    #[test]
    fn fp8_saves_the_time_of_matmuls_and_nothing_else() {
        // On 64 chips of TPU7x, Llama 3.1 70B takes 12.20 s in bf16 and 7.93 s in fp8.
        let step = |dtype: &str, rest: &str| {
            answer(&format!("model=llama3-70b&chip=tpu-7x&chips=64&seq=8192&batch=4&dtype={dtype}{rest}")).step.0
        };
        let faster = step("bf16", "") / step("fp8", "");
        assert!((1.4..1.7).contains(&faster), "{faster}");
    }
}
