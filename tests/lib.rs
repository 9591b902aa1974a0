//! Shared pieces of the whole-project tests.

#[cfg(feature = "browser")]
#[path = "browser/harness.rs"]
pub mod browser;

pub mod line;

/// The corpus of links: the file, and what a link shows.
pub mod links {
    mod golden;
    mod read;

    pub use golden::{PATH, Part, Row, differences, read, rows, write};
    pub use read::{Line, on_the_page, presets, said, sayable, shown, written};
}
