//! The playground without a browser: what can be set, what can be asked, what is drawn and what is said.
//!
//! Ground state is two small values, [`Session`] and [`Playhead`]; both change only through [`Session::applied`], a
//! total function of an [`Action`]. Everything else follows from them: [`Plan`], pictures ([`stage`], [`timeline`]),
//! figures ([`panel`]) and sentences ([`words`]). A [`Link`] is the only save format.

mod action;
pub mod channel;
pub mod compare;
pub mod defect;
mod field;
pub mod follow;
mod link;
mod listing;
pub mod panel;
mod plan;
mod playhead;
mod preset;
pub mod problem;
mod scenario;
mod session;
pub mod stage;
pub mod tiles;
pub mod timeline;
pub mod value_text;
mod view;
pub mod words;

pub use action::Action;
pub use field::{Field, Takes};
pub use link::{Link, Notice};
pub use listing::Listing;
pub use plan::Plan;
pub use playhead::{Playhead, Speed, Transport};
pub use preset::Preset;
pub use problem::Problem;
pub use scenario::{FillKind, PaddingKind, Scenario};
pub use session::{LOOP, Session};
pub use view::{Chrome, Theme, View};
