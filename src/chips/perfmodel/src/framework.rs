//! Training frameworks whose published runs give the regression a level.

use crate::Chip;

/// Framework of a training run.
///
/// The regression knows the level of a framework if the level makes the errors on left-out publications smaller. With
/// three publications or fewer, the data do not separate the level of a framework from the level of a publication. Runs
/// that a rival measured do not count, and neither do runs of other years and of models with experts: they have their own
/// names in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framework {
    /// MaxText, in JAX.
    MaxText,
    /// Megatron-LM and programs on Megatron Core. It counts as another framework: with its level, the errors of its five
    /// publications are larger.
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

    /// True if the regression has a level of the framework.
    pub const fn has_level(self) -> bool {
        matches!(self, Self::MaxText)
    }

    /// The framework with this name in the table of published runs.
    pub fn named(id: &str) -> Self {
        Self::ALL.into_iter().find(|one| one.id() == id).unwrap_or_default()
    }

    /// The framework of most benchmarks of dense models on the chips of this maker, if most have one framework.
    pub fn usual(chip: &Chip) -> Self {
        if chip.vendor == "Google" { Self::MaxText } else { Self::Other }
    }
}
