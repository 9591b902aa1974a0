//! Texts that both the array and the model estimates use.

pub mod format;
pub mod ladder;
