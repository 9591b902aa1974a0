//! Search for the end of a JSON value, without parsing the value.

/// State of a scan: the bracket depth, and a flag that is true inside a string. A scan can continue in the next piece
/// of the file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scan {
    depth: u64,
    quoted: bool,
    escaped: bool,
}

impl Scan {
    /// Returns the position of the comma or closing bracket that ends the value. `None` if the value continues after
    /// these bytes.
    pub(crate) fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            let rest = bytes.get(at..)?;
            let found = if self.escaped {
                0
            } else if self.quoted {
                rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?
            } else {
                rest.iter().position(|byte| matches!(byte, b'"' | b'{' | b'[' | b'}' | b']' | b','))?
            };
            at += found;
            let byte = bytes.get(at)?;
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.quoted = !self.quoted,
                b'{' | b'[' => self.depth += 1,
                _ if self.depth == 0 => return Some(at),
                b',' => {}
                _ => self.depth -= 1,
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scan;

    #[test]
    fn a_value_ends_at_the_first_comma_or_bracket_outside_of_it() {
        let text = br#""a\"},": {"b": [1, "]"], "c": {}}, "d": 1}"#;
        assert_eq!(Scan::default().end(text), Some(33));
        assert_eq!(Scan::default().end(&text[34..]), Some(7));
        // Two pieces give the same result as one piece.
        for cut in 0..33 {
            let mut scan = Scan::default();
            assert_eq!(scan.end(&text[..cut]), None);
            assert_eq!(scan.end(&text[cut..]), Some(33 - cut));
        }
    }
}
