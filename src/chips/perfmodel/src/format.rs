//! Ways in which a chip multiplies numbers of a format: natively, after rounding, in several passes, or after widening.

use crate::{Chip, Compute, Confidence, Fp8, MfuRefusal, Missing, PeakDtype, Source};

/// Number of passes in which a TPU multiplies f32 on arrays of bf16. In JAX, one pass is default precision, three
/// passes are high precision, and six passes are highest precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum F32Passes {
    /// One pass, with operands rounded to bf16: default precision in JAX.
    #[default]
    One,
    /// Three passes, with each operand split in two: high precision in JAX.
    Three,
    /// Six passes, with each operand split in three: highest precision in JAX.
    Six,
}

impl F32Passes {
    /// All variants, from the fastest to the slowest.
    pub const ALL: [Self; 3] = [Self::One, Self::Three, Self::Six];

    /// The number of passes.
    pub const fn count(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Three => 3,
            Self::Six => 6,
        }
    }

    /// Names of all variants in links and on the command line.
    pub const NAMES: [&'static str; 3] = [Self::One.id(), Self::Three.id(), Self::Six.id()];

    /// Name of the variant in links and on the command line.
    pub const fn id(self) -> &'static str {
        match self {
            Self::One => "1",
            Self::Three => "3",
            Self::Six => "6",
        }
    }

    /// The variant with this name.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|passes| passes.id() == id)
    }

    /// The variant for `count` passes; `None` if f32 is never multiplied in `count` passes.
    pub fn from_count(count: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|passes| passes.count() == count)
    }
}

/// Number format that a program requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Format of the operands in memory.
    pub dtype: PeakDtype,
    /// Passes for f32 on a chip without native f32.
    pub passes: F32Passes,
    /// Requested 8-bit float format; `None` means the 8-bit float format that the chip multiplies.
    pub fp8: Option<Fp8>,
}

impl From<PeakDtype> for Format {
    fn from(dtype: PeakDtype) -> Self {
        Self { dtype, passes: F32Passes::default(), fp8: None }
    }
}

impl Format {
    /// Returns a copy of the format with this number of passes for f32.
    pub const fn in_passes(self, passes: F32Passes) -> Self {
        Self { passes, ..self }
    }
}

/// Conversion from the stored format to the multiplied format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// No conversion, because the chip has a peak in this format.
    Native,
    /// Rounding to another format with an equal number of bits.
    Rounded,
    /// Splitting into parts of a narrower format.
    Passes,
    /// Widening inside the chip, which changes no value. In memory, operands keep the narrow format.
    Widened,
}

/// Number format of the program, and the format in which the chip multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsRun {
    /// Format of the operands in memory.
    pub stored: PeakDtype,
    /// Format in which the chip multiplies. The peak in this format limits the rate.
    pub multiplied: PeakDtype,
    /// Number of multiplications that the chip does for each multiplication of the program.
    pub passes: u32,
    /// Conversion from the stored format to the multiplied format.
    pub conversion: Conversion,
}

impl AsRun {
    /// Bytes per element of A or B that the narrower stored format saves in memory; 0 unless the chip widens the
    /// format.
    pub fn bytes_saved(&self) -> f64 {
        match self.conversion {
            Conversion::Widened => self.multiplied.bytes() - self.stored.bytes(),
            Conversion::Native | Conversion::Rounded | Conversion::Passes => 0.0,
        }
    }

    /// Source of the conversion, and the confidence in this source. `None` for a native format (the peak has the
    /// source) and for rounding ([`Chip::f16_as`] has the source).
    pub fn source(&self) -> Option<(&'static Source, Confidence)> {
        match self.conversion {
            Conversion::Native | Conversion::Rounded => None,
            Conversion::Passes => Some((&JAX_PRECISION, Confidence::High)),
            Conversion::Widened => Some((&EXACT, Confidence::Medium)),
        }
    }
}

static JAX_PRECISION: Source = Source {
    key: "jax-precision",
    text: "JAX, jax.lax.Precision: on TPU f32 is computed in bf16 by default, in 3 bf16 passes at high and in 6 at highest \
           precision; read 2026-11",
};
static EXACT: Source = Source {
    key: "exact-widening",
    text: "Arithmetic: the wider format contains every value of the narrower format. Assumption: the program widens values inside the chip",
};

/// Wider formats that contain every value of `dtype`, in the order in which they are tried. The first is probably the
/// fastest.
const fn wider(dtype: PeakDtype) -> &'static [PeakDtype] {
    use PeakDtype::{Bf16, F16, F32, Fp4, Fp8, Int4, Int8, Int16, Tf32};
    match dtype {
        Int4 => &[Int8, Bf16, F16],
        Int8 | Fp8 => &[Bf16, F16],
        Fp4 => &[Fp8, Bf16, F16],
        Bf16 | F16 => &[Tf32, F32],
        Tf32 => &[F32],
        F32 | Int16 => &[],
    }
}

impl Chip {
    /// Returns the format in which the chip multiplies, and the conversion to this format.
    ///
    /// # Errors
    /// [`MfuRefusal::Unknown`] if no peak is published for the format or for a wider format. This error also occurs if
    /// the chip multiplies only integers and the format is a float format.
    pub fn as_run(&self, format: impl Into<Format>) -> Result<AsRun, MfuRefusal> {
        let format = format.into();
        let stored = format.dtype;
        let run = |multiplied, passes, conversion| Ok(AsRun { stored, multiplied, passes, conversion });
        if self.has_rate(stored) && self.is_native_fp8(format) {
            return run(stored, 1, Conversion::Native);
        }
        if stored == PeakDtype::F16
            && let Some(other) = self.f16_as.and_then(|other| other.value)
        {
            return if self.has_rate(other) { run(other, 1, Conversion::Rounded) } else { self.no_rate(stored) };
        }
        if stored == PeakDtype::F32 && self.splits_f32() {
            return run(PeakDtype::Bf16, format.passes.count(), Conversion::Passes);
        }
        match wider(stored).iter().find(|wider| self.has_rate(**wider)) {
            Some(wider) => run(*wider, 1, Conversion::Widened),
            None => self.no_rate(stored),
        }
    }

    fn has_rate(&self, dtype: PeakDtype) -> bool {
        self.peak_flops(dtype).is_some()
    }

    /// True if the chip multiplies the requested 8-bit float format. Also true if the request or the chip data states
    /// no 8-bit float format. Every chip that multiplies 8-bit floats multiplies e5m2. The e4m3 format with largest
    /// value 240 counts as e4m3fn, because both have the same fields, bias and rate.
    fn is_native_fp8(&self, format: Format) -> bool {
        let own = self.fp8_format.and_then(|own| own.value);
        match (format.fp8.filter(|_| format.dtype == PeakDtype::Fp8), own) {
            (Some(asked @ (Fp8::E4m3b11fnuz | Fp8::E4m3fnuz)), Some(own)) => own == asked,
            (Some(Fp8::E4m3 | Fp8::E4m3fn), Some(own)) => matches!(own, Fp8::E4m3 | Fp8::E4m3fn),
            (None, _) | (_, None) => true,
        }
    }

    /// True if the chip multiplies f32 in several passes of bf16. According to the documentation of JAX, TPUs do this.
    fn splits_f32(&self) -> bool {
        self.vendor == "Google" && matches!(self.compute, Compute::Arrays { .. }) && self.has_rate(PeakDtype::Bf16)
    }

    fn no_rate(&self, dtype: PeakDtype) -> Result<AsRun, MfuRefusal> {
        let is_integer = |dtype| matches!(dtype, PeakDtype::Int16 | PeakDtype::Int8 | PeakDtype::Int4);
        let only_integers = !self.peaks.is_empty() && self.peaks.iter().all(|(of, _)| is_integer(*of));
        let missing = if only_integers && !is_integer(dtype) { Missing::Format } else { Missing::Peak(dtype) };
        Err(MfuRefusal::Unknown { missing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PeakDtype::{Bf16, F16, F32, Fp4, Fp8 as F8, Int4, Int8, Int16, Tf32};

    fn chip(id: &str) -> &'static Chip {
        Chip::by_id(id).expect("the chip exists")
    }

    /// Returns the format that the chip multiplies, and the number of passes. Returns `None` if the chip's rate is
    /// unknown.
    fn run(id: &str, format: impl Into<Format>) -> Option<(PeakDtype, u32)> {
        chip(id).as_run(format).ok().map(|run| (run.multiplied, run.passes))
    }

    #[test]
    fn every_format_of_the_default_chip_runs_somehow() {
        for (dtype, multiplied) in
            [(Bf16, Bf16), (F16, Bf16), (F32, Bf16), (F8, Bf16), (Fp4, Bf16), (Int8, Int8), (Int4, Int8)]
        {
            assert_eq!(run("tpu-v4", dtype), Some((multiplied, 1)), "{}", dtype.word());
        }
        // The maker has not published a rate for these formats.
        assert_eq!([run("tpu-v4", Int16), run("tpu-v4", Tf32)], [None; 2]);
    }

    #[test]
    fn f32_takes_as_many_passes_of_bf16_as_the_program_asks_for() {
        for passes in F32Passes::ALL {
            let format = Format::from(F32).in_passes(passes);
            assert_eq!(run("tpu-v5e", format), Some((Bf16, passes.count())));
            // A GPU has its own f32 rate, so it needs no passes.
            assert_eq!(run("a100-80", format), Some((F32, 1)));
            assert_eq!(F32Passes::from_count(passes.count()), Some(passes));
        }
        assert_eq!(F32Passes::from_count(2), None);
    }

    #[test]
    fn gpus_multiply_f16_at_their_rate_of_bf16() {
        for id in ["a100-40", "a100-80", "h100-sxm", "h200-sxm", "b200-sxm", "trainium1", "trainium2"] {
            assert_eq!(run(id, F16), Some((F16, 1)), "{id}");
            assert_eq!(chip(id).peak_flops(F16), chip(id).peak_flops(Bf16), "{id}");
        }
        // A V100 runs bf16 only as f32.
        assert_eq!(run("v100", Bf16), Some((F32, 1)));
    }

    #[test]
    fn a_chip_multiplies_its_own_8_bit_float_and_widens_the_others() {
        let of = |id, kind| run(id, Format { fp8: Some(kind), ..F8.into() });
        assert_eq!(of("tpu-v6e", Fp8::E4m3b11fnuz), Some((F8, 1)));
        assert_eq!(of("tpu-v6e", Fp8::E4m3fn), Some((Bf16, 1)));
        assert_eq!(of("h100-sxm", Fp8::E4m3fn), Some((F8, 1)));
        assert_eq!(of("h100-sxm", Fp8::E4m3b11fnuz), Some((Bf16, 1)));
        assert_eq!(of("h100-sxm", Fp8::E4m3fnuz), Some((Bf16, 1)));
        assert_eq!(of("trainium2", Fp8::E4m3fn), Some((F8, 1)));
        assert_eq!(of("v100", Fp8::E4m3fn), Some((F16, 1)));
    }

    #[test]
    fn what_is_widened_saves_its_bytes_in_memory_alone() {
        let saved = |id: &str, dtype: PeakDtype| chip(id).as_run(dtype).expect("runs").bytes_saved();
        assert_eq!([saved("tpu-v4", F8), saved("tpu-v4", Int4), saved("tpu-7x", Int8)], [1.0, 0.5, 1.0]);
        assert_eq!([saved("tpu-v4", F32), saved("tpu-v4", F16), saved("tpu-v6e", F8)], [0.0; 3]);
    }

    #[test]
    fn widening_loses_no_value() {
        // Each format has its significant bits, its smallest and largest exponent, and the largest integer of its
        // range. The sources are IEEE 754, the OCP specification of 8-bit floats and ml_dtypes.
        let range = |dtype| match dtype {
            Int4 => (4, 0, 3),
            Int8 => (8, 0, 7),
            Int16 => (16, 0, 15),
            Fp4 => (2, -1, 2),
            // This has the widest range of e4m3fn, e5m2, e4m3b11fnuz, e4m3fnuz and e5m2fnuz.
            F8 => (4, -17, 15),
            Bf16 => (8, -133, 127),
            F16 => (11, -24, 15),
            Tf32 => (11, -136, 127),
            F32 => (24, -149, 127),
        };
        for dtype in PeakDtype::ALL {
            for wide in wider(dtype) {
                let ((bits, least, most), (wide_bits, wide_least, wide_most)) = (range(dtype), range(*wide));
                assert!(
                    bits <= wide_bits && least >= wide_least && most <= wide_most,
                    "{} {}",
                    dtype.word(),
                    wide.word()
                );
            }
        }
    }

    #[test]
    fn unknown_is_what_nobody_published() {
        let missing = |id: &str, dtype| match chip(id).as_run(dtype) {
            Err(MfuRefusal::Unknown { missing }) => missing,
            other => panic!("{id}: {other:?}"),
        };
        assert_eq!(missing("tpu-v1", Bf16), Missing::Format);
        assert_eq!(run("tpu-v1", Int4), Some((Int8, 1)));
        assert_eq!(missing("gaudi3", F32), Missing::Peak(F32));
        assert_eq!(Chip::blank().as_run(Bf16), Err(MfuRefusal::Unknown { missing: Missing::Peak(Bf16) }));
    }

    #[test]
    fn every_conversion_has_a_source() {
        for chip in Chip::all() {
            for dtype in PeakDtype::ALL {
                let Ok(run) = chip.as_run(dtype) else { continue };
                assert!(chip.peak_flops(run.multiplied).is_some(), "{} {}", chip.id, dtype.word());
                assert_eq!(run.source().is_some(), matches!(run.conversion, Conversion::Passes | Conversion::Widened));
            }
        }
    }
}
