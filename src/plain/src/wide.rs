//! Text in UTF-16, as some spreadsheets save it.

/// Order of the two bytes of a unit of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    /// The low byte is first.
    Little,
    /// The high byte is first.
    Big,
}

impl Wide {
    /// Returns the order that the mark at the start of a file gives. `None` if the file has no such mark.
    pub fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0xff, 0xfe, ..] => Some(Self::Little),
            [0xfe, 0xff, ..] => Some(Self::Big),
            _ => None,
        }
    }

    /// Returns the text of a piece. Units that belong to no character become U+FFFD. So does the first half of a
    /// character at the end of the last piece. At the end of any other piece, such a half is left for the next piece.
    pub fn text(self, piece: &[u8], last: bool) -> String {
        let unit = |bytes: &[u8; 2]| match self {
            Self::Little => u16::from_le_bytes(*bytes),
            Self::Big => u16::from_be_bytes(*bytes),
        };
        let mut units: Vec<u16> = piece.chunks_exact(2).filter_map(|pair| pair.first_chunk::<2>()).map(unit).collect();
        if !last && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            units.pop();
        }
        String::from_utf16_lossy(&units)
    }

    /// Number of bytes of UTF-16 that the first `bytes` bytes of the text take.
    pub fn bytes_of(text: &str, bytes: usize) -> u64 {
        let part = text.get(..bytes).unwrap_or(text);
        2 * part.encode_utf16().count() as u64
    }
}

/// Returns the text of a whole file in UTF-8, or in UTF-16 with a mark at the start. `None` for other bytes.
pub fn text_of(bytes: &[u8]) -> Option<String> {
    match Wide::of(bytes) {
        Some(wide) => Some(wide.text(bytes.get(2..).unwrap_or(&[]), true)),
        None => std::str::from_utf8(bytes).ok().map(|text| text.trim_start_matches('\u{feff}').to_owned()),
    }
}
