//! What the first screen does not need: the comparison of two runs, defects, and one PE written out.

mod breaker;
mod channels;
mod compare;
mod own_skew;
mod sheet;
mod tiles;
mod transcript;

pub(crate) use breaker::Breaker;
pub(crate) use channels::Channels;
pub(crate) use compare::{Compare, OtherStage};
pub(crate) use sheet::Sheet;
pub(crate) use tiles::Tiles;
pub(crate) use transcript::Transcript;
