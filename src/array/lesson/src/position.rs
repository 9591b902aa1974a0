//! Position of a mistake in the text of a lesson.

/// A line and a column in the text of a lesson, both counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub col: usize,
}

impl Position {
    /// Returns the line and column of a byte offset.
    #[must_use]
    pub fn of(text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let col = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        Self { line, col }
    }
}
