//! The playground without a browser: what can be set, what can be asked, what is drawn and what is said.
//!
//! Ground state is two small values, [`Session`] and [`Playhead`]. An [`Action`] is an [`Edit`] of the first, done by
//! [`Session::applied`], or a move of the second; both are total functions. Everything else follows from them: [`Plan`], pictures ([`stage`], [`timeline`]),
//! figures and sentences ([`words`]). A [`Link`] is the only save format.
//!
//! ```
//! use display::Picture;
//! use studio::stage::{self, Frame};
//! use studio::{Link, Plan};
//! use systolic::Cycle;
//!
//! // A link never fails to be read: what it says that cannot be used comes back as notices.
//! let link = Link::parse("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", "");
//! assert!(link.notices.is_empty());
//! // A plan is checked as a whole, and after it nothing fails.
//! let plan = Plan::new(&link.scenario).expect("it can run");
//! assert_eq!(plan.schedule().last_cycle(), Cycle(15));
//! let mut picture = Picture::default();
//! stage::draw(&Frame::new(&plan, Cycle(7)), 640.0, 480.0, &mut picture);
//! assert!(!picture.marks.is_empty());
//! ```

mod action;
pub mod busy;
pub mod channel;
pub mod compare;
pub mod defect;
mod draft;
mod field;
pub mod fold_map;
pub mod follow;
mod link;
mod matrix_text;
mod notice;
pub mod operand_map;
mod plan;
mod playhead;
mod preset;
pub mod problem;
mod query;
mod scenario;
mod session;
pub mod slider;
pub mod stage;
pub mod suggestion;
pub mod timeline;
pub mod tools;
mod trial;
mod unknown;
pub mod value_text;
mod view;
pub mod words;

pub use action::{Action, Changed, Edit};
pub use draft::Draft;
pub use field::{Field, Takes};
pub use link::Link;
pub use matrix_text::MatrixText;
pub use notice::{Notice, Notices, Parameter};
pub use plan::Plan;
pub use playhead::{Playhead, Speed, Transport};
pub use preset::Preset;
pub use problem::Problem;
pub use query::EstimateQuery;
pub use scenario::{FillKind, PaddingKind, Scenario};
pub use session::Session;
pub use tools::{Tool, Tools};
pub use trial::Trial;
pub use unknown::{Part, Unknown};
pub use view::{Chrome, LazyPart, Panel, Theme, View};
