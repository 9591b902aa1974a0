//! Unit types that prevent confusion between bare `f64` values.

/// A duration in seconds.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Seconds(pub f64);

impl Seconds {
    /// The duration in hours.
    pub fn hours(self) -> f64 {
        self.0 / 3600.0
    }
}

/// An amount of money in US dollars.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Usd(pub f64);

/// A rate in floating-point operations per second; 1 MAC = 2 FLOP, for integer dtypes too.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct FlopsPerSec(pub f64);

impl FlopsPerSec {
    /// Converts from TFLOPS (10¹² FLOP/s), the unit of data sheets.
    pub fn from_tflops(tflops: f64) -> Self {
        Self(tflops * 1e12)
    }

    /// The rate in PFLOPS (10¹⁵ FLOP/s), the unit of the cost estimate.
    pub fn pflops(self) -> f64 {
        self.0 / 1e15
    }
}
