//! What a user wrote, short enough to quote in a sentence, and names as they can be shown.

/// Characters that are quoted before the rest is cut.
const LONGEST: usize = 40;

/// Whether a character could do anything but stand on a line: control characters, which a terminal obeys, and the marks
/// that reverse the order of what follows.
pub(crate) fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text in quotation marks, cut after 40 characters, those that steer as spaces.
pub(crate) fn quote(text: &str) -> String {
    let mut chars = text.trim().chars();
    let shown: String = chars.by_ref().take(LONGEST).map(|c| if steers(c) { ' ' } else { c }).collect();
    let cut = if chars.next().is_some() { "…" } else { "" };
    format!("“{shown}{cut}”")
}

/// A name without what steers, cut after 80 characters.
pub(crate) fn name(text: &str) -> String {
    text.chars().filter(|c| !steers(*c)).take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_or_named_steers_nothing() {
        assert_eq!(quote("a\u{1b}[31m\u{202e}b"), "“a [31m b”");
        assert_eq!(name("a\u{1b}]0;x\u{7}\u{2066}é"), "a]0;xé");
        assert_eq!(name(&"x".repeat(81)).len(), 80);
    }
}
