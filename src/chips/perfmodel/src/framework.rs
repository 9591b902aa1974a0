//! Training frameworks whose published runs give the regression a level.

use crate::Chip;

/// Framework of a training run.
///
/// A framework has a value here if the table has its runs from at least three publications. With fewer publications, the
/// data do not separate the level of a framework from the level of a publication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framework {
    /// MaxText, in JAX.
    MaxText,
    /// Megatron-LM and programs on Megatron Core.
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

    /// The framework with this name in the table of published runs.
    pub fn named(id: &str) -> Self {
        Self::ALL.into_iter().find(|one| one.id() == id).unwrap_or_default()
    }

    /// The framework of most benchmarks of dense models on the chips of this maker, if most have one framework.
    pub fn usual(chip: &Chip) -> Self {
        if chip.vendor == "Google" { Self::MaxText } else { Self::Other }
    }
}
