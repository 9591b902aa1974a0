//! What is said of the protocol: the sentences of failures, and the documents.

pub(crate) mod host;
pub(crate) mod link;
pub(crate) mod reference;

use export::hardware::Refusal;

use crate::Code;

/// A text as it stands in a page, between tags or quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// One sentence: what, which value, what is allowed.
pub(crate) fn failure(code: Code, path: &str, given: &str, allowed: &str) -> String {
    match code {
        Code::Version => format!("sap = {given}: this page supports version {allowed}."),
        Code::Method => format!("{path} is not a method: use {allowed}."),
        Code::Params | Code::Range => format!("{path} = {given}: use {allowed}."),
        Code::Locked => format!("{path} is locked by the link of this frame."),
        Code::Size => format!("{path} = {given}: too large for a message: use {allowed}."),
    }
}

/// What a method without parameters takes.
pub(crate) const NO_PARAMS: &str = "no parameters";
/// What a move to a moment takes.
pub(crate) const CYCLE_OR_TO: &str = "cycle or to";
/// What a chip is named by.
pub(crate) const CHIP: &str = "the id of a chip";
/// What a matrix is.
pub(crate) const MATRIX: &str = "rows of numbers: 1,2;3,4";
/// What a number is.
pub(crate) const WHOLE: &str = "a whole number, 0 or more";
/// What a step is.
pub(crate) const STEP: &str = "a whole number other than 0";
/// What parameters are.
pub(crate) const OBJECT: &str = "an object";
/// What a setting is.
pub(crate) const TEXT_OR_NUMBER: &str = "a text or a number";
/// What a table may have.
pub(crate) const LINES: &str = "a run of at most 200 000 PE-cycles";

/// What waveforms may have.
pub(crate) const WAVEFORMS: &str = "a run of at most 16 384 PE-cycles";

/// What a run needs so that its registers are bits.
pub(crate) const fn of_hardware(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Format(_) => "a run of int8 or int4",
        Refusal::Elements { .. } | Refusal::Cycles { .. } => "a shorter run",
    }
}

/// When a failure comes.
pub(crate) const fn when(code: Code) -> &'static str {
    match code {
        Code::Version => "The version of the protocol is not supported.",
        Code::Method => "There is no such method.",
        Code::Params => "A parameter is missing, unknown or of the wrong kind.",
        Code::Range => "A value is not allowed; nothing was changed.",
        Code::Locked => "The link of the frame locks the setting.",
        Code::Size => "The result is too large for a message.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use export::Limits;

    #[test]
    fn the_limits_that_are_told_are_those_that_count() {
        let number = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>().parse();
        assert_eq!(number(LINES), Ok(Limits::MESSAGE.lines));
        assert_eq!(number(WAVEFORMS), Ok(Limits::MESSAGE.waveforms));
    }
}
