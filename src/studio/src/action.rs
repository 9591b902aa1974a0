//! The one vocabulary that panels, keys, links and embeds speak.

use crate::{Chrome, Field, Link, Panel, PartTexts, Settled, Theme, Tool, Transport};
use systolic::PeId;

/// What a panel, a key, a link or another page wants: a change of what is shown, or a move in time.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// For [`Session::applied`](crate::Session::applied).
    Edit(Edit),
    /// For [`Playhead::moved`](crate::Playhead::moved).
    Move(Transport),
    /// Seconds that pass, for [`Playhead::elapsed`](crate::Playhead::elapsed).
    Elapse(f64),
}

/// A change of what is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Sets a field from what was typed or chosen.
    Set(Field, String),
    /// Sets several fields at once: one run and one step of the history. From [`Session::settled`](crate::Session::settled).
    SetAll(Box<Settled>),
    /// Sets a field to what a slider passes over; [`Set`](Self::Set) follows when it is let go.
    Drag(Field, String),
    /// Sets a tool from what was typed or chosen; the empty text puts it away.
    Tool(Tool, String),
    /// Sets the texts of the parts: questions about models and chips, slides.
    Texts(PartTexts),
    /// Chooses the PE of the caption, or none.
    Select(Option<PeId>),
    /// Chooses the colors.
    Theme(Theme),
    /// Goes to another room of the page, as a step of its own in the history. An embed stays what it is.
    Room(Chrome),
    /// Opens a tool beside the array, or closes the one that is open; a step of its own in the history.
    Panel(Option<Panel>),
    /// Takes the notices away.
    Dismiss,
    /// Opens a link, as Back and Forward do.
    Open(Box<Link>),
    /// Opens a link that a person chose, as a step of its own in the history.
    Preset(Box<Link>),
}

/// The most that an edit changed. Each includes what stands before it: another run may select another PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changed {
    /// Nothing at all.
    Nothing,
    /// What is said beside the run: texts that cannot be used, problems, notices.
    Words,
    /// What is looked at.
    View,
    /// A text of a part.
    Texts,
    /// A tool.
    Tools,
    /// The run.
    Plan,
}
