//! What the Python package `systolic_playground` calls: runs of one array, counts and times of tables, models on chips.
//!
//! Numbers cross as bytes in the machine's own order and settings as texts by name, so that nothing here knows NumPy, and
//! every Python from 3.10 on loads the same file. Whatever cannot be used is a `Problem`, which Python sees as a
//! `ValueError`.

mod array;
mod columns;
mod count;
mod link;
mod model;
mod problem;
mod run;
mod settings;
mod time;
mod words;

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

use problem::Problem;

impl From<Problem> for PyErr {
    fn from(problem: Problem) -> Self {
        PyValueError::new_err(problem.to_string())
    }
}

/// The element that shows the page in a frame, as the script that other pages take.
#[pyo3::pyfunction]
const fn element() -> &'static str {
    include_str!("../../npm/systolic-playground.mjs")
}

/// The compiled part of `systolic_playground`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::count::{codes, count};
    #[pymodule_export]
    use crate::element;
    #[pymodule_export]
    use crate::model::model;
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    use crate::time::time;
}
