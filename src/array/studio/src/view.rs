//! The view of a run: settings of the page that a link contains in addition to the scenario.

use systolic::PeId;

use crate::shown::{List, Lock, Part};
use crate::{Field, Scenario, Tools};

systolic::named! {
    /// Layout of the page: the parts that are shown.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    exact pub enum Chrome {
        /// The whole page.
        #[default]
        Full => "full",
        /// Array view, playback controls and main figures, inside another page.
        Embed => "embed",
        /// A still picture of the embed with its caption, until a person presses its button.
        Poster => "poster",
        /// Only the array view, inside another page.
        Bare => "bare",
        /// Only the model estimates that the link asks for, inside another page.
        Answer => "answer",
        /// The array with its caption and three numbers, enlarged for a projector.
        Present => "present",
        /// The whole page, under the name that older links use. The page opens the tool that the link uses.
        Workbench => "workbench",
        /// Estimates for models on chips, without an array.
        Estimate => "desk",
    }
}

impl Chrome {
    /// True if the page is inside another page.
    #[must_use]
    pub const fn is_embedded(self) -> bool {
        matches!(self, Self::Embed | Self::Poster | Self::Bare | Self::Answer)
    }

    /// True if the layout has model estimates instead of the array.
    #[must_use]
    pub const fn is_estimate(self) -> bool {
        matches!(self, Self::Estimate | Self::Answer)
    }
}

systolic::named! {
    /// A part of the page that is loaded when it is opened.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum LazyPart {
        /// The tools next to the array view.
        Workbench => "workbench",
        /// The estimates for models on chips.
        Estimate => "estimate",
        /// The lessons.
        Learn => "learn",
        /// Links, code and files to share.
        Share => "share",
        /// The search, with answers to questions and pasted texts.
        Ask => "ask",
    }
}

systolic::named! {
    /// The panel of a tool, next to the array. Only one panel is open at a time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Panel {
        /// Details of one PE.
        Pe => "pe",
        /// A second run to compare with the first.
        Compare => "compare",
        /// A fault in the array.
        Break => "break",
        /// One number per PE.
        Heat => "heat",
        /// The blocks of the matrices, and the order of the folds.
        Folds => "folds",
        /// The event log of the run.
        Transcript => "transcript",
        /// A drawing of the run in place of the array.
        Pictures => "pictures",
        /// A dataflow that a person builds.
        Build => "build",
    }
}

impl Panel {
    /// Returns the first panel whose settings are in use.
    fn first_used(tools: &Tools, scenario: &Scenario, selected: Option<PeId>) -> Option<Self> {
        if tools.built.is_some() {
            Some(Self::Build)
        } else if tools.compare.is_some() {
            Some(Self::Compare)
        } else if tools.defect.is_some() {
            Some(Self::Break)
        } else if tools.show != crate::Channel::Activity {
            Some(Self::Heat)
        } else if tools.picture != crate::Drawing::Array {
            Some(Self::Pictures)
        } else if tools.follow.is_some() || selected.is_some() {
            Some(Self::Pe)
        } else if tools.repeats_fold || scenario.overlap != Scenario::default().overlap {
            Some(Self::Folds)
        } else {
            None
        }
    }
}

systolic::named! {
    /// Color theme of the page.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    exact pub enum Theme {
        /// The theme of the operating system.
        #[default]
        Auto => "auto",
        /// Dark text on a light background.
        Light => "light",
        /// Light text on a dark background.
        Dark => "dark",
        /// Black on white, larger and bolder, readable from a distance.
        Projector => "projector",
    }
}

/// The view of a run: selected PE, layout, colors, open panel, locks and hidden parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The PE that the caption describes; `None` lets the caption choose.
    pub selected: Option<PeId>,
    /// The layout of the page.
    pub chrome: Chrome,
    /// The color theme.
    pub theme: Theme,
    /// The tool that is open next to the array.
    pub panel: Option<Panel>,
    /// The locked settings. If there is a list, even an empty list, an embed shows the settings.
    pub lock: Option<List<Lock>>,
    /// The hidden parts of the page.
    pub hide: List<Part>,
}

impl View {
    /// Returns the theme that is shown. [`Chrome::Present`] shows the projector theme by default.
    #[must_use]
    pub fn shown_theme(&self) -> Theme {
        if self.chrome == Chrome::Present && self.theme == Theme::Auto { Theme::Projector } else { self.theme }
    }

    /// True if the link locks the field.
    #[must_use]
    pub fn locks(&self, field: Field) -> bool {
        self.lock.is_some_and(|lock| lock.has(Lock::of(field)))
    }

    /// Returns the panel that is open if a link has no `tool`. With `ui=workbench`, the first panel whose settings the
    /// link uses is open.
    #[must_use]
    pub fn usual_panel(&self, tools: &Tools, scenario: &Scenario) -> Option<Panel> {
        let first = || Panel::first_used(tools, scenario, self.selected);
        (self.chrome == Chrome::Workbench).then(first).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_watchdog_of_the_page_knows_the_layouts() {
        let watchdog = include_str!("../../../../public/boot.js");
        let known = Chrome::NAMES.map(|name| format!("'{name}'")).join(", ");
        assert!(watchdog.contains(&format!("const known = [{known}];")), "public/boot.js: write {known}");
        let embedded = Chrome::ALL.into_iter().filter(|chrome| chrome.is_embedded()).map(Chrome::id);
        let embedded = embedded.collect::<Vec<_>>().join("|");
        assert!(watchdog.contains(&format!("/^({embedded})$/")), "public/boot.js: write {embedded}");
    }
}
