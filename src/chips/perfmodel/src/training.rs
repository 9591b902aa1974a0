//! Time of a model's arithmetic: FLOPs per token, and time, MFU and HFU of a step or a whole run.

use crate::{FlopsPerSec, Mfu, MfuRefusal, Seconds};

/// Convention for the attention scores that a FLOP count includes. Some publications count all scores, and others use
/// the causal convention, which counts half of them. A kernel that skips masked tiles also computes about half of the
/// scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// All pairs of tokens, masked ones included: PaLM (Chowdhery et al. 2022, appendix B), Megatron, and MaxText
    /// before July 2025.
    Full,
    /// Pairs of each token with the tokens before it, half of all pairs: MaxText since July 2025.
    Causal,
}

impl Attention {
    /// The words shown next to an MFU.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Full => "full attention",
            Self::Causal => "causal attention",
        }
    }

    /// The share of the `T × T` scores that the FLOP count includes.
    pub const fn share(self) -> f64 {
        match self {
            Self::Full => 1.0,
            Self::Causal => 0.5,
        }
    }
}

/// Inputs of the closed formula that papers use for the FLOP count of a transformer. Tests compare the count with the
/// numbers in the papers. The page counts matmul by matmul instead, with `workload::Transformer`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransformerFlops {
    /// `N`: parameters that take part in a matmul for a token. The output head and the active experts count. The
    /// embedding lookup and the inactive experts do not count.
    pub matmul_parameters: f64,
    /// `L`: layers.
    pub layers: u32,
    /// `H`: query heads.
    pub heads: u32,
    /// `Q`: size of a head.
    pub head_size: u32,
}

impl TransformerFlops {
    /// FLOP for one token of training, forward and backward: `6·N + 12·L·H·Q·T` for sequences of `T` tokens. Causal
    /// attention halves the second term (Chowdhery et al., PaLM, 2022, Appendix B).
    pub fn train_flops_per_token(&self, sequence: f64, attention: Attention) -> f64 {
        3.0 * self.forward_flops_per_token(sequence, attention)
    }

    /// FLOP for one token of inference: `2·N + 4·L·H·Q·T`, where `T` is the number of tokens in the context.
    ///
    /// For a generated token, which attends to the whole context, use [`Attention::Full`]. For the mean over a prompt,
    /// use [`Attention::Causal`].
    pub fn forward_flops_per_token(&self, context: f64, attention: Attention) -> f64 {
        let width = f64::from(self.layers) * f64::from(self.heads) * f64::from(self.head_size);
        2.0 * self.matmul_parameters + 4.0 * width * context * attention.share()
    }

    /// Converts the MFU of a run from one convention to another: `MFU · FLOPs(to) ÷ FLOPs(from)`.
    pub fn recount(&self, mfu: f64, sequence: f64, from: Attention, to: Attention) -> f64 {
        mfu * self.train_flops_per_token(sequence, to) / self.train_flops_per_token(sequence, from)
    }
}

/// Activations that the backward pass computes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remat {
    /// No activations, because all activations stay in memory.
    None,
    /// All activations: one more forward pass.
    Full,
}

impl Remat {
    /// Executed ÷ model FLOPs: 1, or 8/6 with a second forward pass. A forward pass is 2/6 of the model FLOPs.
    pub const fn executed_per_model_flop(self) -> f64 {
        match self {
            Self::None => 1.0,
            Self::Full => 8.0 / 6.0,
        }
    }
}

/// Work of a training step or run: model FLOPs, and the chips that execute them. The type splits a claimed time or
/// speed-up into peak and MFU. Tests use this type to check published claims.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Model FLOPs of the step or the run: tokens · FLOPs per token.
    pub model_flops: f64,
    /// Number of chips.
    pub chips: u64,
    /// Peak of one chip for the dtype.
    pub peak: FlopsPerSec,
}

impl Work {
    /// Peak of all chips together.
    pub fn total_peak(&self) -> FlopsPerSec {
        FlopsPerSec(self.chips as f64 * self.peak.0)
    }

    /// Time at an MFU from above 0 to 1: `model FLOPs ÷ (chips · peak · MFU)`.
    ///
    /// # Errors
    /// [`MfuRefusal::AboveOne`] if the MFU is above 1. [`MfuRefusal::NoRate`] if the MFU is not above zero or if there
    /// are no chips.
    pub fn time(&self, mfu: f64) -> Result<Seconds, MfuRefusal> {
        if mfu > 1.0 {
            return Err(MfuRefusal::AboveOne { ratio: mfu });
        }
        let rate = self.total_peak().0 * mfu;
        let seconds = self.model_flops / rate;
        if rate > 0.0 && seconds.is_finite() { Ok(Seconds(seconds)) } else { Err(MfuRefusal::NoRate) }
    }

    /// MFU if the work takes this time.
    ///
    /// # Errors
    /// Fails for the same reasons as [`Mfu::new`], for example if the MFU is above 100 %.
    pub fn mfu(&self, time: Seconds) -> Result<Mfu, MfuRefusal> {
        Mfu::new(self.model_flops, time, self.total_peak())
    }

    /// HFU if the work takes this time: executed FLOPs ÷ (peak × time).
    ///
    /// # Errors
    /// Fails for the same reasons as [`Mfu::new`].
    pub fn hfu(&self, time: Seconds, remat: Remat) -> Result<Mfu, MfuRefusal> {
        Mfu::new(self.model_flops * remat.executed_per_model_flop(), time, self.total_peak())
    }

    /// Number of chips that finish the work within a time at an MFU: `model FLOPs ÷ (peak · MFU · time)`, rounded up.
    ///
    /// # Errors
    /// Fails for the same reasons as [`Self::time`]. [`MfuRefusal::NoRate`] if the time is not above zero.
    pub fn chips_for(&self, time: Seconds, mfu: f64) -> Result<f64, MfuRefusal> {
        let one = Self { chips: 1, ..*self }.time(mfu)?;
        if time.0 > 0.0 { Ok((one.0 / time.0).ceil()) } else { Err(MfuRefusal::NoRate) }
    }
}
