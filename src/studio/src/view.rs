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
    Estimate,
}

/// A part of the page that is loaded when it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LazyPart {
    /// The tools of the stage.
    Workbench,
    /// The questions about models on chips.
    Estimate,
}

impl Chrome {
    /// The part that this shows beside the first screen, or instead of it.
    #[must_use]
    pub const fn part(self) -> Option<LazyPart> {
        match self {
            Self::Full | Self::Embed => None,
            Self::Workbench => Some(LazyPart::Workbench),
            Self::Estimate => Some(LazyPart::Estimate),
        }
    }
}

impl LazyPart {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Workbench, Self::Estimate];

    /// What of the page is shown once the part is open.
    #[must_use]
    pub const fn chrome(self) -> Chrome {
        match self {
            Self::Workbench => Chrome::Workbench,
            Self::Estimate => Chrome::Estimate,
        }
    }
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
    /// The PE of the caption; `None` lets the caption choose.
    pub selected: Option<PeId>,
    /// How much of the page is shown.
    pub chrome: Chrome,
    /// The colors.
    pub theme: Theme,
}
