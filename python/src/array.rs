//! Array with checked settings: its size, dataflow, arithmetic and design.

use std::collections::BTreeMap;

use systolic::{Dtype, Gemm, MacUnit, Matrix, Operands, ResultFormat, Value};

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
    results: ResultFormat,
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
        let (unit, results) = (settings.unit()?, settings.results()?);
        Ok(Self { settings, unit, results })
    }

    /// Format of the accumulator.
    pub(crate) fn accumulator(&self) -> &'static str {
        self.unit.accumulator().id()
    }

    /// Format of the results.
    pub(crate) fn results(&self) -> &'static str {
        match self.results {
            ResultFormat::Bf16 | ResultFormat::F16 if !self.unit.dtype().is_integer() => self.results.id(),
            // Integer results stay as they are.
            ResultFormat::Sum | ResultFormat::Bf16 | ResultFormat::F16 => self.accumulator(),
        }
    }

    /// Creates a run that multiplies two matrices. The sums start from c, or from zeros.
    pub(crate) fn run(&self, a: Listed<'_>, b: Listed<'_>, c: Option<Listed<'_>>) -> Result<Run, Problem> {
        let ((.., (m, k)), (.., (b_rows, n))) = (&a, &b);
        let [m, k, b_rows, n] = [*m, *k, *b_rows, *n];
        if b_rows != k {
            return Err(Problem::InnerSizes { b_rows, a_cols: k });
        }
        let gemm = Gemm::new(m, k, n)?;
        if m.saturating_mul(n) > RESULTS_MAX {
            return Err(Problem::TooManyResults { m, n, most: RESULTS_MAX });
        }
        let schedule = self.settings.schedule(gemm, self.unit)?;
        let operand = |value| match self.unit.operand(value) {
            Value::Float(value) => value,
            // Every whole number of int8 and int4 is an f32.
            Value::Int(value) => value as f32,
        };
        let range = self.unit.dtype().whole_range().map(|(least, most)| (least.into(), most.into()));
        let a = Matrix::listed_f32(m, k, self.numbers("A", a, range, operand)?)?;
        let b = Matrix::listed_f32(k, n, self.numbers("B", b, range, operand)?)?;
        let mut operands = Operands::new(a, b);
        if let Some(c) = c {
            let given = c.2;
            if given != (m, n) {
                return Err(Problem::SizesOfC { given, needed: (m, n) });
            }
            // c has the format of the sums, so c is rounded to it.
            let range = self.unit.dtype().is_integer().then_some((i32::MIN, i32::MAX));
            operands = operands.with_c(Matrix::listed(m, n, self.numbers("c", c, range, |value| value)?)?);
        }
        Ok(Run::new(systolic::Run::new(schedule, operands, self.unit)?, self.results))
    }

    /// Reads the elements of a matrix, in the form that `keep` returns. Fails if the matrix may have only whole numbers of
    /// a range, and an element is another number.
    fn numbers<T>(
        &self,
        name: &'static str,
        (bytes, format, (rows, cols)): Listed<'_>,
        whole: Option<(i32, i32)>,
        keep: impl Fn(f64) -> T,
    ) -> Result<Vec<T>, Problem> {
        let dtype: Dtype = self.unit.dtype();
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
            if let Some((least, most)) = whole
                && !(value == value.trunc() && (f64::from(least)..=f64::from(most)).contains(&value))
            {
                let index = values.len() as u64;
                let usable = Usable::WholeOf { dtype, least, most };
                return Err(Problem::Cell { name, row: index / cols, col: index % cols, given: value, usable });
            }
            values.push(keep(value));
        }
        Ok(values)
    }
}

/// Returns the bytes of one element. Every caller passes as many bytes as its format has.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().unwrap_or([0; N])
}
