//! `cargo xtask python`: builds the Python package of `python/`, installs it into its own environment and tests it
//! there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{answer, cargo, path_with, run as run_program, step};
use crate::{Error, page as built, single, sweep};

/// Oldest version of Python that the package supports, equal to `requires-python` in its `pyproject.toml`.
const OLDEST: (u32, u32) = (3, 10);

/// Returns the path of the single-file page in the Python package.
pub(crate) fn page(root: &Path) -> PathBuf {
    root.join("python").join("package").join("systolic_playground").join("page.html")
}

/// Writes the page in one file into the Python package, where the widget finds it. The page must be built.
///
/// # Errors
/// Fails if the page is not built, or the file cannot be written.
pub(crate) fn write_page(root: &Path) -> Result<(), Error> {
    let (text, to) = (single::page(&built::dist(root))?, page(root));
    fs::write(&to, text).map_err(Error::io(format!("write {}", to.display())))
}

/// Builds the package, installs it and runs its tests. Without Python or a network, prints that the check is skipped,
/// and succeeds.
///
/// # Errors
/// Fails if the package does not build, or a test fails.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let python = match python() {
        Ok(python) => python,
        Err(reason) => return skipped(&reason),
    };
    let systolic = step("systolic, which the tests compare with", || {
        let build = ["build", "--locked", "--quiet", "--package=systolic-cli"];
        run_program("building systolic", &mut cargo(root, &build)).map(|()| sweep::systolic(root))
    })?;
    let room = Room::new(root, &python)?;
    let fetched = step("what it is built and tested with", || room.fetch(root));
    if let Err(error) = fetched {
        return skipped(&format!("{error}, from the network"));
    }
    // The build uses the fetched packages, because a separate build environment would fetch them again.
    let install = ["-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--force-reinstall", "."];
    step("building and installing the package", || {
        run_program("building the package", &mut room.python(root, &install))
    })?;
    step("its tests", || {
        let tests = ["-m", "pytest", "--quiet", "-rs", "-c", "pyproject.toml", "python/tests"];
        let tested = run_program("tests", room.python(root, &tests).env("SYSTOLIC", systolic));
        tested.map_err(|error| match error {
            Error::Step(_) => Error::Verdict("tests of the Python package fail".to_owned()),
            other => other,
        })
    })
}

#[expect(clippy::unnecessary_wraps, reason = "what a chore ends with")]
fn skipped(reason: &str) -> Result<(), Error> {
    println!("1 check skipped: the Python package: {reason}");
    Ok(())
}

/// Returns the Python that the variable PYTHON names, or the Python on PATH.
///
/// # Errors
/// Fails if Python is missing, too old, or has no `venv`. The error text states why the check is skipped, for a message
/// to the user.
fn python() -> Result<PathBuf, String> {
    let python = sweep::interpreter().ok_or("it needs Python (PYTHON names one, or PATH has python3)")?;
    let ask = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])";
    let version = answer(Command::new(&python).args(["-c", ask]));
    let version =
        version.ok_or_else(|| format!("{} does not run, or has no venv (Debian: python3-venv)", python.display()))?;
    let (major, minor) = OLDEST;
    if is_new_enough(&version) {
        Ok(python)
    } else {
        Err(format!("it needs Python {major}.{minor} or later; {} is {version}", python.display()))
    }
}

fn is_new_enough(version: &str) -> bool {
    let numbers = version.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    numbers.is_some_and(|numbers: (u32, u32)| numbers >= OLDEST)
}

/// Virtual environment of the package, a folder in `target`.
#[derive(Debug)]
pub(crate) struct Room(PathBuf);

impl Room {
    /// Opens the environment, and creates it if it does not exist.
    fn new(root: &Path, python: &Path) -> Result<Self, Error> {
        let room = Self(crate::target(root).join("python"));
        if !room.interpreter().is_file() {
            run_program("making an environment", Command::new(python).args(["-m", "venv"]).arg(&room.0))?;
        }
        Ok(room)
    }

    /// Returns an environment that exists.
    pub(crate) fn at(folder: &Path) -> Self {
        Self(folder.to_path_buf())
    }

    /// Opens the environment with the tools that pack the package.
    ///
    /// # Errors
    /// Fails if Python or a tool is missing. The error text states why the check is skipped, for a message to the user.
    pub(crate) fn for_packages(root: &Path) -> Result<Self, String> {
        let room = Self::new(root, &python()?).map_err(|error| error.to_string())?;
        room.fetch(root).map_err(|error| format!("{error}, from the network"))?;
        let tools = ["-m", "pip", "install", "--quiet", "twine>=6,<7"];
        run_program("fetching twine", &mut room.python(root, &tools))
            .map_err(|error| format!("{error}, from the network"))?;
        Ok(room)
    }

    fn programs(&self) -> PathBuf {
        self.0.join(if cfg!(windows) { "Scripts" } else { "bin" })
    }

    fn interpreter(&self) -> PathBuf {
        self.programs().join(format!("python{}", std::env::consts::EXE_SUFFIX))
    }

    /// Returns a command that runs the environment's Python in a folder, such as the project's top folder.
    pub(crate) fn python(&self, root: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.interpreter());
        command.current_dir(root).args(arguments).stdin(Stdio::null());
        command.env("PATH", path_with(&[self.programs()])).env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        command
    }

    /// Installs the dependencies for building, running and testing the package.
    fn fetch(&self, root: &Path) -> Result<(), Error> {
        let manifest = root.join("pyproject.toml");
        let text = fs::read_to_string(&manifest).map_err(Error::io(format!("read {}", manifest.display())))?;
        let needs = needs(&text);
        let mut command = self.python(root, &["-m", "pip", "install", "--quiet"]);
        run_program("fetching what it is built and tested with", command.args(needs))
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
        let ours = fs::read_to_string(crate::root().join("pyproject.toml")).expect("there");
        for package in ["maturin", "numpy", "pytest", "ml_dtypes"] {
            assert!(needs(&ours).iter().any(|need| need.starts_with(package)), "{package}");
        }
    }

    #[test]
    fn a_python_that_is_too_old_is_refused() {
        for (version, is_enough) in [("3.10", true), ("3.9", false), ("4.0", true), ("2.7", false), ("", false)] {
            assert_eq!(is_new_enough(version), is_enough, "{version}");
        }
        let ours = fs::read_to_string(crate::root().join("pyproject.toml")).expect("there");
        let (major, minor) = OLDEST;
        assert!(ours.contains(&format!("requires-python = \">={major}.{minor}\"")));
    }
}
