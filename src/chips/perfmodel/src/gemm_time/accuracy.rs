//! Errors of predicted times. If hundreds of matmuls were measured, a table has the errors by range of sizes. If only a
//! few matmuls were measured, a table lists each matmul.

use super::tpu_v4;
use crate::{Chip, GemmSizes, PeakDtype, Per};

/// Range of sizes that contains M, K and N of a matmul. The ranges match the sizes that were measured on TPU v4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// M, K and N of at most 128.
    To128,
    /// M, K and N that are multiples of 128 up to 1024.
    To1024,
    /// M, K and N that are multiples of 128 from 1024 to 4096.
    To4096,
    /// M, K and N from 1024 to 4096, where at least one size is not a multiple of 128.
    Ragged,
    /// All other sizes, for which no matmul was measured.
    Other,
}

impl Sides {
    /// Every range, in the order of the table.
    pub const ALL: [Self; 5] = [Self::To128, Self::To1024, Self::To4096, Self::Ragged, Self::Other];

    /// The range that a matmul is in.
    pub fn of(GemmSizes { m, k, n }: GemmSizes) -> Self {
        let sides = [m, k, n];
        let all_in = |least: u64, most: u64| sides.iter().all(|side| (least..=most).contains(side));
        let is_aligned = sides.iter().all(|side| side.is_multiple_of(128));
        match () {
            () if all_in(1, 128) => Self::To128,
            () if is_aligned && all_in(128, 1024) => Self::To1024,
            () if is_aligned && all_in(1024, 4096) => Self::To4096,
            () if all_in(1024, 4096) => Self::Ragged,
            () => Self::Other,
        }
    }
}

/// Errors of predicted times in a range of sizes: `predicted ÷ measured − 1`, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeError {
    /// Range of sizes.
    pub sides: Sides,
    /// Number of matmuls measured in the range.
    pub products: u32,
    /// Mean of the absolute errors.
    pub mean: f64,
    /// Median of the absolute errors.
    pub median: f64,
    /// Absolute error that 90% of the matmuls do not exceed.
    pub within_90: f64,
    /// Mean of the signed errors.
    pub bias: f64,
    /// Largest absolute error.
    pub worst: f64,
    /// Mean absolute error in cross-validation: constants are fitted to four fifths of the matmuls, and predict the
    /// remaining fifth.
    pub held_out: f64,
}

const fn range(sides: Sides, products: u32, errors: [f64; 6]) -> RangeError {
    let [mean, median, within_90, bias, worst, held_out] = errors;
    RangeError { sides, products, mean, median, within_90, bias, worst, held_out }
}

/// Errors of [`super::tpu_v4`], as `systolic time --chip tpu-v4 --dtype f16 --against us_avg --by range` printed them
/// on [`DATE`].
pub static TPU_V4_F16: [RangeError; 4] = [
    range(Sides::To128, 238, [1.41, 0.97, 3.09, -0.04, 5.72, 1.4]),
    range(Sides::To1024, 357, [5.68, 4.76, 11.22, -0.72, 42.70, 5.9]),
    range(Sides::To4096, 228, [5.00, 3.51, 11.30, 0.19, 39.25, 5.1]),
    range(Sides::Ragged, 67, [8.79, 4.20, 22.20, -2.14, 78.15, 9.1]),
];
/// Errors in a range of sizes, for matmuls whose group of shapes was left out of the fit: see [`super::left_out`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeLeftOut {
    /// Range of sizes.
    pub sides: Sides,
    /// Mean of the absolute errors of matmuls whose group was left out, in percent.
    pub mean: f64,
    /// `ln` of a factor: the 80 % interval is from prediction ÷ factor to prediction · factor.
    pub log: f64,
    /// Number of matmuls with a measured time inside their interval. The interval of a matmul is computed without the
    /// matmul's group.
    pub held: u32,
}

const fn without(sides: Sides, mean: f64, log: f64, held: u32) -> RangeLeftOut {
    RangeLeftOut { sides, mean, log, held }
}

/// Errors of [`super::tpu_v4`] for matmuls whose group of shapes was left out of the fit, as `systolic time --chip
/// tpu-v4 --dtype f16 --against us_avg --by range --left-out` printed them.
pub static TPU_V4_F16_LEFT_OUT: [RangeLeftOut; 4] = [
    without(Sides::To128, 1.59, 0.033, 226),
    without(Sides::To1024, 6.30, 0.105, 313),
    without(Sides::To4096, 5.16, 0.105, 212),
    without(Sides::Ragged, 10.64, 0.232, 60),
];

/// Errors of [`super::gpu`] for bf16 matmuls on H100 whose group of shapes was left out of the fit.
pub static H100_BF16_LEFT_OUT: RangeLeftOut = without(Sides::Other, 6.39, 0.150, 372);

/// True if matmuls of these sizes were measured on H100 in this format.
fn is_measured_on_h100(chip: &Chip, dtype: PeakDtype, per: Per, GemmSizes { m, k, n }: GemmSizes) -> bool {
    let are_sizes_measured = [m, k, n].iter().all(|side| (256..=4096).contains(side));
    chip.id == "h100-sxm" && !chip.is_custom && dtype == PeakDtype::Bf16 && per == Per::Chip && are_sizes_measured
}

/// The 80 % interval around the predicted time `time`, in the unit of `time`. `None` if no matmul in the size range of
/// `product` was measured on the chip in this format.
pub fn interval(chip: &Chip, dtype: PeakDtype, per: Per, product: GemmSizes, time: f64) -> Option<(f64, f64)> {
    let fits = tpu_v4::applies_to(chip, dtype, per);
    let on_tpu_v4 = TPU_V4_F16_LEFT_OUT.iter().filter(|_| fits).find(|range| range.sides == Sides::of(product));
    let on_h100 = is_measured_on_h100(chip, dtype, per, product).then_some(&H100_BF16_LEFT_OUT);
    let range = on_tpu_v4.or(on_h100)?;
    Some((time / range.log.exp(), time * range.log.exp()))
}

/// Date of the errors in [`TPU_V4_F16`].
pub const DATE: &str = "2026-11-21";

/// Errors by size, for a whole chip and a number format; `None` unless hundreds of matmuls were measured.
pub fn by_size(chip: &Chip, dtype: PeakDtype) -> Option<&'static [RangeError]> {
    tpu_v4::applies_to(chip, dtype, Per::Chip).then_some(&TPU_V4_F16)
}

/// A square matmul whose rate was published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// Id of the chip.
    pub chip: &'static str,
    /// Number format of the operands.
    pub dtype: PeakDtype,
    /// Unit that ran the matmul: the whole chip or one core.
    pub per: Per,
    /// Number of rows and columns of every matrix.
    pub side: u64,
    /// Published rate in TFLOP/s.
    pub tflops: f64,
    /// True if a constant was fitted to this matmul.
    pub is_fitted: bool,
}

/// Matmuls whose rate was published. The [`super::calibration::Calibration`] of the chip has the source of the rate.
pub static CHECKS: [Check; 4] = [
    ironwood(128, 2.59, true),
    ironwood(1024, 349.7, false),
    ironwood(16384, 950.1, true),
    Check { chip: "tpu-v6e", dtype: PeakDtype::Bf16, per: Per::Chip, side: 8192, tflops: 827.5, is_fitted: true },
];

const fn ironwood(side: u64, tflops: f64, is_fitted: bool) -> Check {
    Check { chip: "tpu-7x", dtype: PeakDtype::Bf16, per: Per::Core, side, tflops, is_fitted }
}

impl Check {
    /// Sizes of the matmul.
    pub const fn product(&self) -> GemmSizes {
        GemmSizes { m: self.side, k: self.side, n: self.side }
    }
}
