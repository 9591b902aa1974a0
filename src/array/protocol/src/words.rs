//! Texts of the protocol: the messages of failures, and the documents.

pub(crate) mod host;
pub(crate) mod link;
pub(crate) mod reference;

use export::hardware::Refusal;

use crate::Code;

/// Escapes a text for HTML, between tags or in double quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Returns the sentence of a failure: the parameter, its value, and the allowed values.
pub(crate) fn failure(code: Code, path: &str, given: &str, allowed: &str) -> String {
    match code {
        Code::Version => format!("sap = {given}: this page supports version {allowed}."),
        Code::Method => format!("{path} is not a method: use {allowed}."),
        Code::Params | Code::Range => format!("{path} = {given}: use {allowed}."),
        Code::Locked => format!("{path} is locked by the link of this frame."),
        Code::Size => format!("{path} = {given}: the result is too large for a message. Use {allowed}."),
    }
}

/// Text that replaces the list of allowed parameters if a method has no parameters.
pub(crate) const NO_PARAMS: &str = "no parameters";
/// Allowed parameters of `seek`.
pub(crate) const CYCLE_OR_TO: &str = "either cycle or to";
/// Allowed value of a chip setting.
pub(crate) const CHIP: &str = "the id of a chip";
/// Allowed value of a matrix setting.
pub(crate) const MATRIX: &str = "rows of numbers: 1,2;3,4";
/// Allowed value of a cycle.
pub(crate) const WHOLE: &str = "a whole number, 0 or more";
/// Allowed value of a step.
pub(crate) const STEP: &str = "a whole number other than 0";
/// Text that replaces a value that JSON cannot express, or that is nested too deeply.
pub const UNREADABLE: &str = "a value that this page cannot read";
/// Allowed type of `params` in a request, and of the parameter `settings`.
pub(crate) const OBJECT: &str = "an object";
/// Allowed parameters of `setState`.
pub(crate) const SETTINGS_OR_VIEW: &str = "settings, view or both";
/// Allowed types of one setting.
pub(crate) const TEXT_OR_NUMBER: &str = "a text or a number";
/// Formats that can replace a picture in pixels if the browser cannot make the picture.
pub(crate) const MADE: &str = "svg, which every browser can make";
/// Runs that are small enough for a table.
pub(crate) const LINES: &str = "a run of at most 200 000 PE-cycles";

/// Arrays that are small enough for an answer with the registers of each PE.
pub(crate) const PES: &str = "an array of at most 200 000 PEs";

/// Results that are small enough for an answer.
pub(crate) const ELEMENTS: &str = "a result of at most 200 000 elements";

/// Runs whose result can be computed at once.
pub(crate) const PRODUCTS: &str = "a run of at most 4 194 304 products";

/// Runs that are small enough for waveforms.
pub(crate) const WAVEFORMS: &str = "a run of at most 16 384 PE-cycles";

/// Returns words for the runs that can be exported as waveforms. The message about a run that cannot be exported
/// contains these words.
pub(crate) const fn of_hardware(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Adder { .. } => "a run with adder = f32, and with int8 or int4",
        Refusal::Format(_) => "a run of int8 or int4",
        Refusal::StartsFromC => "a run without the matrix c",
        Refusal::Elements { .. } | Refusal::Cycles { .. } => "a shorter run",
    }
}

/// Returns the sentence that states when a failure occurs, for the reference.
pub(crate) const fn when(code: Code) -> &'static str {
    match code {
        Code::Version => "The version of the protocol is not supported.",
        Code::Method => "There is no such method.",
        Code::Params => "A parameter is missing, unknown or of the wrong type.",
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
        for told in [LINES, PES, ELEMENTS] {
            assert_eq!(number(told), Ok(Limits::MESSAGE.lines));
        }
        assert_eq!(number(PRODUCTS), Ok(crate::answer::PRODUCTS_MAX));
        assert_eq!(number(WAVEFORMS), Ok(Limits::MESSAGE.waveforms));
    }
}
