//! Sentences that both subjects say.

pub mod format;
pub mod ladder;
