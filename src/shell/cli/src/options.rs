//! Options that several commands accept, and parsers of their values.
//!
//! The groups have no doc comments, because the derive of `clap` would show these comments as the text of a command.

use clap::Args;
use export::Notation;
use plain::Decimal;
use systolic::{Accumulator, Adder, Dtype, Gemm, MacUnit, Schedule};

use crate::problem::{Problem, Usable};

// Sizes of a matmul.
#[derive(Args, Debug)]
pub(crate) struct Sizes {
    /// The sizes M, K and N of the matmul, each from 1 to 2147483648, e.g. 128x1024x1024.
    #[arg(long, value_name = "MxKxN", value_parser = gemm)]
    pub(crate) gemm: Gemm,
}

// Number format of the operands.
#[derive(Args, Debug)]
pub(crate) struct Format {
    /// The number format: f32, bf16, f16, tf32, e4m3fn, e5m2, e4m3b11fnuz, int8 or int4. Values become tf32 by rounding
    /// to nearest; ties are rounded away from zero.
    #[arg(long, value_name = "T")]
    pub(crate) dtype: Dtype,
}

// Values beyond the range of a format.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Rounding {
    /// Values beyond the largest number of the format become this largest number. Without this option, such values
    /// become infinity or NaN, as in XLA.
    #[arg(long)]
    saturate: bool,
    /// Subnormal numbers become zero.
    #[arg(long)]
    flush: bool,
}

impl Rounding {
    pub(crate) fn unit(self, dtype: Dtype) -> MacUnit {
        MacUnit::new(dtype).with_saturation(self.saturate).with_flushing(self.flush)
    }
}

// Arithmetic of the PEs.
#[derive(Args, Debug)]
pub(crate) struct Arithmetic {
    #[command(flatten)]
    format: Format,
    /// The format of the partial sums: f32, bf16 or f16 for floating-point operands, int32 for integers.
    #[arg(long, value_name = "S")]
    acc: Option<Accumulator>,
    #[command(flatten)]
    rounding: Rounding,
    #[command(flatten)]
    adding: Adding,
}

impl Arithmetic {
    pub(crate) fn unit(&self) -> Result<MacUnit, Problem> {
        let dtype = self.format.dtype;
        let unit = self.rounding.unit(dtype);
        let unit = match self.acc {
            None => unit,
            Some(acc) => unit
                .with_accumulator(acc)
                .ok_or_else(|| Problem::option("acc", acc.id(), Usable::Accumulator { dtype }))?,
        };
        self.adding.unit(unit)
    }
}

// Adder of the PEs.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Adding {
    /// The adder of the PEs: f32, tpu, v100, a100, h100 or b200. The default, f32, adds one product at a time. The
    /// adders of chips add blocks of products as the chips do: tpu with bf16, the rest with the formats of their chip.
    /// The adder does not change the cycles.
    #[arg(long, value_name = "NAME")]
    adder: Option<Adder>,
}

impl Adding {
    pub(crate) fn adder(self) -> Adder {
        self.adder.unwrap_or_default()
    }

    /// Returns the arithmetic of a PE with the adder.
    pub(crate) fn unit(self, unit: MacUnit) -> Result<MacUnit, Problem> {
        let adder = self.adder();
        unit.with_adder(adder).map_err(|error| Problem::Adder { adder, error })
    }
}

/// Returns the schedule of a run for the adder of its PEs.
pub(crate) fn with_adder(schedule: Schedule, unit: MacUnit) -> Result<Schedule, Problem> {
    schedule.with_unit(unit).map_err(|error| Problem::Adder { adder: unit.adder(), error })
}

// Decimals in files and tables.
#[derive(Args, Debug)]
pub(crate) struct Decimals {
    /// The sign before decimals in files and tables: comma or point. Without this option, a number that could be read
    /// in both ways is refused.
    #[arg(long, value_name = "SIGN")]
    #[arg(value_parser = |text: &str| one_of(text, [("comma", Decimal::Comma), ("point", Decimal::Point)]))]
    pub(crate) decimal: Option<Decimal>,
}

// Notation of results.
#[derive(Args, Debug)]
pub(crate) struct Numbers {
    /// The output format: decimal, or hex such as 0x1.8p+1.
    #[arg(long = "format", value_name = "F", default_value = "decimal", hide_default_value = true)]
    #[arg(value_parser = |text: &str| one_of(text, [("decimal", Notation::Decimal), ("hex", Notation::Hex)]))]
    pub(crate) notation: Notation,
}

/// Returns the value whose name is `text`.
pub(crate) fn one_of<T: Copy, const N: usize>(text: &str, choices: [(&str, T); N]) -> Result<T, Usable> {
    let found = choices.iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| *value).ok_or_else(|| Usable::one_of(choices.map(|(name, _)| name)))
}

/// Parses a whole number of at least 0.
pub(crate) fn whole(text: &str) -> Result<u64, Usable> {
    text.trim().parse().map_err(|_| Usable::Whole)
}

pub(crate) fn gemm(text: &str) -> Result<Gemm, Usable> {
    sides(text).and_then(|[m, k, n]| Gemm::new(m, k, n).ok()).ok_or(Usable::Gemm)
}

/// Parses sizes with the sign `x` or `×` between them.
pub(crate) fn sides<const N: usize>(text: &str) -> Option<[u64; N]> {
    let numbers: Option<Vec<u64>> = text.split(['x', 'X', '×']).map(|side| side.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}
