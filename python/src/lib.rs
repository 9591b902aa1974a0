//! The compiled part of the Python package `systolic_playground`: runs of one array, counts and times of tables,
//! models.
//!
//! Python computes nothing. This crate turns arrays and tables into bytes and calls the core:
//!
//! - Numbers cross as bytes in the byte order of the machine, and settings cross as texts by name. This crate therefore
//!   needs no NumPy, and every Python from 3.10 on loads the same file.
//! - Input that cannot be used is a `Problem`, which Python sees as a `ValueError`.
//! - Tests compare the answers with NumPy, ml_dtypes, a simulation in NumPy and the command line.
//!
//! The crate is a member of the workspace, but a plain build leaves it out. No interpreter is linked
//! (`.cargo/config.toml`), so `cargo xtask lint` checks it without Python.

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
        // A sentence repeats what was given, and a terminal would obey its control characters.
        let is_shown = |sign: &char| !sign.is_control() || *sign == '\n';
        PyValueError::new_err(problem.to_string().chars().filter(is_shown).collect::<String>())
    }
}

/// Script that other pages load for the element that shows the page in a frame.
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
