//! How much one call of a reader takes, whatever the format.

/// Most bytes of a file that one call reads.
pub(crate) const PIECE_MAX: usize = 1 << 19;
/// Lines of a list, or tensors of a header, that one call reads.
pub(crate) const RECORDS_MAX: usize = 2_000;
