//! The words of the answers.

use crate::Kind;

impl Kind {
    /// Every kind, in the order of the declaration.
    pub const ALL: [Self; 12] = [
        Self::Run,
        Self::Model,
        Self::Claim,
        Self::Question,
        Self::Lesson,
        Self::Term,
        Self::Setting,
        Self::Chip,
        Self::Example,
        Self::Key,
        Self::Page,
        Self::Outside,
    ];
}

/// Returns the word for a kind of answers.
#[must_use]
pub const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Run => "Run",
        Kind::Model => "Model",
        Kind::Claim => "Claim",
        Kind::Question => "Question",
        Kind::Lesson => "Lesson",
        Kind::Term => "Term",
        Kind::Setting => "Setting",
        Kind::Chip => "Chip",
        Kind::Example => "Example",
        Kind::Key => "Key",
        Kind::Page => "Book",
        Kind::Outside => "Outside",
    }
}
