//! The address of a word of the glossary: a place on the page that says nothing of the run.

/// What comes before the name of a word in an address, and the place of the whole list.
pub const GLOSSARY: &str = "glossary";

/// The place that a fragment names, of a word or of the list; `None` where it is about other things. A word that there
/// is not opens the list, so that a reader of links needs none of them.
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
