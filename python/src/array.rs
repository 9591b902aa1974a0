//! Array with checked settings: its size, dataflow, arithmetic and design.

use std::collections::BTreeMap;

use systolic::{Dtype, Gemm, MacUnit, Matrix, Operands, Value};

use crate::problem::{Problem, Usable};
use crate::run::Run;
use crate::settings::Settings;

/// Largest number of elements in a result, 4 bytes each.
const RESULTS_MAX: u64 = 1 << 27;

/// Array that can run matmuls.
#[derive(Debug)]
pub(crate) struct Array {
    settings: Settings,
    unit: MacUnit,
}

/// Elements as bytes, their format as NumPy writes it, and the shape of their matrix.
pub(crate) type Listed<'a> = (&'a [u8], &'a str, (u64, u64));

impl Array {
    pub(crate) fn new(settings: BTreeMap<String, String>) -> Result<Self, Problem> {
        let settings = Settings::new(settings)?;
        settings.array()?;
        settings.suit(settings.dataflow()?)?;
        settings.padding()?;
        settings.design()?;
        let unit = settings.unit()?;
        Ok(Self { settings, unit })
    }

    /// Format of the accumulator.
    pub(crate) fn accumulator(&self) -> &'static str {
        self.unit.accumulator().id()
    }

    /// Creates a run that multiplies two matrices.
    pub(crate) fn run(&self, a: Listed<'_>, b: Listed<'_>) -> Result<Run, Problem> {
        let ((.., (m, k)), (.., (b_rows, n))) = (&a, &b);
        let [m, k, b_rows, n] = [*m, *k, *b_rows, *n];
        if b_rows != k {
            return Err(Problem::InnerSizes { b_rows, a_cols: k });
        }
        let gemm = Gemm::new(m, k, n)?;
        if m.saturating_mul(n) > RESULTS_MAX {
            return Err(Problem::TooManyResults { m, n, most: RESULTS_MAX });
        }
        let schedule = self.settings.schedule(gemm)?;
        let operands = Operands::new(matrix("A", a, self.unit)?, matrix("B", b, self.unit)?);
        Ok(Run::new(systolic::Run::new(schedule, operands, self.unit)?))
    }
}

/// Rounds a matrix to the format of the array. Fails if an integer format cannot represent an element exactly.
fn matrix(name: &'static str, (bytes, format, (rows, cols)): Listed<'_>, unit: MacUnit) -> Result<Matrix, Problem> {
    let dtype: Dtype = unit.dtype();
    let (size, read): (usize, fn(&[u8]) -> f64) = match format {
        "|i1" => (1, |bytes| f64::from(i8::from_ne_bytes(array(bytes)))),
        "|u1" => (1, |bytes| f64::from(u8::from_ne_bytes(array(bytes)))),
        "<f4" => (4, |bytes| f64::from(f32::from_le_bytes(array(bytes)))),
        _ => (8, |bytes| f64::from_ne_bytes(array(bytes))),
    };
    if Some(bytes.len() as u64) != rows.checked_mul(cols).and_then(|n| n.checked_mul(size as u64)) {
        return Err(Problem::Bytes { name });
    }
    let mut values = Vec::with_capacity(bytes.len() / size);
    for bytes in bytes.chunks_exact(size) {
        let value = read(bytes);
        if let Some((least, most)) = dtype.whole_range()
            && !(value == value.trunc() && (f64::from(least)..=f64::from(most)).contains(&value))
        {
            let index = values.len() as u64;
            let usable = Usable::WholeOf { dtype, least, most };
            return Err(Problem::Cell { name, row: index / cols, col: index % cols, given: value, usable });
        }
        values.push(match unit.operand(value) {
            Value::Float(value) => value,
            // Every whole number of int8 and int4 is an f32.
            Value::Int(value) => value as f32,
        });
    }
    Ok(Matrix::listed_f32(rows, cols, values)?)
}

/// Returns the bytes of one element. Every caller passes as many bytes as its format has.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().unwrap_or([0; N])
}
