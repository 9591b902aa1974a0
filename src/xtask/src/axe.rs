//! Installs axe-core, the accessibility checker that browser tests run inside the page.

use std::fs;
use std::path::{Path, PathBuf};

use crate::npm;

/// Version of axe-core that the tests use.
pub const VERSION: &str = "4.14.1";

/// Returns the path of the checker's script, or `None` if [`VERSION`] is not installed.
#[must_use]
pub fn script(root: &Path) -> Option<PathBuf> {
    let package = folder(root).join("node_modules").join("axe-core");
    let manifest = fs::read_to_string(package.join("package.json")).ok()?;
    let manifest: serde_json::Value = serde_json::from_str(&manifest).ok()?;
    let script = package.join("axe.min.js");
    (manifest["version"].as_str() == Some(VERSION) && script.is_file()).then_some(script)
}

/// Returns the path of the checker's script, and installs axe-core with npm if it is missing.
///
/// # Errors
/// Fails if npm cannot install axe-core. The error text states why the check is skipped, for a message to the user.
/// Tests continue without the checker.
pub fn ensure(root: &Path) -> Result<PathBuf, String> {
    if let Some(script) = script(root) {
        return Ok(script);
    }
    npm::install(&folder(root), &[format!("axe-core@{VERSION}")], None)?;
    script(root).ok_or_else(|| format!("npm could not install axe-core {VERSION}"))
}

fn folder(root: &Path) -> PathBuf {
    root.join(".tools").join("npm")
}
