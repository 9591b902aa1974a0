//! Sentences about a line of a profiler.

/// Topic of the page that explains the two utilizations.
pub(crate) const TOPIC: &str = "utilization and MFU are separate answers";
/// Sentence on a line without sizes.
pub(crate) const ADD_SIZES: &str = "Add the sizes, the format and the chip of the matmul, such as “1024^3 bf16 v6e”, to compare this utilization with a run.";
