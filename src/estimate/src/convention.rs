//! The conventions of MFU: the FLOPs that a ratio counts.

use perfmodel::Attention;

/// A convention of MFU: the FLOPs that a ratio counts. Plots never put two conventions on one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Model FLOPs, attention counted so.
    Mfu(Attention),
    /// Executed FLOPs, attention in full.
    Hfu,
    /// Model FLOPs; it is not stated how attention is counted.
    Unstated,
}

impl Convention {
    /// All of them, by their names in a link.
    pub const ALL: [(&'static str, Self); 4] = [
        ("full", Self::Mfu(Attention::Full)),
        ("causal", Self::Mfu(Attention::Causal)),
        ("hfu", Self::Hfu),
        ("untold", Self::Unstated),
    ];

    /// The convention of this name.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(one, _)| *one == id).map(|(_, convention)| convention)
    }
}
