//! Limits on the work that one call of a reader does. The limits apply to the readers of all formats.

/// Maximum number of bytes that one call reads.
pub(crate) const PIECE_MAX: usize = 1 << 19;
/// Maximum number of lines in a list that one call reads.
pub(crate) const RECORDS_MAX: usize = 2_000;

/// Returns the number rounded down; 0 for negative numbers and NaN, and the largest `u64` for any greater number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates; NaN becomes 0")]
pub(crate) const fn floor(number: f64) -> u64 {
    number as u64
}
