//! Effects: they listen to the browser and to the state of the page, and dispatch actions.
//!
//! The effects here and in `browser` are a closed list:
//!
//! - Paint the array view and the timeline, pass time, watch a size, wait until changes stop.
//! - Follow the address, the theme and the card of a lesson.
//! - Fill elements of the page with parts that are loaded later, and turn elements into tab panels.
//! - Fill the entries, figures and tables of the estimate.
//!
//! Each effect reads signals and changes something outside the signals, such as the document. No effect writes a value
//! that another effect reads. Two effects are exceptions, because they act for a person: opening a card sets the state
//! of the page, and revealing an answer stops the run.

pub(crate) mod address;
pub(crate) mod clock;
pub(crate) mod greeting;
pub(crate) mod height;
pub(crate) mod host;
pub(crate) mod keys;
pub(crate) mod kiosk;
pub(crate) mod lesson;
pub(crate) mod paint;
pub(crate) mod pointer;
pub(crate) mod presentation;
pub(crate) mod print;
pub(crate) mod speaker;
pub(crate) mod theme;
