//! The sweep of `examples/sweep`: a small slice of it, on Dask with two worker processes, where Python has Dask.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{answer, cargo, find, run as run_program};
use crate::suite::SKIPPED;
use crate::{Error, hosts};

/// Rows of the slice and of a part: enough for both workers to have several parts.
const ROWS: &str = "3000";
const PART: &str = "300";

/// Dask as it was tried, for an environment in `target`.
const DASK: &str = "dask==2026.8.0";

/// Python with Dask: the one that PYTHON names, the one on PATH, or one in `target` that Dask is installed into; else why not.
///
/// # Errors
/// One clause for the reader, since tests go on without it.
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

/// Python: the one that PYTHON names, or the one on PATH.
pub(crate) fn interpreter() -> Option<PathBuf> {
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    named.or_else(|| find(&["python3", "python"]))
}

/// The command, as a plain build leaves it.
pub(crate) fn systolic(root: &Path) -> PathBuf {
    crate::target(root).join("debug").join(format!("systolic{}", std::env::consts::EXE_SUFFIX))
}

/// Runs the slice where Python has Dask, and says so where it has not.
///
/// # Errors
/// The command does not build, or the slice comes to something else.
pub fn run(root: &Path) -> Result<(), Error> {
    match python(root) {
        Ok(python) => check(root, &python),
        Err(reason) => {
            println!("{SKIPPED}{reason}");
            Ok(())
        }
    }
}

/// Compares the slice with one process without Dask.
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
