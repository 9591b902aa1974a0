//! Shared pieces of the whole-project tests.

#[cfg(feature = "browser")]
#[path = "browser/harness.rs"]
pub mod browser;
