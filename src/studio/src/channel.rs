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

systolic::named! {
    exact Channel {
        Activity => "activity",
        Sum => "sum",
        Useful => "useful",
        Wasted => "wasted",
        Error => "error",
    }
}
