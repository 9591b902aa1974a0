//! Modules that the tests of the whole project share.

#[cfg(feature = "browser")]
#[path = "browser/harness.rs"]
pub mod browser;

pub mod line;

/// Corpus of links: its file, and the expected content of the page for each link.
pub mod links {
    mod golden;
    mod read;

    pub use golden::{PATH, Part, Row, differences, read, rows, write};
    pub use read::{Line, on_the_page, presets, said, sayable, shown, written};
}
