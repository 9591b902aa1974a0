//! The module `_native` for CPython: classes and functions that pass bytes and texts to the core.
//!
//! Long computations release the interpreter, so other threads of Python go on.

use std::collections::BTreeMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

use crate::array::Listed;
use crate::problem::Problem;

impl From<Problem> for PyErr {
    fn from(problem: Problem) -> Self {
        PyValueError::new_err(crate::sentence(&problem))
    }
}

/// The compiled part of `systolic_playground`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{Array, Run, code, count, element, model, time};
}

/// Array that can run matmuls.
#[pyclass(frozen, module = "systolic_playground._native")]
struct Array(crate::array::Array);

/// Matmul on an array.
#[pyclass(frozen, module = "systolic_playground._native")]
struct Run(crate::run::Run);

/// Register of all PEs: its name, its values, and a byte per PE that is 1 if the register is empty.
type Plane<'py> = (&'static str, Bound<'py, PyBytes>, Bound<'py, PyBytes>);
/// Columns that Python may change.
type Columns<'py> = Vec<Bound<'py, PyByteArray>>;

fn columns<const N: usize>(py: Python<'_>, columns: [Vec<u8>; N]) -> Columns<'_> {
    columns.into_iter().map(|column| PyByteArray::new(py, &column)).collect()
}

#[pymethods]
impl Array {
    #[new]
    fn new(settings: BTreeMap<String, String>) -> PyResult<Self> {
        Ok(Self(crate::array::Array::new(settings)?))
    }

    #[getter]
    fn accumulator(&self) -> &'static str {
        self.0.accumulator()
    }

    #[getter]
    fn results(&self) -> &'static str {
        self.0.results()
    }

    #[pyo3(signature = (a, b, c=None))]
    fn run(&self, py: Python<'_>, a: Listed<'_>, b: Listed<'_>, c: Option<Listed<'_>>) -> PyResult<Run> {
        Ok(Run(py.detach(|| self.0.run(a, b, c))?))
    }
}

#[pymethods]
impl Run {
    fn product<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.0.product());
        PyBytes::new(py, &bytes)
    }

    fn state<'py>(&self, py: Python<'py>, cycle: &str) -> PyResult<Vec<Plane<'py>>> {
        let planes = py.detach(|| self.0.state(cycle))?;
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
        Ok(planes.into_iter().map(|(name, values, empty)| (name, bytes(&values), bytes(&empty))).collect())
    }

    fn trace<'py>(&self, py: Python<'py>, first: &str, last: &str) -> PyResult<Columns<'py>> {
        let traced = py.detach(|| self.0.trace(first, last))?;
        Ok(columns(py, traced))
    }

    fn link(&self, py: Python<'_>, cycle: &str) -> PyResult<(String, String)> {
        Ok(py.detach(|| self.0.link(cycle))?)
    }

    fn svg(&self, py: Python<'_>, cycle: &str, width: &str, height: &str, theme: &str) -> PyResult<String> {
        Ok(py.detach(|| self.0.svg(cycle, width, height, theme))?)
    }

    fn cost(&self, chip: &str, passes: &str, cycle: &str) -> PyResult<[f64; 2]> {
        Ok(self.0.cost(chip, passes, cycle)?)
    }

    fn occupancy(&self, cycle: &str) -> PyResult<f64> {
        Ok(self.0.occupancy(cycle)?)
    }

    #[getter]
    fn shape(&self) -> (u64, u64) {
        self.0.shape()
    }

    #[getter]
    fn sides(&self) -> (u32, u32) {
        self.0.sides()
    }

    #[getter]
    fn cycles(&self) -> u64 {
        self.0.cycles()
    }

    #[getter]
    fn folds(&self) -> u64 {
        self.0.folds()
    }

    #[getter]
    fn utilization(&self) -> f64 {
        self.0.utilization()
    }

    #[getter]
    fn mapping_efficiency(&self) -> f64 {
        self.0.mapping_efficiency()
    }

    #[getter]
    fn pe_cycles(&self) -> Vec<(&'static str, u64)> {
        self.0.pe_cycles()
    }

    #[getter]
    fn elements(&self) -> Vec<(&'static str, u64)> {
        self.0.elements()
    }
}

/// Script that other pages load for the element that shows the page in a frame.
#[pyfunction]
const fn element() -> &'static str {
    crate::ELEMENT
}

/// Code of a name in a column.
#[pyfunction]
fn code(column: &str, index: usize, name: &str) -> PyResult<u8> {
    Ok(crate::count::code(column, index, name)?)
}

/// Counts a table of runs.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the columns of a table, each by its name")]
fn count<'py>(
    py: Python<'py>,
    m: &[u8],
    n: &[u8],
    k: &[u8],
    rows: &[u8],
    cols: &[u8],
    dataflow: &[u8],
    overlap: Option<&[u8]>,
    settings: BTreeMap<String, String>,
) -> PyResult<Columns<'py>> {
    let table = crate::count::Table { sizes: [m, n, k, rows, cols], dataflow, overlap };
    let counted = py.detach(|| crate::count::count(table, settings))?;
    Ok(columns(py, counted))
}

/// Times of matmuls on a chip, the words for the codes of their limits, and the format in which the chip multiplies.
#[pyfunction]
fn time<'py>(
    py: Python<'py>,
    m: &[u8],
    n: &[u8],
    k: &[u8],
    settings: Vec<(String, String)>,
    per: &str,
) -> PyResult<(Columns<'py>, Vec<&'static str>, String)> {
    let (timed, runs_as) = py.detach(move || {
        let timed = crate::time::time([m, n, k], &settings, per)?;
        Ok::<_, Problem>((timed, crate::time::runs_as(&settings)?))
    })?;
    Ok((columns(py, timed), crate::time::WORDS.to_vec(), runs_as))
}

/// Report of a model as JSON, and the sentences about its measurements.
#[pyfunction]
#[pyo3(signature = (entries, path=None, config=None))]
fn model(
    py: Python<'_>,
    entries: Vec<(String, String)>,
    path: Option<&str>,
    config: Option<&[u8]>,
) -> PyResult<(String, Vec<String>)> {
    Ok(py.detach(|| crate::model::model(entries, path, config))?)
}
