//! The conventions of MFU: the FLOPs that a ratio counts.

use perfmodel::Attention;

/// A convention of MFU: the FLOPs that a ratio counts. Plots never put two conventions on one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Model FLOPs, with attention counted in this way.
    Mfu(Attention),
    /// Executed FLOPs, with attention counted in full.
    Hfu,
    /// Model FLOPs; the source does not state how attention is counted.
    Unstated,
}

impl Convention {
    /// All conventions with their names in a link.
    pub const ALL: [(&'static str, Self); 4] = [
        ("full", Self::Mfu(Attention::Full)),
        ("causal", Self::Mfu(Attention::Causal)),
        ("hfu", Self::Hfu),
        ("untold", Self::Unstated),
    ];

    /// Returns the convention with this name.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(one, _)| *one == id).map(|(_, convention)| convention)
    }
}
