//! Splits an expression into tokens.

/// One token of an expression, with its byte offset in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) at: usize,
    pub(crate) sign: Sign<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sign<'a> {
    Name(&'a str),
    /// A number. With a percent sign, the number is a share.
    Number {
        value: f64,
        is_percent: bool,
    },
    /// Settings after the keyword `with`: `m=64&df=os`.
    Settings(&'a str),
    /// An operator or a bracket.
    Mark(&'a str),
    /// Text that no expression may contain.
    Unknown(&'a str),
}

/// Operators, longest first, so that `<=` is not read as `<`. [`MORE_MARKS`] contains the other marks.
const MARKS: [&str; 18] = ["<=", ">=", "!=", "≤", "≥", "≠", "<", ">", "=", "+", "-", "−", "*", "·", "×", "/", "÷", "("];
const MORE_MARKS: [&str; 2] = [")", ","];

pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut all: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let space = rest.len() - rest.trim_start().len();
        if space > 0 {
            at += space;
            continue;
        }
        let is_setting = matches!(all.last(), Some(Token { sign: Sign::Name("with"), .. }));
        let (length, sign) = if is_setting { settings(rest) } else { one(rest) };
        all.push(Token { at, sign });
        at += length;
    }
    all
}

fn settings(rest: &str) -> (usize, Sign<'_>) {
    let end = rest.find(|c: char| c.is_whitespace() || ")+*/<>".contains(c)).unwrap_or(rest.len()).max(1);
    (end, Sign::Settings(rest.get(..end).unwrap_or(rest)))
}

fn one(rest: &str) -> (usize, Sign<'_>) {
    let run = |holds: fn(char) -> bool| rest.find(|c| !holds(c)).unwrap_or(rest.len());
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() {
        let end = run(|c| c.is_ascii_digit() || c == '.');
        let text = rest.get(..end).unwrap_or(rest);
        let Some(value) = display::number::read(text) else { return (end, Sign::Unknown(text)) };
        let is_percent = rest.get(end..).is_some_and(|rest| rest.starts_with('%'));
        return (end + usize::from(is_percent), Sign::Number { value, is_percent });
    }
    if first.is_ascii_alphabetic() {
        let end = run(|c| c.is_ascii_alphanumeric() || c == '_');
        return (end, Sign::Name(rest.get(..end).unwrap_or(rest)));
    }
    let mark = MARKS.iter().chain(&MORE_MARKS).find(|mark| rest.starts_with(**mark));
    match mark {
        Some(mark) => (mark.len(), Sign::Mark(mark)),
        None => (first.len_utf8(), Sign::Unknown(rest.get(..first.len_utf8()).unwrap_or(rest))),
    }
}
