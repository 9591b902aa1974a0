//! How the run is looked at: what a link shares beside the scenario.

use systolic::PeId;

use crate::shown::{List, Lock, Part};
use crate::{Field, Scenario, Tools};

/// How much of the page is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chrome {
    /// Everything.
    #[default]
    Full,
    /// Stage, transport and the main figures, inside somebody else's page.
    Embed,
    /// The same as a still picture with its caption, until somebody presses its button.
    Poster,
    /// The same without anything but the stage.
    Bare,
    /// Everything, as links of old name it: with the tool open that they use.
    Workbench,
    /// Questions about models on chips, without an array.
    Estimate,
    /// The same inside somebody else's page: those that the link asks.
    Answer,
    /// The array, its caption and three numbers, for a hall.
    Present,
}

systolic::named! {
    exact Chrome {
        Full => "full",
        Embed => "embed",
        Poster => "poster",
        Bare => "bare",
        Answer => "answer",
        Present => "present",
        Workbench => "workbench",
        Estimate => "desk",
    }
}

impl Chrome {
    /// Whether the page is inside somebody else's.
    #[must_use]
    pub const fn is_embedded(self) -> bool {
        matches!(self, Self::Embed | Self::Poster | Self::Bare | Self::Answer)
    }

    /// Whether it has questions in the place of the array.
    #[must_use]
    pub const fn is_estimate(self) -> bool {
        matches!(self, Self::Estimate | Self::Answer)
    }
}

/// A part of the page that is loaded when it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LazyPart {
    /// The tools of the stage.
    Workbench,
    /// The questions about models on chips.
    Estimate,
    /// The lessons.
    Learn,
    /// Links, code and files for others.
    Share,
}

/// A tool's panel beside the array. One is open at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// One PE, written out.
    Pe,
    /// A second run.
    Compare,
    /// A defect in the machine.
    Break,
    /// One number per PE.
    Heat,
    /// The blocks of the matrices, and how folds follow one another.
    Folds,
    /// The run as text.
    Transcript,
}

systolic::named! {
    exact Panel {
        Pe => "pe",
        Compare => "compare",
        Break => "break",
        Heat => "heat",
        Folds => "folds",
        Transcript => "transcript",
    }
}

impl Panel {
    /// The first panel whose settings are used.
    fn first_used(tools: &Tools, scenario: &Scenario, selected: Option<PeId>) -> Option<Self> {
        if tools.compare.is_some() {
            Some(Self::Compare)
        } else if tools.defect.is_some() {
            Some(Self::Break)
        } else if tools.show != crate::Channel::Activity {
            Some(Self::Heat)
        } else if tools.follow.is_some() || selected.is_some() {
            Some(Self::Pe)
        } else if tools.repeats_fold || scenario.overlap != Scenario::default().overlap {
            Some(Self::Folds)
        } else {
            None
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

systolic::named! {
    exact Theme {
        Auto => "auto",
        Light => "light",
        Dark => "dark",
        Projector => "projector",
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
    /// Tool that is open next to the array.
    pub panel: Option<Panel>,
    /// The settings that stay as they are; with a list, even an empty one, an embed shows the settings.
    pub lock: Option<List<Lock>>,
    /// What is left out.
    pub hide: List<Part>,
}

impl View {
    /// The colors that are shown: a hall sees those of a projector where nobody chose others.
    #[must_use]
    pub fn shown_theme(&self) -> Theme {
        if self.chrome == Chrome::Present && self.theme == Theme::Auto { Theme::Projector } else { self.theme }
    }

    /// Whether a field stays as it is.
    #[must_use]
    pub fn locks(&self, field: Field) -> bool {
        self.lock.is_some_and(|lock| lock.has(Lock::of(field)))
    }

    /// The panel that is open where a link names none: with `ui=workbench`, the first whose settings it uses.
    #[must_use]
    pub fn usual_panel(&self, tools: &Tools, scenario: &Scenario) -> Option<Panel> {
        let first = || Panel::first_used(tools, scenario, self.selected);
        (self.chrome == Chrome::Workbench).then(first).flatten()
    }
}
