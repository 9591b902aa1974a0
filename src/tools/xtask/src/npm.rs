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
pub(crate) fn install(folder: &Path, packages: &[&str], by: Option<&str>) -> Result<(), String> {
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

/// True if npm has installed a package, given as `name@version`, in a folder.
pub(crate) fn is_installed(folder: &Path, package: &str) -> bool {
    let Some((name, version)) = package.rsplit_once('@') else { return false };
    let manifest = crate::text_if_there(&folder.join("node_modules").join(name).join("package.json"));
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap_or(serde_json::Value::Null);
    manifest["version"].as_str() == Some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_another_version_is_not_there() {
        let folder = std::env::temp_dir().join(format!("npm-{}", std::process::id()));
        let package = folder.join("node_modules/@a/b");
        fs::create_dir_all(&package)
            .and_then(|()| fs::write(package.join("package.json"), r#"{"version":"1.2.3"}"#))
            .expect("written");
        assert!(
            is_installed(&folder, "@a/b@1.2.3")
                && !is_installed(&folder, "@a/b@1.2.4")
                && !is_installed(&folder, "c@1")
        );
        fs::remove_dir_all(folder).expect("removed");
    }
}
