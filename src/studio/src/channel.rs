//! The number per PE that is shown instead of what each PE does.

/// The number that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// None: what each PE does.
    #[default]
    Activity,
    /// The size of its sum.
    Sum,
    /// Useful multiply-accumulates so far.
    Useful,
    /// Its cycles so far that were not useful, as a share.
    Wasted,
    /// How far its sum is from the exact one, in units in the last place.
    Error,
}

impl Channel {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Activity, Self::Sum, Self::Useful, Self::Wasted, Self::Error];

    /// The name in a link.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Activity => "activity",
            Self::Sum => "sum",
            Self::Useful => "useful",
            Self::Wasted => "wasted",
            Self::Error => "error",
        }
    }

    /// The channel of that name.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.id() == id)
    }
}
