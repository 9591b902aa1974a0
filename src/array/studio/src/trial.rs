//! A number that a person tries out: its previous value, and the state of the run before a drag.

use std::sync::Arc;

use crate::{Field, Plan};
use systolic::Cycle;

/// The number that was changed last.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Field of the number.
    pub field: Field,
    /// Value of the number before the change.
    pub before: u64,
    /// State of the run before a drag; `None` if no drag is in progress.
    pub(crate) held: Option<Held>,
}

/// State of the run before a person began to drag a number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) plan: Arc<Plan>,
    pub(crate) cycle: Cycle,
}

impl Trial {
    /// True if a person is still dragging the number. The history does not have a step for this change yet.
    #[must_use]
    pub const fn is_held(&self) -> bool {
        self.held.is_some()
    }
}
