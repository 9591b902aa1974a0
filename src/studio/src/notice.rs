//! What a link says that cannot be used, and how much of that is worth a line.

use crate::defect::{DefectName, DefectProblem};
use crate::tools::ToolProblem;
use crate::{Entry, Field, Problem, Tool};
use systolic::{Cycle, PeId};

/// A parameter of a link that is no field and no tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// The moment.
    Cycle,
    /// The chosen PE.
    Pe,
    /// Cycles per second.
    Speed,
    /// The colors.
    Theme,
    /// How much of the page is shown.
    Room,
    /// The tool that is open.
    Panel,
    /// The settings that stay as they are.
    Lock,
    /// What is left out.
    Hide,
}

systolic::named! {
    exact Parameter {
        Cycle => "t",
        Pe => "pe",
        Speed => "speed",
        Theme => "theme",
        Room => "ui",
        Panel => "tool",
        Lock => "lock",
        Hide => "hide",
    }
}

/// Something in a link that could not be used, and what is shown instead.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A field's value.
    Problem(Problem),
    /// A field's value in the comparison: the second run is left out.
    Second(Problem),
    /// A tool's value.
    Tool(ToolProblem),
    /// A defect that this run cannot have.
    Defect(DefectName, DefectProblem),
    /// A tool that a machine with a defect has no use for.
    BesideDefect(Tool),
    /// A parameter of the view.
    Parameter {
        /// Which.
        parameter: Parameter,
        /// What the link says, cut when long.
        given: String,
    },
    /// A name that no parameter has, but for a slip; it is carried on as unknown names are.
    Meant {
        /// What the link says, cut when long.
        given: String,
        /// The parameter that has nearly this name.
        meant: Entry,
    },
    /// A field that the link locks.
    Locked(Field),
    /// A PE that the array does not have.
    NoSuchPe(PeId),
    /// It stands twice; the first value counts.
    Again(&'static str),
    /// It stands twice; the last value that can be used counts.
    LastCounts(&'static str),
    /// The moment lies after the end of the run.
    PastTheEnd {
        /// The cycle that the link names.
        given: Cycle,
        /// The last cycle.
        last: Cycle,
    },
    /// Made by a later version of this page.
    LaterVersion {
        /// The version that the link names, cut when long.
        given: String,
    },
    /// Matrices set the sizes, but others are shown: the link names another fill.
    ListNotShown,
    /// Longer than a link may be.
    TooLong,
    /// More parameters than are read: those behind them are left out.
    TooManyParameters,
    /// More unknown parameters than the next link can carry on.
    TooManyUnknown,
}

/// The first few different notices of a link, and how many others there are.
///
/// A link of a megabyte can hold a quarter of a million mistakes; a person reads a handful, and a page that lists them all
/// stands still.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notices {
    shown: Vec<Notice>,
    n_more: u64,
}

impl Notices {
    /// The most notices that are shown.
    pub const SHOWN_MAX: usize = 5;

    /// Adds one, unless it is shown already.
    pub fn push(&mut self, notice: Notice) {
        if self.shown.contains(&notice) {
            return;
        }
        if self.shown.len() < Self::SHOWN_MAX { self.shown.push(notice) } else { self.n_more += 1 }
    }

    /// Those that are shown.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.shown.iter()
    }

    /// How many there are beside those that are shown.
    #[must_use]
    pub const fn n_more(&self) -> u64 {
        self.n_more
    }

    /// Whether there is nothing to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Removes notices that no longer hold. The count of the others goes with the last one shown.
    pub(crate) fn retain(&mut self, holds: impl Fn(&Notice) -> bool) {
        self.shown.retain(holds);
        if self.shown.is_empty() {
            self.n_more = 0;
        }
    }
}

impl Extend<Notice> for Notices {
    fn extend<T: IntoIterator<Item = Notice>>(&mut self, notices: T) {
        notices.into_iter().for_each(|notice| self.push(notice));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn equal_notices_are_shown_once_and_the_others_are_counted_after_five() {
        let mut notices = Notices::default();
        let past = |given| Notice::PastTheEnd { given: Cycle(given), last: Cycle(9) };
        for given in [10, 10, 11, 10, 12, 13, 14, 15, 16, 10] {
            notices.push(past(given));
        }
        assert_eq!(notices.iter().count(), Notices::SHOWN_MAX);
        assert_eq!(notices.n_more(), 2);
        notices.retain(|notice| *notice == past(11));
        assert_eq!((notices.iter().count(), notices.n_more()), (1, 2));
        notices.retain(|_| false);
        assert_eq!(notices, Notices::default());
    }
}
