//! Addresses of glossary entries: places on the page that do not affect the run.

/// Address of the whole glossary, and prefix of the address of each entry.
pub const GLOSSARY: &str = "glossary";

/// Returns the address of a glossary entry, or of the whole glossary, from a fragment. `None` if the fragment is not
/// about the glossary. An unknown entry opens the glossary, so the parser does not need the list of entries.
///
/// ```
/// assert_eq!(studio::word_address("#glossary-fold").as_deref(), Some("glossary-fold"));
/// assert_eq!(studio::word_address("#a=1,2;3,4"), None);
/// ```
#[must_use]
pub fn word_address(fragment: &str) -> Option<String> {
    let name = fragment.trim_start_matches('#');
    let id = name.strip_prefix(GLOSSARY)?;
    let is_word = |id: &str| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (id.is_empty() || (id.starts_with('-') && is_word(id))).then(|| name.to_owned())
}
