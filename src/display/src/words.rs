//! Texts that both the array and the model estimates use.

pub mod address;
pub mod format;
pub mod ladder;
