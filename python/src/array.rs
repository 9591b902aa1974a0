//! Array with checked settings: its size, dataflow, arithmetic and design.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use systolic::{Dtype, Gemm, MacUnit, Matrix, Operands};

use crate::problem::{Problem, Usable};
use crate::run::Run;
use crate::settings::Settings;

/// Largest number of elements in a result, 4 bytes each.
const RESULTS_MAX: u64 = 1 << 27;

/// Array that can run matmuls.
#[pyclass(frozen, module = "systolic_playground._native")]
#[derive(Debug)]
pub(crate) struct Array {
    settings: Settings,
    unit: MacUnit,
}

/// Doubles as bytes, and the shape of their matrix.
type Listed<'a> = (&'a [u8], (u64, u64));

#[pymethods]
impl Array {
    #[new]
    fn new(settings: BTreeMap<String, String>) -> PyResult<Self> {
        let settings = Settings::new(settings)?;
        settings.array()?;
        settings.suit(settings.dataflow()?)?;
        settings.padding()?;
        settings.design()?;
        let unit = settings.unit()?;
        Ok(Self { settings, unit })
    }

    /// Format of the accumulator.
    #[getter]
    fn accumulator(&self) -> &'static str {
        self.unit.accumulator().id()
    }

    /// Creates a run that multiplies two matrices.
    fn run(&self, py: Python<'_>, a: Listed<'_>, b: Listed<'_>) -> PyResult<Run> {
        Ok(py.detach(|| self.started(a, b))?)
    }
}

impl Array {
    fn started(&self, a: Listed<'_>, b: Listed<'_>) -> Result<Run, Problem> {
        let ((_, (m, k)), (_, (b_rows, n))) = (a, b);
        if b_rows != k {
            return Err(Problem::InnerSizes { b_rows, a_cols: k });
        }
        let gemm = Gemm::new(m, k, n)?;
        if m.saturating_mul(n) > RESULTS_MAX {
            return Err(Problem::TooManyResults { m, n, most: RESULTS_MAX });
        }
        let schedule = self.settings.schedule(gemm)?;
        let operands = Operands { a: matrix("A", a, self.unit)?, b: matrix("B", b, self.unit)? };
        Ok(Run::new(systolic::Run::new(schedule, operands, self.unit)?))
    }
}

/// Rounds a matrix to the format of the array. Fails if an integer format cannot represent an element exactly.
fn matrix(name: &'static str, (bytes, (rows, cols)): Listed<'_>, unit: MacUnit) -> Result<Matrix, Problem> {
    let dtype: Dtype = unit.dtype();
    if Some(bytes.len() as u64) != rows.checked_mul(cols).and_then(|n| n.checked_mul(8)) {
        return Err(Problem::Bytes { name });
    }
    let mut values = Vec::with_capacity(bytes.len() / 8);
    for bytes in bytes.chunks_exact(8) {
        let value = f64::from_ne_bytes(bytes.try_into().unwrap_or_default());
        if let Some((least, most)) = dtype.whole_range()
            && !(value == value.trunc() && (f64::from(least)..=f64::from(most)).contains(&value))
        {
            let index = values.len() as u64;
            let usable = Usable::WholeOf { dtype, least, most };
            return Err(Problem::Cell { name, row: index / cols, col: index % cols, given: value, usable });
        }
        values.push(unit.operand(value).as_f64());
    }
    Ok(Matrix::listed(rows, cols, values)?)
}
