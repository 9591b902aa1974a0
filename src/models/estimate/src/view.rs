//! The views of the model estimates.

use crate::Topic;

/// A view of the model estimates. The page shows the comparison or the bill, and a folded section below its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Comparison of runs, with plots and layers.
    #[default]
    Comparison,
    /// Bill of the first run.
    Bill,
    /// The comparison with the section on sequences of many lengths.
    Sequences,
    /// The bill with the section on failures of a long run.
    Failures,
}

impl View {
    /// All views in the order of the page, each with its name in a link.
    pub const ALL: [(&'static str, Self); 4] = [
        ("comparison", Self::Comparison),
        ("bill", Self::Bill),
        ("sequences", Self::Sequences),
        ("failures", Self::Failures),
    ];

    /// Returns the view with this name in a link.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(one, _)| *one == id).map(|(_, view)| view)
    }

    /// Returns the view that contains this view's section: the comparison or the bill.
    #[must_use]
    pub const fn of_model(self) -> Self {
        match self {
            Self::Comparison | Self::Sequences => Self::Comparison,
            Self::Bill | Self::Failures => Self::Bill,
        }
    }

    /// Returns the topic whose entries the view has.
    #[must_use]
    pub const fn topic(self) -> Topic {
        match self {
            Self::Comparison | Self::Bill => Topic::Model,
            Self::Sequences => Topic::Lengths,
            Self::Failures => Topic::Failures,
        }
    }
}
