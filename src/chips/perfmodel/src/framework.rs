//! Training frameworks whose published runs give the regression a level.

use crate::Chip;

/// Framework of a training run.
///
/// The regression has a level for a framework if this level reduces the errors for publications that are left out of
/// the fit. With three publications or fewer, the data cannot separate the level of a framework from the level of a
/// publication. Some runs do not count: runs measured by a rival, runs of other years, and runs of models with experts.
/// These runs have their own names in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framework {
    /// MaxText, in JAX.
    MaxText,
    /// Megatron-LM and programs on Megatron Core. The regression treats them as another framework, because a separate
    /// level would increase the errors of the five publications.
    Megatron,
    /// Another framework, or an unknown framework.
    #[default]
    Other,
}

impl Framework {
    /// All values.
    pub const ALL: [Self; 3] = [Self::MaxText, Self::Megatron, Self::Other];

    /// Name of the framework in a link and in the table of published runs.
    pub const fn id(self) -> &'static str {
        match self {
            Self::MaxText => "maxtext",
            Self::Megatron => "megatron",
            Self::Other => "other",
        }
    }

    /// True if the regression has its own level for the framework.
    pub const fn has_level(self) -> bool {
        matches!(self, Self::MaxText)
    }

    /// The framework with this name in the table of published runs.
    pub fn named(id: &str) -> Self {
        Self::ALL.into_iter().find(|one| one.id() == id).unwrap_or_default()
    }

    /// The framework of most benchmarks of dense models on the chips of this maker. [`Self::Other`] if no framework has
    /// most of them.
    pub fn usual(chip: &Chip) -> Self {
        if chip.vendor == "Google" { Self::MaxText } else { Self::Other }
    }
}
