//! The tabs of a small page, which has space for one panel below the caption.
//!
//! Only the style sheet decides, from the available space, whether the page has tabs. If the row of tabs is visible,
//! the elements with the content of the tabs become tab panels (`browser/tabs.rs`). These elements exist at all times,
//! so that no content is lost when the page gets or loses its tabs.

/// A tab of a small page. A wide page shows the content of all tabs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    /// Timeline of the run, and the buttons that move through time.
    #[default]
    Run,
    /// The settings.
    Change,
    /// Utilization of the array, and the reasons for it.
    Why,
    /// Tools of the array view.
    Tools,
    /// Examples, colors, keys and glossary.
    More,
}

impl Tab {
    /// All tabs, from left to right.
    pub(crate) const ALL: [Self; 5] = [Self::Run, Self::Change, Self::Why, Self::Tools, Self::More];

    /// Id of the tab's button on the page.
    pub(crate) const fn button(self) -> &'static str {
        match self {
            Self::Run => "tab-run",
            Self::Change => "tab-change",
            Self::Why => "tab-why",
            Self::Tools => "tab-tools",
            Self::More => "tab-more",
        }
    }

    /// Id of the element with the content of the tab.
    pub(crate) const fn place(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Change => "change",
            Self::Why => "why",
            Self::Tools => "toolbox",
            Self::More => "more",
        }
    }

    /// Returns the tab `by` steps to the right. The tabs form a ring: the first tab follows the last tab.
    pub(crate) fn beside(self, by: isize) -> Self {
        let here = Self::ALL.iter().position(|one| *one == self).unwrap_or_default();
        let there = here.checked_add_signed(by).unwrap_or(Self::ALL.len() - 1);
        Self::ALL.get(there).copied().unwrap_or(Self::Run)
    }
}
