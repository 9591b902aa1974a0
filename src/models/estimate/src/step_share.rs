//! Share of a training step that matmuls take, predicted from published runs.
//!
//! We found no table of how long the rest of a step takes: normalization, optimizer, waiting for input, and kernels
//! that do not overlap. The regression of published runs predicts the MFU of a run whose chips do not wait for
//! communication. The share of the matmuls is this MFU, times executed per model FLOPs, divided by the share of the peak
//! that the matmuls reach.
//!
//! The matmuls of published runs reach different shares of the peak. Their MFUs do not follow these shares: with whole
//! publications left out, the error is smaller without a correction. Only matmuls that are less efficient than those of
//! published runs make a step longer than the regression says.

use perfmodel::gemm_time::{GemmTime, calibration};
use perfmodel::left_out::{Class, FACTORS};
use perfmodel::{Forecast, GemmSizes, MfuModel, PassTime, PeakDtype, Per, RunSetting};
use workload::{Kind, Product, Role, Workload};

use crate::Question;

/// A usual matmul of a published run: a layer of a 7B model, with 8192 tokens on a chip.
const USUAL: GemmSizes = GemmSizes { m: 8192, k: 4096, n: 4096 };

/// Least share of the peak that the matmuls of a published dense benchmark reach, divided by the share that [`USUAL`]
/// reaches. In the table, this benchmark is Gemma 4 2B on TPU7x.
const LEAST: f64 = 0.75;

/// Share of a training step that matmuls take.
#[derive(Clone, Debug, PartialEq)]
pub struct StepShare {
    /// Time of matmuls ÷ time of a chip's own work in a step, from 0 to 1. Communication is not part of this work.
    pub share: f64,
    /// Predicted MFU of the run, counted in full attention, if its matmuls are as efficient as in published runs.
    pub forecast: Forecast,
    /// Factor of the interval around the prediction.
    pub factor: f64,
    /// Share of the peak that the matmuls reach, or the least share of published runs if that is higher.
    pub usual: f64,
    /// Peak of the format ÷ peak of the 16-bit formats.
    pub speedup: f64,
    /// Executed FLOPs ÷ model FLOPs, counted in full attention.
    pub executed_per_model_flop: f64,
}

/// Circumstances of the run in a question, as far as the MFU depends on them.
pub(crate) fn setting<'a>(question: &'a Question, work: &Workload, tokens: Option<f64>) -> RunSetting<'a> {
    let forward = || work.products.iter().filter(|product| product.role == Role::Forward);
    let flops =
        |is: fn(Kind) -> bool| forward().filter(|product| is(product.kind)).map(Product::executed_flops).sum::<f64>();
    let weights = flops(|kind| matches!(kind, Kind::Weights | Kind::Expert | Kind::Head));
    let attention = flops(|kind| matches!(kind, Kind::Scores | Kind::Values));
    let software = question.software.as_ref();
    let tokens_on_chip = tokens.map(|tokens| tokens / question.chips as f64);
    RunSetting {
        chips: Some(question.chips as f64),
        parameters: tokens_on_chip.map(|tokens| weights / 2.0 / tokens).filter(|parameters| *parameters >= 1.0),
        sequence: tokens.map(|_| question.seq as f64),
        remat: Some(question.recomputes()),
        experts: u32::try_from(work.experts).unwrap_or(u32::MAX),
        is_fp8: question.multiplied() == PeakDtype::Fp8,
        attention_share: Some(attention / flops(|_| true)).filter(|share| share.is_finite()),
        framework: question.framework(),
        is_unfused: software.is_some_and(|software| software.is_unfused),
        is_model_report: software.is_some_and(|software| software.is_model_report),
        ..RunSetting::on(&question.chip)
    }
}

impl StepShare {
    /// Predicts the share for a training step.
    pub(crate) fn new(question: &Question, work: &Workload, products: &PassTime, tokens: Option<f64>) -> Self {
        let software = question.software.as_ref();
        let model: &MfuModel = match software {
            Some(software) => &software.model,
            None => MfuModel::shipped(),
        };
        let setting = setting(question, work, tokens);
        let forecast = model.forecast(&setting);
        let format = if setting.is_fp8 { question.format() } else { PeakDtype::Bf16.into() };
        let time = GemmTime::new(&question.chip, format, USUAL, Per::Chip).ok();
        let large = || calibration::calibration_of_chip(&question.chip).0.math_share;
        let usual = time.and_then(|time| {
            let peak = time.peak.0 * (time.total.0 - time.parts.launch.0);
            Some(USUAL.flops() / peak).filter(|share| *share > 0.0 && *share <= 1.0)
        });
        let peak = question.chip.peak_flops(question.multiplied()).map_or(f64::INFINITY, |peak| peak.0);
        let reached = work.executed_flops() / (peak * products.total.0);
        let usual = reached.max(LEAST * usual.unwrap_or_else(large)).min(1.0);
        let counted = work.products.iter().filter(|product| product.role != Role::Recompute);
        let executed_per_model_flop = work.executed_flops() / counted.map(Product::executed_flops).sum::<f64>();
        let speedup = setting.speedup();
        let share = (forecast.mfu * executed_per_model_flop / (usual * speedup)).min(1.0);
        let factor = software.map_or(FACTORS, |software| software.factors)[Class::of_interval(&setting) as usize];
        Self { share, forecast, factor, usual, speedup, executed_per_model_flop }
    }
}
