//! The tabs of a small page, which has one place below the caption.
//!
//! Only the style sheet decides whether the page has tabs, by the available space. Places become panels if the row of
//! tabs has a size (`browser/tabs.rs`). All places exist at all times, so that nothing in them is lost.

/// What stands in that place. A wide page shows all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The run: its timeline and the buttons that move in it.
    #[default]
    Run,
    /// The settings.
    Change,
    /// How busy the array is, and why no more.
    Why,
    /// The tools of the stage.
    Tools,
    /// Examples, colors, keys and words.
    More,
}

impl Tab {
    /// All of them, from left to right.
    pub(crate) const ALL: [Self; 5] = [Self::Run, Self::Change, Self::Why, Self::Tools, Self::More];

    /// The name of its button on the page.
    pub(crate) const fn button(self) -> &'static str {
        match self {
            Self::Run => "tab-run",
            Self::Change => "tab-change",
            Self::Why => "tab-why",
            Self::Tools => "tab-tools",
            Self::More => "tab-more",
        }
    }

    /// The name of its place on the page.
    pub(crate) const fn place(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Change => "change",
            Self::Why => "why",
            Self::Tools => "toolbox",
            Self::More => "more",
        }
    }

    /// The tab that many places to the right, around the ends.
    pub(crate) fn beside(self, by: isize) -> Self {
        let here = Self::ALL.iter().position(|one| *one == self).unwrap_or_default();
        let there = here.checked_add_signed(by).unwrap_or(Self::ALL.len() - 1);
        Self::ALL.get(there).copied().unwrap_or(Self::Run)
    }
}
