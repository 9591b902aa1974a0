//! Where a mistake stands in the text of a lesson.

/// A place in the text of a lesson; both are counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub col: usize,
}

impl Position {
    /// The place of a byte of a text.
    #[must_use]
    pub fn of(text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let col = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        Self { line, col }
    }
}
