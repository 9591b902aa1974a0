//! Lessons: cards that set up a run of the array, questions about the run, and the judging of answers.
//!
//! A lesson is a CommonMark file (`course/README.md` describes the format). [`Lesson::read`] is the only function that
//! creates a lesson. This function parses and checks the whole file, and reports the first mistake with its line and
//! column. In an accepted lesson, every card has a run, every placeholder has a value, and every question has one right
//! answer. `cargo xtask build` checks all lessons before it builds the page.
//!
//! Each card has a state of the page, written as a link. Each computed number of a card is an [`Expression`], which the
//! simulator core evaluates in this state. A lesson contains no number that the core can compute, so
//! [`Question::judge`] also computes the right answer.
//!
//! ```
//! use lesson::{Answer, Lesson, Verdict};
//!
//! let text = "# Waves\n```lesson\nid: waves\nminutes: 1\naims: count\n```\n## Busy\n```card\nkind: predict\n\
//!     state: ?rows=4&cols=4&m=6&k=4&n=3&t=7\nask: number\nanswer: busy at 9\nrange: 0 to pes\nrun: 9\n```\n\
//!     Now {busy} PEs multiply.\n### How many at cycle {run}?\n";
//! let lesson = Lesson::read(text).expect("it has no mistake");
//! let card = &lesson.cards[0];
//! assert_eq!(card.text[0].shown(&card.scene()).as_deref(), Ok("Now 9 PEs multiply."));
//! let question = card.question.as_ref().expect("it asks something");
//! assert_eq!(question.judge(&card.scene(), &Answer::Number(12.0)).verdict, Verdict::Right);
//! ```
//!
//! # Tests
//!
//! - `tests/all/answers.txt` lists the numbers of all cards. `UPDATE=1 cargo test -p lesson` writes it again.
//! - `tests/all/by_hand.rs` computes the cards a second time, as on paper, without the formulas of the core.
//!   `cargo xtask changed` changes a formula in a copy and checks that some cards disagree.

pub mod again;
mod blocks;
mod check;
pub mod course;
mod draw;
pub mod entry;
pub mod evaluate;
mod expression;
mod flow;
mod help;
mod judge;
mod keys;
mod known;
mod lesson;
mod lexer;
mod lit;
mod mistake;
pub mod moved;
mod order;
mod position;
pub mod printed;
mod question;
mod reader;
mod text;
mod value;
mod vary;
mod version;
pub mod words;

pub use evaluate::{Refusal, Scene};
pub use expression::{Expression, Measure, Operation};
pub use flow::OfFlow;
pub use help::{Help, Shown};
pub use judge::{Answer, Judged, Verdict};
pub use known::Known;
pub use lesson::{Ask, Best, Card, Change, Choice, Kind, Lesson, Named, Part, Question, Reason, RightChoice, Source};
pub use lit::Lit;
pub use mistake::{Mistake, What};
pub use position::Position;
pub use studio::LessonPlace;
pub use text::{Paragraph, Piece};
pub use value::{Unit, Value};
pub use vary::{Values, Vary};
