//! Names in a sentence.

/// Returns the names with commas and "or": "ws, os or is".
pub(crate) fn allowed_names(names: &[&str]) -> String {
    let mut text = String::new();
    for (nth, name) in names.iter().enumerate() {
        text += if nth == 0 {
            ""
        } else if nth + 1 == names.len() {
            " or "
        } else {
            ", "
        };
        text += name;
    }
    text
}
