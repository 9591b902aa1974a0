//! Notices about the parts of a link that cannot be used. A page shows only the first few notices.

use crate::defect::{DefectName, DefectProblem};
use crate::tools::ToolProblem;
use crate::{Entry, Field, Problem, Tool};
use systolic::{Cycle, PeId};

systolic::named! {
    /// A parameter of a link that is neither a field nor a tool.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Parameter {
        /// The cycle that is shown.
        Cycle => "t",
        /// The chosen PE.
        Pe => "pe",
        /// Playback speed.
        Speed => "speed",
        /// Color theme.
        Theme => "theme",
        /// Layout of the page: the parts that are shown.
        Room => "ui",
        /// The tool panel that is open.
        Panel => "tool",
        /// Settings that the link locks.
        Lock => "lock",
        /// Parts of the page that the link hides.
        Hide => "hide",
    }
}

/// A message that something in a link cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A field value that cannot be used.
    Problem(Problem),
    /// A field value of the second run that cannot be used. The page then does not show the second run.
    Second(Problem),
    /// A tool value that cannot be used.
    Tool(ToolProblem),
    /// A fault that this run cannot have, and the reason.
    Defect(DefectName, DefectProblem),
    /// A tool that an array with a fault does not support.
    BesideDefect(Tool),
    /// A view parameter with a value that cannot be used.
    Parameter {
        /// The parameter.
        parameter: Parameter,
        /// Value in the link, cut when long.
        given: String,
    },
    /// An unknown name that is close to the name of a parameter. The next link that the page writes keeps the unknown
    /// name and its value.
    Meant {
        /// Value in the link, cut when long.
        given: String,
        /// The parameter with the similar name.
        meant: Entry,
        /// True if the parameter belongs in the other part of the link: before or after the #.
        is_misplaced: bool,
    },
    /// A field that the link locks.
    Locked(Field),
    /// A PE that the array does not have.
    NoSuchPe(PeId),
    /// Name of a parameter that is repeated in the link. The first value counts.
    Again(&'static str),
    /// Name of a parameter that is repeated in the link. The last usable value counts.
    LastCounts(&'static str),
    /// A cycle after the end of the run.
    PastTheEnd {
        /// The cycle that the link names.
        given: Cycle,
        /// The last cycle of the run.
        last: Cycle,
    },
    /// A link that a later version of this page made.
    LaterVersion {
        /// The version that the link names, cut when long.
        given: String,
    },
    /// Listed matrices whose sizes are used but whose elements are not, because the link names another fill.
    ListNotShown,
    /// Custom matrices that the link names but does not contain. Some mail programs drop the part after the #.
    MatricesMissing,
    /// A link that is longer than [`Link::LENGTH_MAX`](crate::Link::LENGTH_MAX).
    TooLong,
    /// More parameters than [`Link::PARAMETERS_MAX`](crate::Link::PARAMETERS_MAX). The page ignores the rest.
    TooManyParameters,
    /// More unknown parameters than the next link can keep.
    TooManyUnknown,
    /// A link that was encoded, and of which nothing could be read.
    Unreadable,
}

/// The first few different notices of a link, and the number of other notices.
///
/// A link of one megabyte can contain a quarter of a million mistakes. A person reads only a few notices, and a page
/// that lists all notices freezes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notices {
    shown: Vec<Notice>,
    n_more: u64,
}

impl Notices {
    /// Maximum number of notices that are shown.
    pub const SHOWN_MAX: usize = 5;

    /// Adds a notice, unless an equal notice is already shown.
    pub fn push(&mut self, notice: Notice) {
        if self.shown.contains(&notice) {
            return;
        }
        if self.shown.len() < Self::SHOWN_MAX { self.shown.push(notice) } else { self.n_more += 1 }
    }

    /// Returns the notices that are shown.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.shown.iter()
    }

    /// Number of notices that are not shown.
    #[must_use]
    pub const fn n_more(&self) -> u64 {
        self.n_more
    }

    /// True if there are no notices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Keeps only the shown notices for which `holds` returns true. If no shown notice is left, the number of other
    /// notices becomes 0.
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
