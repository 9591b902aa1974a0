//! The conventions that a published figure can have, and the MFU that the figure means in each convention.
//!
//! A published MFU, or a rate in FLOP/s, depends on the FLOPs that its authors counted and on the peak that they divided
//! by. One figure cannot tell the convention. A second figure, such as the time of a step, leaves only the conventions
//! in which both figures agree.

use crate::{Estimate, Measured};
use perfmodel::{Attention, Compute, FlopsPerSec, Mfu, MfuRefusal, Seconds};
use workload::{Kind, PassKind, Role};

/// FLOPs that a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Matmuls with weights only: 6 FLOP for each weight and token.
    Weights,
    /// Matmuls with weights, and half of the attention scores.
    CausalAttention,
    /// Matmuls with weights, and all attention scores.
    FullAttention,
}

/// A convention of a published figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FigureConvention {
    /// FLOPs that the figure counts.
    pub counted: Counted,
    /// True if the recomputed forward pass counts too, as in HFU.
    pub is_recomputed: bool,
    /// True if the peak is the peak with 2:4 sparsity, twice the dense peak.
    pub is_sparse: bool,
}

/// A published figure, read in one convention.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The convention.
    pub convention: FigureConvention,
    /// The time of a step that the figure means.
    pub step: Seconds,
    /// The MFU of such a step in the convention of the question.
    pub mfu: Result<Mfu, MfuRefusal>,
    /// True if the second figure gives the same time of a step within [`TOLERANCE`]. `None` without a second figure.
    pub agrees: Option<bool>,
}

/// Relative difference of two figures that still agree. Figures are published with two or three digits.
pub const TOLERANCE: f64 = 0.01;

impl FigureConvention {
    /// Every convention of a figure on the question's chips. Only GPUs have a peak with sparsity, and only training
    /// recomputes.
    fn all(estimate: &Estimate) -> impl Iterator<Item = Self> {
        let has_sparse = matches!(estimate.question.chip.compute, Compute::TensorCores { .. });
        let counted = [Counted::Weights, Counted::CausalAttention, Counted::FullAttention];
        let passes = if estimate.question.pass == PassKind::Training { &[false, true][..] } else { &[false][..] };
        let peaks = if has_sparse { &[false, true][..] } else { &[false][..] };
        counted.into_iter().flat_map(move |counted| {
            passes.iter().flat_map(move |is_recomputed| {
                let of = move |is_sparse: &bool| (*is_recomputed, *is_sparse);
                peaks.iter().map(of).map(move |(is_recomputed, is_sparse)| Self { counted, is_recomputed, is_sparse })
            })
        })
    }

    /// FLOPs of a step on one chip that a figure in this convention counts.
    fn flops(self, estimate: &Estimate) -> f64 {
        let model = estimate.work.products.iter().filter(|product| product.role != Role::Recompute);
        let of_kind = |is_attention: bool| {
            let of = model.clone().filter(move |one| matches!(one.kind, Kind::Scores | Kind::Values) == is_attention);
            of.map(workload::Product::executed_flops).sum::<f64>()
        };
        let attention = match self.counted {
            Counted::Weights => 0.0,
            // A causal question counts its masked scores exactly, also in windows.
            Counted::CausalAttention if estimate.question.attention == Attention::Causal => {
                estimate.model_flops - of_kind(false)
            }
            Counted::CausalAttention => of_kind(true) / 2.0,
            Counted::FullAttention => of_kind(true),
        };
        // A forward pass is a third of a training step, so repeating it adds a third.
        let times = if self.is_recomputed { 4.0 / 3.0 } else { 1.0 };
        (of_kind(false) + attention) * times
    }
}

impl Measured {
    /// Reads two figures of one run, separated by a semicolon: `57 %; 3.58 s`. If the text has only one figure, the
    /// second figure is `None`.
    pub(crate) fn read_two(text: &str) -> Option<(Self, Option<Self>)> {
        let two = text.split_once(';').and_then(|(first, second)| {
            let [first, second] = [first, second].map(|one| Self::of_number(one.trim()));
            first.zip(second)
        });
        two.map(|(first, second)| (first, Some(second)))
            .or_else(|| Self::of_number(text).map(|one| (one, None)))
            .or_else(|| Self::read(text).map(|one| (one, Self::rate_of_log(text).filter(|rate| *rate != one))))
    }

    /// True for an MFU and a rate in FLOP/s, which depend on a convention.
    pub(crate) const fn has_convention(&self) -> bool {
        matches!(self, Self::Share(_) | Self::FlopsPerSecPerChip(_))
    }

    /// The time of a step that the figure means in a convention; `None` for a figure without a convention, such as a
    /// time.
    fn step_in(self, convention: FigureConvention, estimate: &Estimate, peak: FlopsPerSec) -> Option<Seconds> {
        let flops = convention.flops(estimate);
        let peak = if convention.is_sparse { 2.0 * peak.0 } else { peak.0 };
        match self {
            Self::Share(share) => Some(Seconds(flops / (peak * share))),
            Self::FlopsPerSecPerChip(rate) if !convention.is_sparse => Some(Seconds(flops / rate)),
            _ => None,
        }
    }
}

/// Reads a figure in every convention. Only an MFU and a rate in FLOP/s have a convention; for other figures, the list
/// is empty. If the second figure is the one with a convention, the two figures change places.
pub fn readings(estimate: &Estimate, first: Measured, second: Option<Measured>) -> Vec<Reading> {
    let Some(peak) = estimate.question.chip.peak_flops(estimate.question.multiplied()) else { return Vec::new() };
    let (first, second) = match second {
        Some(second) if !first.has_convention() => (second, Some(first)),
        other => (first, other),
    };
    let of = |convention: FigureConvention| {
        let step = first.step_in(convention, estimate, peak)?;
        let other = second.and_then(|second| {
            let in_same = second.step_in(convention, estimate, peak);
            if second.has_convention() { in_same } else { second.step(estimate) }
        });
        let agrees = second.map(|_| other.is_some_and(|other| (other.0 / step.0 - 1.0).abs() <= TOLERANCE));
        let mfu = Mfu::new(estimate.model_flops, step, peak);
        Some(Reading { convention, step, mfu, agrees })
    };
    FigureConvention::all(estimate).filter_map(of).collect()
}

/// The convention of the question itself: model FLOPs and the dense peak.
pub const fn own(attention: Attention) -> FigureConvention {
    let counted = match attention {
        Attention::Full => Counted::FullAttention,
        Attention::Causal => Counted::CausalAttention,
    };
    FigureConvention { counted, is_recomputed: false, is_sparse: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn of(text: &str) -> Vec<Reading> {
        let query = ModelQuery::parse(text);
        assert_eq!(query.invalid, [], "{text}");
        query.answer(None).expect("an answer").readings
    }

    /// Narayanan et al. 2021 (arXiv:2104.04473, section 5.1) train GPT-3 on 1024 A100 at 140 TFLOP/s each, for 34 days
    /// and 300 billion tokens. Their time is 8 FLOP for each weight and token ÷ the rate. This counts only weights,
    /// with recomputation.
    #[test]
    fn the_convention_of_a_published_run_is_found() {
        let text = "model=gpt3-175b&chip=a100-80&chips=1024&seq=2048&batch=1&tokens=3e11\
                    &measured=140 TFLOP/s/chip; 34 days/run";
        let found = of(text);
        let of_weights = |one: &&Reading| one.convention.counted == Counted::Weights;
        let agrees: Vec<bool> = found
            .iter()
            .filter(of_weights)
            .map(|one| (one.convention.is_recomputed, one.agrees))
            .map(|(is_recomputed, agrees)| agrees == Some(is_recomputed))
            .collect();
        assert_eq!(agrees, [true, true]);
        let own = found.iter().find(|one| one.convention == own(Attention::Full)).expect("listed");
        assert_eq!(own.agrees, Some(false));
    }

    #[test]
    fn an_hfu_of_four_thirds_of_the_mfu_is_found() {
        let run = "model=llama2-7b&chip=h100-sxm&chips=8&seq=2048&batch=8";
        let mfu = of(&format!("{run}&measured=40 %"));
        assert_eq!(mfu.len(), 12, "three counts, two passes, two peaks");
        let own = mfu.iter().find(|one| one.convention == own(Attention::Full)).expect("listed");
        assert!((own.mfu.expect("possible").ratio - 0.4).abs() < 1e-9);
        let step = own.step.0;
        let both = of(&format!("{run}&measured={} %; {step} s", 40.0 * 4.0 / 3.0));
        let found: Vec<_> = both.iter().filter(|one| one.agrees == Some(true)).map(|one| one.convention).collect();
        assert_eq!(found, [FigureConvention { is_recomputed: true, ..self::own(Attention::Full) }]);
        // The order of the figures does not matter.
        let turned = of(&format!("{run}&measured={step} s; {} %", 40.0 * 4.0 / 3.0));
        assert_eq!(turned.iter().filter(|one| one.agrees == Some(true)).count(), 1);
    }

    #[test]
    fn the_convention_of_the_question_gives_its_own_mfu() {
        for (id, attention) in crate::ATTENTIONS {
            let text = format!("model=llama2-7b&chip=tpu-v5e&chips=64&attention={id}&measured=41 %");
            let found = of(&text);
            let own = found.iter().find(|one| one.convention == own(attention)).expect("listed");
            assert!((own.mfu.expect("possible").ratio - 0.41).abs() < 1e-9, "{text}");
        }
        assert_eq!(of("model=llama2-7b&chip=tpu-v5e&pass=prefill&measured=41 %").len(), 3, "nothing is recomputed");
    }

    #[test]
    fn a_rate_in_flops_has_no_sparse_peak_and_a_tpu_has_none_at_all() {
        let gpu = "model=llama2-7b&chip=h100-sxm&chips=8&seq=2048&batch=8";
        assert_eq!(of(&format!("{gpu}&measured=400 TFLOP/s/chip")).len(), 6);
        assert_eq!(of(&format!("{gpu}&measured=2 s")).len(), 0);
        let tpu = "model=llama2-7b&chip=tpu-v5e&chips=64&seq=2048";
        assert_eq!(of(&format!("{tpu}&measured=57 %")).len(), 6);
    }

    #[test]
    fn a_share_above_the_peak_is_refused_in_the_conventions_where_it_is_too_much() {
        let found = of("model=llama2-7b&chip=h100-sxm&chips=8&seq=2048&batch=8&measured=70 %");
        let is_refused = |one: &&Reading| matches!(one.mfu, Err(MfuRefusal::AboveOne { .. }));
        // 70% of the sparse peak is 140% of the dense peak.
        assert!(found.iter().filter(is_refused).all(|one| one.convention.is_sparse));
        assert!(found.iter().filter(is_refused).count() >= 2);
    }
}
