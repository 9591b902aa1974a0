//! A link as a QR code, drawn here: no other page is asked for it.

use qrcodegen::{QrCode, QrCodeEcc};

/// Light modules that stand around a code (ISO/IEC 18004, 6.3.8: four).
const QUIET_MODULES: i32 = 4;

/// A code as the path of an SVG of `side` × `side` modules, its quiet zone included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Modules along a side.
    pub side: i32,
    /// The dark modules, one run of each row a rectangle.
    pub path: String,
}

/// The code of a text of at most 2,331 bytes, at the level of correction M: a seventh of it may be covered.
///
/// ```
/// let code = export::qr::code("https://example.org/?rows=8").unwrap();
/// assert_eq!(code.side, 29 + 8);
/// assert_eq!(export::qr::code(&"x".repeat(3_000)), None);
/// ```
#[must_use]
pub fn code(text: &str) -> Option<Code> {
    let qr = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
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
