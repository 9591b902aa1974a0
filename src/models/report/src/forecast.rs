//! Text about the prediction of an MFU from published runs.

use super::model::NOT_STATED;
use display::figure::Citation;
use display::number::{percent, readable};
use estimate::{Bound, Estimate, SERVING_SOURCE, Serving, StepShare};
use perfmodel::{Attention, Chip, Confidence, Effect, Evidence, Remat};

/// Number of published runs that the table of nearest runs lists.
pub(crate) const NEAREST: usize = 5;

/// Returns the words for the rematerialization of a published run.
pub(super) const fn recomputation(remat: Option<Remat>) -> &'static str {
    match remat {
        None => NOT_STATED,
        Some(Remat::None) => "none or selective",
        Some(Remat::Full) => "full",
    }
}

/// Says which MFU the nearest published runs have; empty without such a run.
pub(super) fn nearest(estimate: &Estimate) -> String {
    let (count, least, most) = nearest_range(estimate);
    match count {
        0 => String::new(),
        1 => format!("; nearest published run: {} %", percent(most)),
        count => format!("; {count} nearest published runs: {} to {} %", percent(least), percent(most)),
    }
}

/// Returns the number of nearest published runs with a known MFU, and their lowest and highest MFU.
fn nearest_range(estimate: &Estimate) -> (usize, f64, f64) {
    let mfus: Vec<f64> = estimate.nearest_mfus(NEAREST).into_iter().map(|(_, mfu)| mfu).collect();
    let fold = |with: fn(f64, f64) -> f64, start| mfus.iter().copied().fold(start, with);
    (mfus.len(), fold(f64::min, f64::INFINITY), fold(f64::max, 0.0))
}

/// Says why the predicted MFU lies outside the range of the nearest published runs; empty if it lies inside.
pub(super) fn apart(estimate: &Estimate) -> &'static str {
    let is_full = estimate.question.attention == Attention::Full;
    let Some(mfu) = estimate.mfu.ok().filter(|_| is_full) else { return "" };
    let (nearest, (count, least, most)) = (estimate.nearest(NEAREST), nearest_range(estimate));
    let is_one = nearest.windows(2).all(|two| two[0].publication() == two[1].publication());
    match (count, mfu.ratio < least, mfu.ratio > most) {
        (1.., true, _) if estimate.bound() == Bound::Communication => {
            "; the prediction is lower, because communication takes longer than the work of a chip"
        }
        (2.., true, _) if is_one => {
            "; the prediction is lower, because other software can be slower than in this one publication"
        }
        (2.., _, true) if is_one => {
            "; the prediction is higher, because other software can be faster than in this one publication"
        }
        (2.., true, _) => "; the prediction is lower, because it also uses runs in other settings",
        (2.., _, true) => "; the prediction is higher, because it also uses runs in other settings",
        _ => "",
    }
}

/// Describes the share of a step that matmuls take, with the prediction behind the share.
pub(super) fn share(share: &StepShare) -> String {
    let StepShare { forecast, usual, speedup, executed_per_model_flop, .. } = share;
    let [value, mfu, usual, executed, faster] =
        [share.share, forecast.mfu, *usual, *executed_per_model_flop, *speedup].map(|number| readable(number, 3));
    let wide = if *speedup > 1.0 {
        format!(", and by {faster}, because the peak in fp8 is {faster} times the 16-bit peak")
    } else {
        String::new()
    };
    format!(
        "matmuls take {value} of a chip's own work in a step: a predicted MFU of {mfu} of the 16-bit peak, times {executed} executed FLOPs per model FLOP, divided by {usual} of the peak{wide}. The matmuls reach the last share, unless published runs all reach more"
    )
}

/// Describes how published runs predict the MFU: a level for all runs, times a factor for each effect.
pub(super) fn forecast(share: &StepShare) -> String {
    let forecast = &share.forecast;
    let level = forecast.mfu_16_bits.ln() - forecast.effects.iter().map(|(_, size)| size).sum::<f64>();
    let effects = forecast.effects.iter().map(|(of, size)| format!(" × {} ({})", readable(size.exp(), 4), effect(*of)));
    format!(
        "MFU in 16 bits: {} (all published runs){} = {} %",
        readable(level.exp(), 4),
        effects.collect::<String>(),
        percent(forecast.mfu_16_bits)
    )
}

/// Name of an effect on the MFU.
fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::All => "all published runs",
        Effect::Recomputation => "recomputation",
        Effect::Parameters => "size of the model",
        Effect::Sequence => "sequence length",
        Effect::Chips => "number of chips",
        Effect::Pods => "number of pods",
        Effect::Experts => "experts",
        Effect::Ridge => "FLOPs per byte of memory",
        Effect::Unfused => "attention that is not fused",
        Effect::ModelReport => "report on a model",
        Effect::Maker(_) => "maker",
        Effect::Chip(_) => "chip",
        Effect::Framework(_) => "framework",
        Effect::Publication(..) => "publication",
        Effect::OwnFramework | Effect::OwnSoftware => "your own runs",
    }
}

/// Returns the end of an MFU or HFU note: a warning if the chip has no published runs, or runs from only one
/// publication.
pub(super) fn lent(share: &StepShare, chip: &Chip) -> String {
    match share.forecast.evidence() {
        Evidence::ThisChip if share.forecast.publications_on_chip == 1 => {
            "; only one publication has runs on this chip".to_owned()
        }
        Evidence::ThisChip => String::new(),
        Evidence::SameMaker => {
            format!("; no published run on this chip: predicted from other chips by {}", chip.vendor)
        }
        Evidence::OtherMaker => {
            "; no published run on this chip or on another chip of its maker: trust trends, not absolute values"
                .to_owned()
        }
    }
}

/// Cites the measured serving runs behind the time of a step.
pub(super) fn serving(serving: &Serving) -> Citation {
    let Serving { slower, publications, runs, .. } = serving;
    let sure = Confidence::Medium;
    Citation {
        what: format!(
            "measured steps take {} times as long as their matmuls and communication ({runs} runs of {publications} publications, each publication counted once)",
            readable(*slower, 3)
        ),
        source: SERVING_SOURCE.text,
        confidence: format!("{}: {}", sure.word(), sure.says()),
        note: "",
    }
}
