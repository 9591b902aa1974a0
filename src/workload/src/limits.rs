//! Limits on the work that one call of a reader does. The limits apply to the readers of all formats.

/// Maximum number of bytes that one call reads.
pub(crate) const PIECE_MAX: usize = 1 << 19;
/// Maximum number of lines in a list, or tensors in a header, that one call reads.
pub(crate) const RECORDS_MAX: usize = 2_000;
