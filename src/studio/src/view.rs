//! How the run is looked at: what a link shares beside the scenario.

use systolic::PeId;

/// How much of the page is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chrome {
    /// Everything.
    #[default]
    Full,
    /// Stage, transport and the main figures, inside somebody else's page.
    Embed,
    /// Everything, and the tools that the first screen does not need.
    Workbench,
    /// Questions about models on chips, without an array.
    Desk,
}

/// The colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    Auto,
    /// Dark ink on light ground.
    Light,
    /// Light ink on dark ground.
    Dark,
    /// Black on white, larger and stronger, to be read from the last row.
    Projector,
}

impl Theme {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Light, Self::Dark, Self::Projector];

    /// The name in a link and on the page's root.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Projector => "projector",
        }
    }
}

/// What is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The PE that the caption tells about; `None` lets the caption choose.
    pub selected: Option<PeId>,
    /// How much of the page is shown.
    pub chrome: Chrome,
    /// The colors.
    pub theme: Theme,
}
