//! The texts of lessons. The published page fetches these texts. The builds for development and for tests contain the
//! texts.

/// Requests the text of a lesson. The event `playground:text` delivers the text, or an empty text if the lesson cannot
/// be loaded.
#[cfg(feature = "split")]
pub(crate) fn ask(id: &str) {
    super::emit("playground:wants", id);
}

#[cfg(not(feature = "split"))]
pub(crate) fn ask(id: &str) {
    super::emit("playground:text", &[id, "\n", lesson::course::text(id).unwrap_or("")].concat());
}
