//! Text that comes a piece at a time, cut into lines.

use std::ops::ControlFlow;

use crate::limits::RECORDS_MAX;
use crate::problem::{Fault, LINE_BYTES_MAX, LINES_MAX, PROBLEMS_MAX, Problem};

/// The text that a piece begins with: a character that is cut at the piece's end waits for the next one.
///
/// # Errors
/// The bytes of text before something that is none.
pub(crate) fn text(piece: &[u8], last: bool) -> Result<&str, usize> {
    let valid = match std::str::from_utf8(piece) {
        Ok(text) => return Ok(text),
        Err(error) if error.error_len().is_none() && !last => error.valid_up_to(),
        Err(error) => return Err(error.valid_up_to()),
    };
    piece.get(..valid).and_then(|piece| std::str::from_utf8(piece).ok()).ok_or(valid)
}

/// The lines of a list, counted, with what was wrong in them.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    number: usize,
    problems: Vec<Problem>,
    full: bool,
}

impl Lines {
    /// Gives each whole line of a piece to `each`, as many as one call reads; returns how many bytes they are.
    pub(crate) fn feed(
        &mut self,
        piece: &[u8],
        last: bool,
        mut each: impl FnMut(&str, usize) -> Result<(), Fault>,
    ) -> u64 {
        let (text, broken) = match text(piece, last) {
            Ok(text) => (text, false),
            Err(valid) => (piece.get(..valid).and_then(|piece| std::str::from_utf8(piece).ok()).unwrap_or(""), true),
        };
        let mut rest = text;
        for _ in 0..RECORDS_MAX {
            let end = match rest.find('\n') {
                Some(end) => end + 1,
                None if last && !broken && !rest.is_empty() => rest.len(),
                None => break,
            };
            let (line, after) = rest.split_at(end);
            rest = after;
            if self.line(line, &mut each).is_break() {
                return piece.len() as u64;
            }
        }
        let unfinished = rest.find('\n').is_none();
        if unfinished && (broken || rest.len() > LINE_BYTES_MAX) {
            let fault = if broken { Fault::NotText } else { Fault::LineTooLong };
            self.stop(self.number + 1, fault);
            return piece.len() as u64;
        }
        u64::try_from(text.len() - rest.len()).unwrap_or(u64::MAX)
    }

    fn line(&mut self, line: &str, each: &mut impl FnMut(&str, usize) -> Result<(), Fault>) -> ControlFlow<()> {
        self.number += 1;
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let line = if self.number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        let fault = match self.number {
            number if number > LINES_MAX => Some(Fault::TooManyLines),
            _ if line.len() > LINE_BYTES_MAX => Some(Fault::LineTooLong),
            number => {
                if let Err(fault) = each(line, number) {
                    self.problems.push(Problem::new(number, fault));
                }
                None
            }
        };
        if let Some(fault) = fault {
            self.stop(self.number, fault);
        }
        self.full |= self.problems.len() >= PROBLEMS_MAX;
        if self.full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Ends the list with a problem after which nothing is read.
    pub(crate) fn stop(&mut self, number: usize, fault: Fault) {
        self.problems.push(Problem::new(number, fault));
        self.full = true;
    }

    /// Whether further lines would change nothing.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// What was wrong, with one problem more where there is no layer at all.
    pub(crate) fn problems(mut self, none: bool) -> Vec<Problem> {
        if self.problems.is_empty() && none {
            self.problems.push(Problem::new(1, Fault::Empty));
        }
        self.problems
    }
}
