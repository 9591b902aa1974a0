//! The one vocabulary that panels, keys, links and embeds speak.

use crate::{Field, Link, Theme, Transport};
use systolic::PeId;

/// Something that is asked of the playground.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Sets a field from what was typed or chosen.
    Set(Field, String),
    /// Moves in time.
    Move(Transport),
    /// Lets this many seconds pass.
    Elapse(f64),
    /// Tells about a PE, or about none.
    Select(Option<PeId>),
    /// Chooses the colors.
    Theme(Theme),
    /// Keeps a parameter in the link that no setting has, or with an empty text no longer keeps it.
    Keep(&'static str, String),
    /// Takes the notices away.
    Dismiss,
    /// Opens a link, as Back and Forward do.
    Open(Link),
    /// Opens a link that a person chose, as a step of its own in the history.
    Preset(Link),
}
