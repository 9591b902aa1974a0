//! The texts that the page stores in the browser. An embed stores nothing.

use plain::OrEmpty;
use web_sys::Storage;

/// An entry of the browser's storage.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kept {
    /// Names of the cards that were answered or read.
    Cards,
    /// Cards to do again.
    Again,
    /// Dataflows that a person built, each with the goal that it reaches.
    Flows,
}

impl Kept {
    const fn key(self) -> &'static str {
        match self {
            Self::Cards => "systolic-playground-cards",
            Self::Again => "systolic-playground-again",
            Self::Flows => "systolic-playground-flows",
        }
    }

    /// Returns the stored text. The text is empty if the browser has no storage.
    pub(crate) fn read(self) -> String {
        storage().and_then(|storage| storage.get_item(self.key()).ok().flatten()).or_empty()
    }

    /// Stores a text, if the browser has storage. An empty text removes the entry.
    pub(crate) fn write(self, text: &str) {
        // If the storage is full, it keeps the earlier text.
        let _ = storage().map(|storage| match text {
            "" => storage.remove_item(self.key()),
            text => storage.set_item(self.key(), text),
        });
    }
}

/// Returns the storage of the browser, or `None` if the browser or a sandbox forbids storage.
fn storage() -> Option<Storage> {
    crate::browser::window()?.local_storage().ok()?
}
