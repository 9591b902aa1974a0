//! Sentences about adders that do not fit a run.

use super::names::allowed_names;
use display::number::grouped;
use systolic::{AdderError, Dtype};

/// Returns the reason why an adder does not fit the run, and what fits. The name of the setting and its value come before
/// this text.
#[must_use]
pub fn refused(error: AdderError) -> String {
    let use_multiple = |side: &str, given: u64, step: u64, next: u64| {
        let [given, step, next] = [given, step, next].map(grouped);
        format!("{side} = {given} is not a multiple of {step}. Use {side} = {next}.")
    };
    match error {
        AdderError::Format { adder, .. } => {
            let formats: Vec<&str> = adder.formats().map(Dtype::id).collect();
            format!("use it with {}.", allowed_names(&formats))
        }
        AdderError::Accumulator { .. } => "use it with sums in f32.".to_owned(),
        AdderError::Saturates { .. } => "use it with operands that do not saturate.".to_owned(),
        AdderError::Flushes { .. } => "use it with subnormal numbers.".to_owned(),
        AdderError::Dataflow { .. } => "use it with a weight- or input-stationary array.".to_owned(),
        AdderError::Rows { given, step, next, .. } => use_multiple("rows", given.into(), step.into(), next.into()),
        AdderError::K { given, step, next, .. } => use_multiple("K", given, step, next),
        AdderError::Overlap { .. } => {
            "use it without double buffering, because each fold needs the sums of the fold before.".to_owned()
        }
    }
}
