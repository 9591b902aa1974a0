//! Descriptions of a run for the generated files, and the messages of [`Refusal`].

use std::fmt;

use plain::grouped;
use systolic::{Adder, Dataflow, Dtype, Schedule};

use crate::Refusal;

/// Returns the name of a dataflow, for example "weight-stationary".
pub(crate) const fn dataflow(dataflow: Dataflow) -> &'static str {
    match dataflow {
        Dataflow::WeightStationary => "weight-stationary",
        Dataflow::OutputStationary => "output-stationary",
        Dataflow::InputStationary => "input-stationary",
    }
}

/// Returns a description of the run as a noun phrase, for example "a 4x4 weight-stationary array (int8) with M = …".
pub(crate) fn title(schedule: &Schedule, dtype: Dtype) -> String {
    let (gemm, array) = (schedule.gemm(), schedule.array());
    format!(
        "a {}x{} {} array ({dtype}) with M = {}, K = {}, N = {}",
        array.rows(),
        array.cols(),
        dataflow(schedule.dataflow()),
        gemm.m(),
        gemm.k(),
        gemm.n()
    )
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Adder { adder, block } => write!(
                f,
                "adder = {}: a PE with this adder has {block} multipliers, but a PE of the hardware has one. Use adder = {}.",
                adder.id(),
                Adder::F32.id()
            ),
            Self::StartsFromC => f.write_str("Sums of the hardware start from zero: use a run without the matrix c."),
            Self::Format(dtype) => {
                write!(f, "Hardware is generated only for integers: use int8 or int4 instead of {dtype}.")
            }
            Self::Elements { given, most } => write!(
                f,
                "The matrices, or the memory at one edge of the array, have {} elements: use at most {} elements.",
                grouped(*given),
                grouped(*most)
            ),
            Self::Cycles { given, most } => {
                write!(f, "The run has {} cycles: use at most {} cycles.", grouped(*given), grouped(*most))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_to_use() {
        let said = Refusal::Format(Dtype::Bf16).to_string();
        assert_eq!(said, "Hardware is generated only for integers: use int8 or int4 instead of bf16.");
        let said = Refusal::Adder { adder: Adder::H100, block: 16 }.to_string();
        assert!(said.contains("adder = h100") && said.contains("16 multipliers") && said.ends_with("adder = f32."));
        let said = Refusal::Cycles { given: 2_000_000_000, most: crate::Rtl::CYCLES_MAX }.to_string();
        assert!(said.contains("2\u{202f}000\u{202f}000\u{202f}000 cycles"), "{said}");
    }
}
