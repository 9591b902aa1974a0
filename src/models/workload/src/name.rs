//! Names that come from files.

/// Returns a name without control and bidirectional-text characters, truncated after 80 characters.
pub(crate) fn quoted_name(text: &str) -> String {
    text.chars().filter(|c| !plain::is_control_or_bidi(*c)).take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_steers_nothing_and_is_short() {
        assert_eq!(quoted_name("a\u{1b}]0;x\u{7}\u{2066}é"), "a]0;xé");
        assert_eq!(quoted_name(&"x".repeat(81)).len(), 80);
    }
}
