//! Texts of the examples.

use crate::busy;
use studio::{Group, Plan, Preset};

/// Label that opens the cards of the examples.
pub const OPEN: &str = super::label::EXAMPLES;

/// Returns the sentence about an example.
#[must_use]
pub const fn sentence(preset: Preset) -> &'static str {
    match preset {
        Preset::First => {
            "Rows of A enter from the left, B stays in the PEs, and C leaves at the bottom, one diagonal at a time."
        }
        Preset::Ragged => {
            "K and N are larger than the array, so the matmul is cut into folds. The last folds leave PEs unused."
        }
        Preset::OutputStationary => {
            "Partial sums stay in the PEs while A and B move: nothing is loaded, and C is read out in place."
        }
        Preset::Cube => {
            "All multiplications are the cells of one cube. Each dataflow collapses another axis of it, so another matrix stays."
        }
        Preset::Rounding => {
            "Products of a narrow format are accumulated in a wide format: pick a PE to see where its sum is rounded."
        }
        Preset::OnePast => {
            "Every dimension is one larger than the array. The extra row and column need more folds, in which almost all PEs are idle."
        }
        Preset::Bert128 => {
            "Loading the weights of a fold takes as many cycles as streaming its rows, so much of the time is spent loading."
        }
        Preset::Bert512 => {
            "This sequence is four times as long, so A has four times as many rows. Loading and draining take as many cycles as before, so their share shrinks."
        }
        Preset::Decode => "One token of a language model: the array loads every weight for a single multiplication.",
        Preset::Large => {
            "This array is as large as the array of a TPU. The wavefront needs hundreds of cycles to cross the array, and some columns stay unused."
        }
        Preset::Memory => {
            "Weights come from the first TPU’s slow memory, so every PE stalls most of the time. An array four times as large would be even slower."
        }
        Preset::One => "A single PE computes all products for C, one after another, and never waits for a wavefront.",
    }
}

/// Returns the heading of a group of examples.
#[must_use]
pub const fn group(group: Group) -> &'static str {
    match group {
        Group::FirstSteps => "First steps",
        Group::Waste => "Where cycles are lost",
        Group::RealLayers => "Layers of real models",
    }
}

/// Returns the number on the card of an example: the utilization of the run.
#[must_use]
pub fn surprise(plan: &Plan) -> String {
    format!("{} utilization", busy::share(&plan.schedule().tally()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_example_has_a_title_a_sentence_and_a_number_of_its_own_run() {
        for preset in Preset::ALL {
            let text = sentence(preset);
            assert!(text.ends_with('.') && text.split_whitespace().count() <= 30, "{}: {text}", preset.id());
            assert!(!label::preset(preset).is_empty());
            // A number in the text could become outdated, but the run counts its number each time.
            assert!(!text.bytes().any(|byte| byte.is_ascii_digit()), "{text}");
            let plan = Plan::new(&preset.link().scenario).expect("an example runs");
            let (macs, slots) = (plan.schedule().gemm().macs().get(), plan.schedule().pe_cycles().get());
            let number = surprise(&plan);
            let percent: f64 = number.split(' ').next().and_then(|text| text.parse().ok()).expect("a number");
            let exact = 100.0 * systolic::PeCycles(macs).as_f64() / systolic::PeCycles(slots).as_f64();
            assert!((percent - exact).abs() <= 0.5, "{}: {number} for {exact}", preset.id());
        }
    }

    #[test]
    fn a_run_is_known_as_the_example_that_it_is_until_it_is_changed() {
        for preset in Preset::ALL {
            let mut scenario = preset.link().scenario;
            assert_eq!(Preset::of(&scenario).map(Preset::id), Some(preset.id()));
            scenario.m += 1;
            assert_eq!(Preset::of(&scenario), None);
        }
    }
}
