//! The texts of lessons: fetched in the published page, built in for development and tests.

/// Requests the text of a lesson. The event `playground:text` brings the text, or an empty text if the lesson does not
/// arrive.
#[cfg(feature = "split")]
pub(crate) fn ask(id: &str) {
    super::emit("playground:wants", id);
}

#[cfg(not(feature = "split"))]
pub(crate) fn ask(id: &str) {
    super::emit("playground:text", &[id, "\n", lesson::course::text(id).unwrap_or("")].concat());
}
