//! At what rate a chip multiplies the plan's format, and why it may have none.

use crate::Plan;
use perfmodel::{Chip, MfuRefusal, Missing, PeakDtype};
use systolic::Dtype;

/// The chip's name for an operand format.
#[must_use]
pub const fn peak_dtype(dtype: Dtype) -> PeakDtype {
    match dtype {
        Dtype::F32 => PeakDtype::F32,
        Dtype::Bf16 => PeakDtype::Bf16,
        Dtype::F16 => PeakDtype::F16,
        Dtype::E4m3fn | Dtype::E5m2 | Dtype::E4m3b11fnuz => PeakDtype::Fp8,
        Dtype::Int8 => PeakDtype::Int8,
        Dtype::Int4 => PeakDtype::Int4,
    }
}

/// Whether a chip's fp8 rate is for this format: TPU v5 and v6e multiply e5m2 and e4m3b11fnuz, all others e5m2 and
/// e4m3fn (jax 0.10.2, Pallas `is_matmul_supported`; vendors' documents).
fn fp8_is_native(chip: &Chip, dtype: Dtype) -> bool {
    let biased = chip.id.starts_with("tpu-v5") || chip.id.starts_with("tpu-v6");
    match dtype {
        Dtype::E4m3fn => !biased,
        Dtype::E4m3b11fnuz => biased,
        _ => true,
    }
}

/// The chip's name for the plan's operand format, if the chip multiplies it.
pub(super) fn native_dtype(plan: &Plan) -> Result<PeakDtype, MfuRefusal> {
    if fp8_is_native(plan.chip(), plan.dtype()) {
        Ok(peak_dtype(plan.dtype()))
    } else {
        Err(MfuRefusal::Unknown { missing: Missing::Format })
    }
}

/// Why there is no rate: the chip multiplies another fp8, or nothing is published.
pub(super) fn no_rate(plan: &Plan) -> String {
    let (chip, dtype) = (plan.chip().name, plan.dtype());
    if native_dtype(plan).is_err() {
        format!("{chip} multiplies other 8-bit floats than {dtype}")
    } else {
        format!("{chip}: no rate for {dtype} is published")
    }
}

/// What to say of an array that is larger than the chip.
pub(super) fn larger_than_chip(plan: &Plan) -> &'static str {
    match plan.array_run().chip_share(plan.chip()) {
        Some(share) if share > 1.0 => ", an array larger than the whole chip",
        _ => "",
    }
}
