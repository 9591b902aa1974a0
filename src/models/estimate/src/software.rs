//! The regression of published runs that predicts the MFU of a question, if it is not the shipped regression.

use std::sync::Arc;

use perfmodel::MfuModel;
use perfmodel::left_out::FACTORS_AFTER_ONE;

/// A regression of published runs, and the settings of the software that are not part of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Software {
    /// The regression.
    pub model: Arc<MfuModel>,
    /// Factors of the intervals, in the order of [`perfmodel::left_out::Class::IN_16_BITS`].
    pub factors: [f64; 4],
    /// True for software without fused attention.
    pub is_unfused: bool,
    /// True for a report on the training of a model.
    pub is_model_report: bool,
}

impl Software {
    /// Makes the software of a user from the regression that was updated with the user's runs.
    #[must_use]
    pub fn of_user(model: MfuModel) -> Self {
        Self { model: Arc::new(model), factors: FACTORS_AFTER_ONE, is_unfused: false, is_model_report: false }
    }
}
