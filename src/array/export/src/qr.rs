//! QR code of a link, drawn without any external service.

use qrcodegen::{QrCode, QrCodeEcc};

/// Width of the quiet zone, the light border around a code, in modules (ISO/IEC 18004, 6.3.8: four).
const QUIET_MODULES: i32 = 4;

/// A QR code as an SVG path of `side` × `side` modules, including its quiet zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Number of modules along a side.
    pub side: i32,
    /// SVG path with one rectangle for each horizontal run of dark modules.
    pub path: String,
}

/// Returns the QR code of a text. Up to 2,331 bytes, the error correction has level M, which tolerates damage to a seventh
/// of the code. A longer text has level L, which tolerates half of that. `None` if the text has more than 2,953 bytes.
///
/// ```
/// let code = export::qr::code("https://example.org/?rows=8").unwrap();
/// assert_eq!(code.side, 29 + 8);
/// assert_eq!(export::qr::code(&"x".repeat(3_000)), None);
/// ```
#[must_use]
pub fn code(text: &str) -> Option<Code> {
    let encoded = |level| QrCode::encode_text(text, level).ok();
    let qr = encoded(QrCodeEcc::Medium).or_else(|| encoded(QrCodeEcc::Low))?;
    let mut path = String::new();
    for y in 0..qr.size() {
        let mut x = 0;
        while x < qr.size() {
            let length = (x..qr.size()).take_while(|&x| qr.get_module(x, y)).count();
            let length = i32::try_from(length).unwrap_or(i32::MAX);
            if length > 0 {
                let (left, top) = (x + QUIET_MODULES, y + QUIET_MODULES);
                path.push_str(&format!("M{left} {top}h{length}v1h-{length}z"));
            }
            x += length.max(1);
        }
    }
    Some(Code { side: qr.size() + 2 * QUIET_MODULES, path })
}

#[cfg(test)]
mod tests {
    use studio::{Deck, Link, PartTexts, Said};

    #[test]
    fn twelve_slides_with_sentences_fit_in_a_code_and_long_notes_do_not() {
        let mut deck = Deck::default();
        for cycle in 0..12 {
            assert!(deck.push(&Link::parse(&format!("rows=8&cols=8&m=8&k=8&n=8&t={cycle}"), "")));
            assert!(deck.say(cycle, &Said { title: "The wave crosses the array".to_owned(), ..Said::default() }));
        }
        let code = |deck: &Deck| {
            let (query, fragment) = deck.shown(0, &PartTexts::default()).expect("a slide").to_parts();
            super::code(&format!("https://playground.example.org/?{query}#{fragment}"))
        };
        assert!(code(&deck).is_some());
        assert!(deck.say(0, &Said { notes: "x".repeat(2000), ..Said::default() }));
        assert!(code(&deck).is_none());
    }
}
