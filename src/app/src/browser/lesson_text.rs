//! The text of a lesson: fetched in the published page, there in development and tests.

/// Asks for the text of a lesson; `playground:text` brings it, or nothing where it does not arrive.
#[cfg(feature = "split")]
pub(crate) fn ask(id: &str) {
    super::emit("playground:wants", id);
}

#[cfg(not(feature = "split"))]
pub(crate) fn ask(id: &str) {
    super::emit("playground:text", &[id, "\n", lesson::course::text(id).unwrap_or("")].concat());
}
