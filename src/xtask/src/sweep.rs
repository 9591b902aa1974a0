//! Check of the example `examples/sweep`: runs a small slice of the sweep on Dask with two worker processes, if Python
//! has Dask.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::lanes::SKIPPED;
use crate::process::{answer, cargo, find, run as run_program};
use crate::{Error, hosts};

/// Number of rows of the slice.
const ROWS: &str = "3000";
/// Number of rows in one part of the slice. A part is so small that each worker computes several parts.
const PART: &str = "300";

/// Version of Dask that is installed into an environment in `target`.
const DASK: &str = "dask==2026.8.0";

/// Returns a Python interpreter with Dask. If the interpreter that PYTHON names or that is on PATH lacks Dask, Dask is
/// installed into an environment in `target`.
///
/// # Errors
/// Fails if Python is missing or Dask cannot be installed. The error text states why the check is skipped, for a
/// message to the user. Tests continue without Dask.
fn python(root: &Path) -> Result<PathBuf, String> {
    let python = interpreter().ok_or("the sweep of examples needs Python with dask")?;
    if answer(Command::new(&python).args(["-c", "import dask.bag"])).is_some() {
        return Ok(python);
    }
    let environment = hosts::python(&crate::target(root).join("sweep"), DASK);
    environment
        .map(|bin| bin.join("python"))
        .map_err(|why| format!("the sweep of examples needs Python with dask: {why}"))
}

/// Returns the Python that the variable PYTHON names, or the Python on PATH.
pub(crate) fn interpreter() -> Option<PathBuf> {
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    named.or_else(|| find(&["python3", "python"]))
}

/// Returns the path at which a debug build puts the command `systolic`.
pub(crate) fn systolic(root: &Path) -> PathBuf {
    crate::target(root).join("debug").join(format!("systolic{}", std::env::consts::EXE_SUFFIX))
}

/// Runs the slice if Python has Dask. Otherwise prints that the check is skipped, and why.
///
/// # Errors
/// Fails if the command `systolic` does not build, or the slice has other results than without Dask.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    match python(root) {
        Ok(python) => check(root, &python),
        Err(reason) => {
            println!("{SKIPPED}{reason}");
            Ok(())
        }
    }
}

/// Compares the results on Dask with the results of one process without Dask.
fn check(root: &Path, python: &Path) -> Result<(), Error> {
    run_program(
        "systolic for the sweep",
        &mut cargo(root, &["build", "--locked", "--quiet", "--package=systolic-cli"]),
    )?;
    let mut sweep = Command::new(python);
    sweep.current_dir(root).arg("examples/sweep/sweep.py").arg("--systolic").arg(systolic(root));
    sweep.args(["--rows", ROWS, "--part", PART, "--workers", "2", "--check"]).stdin(Stdio::null());
    run_program("the sweep of examples on Dask", &mut sweep)
}
