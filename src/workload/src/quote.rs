//! What a user wrote, short enough to quote in a sentence.

/// Characters that are quoted before the rest is cut.
const LONGEST: usize = 40;

/// The text in quotation marks, cut after 40 characters, control characters as spaces.
pub(crate) fn quote(text: &str) -> String {
    let mut chars = text.trim().chars();
    let shown: String = chars.by_ref().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let cut = if chars.next().is_some() { "…" } else { "" };
    format!("“{shown}{cut}”")
}
