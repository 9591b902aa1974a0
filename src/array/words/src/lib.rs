//! English text about the array and its run, from typed values of `studio`: names, captions, figures, messages and the
//! glossary. The crate `report` has the text about models on chips.
//!
//! The page, the pictures and the command line contain no such sentences. A translation therefore needs only another
//! crate with the same functions.
//!
//! ```
//! use studio::Plan;
//! use systolic::Cycle;
//! use words::caption;
//!
//! let first_screen = Plan::default();
//! assert_eq!(caption::clock(&first_screen, Cycle(7)), "7 of 15");
//! let said = caption::caption(&first_screen, Cycle(7), None);
//! assert_eq!(said.headline, "First result complete: c[0,0] = −26");
//! ```
//!
//! `tests/tidy.rs` checks that all crates make their sentences in `words` modules. There are two exceptions:
//!
//! - Definitions of measures and other texts with a source are data.
//! - The watchdog of the page has its own messages, because `public/boot.js` must work without the module.

pub mod adder;
pub mod ask;
pub mod bench;
pub mod block;
pub mod book;
pub mod busy;
pub mod caption;
pub mod compare;
mod count;
pub mod cube;
pub mod drawing;
pub mod examples;
pub mod figures;
pub mod flow;
pub mod glossary;
pub mod hardware;
pub mod help;
pub mod host;
pub mod label;
pub mod legend;
pub mod link_table;
pub mod memory;
pub mod message;
mod names;
pub mod own_matrices;
mod pe;
pub mod picture;
pub mod present;
pub mod share;
pub mod sheet;
pub mod table;
pub mod talks;
pub mod timing;
pub mod ways;
pub mod when;
pub mod why;
