//! Python environments in `target`, and the checks that run in them: the Python package, the tracer of matmuls, the
//! sweep on Dask, and products that chips printed.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::lanes::skipped;
use crate::process::{answer, cargo, find, path_with, run as run_program, step};
use crate::{Error, files, page, single};

/// Writes the page in one file into the Python package, where the widget finds it. The page must be built.
pub(crate) fn write_page(root: &Path) -> Result<(), Error> {
    files::write(&root.join("python/package/systolic_playground/page.html"), single::page(&page::dist(root))?)
}

/// Builds the package, installs it into its own environment and runs its tests. Without Python or a network, prints
/// that the check is skipped, and succeeds.
///
/// # Errors
/// Fails if the package does not build, or a test fails.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let venv = match step("what the package is built and tested with", || Ok(Venv::of_package(root, &[])))? {
        Ok(venv) => venv,
        Err(reason) => return skipped(&format!("the Python package: {reason}")),
    };
    let systolic = systolic(root)?;
    // The build uses the fetched packages, because a separate build environment would fetch them again.
    let install = ["-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--force-reinstall", "."];
    step("building and installing the package", || {
        run_program("building the package", &mut venv.python(root, &install))
    })?;
    step("its tests", || {
        let tests = ["-m", "pytest", "--quiet", "-rs", "-c", "pyproject.toml", "python/tests"];
        let failed = |_| Error::Verdict("tests of the Python package fail".to_owned());
        run_program("tests", venv.python(root, &tests).env("SYSTOLIC", systolic)).map_err(failed)
    })
}

/// Compares a slice of the sweep on Dask, with two worker processes, with the results of one process without Dask. A
/// part of the slice is so small that each worker computes several parts.
///
/// # Errors
/// Fails if `systolic` does not build, or the results differ.
pub(crate) fn sweep(root: &Path) -> Result<(), Error> {
    let script = "examples/sweep/sweep.py --rows 3000 --part 300 --workers 2 --check --systolic";
    script_with(root, "the sweep of examples", ("dask.bag", "dask==2026.8.0"), script)
}

/// Compares runs of `systolic` with products that real chips printed.
///
/// # Errors
/// Fails if `systolic` does not build, or a run whose rule is known has another result than the chip.
pub(crate) fn printed(root: &Path) -> Result<(), Error> {
    script_with(root, "products that chips printed", ("numpy", "numpy==2.4.6"), "tests/oracle/printed.py")
}

/// Checks the tracer of matmuls in an environment with its frameworks: formulas, counters of the frameworks,
/// configurations that `systolic` reads, and the cases of real users in the folders that the variable CASES names.
///
/// # Errors
/// Fails if `systolic` does not build, or a traced model differs from its reference.
pub(crate) fn traced(root: &Path) -> Result<(), Error> {
    let list = files::text(&root.join("tests/oracle/traced_matmuls.txt"))?;
    let packages: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let home = crate::target(root).join("frameworks");
    let venv = match step("the frameworks of the tracer", || Ok(Venv::with(&home, &packages)))? {
        Ok(venv) => venv,
        Err(reason) => return skipped(&format!("traced matmuls: {reason}")),
    };
    let systolic = systolic(root)?;
    let run = |what: &str, script: &str| {
        step(what, || run_program(what, venv.python(root, &[script]).env("SYSTOLIC", &systolic)))
    };
    run("traced matmuls", "tests/oracle/traced_matmuls.py")?;
    if env::var_os("CASES").is_none() {
        return skipped("cases of real users: CASES names no folder");
    }
    run("cases of real users", "tests/oracle/cases.py")
}

/// Runs a script of the project in a Python that has a module. If Python lacks the module, the package with the module
/// is installed into an environment in `target`. The script gets the path of `systolic` as its last argument and in the
/// variable SYSTOLIC.
fn script_with(root: &Path, what: &str, (module, package): (&str, &str), script: &str) -> Result<(), Error> {
    let own =
        interpreter().filter(|python| answer(Command::new(python).args(["-c", &format!("import {module}")])).is_some());
    let home = crate::target(root).join(module.replace('.', "-"));
    let python = match own.map_or_else(|| Ok(Venv::with(&home, &[package])?.program("python")), Ok::<_, String>) {
        Ok(python) => python,
        Err(reason) => return skipped(&format!("{what}: {reason}")),
    };
    let systolic = systolic(root)?;
    let mut run = Command::new(python);
    run.current_dir(root).args(script.split(' ')).arg(&systolic).env("SYSTOLIC", &systolic).stdin(Stdio::null());
    run_program(what, &mut run)
}

/// Builds the command `systolic`, and returns its path.
pub(crate) fn systolic(root: &Path) -> Result<PathBuf, Error> {
    let mut build = cargo(root, &["build", "--locked", "--quiet", "--package=systolic-cli"]);
    step("building systolic", || run_program("building systolic", &mut build))?;
    Ok(crate::target(root).join("debug").join(format!("systolic{}", env::consts::EXE_SUFFIX)))
}

/// Returns the Python that the variable PYTHON names, or the Python on PATH.
fn interpreter() -> Option<PathBuf> {
    env::var_os("PYTHON").map(PathBuf::from).or_else(|| find(&["python3", "python"]))
}

/// Virtual environment of Python: a folder.
#[derive(Debug)]
pub(crate) struct Venv(PathBuf);

impl Venv {
    /// Opens an environment with packages. Creates the environment if it does not exist, and installs the packages.
    ///
    /// # Errors
    /// Fails if Python is missing, or a package cannot be installed. The error text states why the check is skipped,
    /// for a message to the user.
    pub(crate) fn with(folder: &Path, packages: &[&str]) -> Result<Self, String> {
        let venv = Self(folder.to_owned());
        if !venv.program("python").is_file() {
            let python = interpreter().ok_or("it needs Python (PYTHON names one, or PATH has python3)")?;
            run_program("making an environment", Command::new(python).args(["-m", "venv"]).arg(folder))
                .map_err(|error| format!("{error}; it needs venv (Debian: python3-venv)"))?;
        }
        if !packages.is_empty() {
            let mut fetch = venv.python(folder, &["-m", "pip", "install", "--quiet"]);
            run_program(&format!("fetching {}", packages.join(", ")), fetch.args(packages))
                .map_err(|error| format!("{error}, from the network"))?;
        }
        Ok(venv)
    }

    /// Opens the environment with the dependencies of the package and with other packages.
    ///
    /// # Errors
    /// Fails if [`Venv::with`] fails, or the manifest of the package cannot be read.
    pub(crate) fn of_package(root: &Path, others: &[&str]) -> Result<Self, String> {
        let manifest = files::text(&root.join("pyproject.toml")).map_err(|error| error.to_string())?;
        Self::with(&crate::target(root).join("python"), &[&needs(&manifest), others].concat())
    }

    /// Returns the path of a program of the environment.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        let programs = if cfg!(windows) { "Scripts" } else { "bin" };
        self.0.join(programs).join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// Returns a command that runs the environment's Python in a folder, such as the project's top folder.
    pub(crate) fn python(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program("python"));
        command.current_dir(folder).args(arguments).stdin(Stdio::null());
        let programs = self.program("python").parent().map(Path::to_owned);
        command.env("PATH", path_with(programs.as_slice())).env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        command
    }
}

/// Returns the packages that a `pyproject.toml` needs for building, running and testing.
fn needs(manifest: &str) -> Vec<&str> {
    let lists = manifest.lines().filter_map(|line| line.split_once(" = ["));
    let lists = lists.filter(|(name, _)| ["requires", "dependencies", "test"].contains(name));
    lists.flat_map(|(_, list)| list.split('"').skip(1).step_by(2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_is_read_from_the_manifest() {
        let manifest = "requires = [\"maturin>=1.9,<2\"]\nname = \"x\"\ndependencies = [\"numpy\"]\nwidget = [\"y\"]\ntest = [\"a>=1\", \"b\"]\n";
        assert_eq!(needs(manifest), ["maturin>=1.9,<2", "numpy", "a>=1", "b"]);
        let ours = files::text(&crate::root().join("pyproject.toml")).expect("there");
        for package in ["maturin", "numpy", "pytest", "ml_dtypes"] {
            assert!(needs(&ours).iter().any(|need| need.starts_with(package)), "{package}");
        }
    }
}
