//! Installs axe-core, the accessibility checker that browser tests run inside the page.

use std::path::{Path, PathBuf};

use crate::npm;

/// Version of axe-core that the tests use.
pub(crate) const VERSION: &str = "4.14.1";

/// Returns the path of the checker's script, or `None` if the version of the tests is not installed.
#[must_use]
pub fn script(root: &Path) -> Option<PathBuf> {
    let script = folder(root).join("node_modules/axe-core/axe.min.js");
    (npm::is_installed(&folder(root), &format!("axe-core@{VERSION}")) && script.is_file()).then_some(script)
}

/// Returns the path of the checker's script, and installs axe-core with npm if it is missing.
///
/// # Errors
/// Fails if npm cannot install axe-core. The error text states why the check is skipped, for a message to the user.
/// Tests continue without the checker.
pub(crate) fn ensure(root: &Path) -> Result<PathBuf, String> {
    if let Some(script) = script(root) {
        return Ok(script);
    }
    npm::install(&folder(root), &[&format!("axe-core@{VERSION}")], None)?;
    script(root).ok_or_else(|| format!("npm could not install axe-core {VERSION}"))
}

fn folder(root: &Path) -> PathBuf {
    root.join(".tools").join("npm")
}
