//! Sentences about a pasted link.

/// Title of a pasted link.
pub(crate) const TITLE: &str = "Open this link";
/// Note on a link with parts that cannot be used.
pub(crate) const NOTICES: &str = "The page cannot use a part of this link, and names this part when you open the link.";
