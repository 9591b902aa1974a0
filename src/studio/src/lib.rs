//! The playground without a browser: what can be set, what can be asked, what is drawn and what is said.
//!
//! Ground state is two small values, [`Session`] and [`Playhead`]. An [`Action`] is an [`Edit`] of the first, done by
//! [`Session::applied`], or a move of the second; both are total functions. Everything else follows from them: [`Plan`], pictures ([`stage`], [`timeline`]),
//! figures ([`panel`]) and sentences ([`words`]). A [`Link`] is the only save format.

mod action;
pub mod channel;
pub mod compare;
pub mod defect;
mod draft;
mod field;
pub mod follow;
mod link;
mod listing;
mod notice;
pub mod panel;
mod plan;
mod playhead;
mod preset;
pub mod problem;
mod query;
mod scenario;
mod session;
pub mod stage;
pub mod tiles;
pub mod timeline;
pub mod tools;
mod unknown;
pub mod value_text;
mod view;
pub mod words;

pub use action::{Action, Changed, Edit};
pub use draft::Draft;
pub use field::{Field, Takes};
pub use link::Link;
pub use listing::Listing;
pub use notice::{Notice, Notices};
pub use plan::Plan;
pub use playhead::{Playhead, Speed, Transport};
pub use preset::Preset;
pub use problem::Problem;
pub use query::EstimateQuery;
pub use scenario::{FillKind, PaddingKind, Scenario};
pub use session::Session;
pub use tools::{Tool, Tools};
pub use unknown::{Part, Unknown};
pub use view::{Chrome, Theme, View};
