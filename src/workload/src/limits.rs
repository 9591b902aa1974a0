//! Limits on the work of one call of a reader, for every format.

/// Maximum number of bytes that one call reads.
pub(crate) const PIECE_MAX: usize = 1 << 19;
/// Maximum number of lines in a list, or tensors in a header, that one call reads.
pub(crate) const RECORDS_MAX: usize = 2_000;
