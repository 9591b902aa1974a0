//! Time of a serving step, from measured serving runs.
//!
//! Matmuls and communication are only a part of a step of prefill or decode. Almost all measured steps take longer:
//! attention kernels, sampling, launches and the host add time that no formula here contains. The table of measured
//! runs gives the factor between the time of matmuls and communication and the measured time. It also gives the
//! interval around this factor.

use perfmodel::Source;
use workload::PassKind;

/// Measured serving runs, as CSV: chip, model, pass, batch of all chips, cached tokens, and milliseconds of a step.
/// `systolic check --by serving` compares the runs with the estimate.
pub const SERVING_RUNS: &str = include_str!("../data/serving_runs.csv");

/// Configurations of the models in [`SERVING_RUNS`] that are not in the list of models, as JSON.
pub const SERVING_MODELS: &str = include_str!("../data/serving_models.json");

/// Measured time of serving steps, relative to the time of their matmuls and communication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Serving {
    /// Measured time ÷ time of matmuls and communication: the mean of the logarithms, each publication counted once.
    pub slower: f64,
    /// Logarithm of the factor between the prediction and each end of the 80% interval. The factor follows from
    /// predictions for publications that were left out, as in [`perfmodel::left_out`].
    pub log: f64,
    /// Number of publications.
    pub publications: usize,
    /// Number of runs.
    pub runs: usize,
}

/// Source of the factors.
pub static SERVING_SOURCE: Source = Source {
    key: "serving",
    text: "This project: measured serving runs in src/models/estimate/data/serving_runs.csv, each with its source. `systolic check \
           --by serving` prints the errors on publications that were left out",
};

static PREFILL: Serving = Serving { slower: 2.043, log: 0.988, publications: 7, runs: 23 };
static DECODE: Serving = Serving { slower: 1.716, log: 0.601, publications: 9, runs: 77 };

impl Serving {
    /// The measured runs of a pass over sequences of tokens; `None` for training.
    #[must_use]
    pub const fn of(pass: PassKind) -> Option<&'static Self> {
        match pass {
            PassKind::Prefill => Some(&PREFILL),
            PassKind::Decode => Some(&DECODE),
            PassKind::Training => None,
        }
    }
}
