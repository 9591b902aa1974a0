//! Packages of npm that tests and chores use: installed into a folder of the project's own, without scripts of theirs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::find;

/// Installs packages, each as `name@version`, under `folder`, as they were published by a day, where one is given.
///
/// # Errors
/// One clause for the reader, since tests go on without them.
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
