//! Build tools: the wasm target, wasm-bindgen, Trunk and mdBook. If a tool is missing or has the wrong version, the
//! needed version is built into `.tools`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, iter};

use crate::process::{answer, cargo, find_in, path_with, run};
use crate::steps::Steps;
use crate::{Error, process};

/// Compilation target of browser builds.
pub const WASM: &str = "wasm32-unknown-unknown";
/// Version of Trunk that is built if no suitable Trunk is found. Later versions need a later compiler than this
/// project.
pub const TRUNK: &str = "0.21.14";
/// Programs of wasm-bindgen that this project uses. These programs must have the version of the crate `wasm-bindgen` in
/// Cargo.lock.
const BINDGEN: [&str; 2] = ["wasm-bindgen", "wasm-bindgen-test-runner"];
/// Number of steps of [`ensure`].
pub const STEPS: usize = 2;

/// Finds or installs the wasm target and wasm-bindgen, in two steps.
///
/// # Errors
/// Fails if a tool is missing and cannot be installed.
pub fn ensure(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    steps.run(&format!("the compiler's {WASM} target"), || ensure_target(root))?;
    install_missing(root, steps, BINDGEN[0], missing_bindgen(root)?, &found_bindgen(root)?)
}

/// Finds or installs Trunk, in one step. Trunk serves the page during development. No xtask command needs Trunk.
///
/// # Errors
/// Fails if Trunk is missing and cannot be installed.
pub fn ensure_trunk(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    let found = fitting(root, "trunk", fits_trunk);
    install_missing(root, steps, "Trunk", missing_trunk(root), &found.into_iter().collect::<Vec<_>>())
}

/// Returns the path of Trunk.
///
/// # Errors
/// Fails if there is no Trunk with a suitable version.
pub(crate) fn trunk(root: &Path) -> Result<PathBuf, Error> {
    let remedy = "run `cargo xtask setup`".to_owned();
    fitting(root, "trunk", fits_trunk).ok_or(Error::Missing { what: "Trunk".into(), remedy })
}

/// Returns the approximate duration of each step of [`ensure`] on this machine: zero for a tool that is already there.
///
/// # Errors
/// Fails if Cargo.lock cannot be read or does not name wasm-bindgen.
pub fn estimates(root: &Path) -> Result<[Duration; STEPS], Error> {
    Ok([Duration::ZERO, Duration::from_secs(missing_bindgen(root)?.map_or(0, |_| 60))])
}

/// Returns the approximate duration of [`ensure_trunk`] on this machine.
#[must_use]
pub fn trunk_estimate(root: &Path) -> Duration {
    Duration::from_secs(missing_trunk(root).map_or(0, |_| 130))
}

/// Returns the path of mdBook in version `version`, and builds mdBook into `.tools` if it is missing.
///
/// # Errors
/// Fails if mdBook is missing and cannot be installed.
pub(crate) fn ensure_mdbook(root: &Path, version: &str) -> Result<PathBuf, Error> {
    let found = || fitting(root, "mdbook", |said| said.trim_start_matches('v') == version);
    if found().is_none() {
        install(root, &format!("mdbook@{version}"))?;
    }
    let remedy = format!("build mdbook {version} into .tools/bin, or put it on PATH");
    found().ok_or(Error::Missing { what: "mdBook".into(), remedy })
}

/// Builds the package `missing`, if it is not `None`. Otherwise prints the path of the tool.
fn install_missing(
    root: &Path,
    steps: &mut Steps,
    tool: &str,
    missing: Option<String>,
    found: &[PathBuf],
) -> Result<(), Error> {
    match missing {
        Some(package) => steps.run(&format!("building {package} into .tools, this once"), || install(root, &package)),
        None => {
            let place = found.first().map_or_else(String::new, |program| format!(", found at {}", program.display()));
            steps.run(&format!("{tool}{place}"), || Ok(()))
        }
    }
}

/// Returns the package to install, or `None` if all programs of wasm-bindgen have the needed version.
fn missing_bindgen(root: &Path) -> Result<Option<String>, Error> {
    let wanted = locked_version(root, "wasm-bindgen")?;
    Ok((found_bindgen(root)?.len() < BINDGEN.len()).then(|| format!("wasm-bindgen-cli@{wanted}")))
}

/// Returns the paths of the wasm-bindgen programs with the needed version.
fn found_bindgen(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let wanted = locked_version(root, "wasm-bindgen")?;
    Ok(BINDGEN.iter().filter_map(|tool| fitting(root, tool, |version| version == wanted)).collect())
}

fn missing_trunk(root: &Path) -> Option<String> {
    fitting(root, "trunk", fits_trunk).is_none().then(|| format!("trunk@{TRUNK}"))
}

/// Returns PATH with the folders of the suitable wasm-bindgen programs in front, so that cargo and other programs find
/// them.
#[must_use]
pub fn path(root: &Path) -> OsString {
    let programs = found_bindgen(root).unwrap_or_default();
    let mut folders: Vec<PathBuf> = programs.iter().filter_map(|program| Some(program.parent()?.to_owned())).collect();
    folders.dedup();
    path_with(&folders)
}

/// Returns the folder in which tools are installed.
#[must_use]
pub fn folder(root: &Path) -> PathBuf {
    root.join(".tools").join("bin")
}

/// Returns the folder in which tools store their data.
pub(crate) fn share(root: &Path) -> PathBuf {
    root.join(".tools").join("share")
}

/// Returns the version of package `name` in Cargo.lock of the folder `root`.
///
/// # Errors
/// Fails if Cargo.lock cannot be read or does not name the package.
pub fn locked_version(root: &Path, name: &str) -> Result<String, Error> {
    let lock = fs::read_to_string(root.join("Cargo.lock")).map_err(Error::io("read Cargo.lock"))?;
    version_in(&lock, name).ok_or_else(|| Error::Malformed(format!("Cargo.lock names no package {name}")))
}

fn version_in(lock: &str, name: &str) -> Option<String> {
    let title = format!("name = \"{name}\"");
    let mut lines = lock.lines();
    lines.find(|line| *line == title)?;
    Some(lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')?.to_owned())
}

/// True for Trunk 0.21 and 0.22. Earlier versions do not know the project's settings.
fn fits_trunk(version: &str) -> bool {
    version.starts_with("0.21.") || version.starts_with("0.22.")
}

/// Returns the path of the first `tool` with a suitable version: in `.tools`, on PATH, or in cargo's folder of
/// programs.
fn fitting(root: &Path, tool: &str, fits: impl Fn(&str) -> bool) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let folders = iter::once(folder(root)).chain(env::split_paths(&path)).chain(home.map(|home| home.join("bin")));
    let mut programs = folders.filter_map(|folder| find_in(&[folder], tool));
    programs.find(|program| version_of(program).is_some_and(|version| fits(&version)))
}

/// Returns the version of a program: the second word of its `--version` line, for example `trunk 0.21.14`.
fn version_of(program: &Path) -> Option<String> {
    let said = answer(Command::new(program).arg("--version"))?;
    said.split_whitespace().nth(1).map(str::to_owned)
}

fn ensure_target(root: &Path) -> Result<(), Error> {
    let sysroot = answer(Command::new("rustc").current_dir(root).args(["--print", "sysroot"])).ok_or_else(|| {
        Error::Missing { what: "rustc".into(), remedy: "install Rust with rustup, the usual way".into() }
    })?;
    if Path::new(&sysroot).join("lib/rustlib").join(WASM).is_dir() {
        return Ok(());
    }
    if process::find(&["rustup"]).is_none() {
        return Err(Error::Missing {
            what: format!("the compiler's {WASM} target"),
            remedy: "install it the way this compiler was installed, or use rustup".into(),
        });
    }
    run("adding the wasm target", Command::new("rustup").current_dir(root).args(["target", "add", WASM]))
}

/// Builds and installs `package` with a profile that compiles quickly, because the tools themselves need no speed.
pub(crate) fn install(root: &Path, package: &str) -> Result<(), Error> {
    let scratch = root.join(".tools").join("build");
    let mut command = cargo(root, &["install", "--locked", "--no-default-features", "--force", "--root", ".tools"]);
    command
        .arg(package)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env("CARGO_TARGET_DIR", &scratch)
        .env("XDG_DATA_HOME", share(root));
    run(&format!("building {package}"), &mut command)?;
    // The folder of this build is as large as the whole project, and no later build uses it.
    let _ = fs::remove_dir_all(scratch);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_gives_the_version_of_exactly_the_named_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-test\"\nversion = \"0.3.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.9\"\n";
        assert_eq!(version_in(lock, "wasm-bindgen").as_deref(), Some("0.2.9"));
        assert_eq!(version_in(lock, "absent"), None);
    }

    #[test]
    fn only_a_trunk_that_knows_the_settings_fits() {
        assert!(fits_trunk("0.21.14") && fits_trunk("0.22.1"));
        assert!(!fits_trunk("0.20.3") && !fits_trunk("0.23.0") && !fits_trunk("0.210.0"));
    }
}
