//! What the first screen does not need: the comparison of two runs, defects, and one PE written out.

mod breaker;
mod channels;
mod compare;
mod design;
mod folds;
mod more;
mod own_skew;
mod sheet;
mod transcript;

pub(crate) use breaker::Breaker;
pub(crate) use channels::Channels;
pub(crate) use compare::{Compare, OtherLine, OtherStage};
pub(crate) use folds::Folds;
pub(crate) use own_skew::OwnSkew;
pub(crate) use sheet::Sheet;
pub(crate) use transcript::Transcript;
