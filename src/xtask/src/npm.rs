//! npm packages for tests and commands. The packages are installed into a folder of the project, and their install
//! scripts do not run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::find;

/// Installs packages, each given as `name@version`, under `folder`. With a day in `by`, npm chooses only versions that
/// were published before that day.
///
/// # Errors
/// Fails if npm is missing or cannot install a package. The error text states why the check is skipped, for a message
/// to the user. Tests continue without the packages.
pub(crate) fn install(folder: &Path, packages: &[String], by: Option<&str>) -> Result<(), String> {
    let names = packages.join(", ");
    let npm = find(&["npm"]).ok_or_else(|| format!("{names} needs npm"))?;
    fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    let done = Command::new(npm)
        .current_dir(folder)
        .args(["install", "--ignore-scripts", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--prefix"])
        .arg(folder)
        .args(by.map(|day| format!("--before={day}")))
        .args(packages)
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    done.then_some(()).ok_or_else(|| format!("npm could not install {names}"))
}
