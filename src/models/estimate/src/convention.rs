//! The conventions of MFU, which define the FLOPs that an MFU counts.

use perfmodel::Attention;

/// A convention of MFU, which defines the FLOPs that an MFU counts. An axis of a plot never mixes two conventions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Model FLOPs, with attention counted in full or as causal.
    Mfu(Attention),
    /// Executed FLOPs, with attention counted in full.
    Hfu,
    /// Model FLOPs; the source does not state how attention is counted.
    Unstated,
}

impl Convention {
    /// All conventions, each with its name in a link.
    pub const ALL: [(&'static str, Self); 4] = [
        ("full", Self::Mfu(Attention::Full)),
        ("causal", Self::Mfu(Attention::Causal)),
        ("hfu", Self::Hfu),
        ("untold", Self::Unstated),
    ];

    /// Returns the convention with this name in a link.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(one, _)| *one == id).map(|(_, convention)| convention)
    }
}
