//! The examples: what each shows, in a sentence that stays while it is open.

use crate::busy;
use studio::{Group, Plan, Preset};

/// What opens the cards.
pub const OPEN: &str = super::label::EXAMPLES;

/// What an example is about.
#[must_use]
pub fn sentence(preset: &Preset) -> &'static str {
    match preset.id {
        "first" => {
            "Rows of A go in from the left, B waits in the PEs, and C comes out below, one diagonal wave at a time."
        }
        "ragged" => {
            "K and N are larger than the array: the product is cut into folds, and the last ones leave PEs unused."
        }
        "os" => "The sums stay in the PEs while A and B both move: nothing is loaded, and C is read out in place.",
        "bf16" => "Products of short numbers are added in long ones: choose a PE to see where its sum is rounded.",
        "one-past" => {
            "Every side is one larger than the array: most of the work that this one row and column cost is waiting."
        }
        "bert-128" => {
            "A fold streams only as many rows as its weights take cycles to load, so much of the time is spent loading."
        }
        "bert-512" => {
            "The same layer with four times the rows: loading and draining cost what they did, so their share shrinks."
        }
        "decode" => "One token of a language model: every weight is loaded to be used in a single multiplication.",
        "large" => {
            "An array as large as a TPU’s: the wave takes hundreds of cycles to cross it, and some columns stay unused."
        }
        "memory" => {
            "Weights come from the first TPU’s slow memory, and most of the time every PE waits for the next ones; an array four times as large is slower still."
        }
        "one" => "A single PE makes every product of C, one after another, and never has to wait for a wave.",
        _ => "",
    }
}

/// The heading of a group.
#[must_use]
pub const fn group(group: Group) -> &'static str {
    match group {
        Group::FirstSteps => "First steps",
        Group::Waste => "Where cycles are lost",
        Group::RealLayers => "Layers of real models",
    }
}

/// The number that surprises: how busy the array is.
#[must_use]
pub fn surprise(plan: &Plan) -> String {
    format!("{} busy", busy::share(&plan.schedule().tally()))
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
            let text = sentence(&preset);
            assert!(text.ends_with('.') && text.split_whitespace().count() <= 30, "{}: {text}", preset.id);
            assert!(!label::preset(preset.id).is_empty());
            // A number in the words could grow old; that of the run is counted anew.
            assert!(!text.bytes().any(|byte| byte.is_ascii_digit()), "{text}");
            let plan = Plan::new(&preset.link().scenario).expect("an example runs");
            let (macs, slots) = (plan.schedule().gemm().macs().get(), plan.schedule().pe_cycles().get());
            let number = surprise(&plan);
            let percent: f64 = number.split(' ').next().and_then(|text| text.parse().ok()).expect("a number");
            let exact = 100.0 * systolic::PeCycles(macs).as_f64() / systolic::PeCycles(slots).as_f64();
            assert!((percent - exact).abs() <= 0.5, "{}: {number} for {exact}", preset.id);
        }
    }

    #[test]
    fn a_run_is_known_as_the_example_that_it_is_until_it_is_changed() {
        for preset in Preset::ALL {
            let mut scenario = preset.link().scenario;
            assert_eq!(Preset::of(&scenario).map(|found| found.id), Some(preset.id));
            scenario.m += 1;
            assert_eq!(Preset::of(&scenario), None);
        }
    }
}
