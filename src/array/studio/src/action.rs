//! Actions: the requests that panels, keys, links and embedding pages can make.

use crate::{Chrome, Field, FieldValue, Link, Panel, PartTexts, Settled, Theme, Tool, Transport};
use systolic::PeId;

/// A request from a panel, a key, a link or another page: a change of what is shown, or a move in time.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// An edit, for [`Session::applied`](crate::Session::applied).
    Edit(Edit),
    /// A move in time, for [`Playhead::moved`](crate::Playhead::moved).
    Move(Transport),
    /// Seconds that pass, for [`Playhead::elapsed`](crate::Playhead::elapsed).
    Elapse(f64),
}

/// A change of what is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Sets a field.
    Set(Field, FieldValue),
    /// Sets a field from the text of a control.
    Type(Field, String),
    /// Sets several fields at once, with one new run and one step of the browser's history.
    /// [`Session::settled`](crate::Session::settled) creates the value.
    SetAll(Box<Settled>),
    /// Sets a number while a person drags its slider. [`Set`](Self::Set) follows when the person releases the slider.
    Drag(Field, u64),
    /// Sets a tool from a typed or chosen text. The empty text turns off the tool.
    Tool(Tool, String),
    /// Shows a cycle of the dataflow that a person builds.
    ShowBuilt(u64),
    /// Sets the texts that parts of the page parse: questions about models and chips, slides, and kiosk mode.
    Texts(PartTexts),
    /// Selects the PE that the caption describes. With `None`, the caption chooses a PE.
    Select(Option<PeId>),
    /// Chooses the color theme.
    Theme(Theme),
    /// Changes the layout of the page, as a separate step of the history. An embed keeps its layout, but a poster
    /// becomes an embed when it is played.
    Room(Chrome),
    /// Opens a tool next to the array, or closes the open tool, as a separate step of the history.
    Panel(Option<Panel>),
    /// Removes the notices.
    Dismiss,
    /// Opens the link of another step of the history, for Back and Forward.
    Open(Box<Link>),
    /// Opens a link that a person chose, as a separate step of the history.
    Preset(Box<Link>),
}

/// Kind of the largest change that an edit made. The edit may also have made changes of the kinds that are listed
/// earlier. For example, a change of the run may also change the selected PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changed {
    /// No change.
    Nothing,
    /// Messages next to the run: texts that cannot be used, problems, notices.
    Words,
    /// The view of the run: selected PE, layout, colors, open panel.
    View,
    /// A text that a part of the page parses.
    Texts,
    /// A setting of a tool.
    Tools,
    /// The run on the array.
    Plan,
}
