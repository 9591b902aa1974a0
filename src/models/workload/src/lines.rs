//! Splits a text into lines, while the text arrives in pieces.

use std::ops::ControlFlow;

use crate::limits::RECORDS_MAX;
use crate::problem::{Fault, LINE_BYTES_MAX, LINES_MAX, PROBLEMS_MAX, Problem};

/// Returns the text at the start of a piece. A character that is cut off at the end is left for the next piece.
///
/// # Errors
/// The number of valid bytes before the first byte that is not UTF-8.
pub(crate) fn text(piece: &[u8], last: bool) -> Result<&str, usize> {
    let valid = match std::str::from_utf8(piece) {
        Ok(text) => return Ok(text),
        Err(error) if error.error_len().is_none() && !last => error.valid_up_to(),
        Err(error) => return Err(error.valid_up_to()),
    };
    piece.get(..valid).and_then(|piece| std::str::from_utf8(piece).ok()).ok_or(valid)
}

/// Line counter of a list, with the problems of the lines that were read.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    number: usize,
    problems: Vec<Problem>,
    full: bool,
}

impl Lines {
    /// Calls `each` for every complete line of a piece, up to the limit of one call. Returns the number of bytes read.
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

    /// Records a last problem and stops reading.
    pub(crate) fn stop(&mut self, number: usize, fault: Fault) {
        self.problems.push(Problem::new(number, fault));
        self.full = true;
    }

    /// True if further lines would be ignored.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// Returns the problems found. If `none` is true, the list has no matmul: [`Fault::Empty`] is then added, unless
    /// there is another problem.
    pub(crate) fn problems(mut self, none: bool) -> Vec<Problem> {
        if self.problems.is_empty() && none {
            self.problems.push(Problem::new(1, Fault::Empty));
        }
        self.problems
    }
}
