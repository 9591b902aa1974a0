//! The number formats that makers publish a peak for.

/// A number format in a data sheet's list of peaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PeakDtype {
    /// bfloat16.
    Bf16,
    /// IEEE half precision.
    F16,
    /// IEEE single precision. No TPU publishes a peak for it.
    F32,
    /// NVIDIA's 19-bit format for f32 inputs.
    Tf32,
    /// 8-bit floating point; which of its formats depends on the chip.
    Fp8,
    /// 4-bit floating point.
    Fp4,
    /// 16-bit integers.
    Int16,
    /// 8-bit integers.
    Int8,
    /// 4-bit integers.
    Int4,
}

/// The 8-bit float of 4 exponent and 3 mantissa bits that a chip multiplies; the one of 5 and 2, e5m2, goes with each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fp8 {
    /// As IEEE 754 would have it: the largest exponent is for infinities and NaNs, so it ends at 240.
    E4m3,
    /// Of the Open Compute Project: no infinity, one NaN, and it ends at 448.
    E4m3fn,
    /// With a bias of 11, no infinity and no negative zero: it ends at 30.
    E4m3b11fnuz,
}

impl PeakDtype {
    /// All formats, in the order a table lists them.
    pub const ALL: [Self; 9] =
        [Self::Bf16, Self::F16, Self::F32, Self::Tf32, Self::Fp8, Self::Fp4, Self::Int16, Self::Int8, Self::Int4];

    /// Bytes of an element.
    pub const fn bytes(self) -> f64 {
        match self {
            Self::F32 | Self::Tf32 => 4.0,
            Self::Bf16 | Self::F16 | Self::Int16 => 2.0,
            Self::Fp8 | Self::Int8 => 1.0,
            Self::Fp4 | Self::Int4 => 0.5,
        }
    }

    /// What its peaks are counted in: integers have no floating point in their operations.
    pub const fn peak_unit(self) -> &'static str {
        match self {
            Self::Int16 | Self::Int8 | Self::Int4 => "TOPS",
            Self::Bf16 | Self::F16 | Self::F32 | Self::Tf32 | Self::Fp8 | Self::Fp4 => "TFLOPS",
        }
    }

    /// The name on screen: `bf16`, `int8`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bf16 => "bf16",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::Tf32 => "tf32",
            Self::Fp8 => "fp8",
            Self::Fp4 => "fp4",
            Self::Int16 => "int16",
            Self::Int8 => "int8",
            Self::Int4 => "int4",
        }
    }
}
