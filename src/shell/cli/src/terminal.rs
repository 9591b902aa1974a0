//! Writer for terminals. In text from other sources, the writer replaces control characters and characters that reverse
//! the text direction.

use std::io::{self, Write};

/// A writer to a terminal that replaces control characters.
pub(crate) struct Terminal<W: Write> {
    to: W,
    /// Bytes of an incomplete character at the end of the last write.
    begun: Vec<u8>,
}

impl<W: Write> Terminal<W> {
    pub(crate) const fn new(to: W) -> Self {
        Self { to, begun: Vec::new() }
    }
}

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.begun) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.begun.len(),
        };
        let rest = self.begun.split_off(whole);
        let text = std::mem::replace(&mut self.begun, rest);
        self.to.write_all(plain::without_control_signs(&String::from_utf8_lossy(&text)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.begun);
        self.to.write_all(String::from_utf8_lossy(&rest).as_bytes())?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_character_that_steers_it() {
        let text = "a\u{1b}[31m\u{7}é\u{202e}×\u{9b}\r\n\tb\u{2066}";
        let expected = "a\u{fffd}[31m\u{fffd}é\u{fffd}×\u{fffd}\u{fffd}\n\tb\u{fffd}";
        // The parts may end inside a character.
        for size in 1..8 {
            let mut terminal = Terminal::new(Vec::new());
            text.as_bytes().chunks(size).for_each(|part| terminal.write_all(part).expect("written"));
            terminal.flush().expect("written");
            assert_eq!(String::from_utf8(terminal.to).expect("text"), expected, "{size}");
        }
    }
}
