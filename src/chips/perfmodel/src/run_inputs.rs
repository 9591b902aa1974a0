//! Default inputs for the cost of a run, each with its source.

use crate::{Confidence, EgressTariff, Source, Sourced};

/// Hours between failures of one chip: 54 days · 16 384 chips ÷ 419 unexpected interruptions.
pub static CHIP_MTBF_HOURS: Sourced<f64> =
    Sourced::new(Some(54.0 * 24.0 * 16_384.0 / 419.0), &LLAMA3, Confidence::High, Some("on H100; other chips differ"));

/// Seconds to compile one shape: time of the first step in a published log minus time of a later step.
pub static COMPILE_SECONDS: Sourced<f64> = Sourced::new(
    Some(44.9 - 5.67),
    &MAXTEXT_LOG,
    Confidence::Medium,
    Some("1 s for a small model, up to half an hour for all shapes of a server"),
);

/// Seconds that a run pauses to save its state.
pub static SAVE_SECONDS: Sourced<f64> = Sourced::new(Some(60.0), &ASSUMED, Confidence::Low, None);

/// Seconds from a failure to the first new step.
pub static RESTART_SECONDS: Sourced<f64> = Sourced::new(Some(600.0), &ASSUMED, Confidence::Low, None);

/// US dollars per chip and hour, for an estimate in which no chip is chosen.
pub static USD_PER_CHIP_HOUR: Sourced<f64> = Sourced::new(Some(2.0), &ASSUMED, Confidence::Low, None);

/// Compile time in percent of the time of useful work: one minute for ten thousand steps of one second.
pub static COMPILING_PERCENT: Sourced<f64> = Sourced::new(Some(0.6), &ASSUMED, Confidence::Low, None);

/// Cost of one hour of an engineer's work, in US dollars.
pub static ENGINEER_USD_PER_HOUR: Sourced<f64> = Sourced::new(Some(200.0), &ASSUMED, Confidence::Low, None);

/// Egress tariff of Amazon Web Services.
pub static AWS_EGRESS: Sourced<EgressTariff> = Sourced::new(
    Some(EgressTariff::AWS),
    &AWS_TRANSFER,
    Confidence::High,
    Some("further tiers cost less; bytes that enter Google Cloud Storage are free"),
);

static LLAMA3: Source = Source {
    key: "llama3",
    text: "Llama Team, The Llama 3 Herd of Models, 2024, section 3.3.4: 419 unexpected interruptions in 54 days on 16 384 H100",
};
static MAXTEXT_LOG: Source =
    Source { key: "maxtext-log", text: "MaxText, a published training log: step 0 took 44.9 s, later steps 5.67 s" };
static ASSUMED: Source =
    Source { key: "assumed", text: "An assumption of this project, not a measurement: set your own" };
static AWS_TRANSFER: Source = Source {
    key: "aws-transfer",
    text: "Amazon EC2 prices, data transfer out to the internet: $0.09 per GB in the first tier after 100 GB in a month, \
           read 2026-11-21",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_fails_once_in_almost_six_years() {
        // This computes the same count in another way, from 3.09 h between interruptions of 16,384 chips.
        let hours = CHIP_MTBF_HOURS.value.expect("published");
        assert!((hours / 16_384.0 - 3.09).abs() < 0.005 && (hours / 8766.0 - 5.8).abs() < 0.05, "{hours}");
    }

    #[test]
    fn what_is_only_assumed_says_so() {
        for assumed in [&SAVE_SECONDS, &RESTART_SECONDS, &USD_PER_CHIP_HOUR, &COMPILING_PERCENT, &ENGINEER_USD_PER_HOUR]
        {
            assert!(assumed.confidence == Confidence::Low && assumed.source.citation().contains("not a measurement"));
        }
    }
}
