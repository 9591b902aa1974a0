//! Circumstances of a training run, and the effects that follow from the circumstances.

use super::Effect;
use crate::gemm_time::calibration;
use crate::{Chip, Framework, PeakDtype, PublishedMfu, Remat};

/// Reference number of parameters. In a run with this number, the size of the model has no effect.
const PARAMETERS: f64 = 16e9;
/// Reference length of a sequence in tokens.
const SEQUENCE: f64 = 2048.0;
/// Reference number of chips.
const CHIPS: f64 = 64.0;
/// Reference FLOPs per byte of main memory.
const RIDGE: f64 = 240.0;
/// Share of attention in the FLOPs of a run whose layers are unknown.
const ATTENTION_SHARE: f64 = 0.1;

/// Circumstances of a training run, as far as the MFU depends on them. An unknown value counts as a usual value.
#[derive(Clone, Copy, Debug)]
pub struct RunSetting<'a> {
    /// The chip.
    pub chip: &'a Chip,
    /// Number of chips.
    pub chips: Option<f64>,
    /// Parameters that take part in a matmul for a token.
    pub parameters: Option<f64>,
    /// Tokens of a sequence.
    pub sequence: Option<f64>,
    /// Recomputation of activations.
    pub remat: Option<Remat>,
    /// Experts of a layer; 0 for a dense model.
    pub experts: u32,
    /// True for matmuls in fp8. Attention stays in 16 bits.
    pub is_fp8: bool,
    /// Share of attention (scores and values) in the FLOPs, counted with full attention.
    pub attention_share: Option<f64>,
    /// True for software without fused attention.
    pub is_unfused: bool,
    /// True for a report on the training of a model, not on the speed of a program.
    pub is_model_report: bool,
    /// The framework.
    pub framework: Framework,
}

impl<'a> RunSetting<'a> {
    /// The usual run on a chip: a benchmark of a dense model in 16 bits with today's software.
    pub const fn on(chip: &'a Chip) -> Self {
        Self {
            chip,
            chips: None,
            parameters: None,
            sequence: None,
            remat: None,
            experts: 0,
            is_fp8: false,
            attention_share: None,
            is_unfused: false,
            is_model_report: false,
            framework: Framework::Other,
        }
    }

    /// Effects of the setting, each with its factor. Effects with the factor 0 are left out.
    pub(super) fn effects(&self) -> Vec<(Effect, f64)> {
        let doublings = |value: Option<f64>, from: f64| value.map_or(0.0, |value| (value / from).log2());
        let flag = |is: bool| f64::from(u8::from(is));
        let recomputed = match self.remat {
            Some(Remat::Full) => 1.0,
            Some(Remat::None) => 0.0,
            None => 0.5,
        };
        let peak = self.peak_16_bits();
        let ridge = peak.zip(self.chip.memory.bytes_per_sec()).map(|(peak, memory)| peak / memory);
        let mut all =
            vec![(Effect::All, 1.0), (Effect::Maker(self.chip.vendor), 1.0), (Effect::Chip(self.chip.id), 1.0)];
        all.extend([
            (Effect::Recomputation, recomputed),
            (Effect::Parameters, doublings(self.parameters, PARAMETERS)),
            (Effect::Sequence, doublings(self.sequence, SEQUENCE)),
            (Effect::Chips, doublings(self.chips, CHIPS)),
            (Effect::Pods, self.pods().log2()),
            (Effect::Experts, f64::from(self.experts.max(1)).log2()),
            (Effect::Ridge, doublings(ridge, RIDGE)),
            (Effect::Unfused, flag(self.is_unfused)),
            (Effect::ModelReport, flag(self.is_model_report)),
        ]);
        all.retain(|(_, factor)| *factor != 0.0);
        all
    }

    /// Effects of the user's run in this setting: the effects of the setting, the framework and the user's software.
    pub(super) fn own_effects(&self) -> Vec<(Effect, f64)> {
        let known = self.framework.has_level();
        let framework = if known { Effect::Framework(self.framework.id()) } else { Effect::OwnFramework };
        let mut all = self.effects();
        all.extend([(framework, 1.0), (Effect::OwnSoftware, 1.0)]);
        all
    }

    /// Number of pods of a TPU; 1 for other chips, because their nodes are small.
    fn pods(&self) -> f64 {
        let pod = self.chip.pod_chips.value.filter(|_| self.chip.vendor == "Google").map_or(f64::MAX, f64::from);
        (self.chips.unwrap_or(1.0) / pod).max(1.0)
    }

    /// Peak of the 16-bit formats, in FLOP/s.
    fn peak_16_bits(&self) -> Option<f64> {
        let peak = |dtype| self.chip.peak_flops(dtype).map(|peak| peak.0);
        peak(PeakDtype::Bf16).or_else(|| peak(PeakDtype::F16))
    }

    /// Peak of the format ÷ peak of the 16-bit formats. 1 unless the chip multiplies fp8 faster.
    pub fn speedup(&self) -> f64 {
        let fp8 = self.chip.peak_flops(PeakDtype::Fp8).filter(|_| self.is_fp8);
        fp8.zip(self.peak_16_bits()).map_or(1.0, |(fp8, wide)| (fp8.0 / wide).max(1.0))
    }

    /// Time that matmuls in fp8 save, in units of the time that the FLOPs of the step take at the 16-bit peak.
    /// Attention and the rest of the step take as long as in 16 bits (Amdahl, 1967).
    pub(super) fn saved(&self) -> f64 {
        let large = calibration::calibration_of_chip(self.chip).0.math_share;
        (1.0 - self.attention_share.unwrap_or(ATTENTION_SHARE)) * (1.0 - 1.0 / self.speedup()) / large
    }
}

/// MFU of the same run in 16 bits. Both MFUs are ratios of the 16-bit peak.
pub(super) fn in_16_bits(mfu: f64, saved: f64) -> f64 {
    1.0 / (1.0 / mfu + saved)
}

/// Inverse of [`in_16_bits`].
pub(super) fn in_own_format(mfu: f64, saved: f64) -> f64 {
    1.0 / (1.0 / mfu - saved).max(f64::MIN_POSITIVE)
}

impl PublishedMfu {
    /// Circumstances of the run. `None` if the chip is not in the chip table.
    pub fn setting(&self) -> Option<RunSetting<'static>> {
        let dimensions = self.parameters.zip(self.layers).zip(self.width).zip(self.sequence);
        let attention_share = dimensions.map(|(((parameters, layers), width), sequence)| {
            let attention = 12.0 * f64::from(layers) * f64::from(width) * f64::from(sequence);
            attention / (attention + 6.0 * parameters)
        });
        Some(RunSetting {
            chip: self.chip()?,
            chips: self.chips.map(f64::from),
            parameters: self.parameters,
            sequence: self.sequence.map(f64::from),
            remat: self.remat,
            experts: self.experts,
            is_fp8: self.format == PeakDtype::Fp8,
            attention_share,
            is_unfused: self.is_unfused,
            is_model_report: self.is_model_report,
            framework: Framework::named(self.framework),
        })
    }

    /// Effects of the run: the effects of the setting, and of the publication.
    pub(super) fn effects(&self) -> Option<Vec<(Effect, f64)>> {
        let (setting, publication) = (self.setting()?, self.publication());
        let mut all = setting.effects();
        all.push((Effect::Publication(publication, setting.chip.id), 1.0));
        if !self.framework.is_empty() {
            all.push((Effect::Framework(self.framework), 1.0));
        }
        Some(all)
    }
}
