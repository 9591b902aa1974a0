//! `cargo xtask printed`: compares runs of `systolic` with products that real chips printed, if Python has NumPy.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::lanes::SKIPPED;
use crate::process::{answer, cargo, run as run_program};
use crate::{Error, hosts, sweep};

/// Version of NumPy that is installed into an environment in `target`.
const NUMPY: &str = "numpy==2.4.6";

/// Returns a Python interpreter with NumPy. If the interpreter that PYTHON names or that is on PATH lacks NumPy, NumPy
/// is installed into an environment in `target`.
///
/// # Errors
/// Fails if Python is missing or NumPy cannot be installed. The error text states why the check is skipped, for a
/// message to the user.
fn python(root: &Path) -> Result<PathBuf, String> {
    let python = sweep::interpreter().ok_or("products that chips printed need Python with NumPy")?;
    if answer(Command::new(&python).args(["-c", "import numpy"])).is_some() {
        return Ok(python);
    }
    let environment = hosts::python(&crate::target(root).join("printed"), NUMPY);
    environment
        .map(|bin| bin.join("python"))
        .map_err(|why| format!("products that chips printed need Python with NumPy: {why}"))
}

/// Compares the runs if Python has NumPy. Otherwise prints that the check is skipped, and why.
///
/// # Errors
/// Fails if the command `systolic` does not build, or a run whose rule is known has another result than the chip.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let python = match python(root) {
        Ok(python) => python,
        Err(reason) => {
            println!("{SKIPPED}{reason}");
            return Ok(());
        }
    };
    run_program(
        "systolic for products that chips printed",
        &mut cargo(root, &["build", "--locked", "--quiet", "--package=systolic-cli"]),
    )?;
    let mut script = Command::new(python);
    script.current_dir(root).arg("tests/oracle/printed.py").env("SYSTOLIC", sweep::systolic(root)).stdin(Stdio::null());
    run_program("products that chips printed", &mut script)
}
