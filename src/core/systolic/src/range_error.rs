//! Error for a size outside its allowed range.

use core::fmt;

/// Error for a number outside its allowed range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError {
    /// Name of the field, as in links and on the command line, or name of a matrix dimension.
    pub field: &'static str,
    /// The rejected number.
    pub given: u64,
    /// Smallest allowed value.
    pub min: u64,
    /// Largest allowed value.
    pub max: u64,
}

impl RangeError {
    pub(crate) fn check(field: &'static str, given: u64, min: u64, max: u64) -> Result<(), Self> {
        if (min..=max).contains(&given) { Ok(()) } else { Err(Self { field, given, min, max }) }
    }
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, given, min, max } = self;
        if min == max {
            write!(f, "{field} = {given}: use {min}")
        } else {
            write!(f, "{field} = {given}: use {min} to {max}")
        }
    }
}

impl core::error::Error for RangeError {}
