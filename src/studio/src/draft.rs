//! A text in a control that cannot be used, or not yet.

/// A text that could not be used, as it was typed, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft<Of, Why> {
    /// What it was typed for.
    pub of: Of,
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub problem: Why,
}
