//! Channels: numbers that the array view can show for each PE instead of its activity.

systolic::named! {
    /// The number that is shown for each PE.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    exact pub enum Channel {
        /// No number: the activity of the PE.
        #[default]
        Activity => "activity",
        /// Magnitude of the PE's partial sum.
        Sum => "sum",
        /// Useful multiply-accumulates so far.
        Useful => "useful",
        /// Share of the PE's cycles so far that were not useful.
        Wasted => "wasted",
        /// Distance of the PE's partial sum from the exact sum, in units in the last place (ulp).
        Error => "error",
    }
}
