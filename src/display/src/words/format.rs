//! Text about number formats on a chip.

use crate::number::readable;
use perfmodel::{AsRun, Conversion, F32Passes, FlopsPerSec};

/// Returns the label of a menu choice. The choice is the number of bf16 passes that a TPU uses to multiply f32
/// operands.
#[must_use]
pub const fn passes(passes: F32Passes) -> &'static str {
    match passes {
        F32Passes::One => "1 bf16 pass (JAX default)",
        F32Passes::Three => "3 bf16 passes (high)",
        F32Passes::Six => "6 bf16 passes (highest)",
    }
}

/// Returns a short text on how the chip runs a format: `bf16`, `f32 as 3 bf16 passes`, `fp8 widened to bf16`.
#[must_use]
pub fn runs_as(run: &AsRun) -> String {
    let (stored, multiplied) = (run.stored.word(), run.multiplied.word());
    match run.conversion {
        Conversion::Native => stored.to_owned(),
        Conversion::Rounded => format!("{stored} rounded to {multiplied}"),
        Conversion::Passes if run.passes == 1 => format!("{stored} as 1 {multiplied} pass"),
        Conversion::Passes => format!("{stored} as {} {multiplied} passes", run.passes),
        Conversion::Widened => format!("{stored} widened to {multiplied}"),
    }
}

/// Returns the name of the peak that an MFU refers to: `of the bf16 peak`. Empty if the chip multiplies in the format
/// in which operands are stored.
#[must_use]
pub fn of_peak(run: &AsRun) -> String {
    if run.conversion == Conversion::Native {
        return String::new();
    }
    format!("of the {} peak", run.multiplied.word())
}

/// Returns a sentence that names the peak that an MFU refers to. Empty if the chip multiplies in the format in which
/// operands are stored.
#[must_use]
pub fn mfu_of_peak(run: &AsRun, peak: FlopsPerSec) -> String {
    if run.conversion == Conversion::Native {
        return String::new();
    }
    let (peak, multiplied) = (readable(peak.0 / 1e12, 6), run.multiplied);
    format!("The chip runs {}: its {} peak is {peak} {}.", runs_as(run), multiplied.word(), multiplied.peak_unit())
}

/// Returns a sentence on how the chip runs a format, with the cost or saving.
#[must_use]
pub fn says(run: &AsRun) -> String {
    let (stored, multiplied) = (run.stored.word(), run.multiplied.word());
    match run.conversion {
        Conversion::Native => format!("The chip supports {stored} natively."),
        Conversion::Rounded => {
            format!(
                "The chip has no multiplication rate for {stored}, so operands are rounded to {multiplied} \
                 before they enter the arrays."
            )
        }
        Conversion::Passes => {
            let passes = match run.passes {
                1 => "rounded to bf16 and multiplied once, which is the default of JAX".to_owned(),
                3 => "split in two and multiplied in 3 passes, as JAX does at high precision".to_owned(),
                n => format!("split in three and multiplied in {n} passes, as JAX does at highest precision"),
            };
            format!("The arrays multiply in {multiplied}, so {stored} operands are {passes}.")
        }
        Conversion::Widened => {
            let saved = readable(run.bytes_saved(), 3);
            format!(
                "The chip has no multiplication rate for {stored}, so operands are widened to {multiplied} \
                 inside the chip. Each element needs {saved} B less memory traffic than in {multiplied}."
            )
        }
    }
}

/// Returns the name of the operations: `operations` if the chip multiplies integers, else `FLOP`.
#[must_use]
pub fn operations(run: &AsRun) -> &'static str {
    if run.multiplied.peak_unit() == "TOPS" { "operations" } else { "FLOP" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfmodel::{Chip, F32Passes, Format, PeakDtype};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn run(id: &str, format: impl Into<Format>) -> AsRun {
        Chip::by_id(id).expect("listed").as_run(format).expect("runs")
    }

    #[test]
    fn each_way_to_run_a_format_is_named() {
        let f32 = |passes| Format::from(PeakDtype::F32).in_passes(passes);
        assert_eq!(runs_as(&run("tpu-v4", PeakDtype::Bf16)), "bf16");
        assert_eq!(runs_as(&run("tpu-v4", PeakDtype::F16)), "f16 rounded to bf16");
        assert_eq!(runs_as(&run("tpu-v4", f32(F32Passes::One))), "f32 as 1 bf16 pass");
        assert_eq!(runs_as(&run("tpu-v4", f32(F32Passes::Six))), "f32 as 6 bf16 passes");
        assert_eq!(runs_as(&run("tpu-v4", PeakDtype::Fp8)), "fp8 widened to bf16");
        assert!(says(&run("tpu-v4", PeakDtype::Int4)).ends_with("needs 0.5 B less memory traffic than in int8."));
        assert!(says(&run("tpu-v4", f32(F32Passes::One))).contains("default of JAX"));
    }

    #[test]
    fn whole_numbers_are_not_floating_point() {
        assert_eq!(operations(&run("tpu-v4", PeakDtype::Int8)), "operations");
        assert_eq!(operations(&run("tpu-7x", PeakDtype::Int8)), "FLOP", "as they are multiplied");
        assert_eq!(operations(&run("tpu-v4", PeakDtype::Bf16)), "FLOP");
    }
}
