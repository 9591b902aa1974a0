//! At what rate a chip multiplies the plan's format, and why it may have none.

use crate::Plan;
use perfmodel::{Chip, Fp8, MfuRefusal, Missing, PeakDtype};
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

/// Whether a chip's fp8 rate is for this format. Every chip that multiplies 8-bit floats multiplies e5m2; an e4m3 that
/// ends at 240 has the fields and the bias of e4m3fn, and its rate.
fn fp8_is_native(chip: &Chip, dtype: Dtype) -> bool {
    let Some(format) = chip.fp8_format.and_then(|format| format.value) else { return true };
    match dtype {
        Dtype::E4m3fn => matches!(format, Fp8::E4m3fn | Fp8::E4m3),
        Dtype::E4m3b11fnuz => format == Fp8::E4m3b11fnuz,
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
