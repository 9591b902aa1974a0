//! The page without a browser: the settings of a run, the state of the page, and functions that answer questions about
//! a run.
//!
//! The state is two small values, [`Session`] and [`Playhead`]. An [`Action`] is either an [`Edit`] of the session,
//! made by [`Session::applied`], or a move of the playhead. The functions for edits and moves never fail. Everything
//! else is computed from the session and the playhead: [`Plan`], the sentences and figures of the crate `words`, and
//! the pictures of the crate `stage`. Values that can be derived are not stored. A [`Link`] is the only save format.
//!
//! ```
//! use studio::{Link, Plan};
//! use systolic::Cycle;
//!
//! // A link never fails to be read: what it says that cannot be used comes back as notices.
//! let link = Link::parse("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", "");
//! assert!(link.notices.is_empty());
//! // A plan is checked as a whole, and after it nothing fails.
//! let plan = Plan::new(&link.scenario).expect("it can run");
//! assert_eq!(plan.schedule().last_cycle(), Cycle(15));
//! ```
//!
//! # Rules
//!
//! - [`Plan::new`] is the only step that can fail. It reports all problems, each with its field, the text given and
//!   what is allowed. Nothing fails after this step.
//! - [`Link::parse`] never fails. It returns a scenario, tools, entries and notices, and reads each parameter once.
//!   Parameters in `unknown` are only written to the next link.
//! - [`Session::applied`] returns what an edit changed, so that no caller has to guess.
//! - [`Entry`] is the table of all parameters of a link: what each parameter accepts, its default and an example. Tests
//!   compare the table with the reader and the writer. The crate `protocol` makes documents, schema and types from it.
//! - A text that cannot be used stays in its control as typed ([`Draft`]). The array view keeps the last plan that
//!   worked.
//! - The position of each element of A, B and C follows from the schedule ([`whereabouts`]). A property test compares
//!   the positions with the registers of every PE.
//! - A [`PointedValue`] is a value that a person points at. A test compares each of its terms with the registers.

mod action;
mod array_cost;
mod built;
pub mod busy;
mod channel;
pub mod compare;
mod deck;
pub mod defect;
mod draft;
mod drawing;
mod entry;
mod feed;
mod field;
mod field_value;
pub mod follow;
pub mod kiosk;
mod lesson_place;
mod link;
pub mod matrix_rows;
mod matrix_text;
mod notice;
pub mod npy;
mod on_chip;
mod opened;
mod packed;
mod part_texts;
mod plan;
mod playhead;
mod preset;
pub mod problem;
pub mod progress_blocks;
mod scenario;
mod session;
mod settled;
mod shown;
pub mod slider;
pub mod spot;
pub mod suggestion;
pub mod tools;
mod trial;
mod typing;
mod unknown;
pub mod value_text;
mod view;
mod ways;
pub mod whereabouts;
mod word_address;

pub use action::{Action, Changed, Edit};
pub use array_cost::ArrayCost;
pub use built::Built;
pub use channel::Channel;
pub use deck::{Deck, DeckProblem, Said};
pub use draft::Draft;
pub use drawing::Drawing;
pub use entry::{Allowed, Entry};
pub use feed::{Feed, MemoryShare};
pub use field::{Field, Takes};
pub use field_value::{FieldValue, Settings};
pub use lesson_place::{LearnPage, LessonPlace};
pub use link::Link;
pub use matrix_text::MatrixText;
pub use notice::{Notice, Notices, Parameter};
pub use on_chip::{chip_format, is_logarithmic};
pub use opened::ToolOpening;
pub use part_texts::{PartText, PartTexts};
pub use plan::Plan;
pub use playhead::{Playhead, Speed, Transport};
pub use preset::{Group, Preset};
pub use problem::Problem;
pub use scenario::{FillKind, PaddingKind, Scenario};
pub use session::Session;
pub use settled::Settled;
pub use shown::{List, Listed, Lock, Part as PagePart};
pub use spot::PointedValue;
pub use tools::{Tool, Tools};
pub use trial::Trial;
pub use unknown::{Part, Unknown};
pub use view::{Chrome, LazyPart, Panel, Theme, View};
pub use ways::{PaddingOption, Way};
pub use word_address::{GLOSSARY, word_address};
