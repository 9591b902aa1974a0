//! Texts that a person typed into controls and that cannot be used, or cannot be used yet.

/// A typed text that could not be used, and the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft<Of, Why> {
    /// The control for which the text was typed.
    pub of: Of,
    /// The text as it was typed.
    pub text: String,
    /// The problem with the text.
    pub problem: Why,
}
