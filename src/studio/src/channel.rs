//! Channels: numbers that the array view can show for each PE instead of its activity.

/// The number that is shown for each PE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// No number: the activity of the PE.
    #[default]
    Activity,
    /// Magnitude of the PE's partial sum.
    Sum,
    /// Useful multiply-accumulates so far.
    Useful,
    /// Share of the PE's cycles so far that were not useful.
    Wasted,
    /// Distance of the PE's partial sum from the exact sum, in units in the last place (ulp).
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
