//! Text helpers for every crate: digits in groups, and short versions of untrusted text without control characters.
//!
//! ```
//! assert_eq!(plain::grouped(16_777_216), "16\u{202f}777\u{202f}216");
//! assert_eq!(plain::cut("1\u{1b}[31m"), "1[31m");
//! ```
//!
//! Numbers look alike in every language, browser and crate, by ISO 80000-1: a narrow space between groups of three
//! digits, and a point before decimals. `Intl` would format numbers by the region of each visitor. A picture, a caption
//! and the command line would then show the same number differently, and native tests could not check the texts.
//!
//! [`cut`] and [`quote`] shorten untrusted text, for example a table cell, a name or a value in a link. They also
//! remove or replace characters that control a terminal or reverse the order of text.

mod number;
mod wide;

pub use number::{Decimal, NoNumber, whole_number, with_point};
pub use wide::{Wide, text_of};

/// Public address of the page, for all documents. This address is a placeholder until the page is hosted.
pub const PUBLIC_ADDRESS: &str = "https://YOUR.HOST/playground/";

/// U+202F, the narrow space that groups digits by three.
pub const GROUP: char = '\u{202f}';

/// Largest number of characters that [`cut`] and [`quote`] keep.
pub const QUOTED_MAX: usize = 40;

/// A share in percent, with 15 digits. The last digits of a double are errors of the multiplication.
///
/// ```
/// assert_eq!(0.07 * 100.0, 7.000000000000001);
/// assert_eq!(plain::percent(0.07), 7.0);
/// ```
#[must_use]
pub fn percent(share: f64) -> f64 {
    let percent = share * 100.0;
    format!("{percent:.14e}").parse().unwrap_or(percent)
}

/// A whole number with its digits in groups of three, by ISO 80000-1: `32 640`. A number with at most four digits is
/// not grouped.
#[must_use]
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    if digits.len() <= 4 {
        return digits;
    }
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(GROUP);
        }
        text.push(digit);
    }
    text
}

/// True if a character controls how text is displayed. Such a character is a control character, which a terminal obeys,
/// or a mark that reverses the order of the following text.
#[must_use]
pub fn is_control_or_bidi(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text with U+FFFD in place of every character that [`is_control_or_bidi`] detects. Line feeds and tabs stay.
#[must_use]
pub fn without_control_signs(text: &str) -> String {
    text.chars().map(|c| if is_control_or_bidi(c) && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c }).collect()
}

/// Text cut to [`QUOTED_MAX`] characters, with `…` at the end if the text was longer. The function first removes all
/// characters that [`is_control_or_bidi`] detects.
#[must_use]
pub fn cut(text: &str) -> String {
    let mut chars = text.chars().filter(|c| !is_control_or_bidi(*c));
    let mut cut: String = chars.by_ref().take(QUOTED_MAX).collect();
    if chars.next().is_some() {
        cut.push('…');
    }
    cut
}

/// Text in quotation marks, trimmed and cut to [`QUOTED_MAX`] characters, with `…` at the end if the text was longer.
/// Each character that [`is_control_or_bidi`] detects becomes a space.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut chars = text.trim().chars();
    let shown: String = chars.by_ref().take(QUOTED_MAX).map(|c| if is_control_or_bidi(c) { ' ' } else { c }).collect();
    let cut = if chars.next().is_some() { "…" } else { "" };
    format!("“{shown}{cut}”")
}

/// Bytes after the first `gone` bytes; empty if there are fewer bytes.
///
/// ```
/// assert_eq!(plain::after(b"abc", 1), b"bc");
/// assert_eq!(plain::after(b"abc", 9), b"");
/// ```
#[must_use]
pub fn after(bytes: &[u8], gone: usize) -> &[u8] {
    bytes.get(gone..).unwrap_or(&[])
}

/// Text before the first character that is in `signs`; the whole text if no character is in `signs`.
///
/// ```
/// assert_eq!(plain::first_part("4x8xf32>, tensor", &['>', ',']), "4x8xf32");
/// assert_eq!(plain::first_part("main", &['(']), "main");
/// ```
#[must_use]
pub fn first_part<'a>(text: &'a str, signs: &[char]) -> &'a str {
    text.split_once(signs).map_or(text, |(first, _)| first)
}

/// Conversion of a string that may be missing: a missing string becomes an empty string.
///
/// ```
/// use plain::OrEmpty;
///
/// assert_eq!(Some("a note".to_owned()).or_empty(), "a note");
/// assert_eq!(None::<String>.or_empty(), "");
/// ```
pub trait OrEmpty {
    /// Returns the text, or an empty string if the text is missing.
    fn or_empty(self) -> String;
}

impl OrEmpty for String {
    fn or_empty(self) -> String {
        self
    }
}

impl OrEmpty for Option<String> {
    fn or_empty(self) -> String {
        self.unwrap_or_default()
    }
}

impl<E> OrEmpty for Result<String, E> {
    fn or_empty(self) -> String {
        self.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn digits_stand_in_groups_of_three_from_the_right() {
        let spaced = |value| grouped(value).replace(GROUP, " ");
        assert_eq!(["0", "999", "2048"], [0, 999, 2048].map(spaced).each_ref().map(String::as_str));
        assert_eq!(spaced(32_640), "32 640");
        assert_eq!(spaced(1_000_000), "1 000 000");
        assert_eq!(spaced(u64::MAX), "18 446 744 073 709 551 615");
    }

    #[test]
    fn what_others_wrote_steers_nothing_and_is_short() {
        let text = "a\u{1b}[31m\u{7}é\u{202e}×\u{9b}\r\n\tb\u{2066}";
        assert_eq!(without_control_signs(text), "a\u{fffd}[31m\u{fffd}é\u{fffd}×\u{fffd}\u{fffd}\n\tb\u{fffd}");
        assert_eq!(cut(text), "a[31mé×b");
        assert_eq!(quote(" a\u{1b}[31m\u{202e}b "), "“a [31m b”");
        assert_eq!(cut(&"é".repeat(41)), format!("{}…", "é".repeat(40)));
        assert_eq!(quote(&"é".repeat(40)), format!("“{}”", "é".repeat(40)));
    }

    proptest! {
        #[test]
        fn no_text_steers_or_grows(text in any::<String>(), value in any::<u64>()) {
            for one in [cut(&text), quote(&text)] {
                prop_assert!(!one.contains(is_control_or_bidi) && one.chars().count() <= QUOTED_MAX + 3);
            }
            prop_assert!(!without_control_signs(&text).contains(|c| is_control_or_bidi(c) && c != '\n' && c != '\t'));
            prop_assert_eq!(grouped(value).replace(GROUP, ""), value.to_string());
        }
    }
}
