//! Number formats for which makers publish a peak.

/// A number format in a data sheet's list of peaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PeakDtype {
    /// bfloat16.
    Bf16,
    /// IEEE half precision.
    F16,
    /// IEEE single precision. No data sheet of a TPU has a peak in this format.
    F32,
    /// NVIDIA's 19-bit format for f32 inputs.
    Tf32,
    /// 8-bit floating point; the exact format depends on the chip.
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

/// Variant of e4m3 that a chip multiplies: an 8-bit float format with 4 exponent bits and 3 mantissa bits. A chip with
/// any variant also multiplies e5m2, which has 5 exponent and 2 mantissa bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fp8 {
    /// Format in the style of IEEE 754: the largest exponent is for infinities and NaNs, so the largest value is 240.
    E4m3,
    /// Format of the Open Compute Project: no infinity, one NaN, and a largest value of 448.
    E4m3fn,
    /// Format with a bias of 8, no infinity and no negative zero: the largest value is 240. A chip with this variant
    /// multiplies e5m2fnuz in place of e5m2.
    E4m3fnuz,
    /// Format with a bias of 11, no infinity and no negative zero: the largest value is 30.
    E4m3b11fnuz,
}

impl PeakDtype {
    /// All formats, in the order in which tables list them.
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

    /// Unit of a peak in this format: TOPS for integers, TFLOPS for floating point.
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
