//! A number that is being tried out: what it was before, and where the run stood when a hand took hold of it.

use std::sync::Arc;

use crate::{Field, Plan};
use systolic::Cycle;

/// The number that was changed last.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Its field.
    pub field: Field,
    /// What it was before.
    pub before: u64,
    /// What there was when a hand took hold of it, for as long as it does.
    pub(crate) held: Option<Held>,
}

/// The state before a hand took hold of a number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) plan: Arc<Plan>,
    pub(crate) cycle: Cycle,
}

impl Trial {
    /// Whether it is still in the hand: no step of the history yet.
    #[must_use]
    pub const fn is_held(&self) -> bool {
        self.held.is_some()
    }
}
