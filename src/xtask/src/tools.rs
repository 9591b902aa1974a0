//! The build tools: the wasm target, Trunk and wasm-bindgen, taken when they fit and built into `.tools` when not.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, iter};

use crate::process::{answer, cargo, find_in, path_with, run};
use crate::steps::Steps;
use crate::{Error, process};

/// The target every browser build is for.
pub const WASM: &str = "wasm32-unknown-unknown";
/// The Trunk that is built when none fits; newer ones ask for a newer compiler than this project does.
pub const TRUNK: &str = "0.21.14";
/// What comes with wasm-bindgen and is used here, all in the version of the crate.
const BINDGEN: [&str; 2] = ["wasm-bindgen", "wasm-bindgen-test-runner"];
/// How many steps [`ensure`] runs.
pub const STEPS: usize = 2;

/// Makes every build tool present: two steps.
///
/// # Errors
/// A tool is missing and cannot be installed.
pub fn ensure(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    steps.run(&format!("the compiler's {WASM} target"), || ensure_target(root))?;
    install_missing(root, steps, BINDGEN[0], missing_bindgen(root)?, &found_bindgen(root)?)
}

/// Makes Trunk present, which serves the page while it is worked on: one step. No other chore needs it.
///
/// # Errors
/// It is missing and cannot be installed.
pub fn ensure_trunk(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    let found = fitting(root, "trunk", fits_trunk);
    install_missing(root, steps, "Trunk", missing_trunk(root), &found.into_iter().collect::<Vec<_>>())
}

/// About how long each step of [`ensure`] takes here: nothing where the tool is there already.
///
/// # Errors
/// Cargo.lock does not say which wasm-bindgen is needed.
pub fn estimates(root: &Path) -> Result<[Duration; STEPS], Error> {
    Ok([Duration::ZERO, Duration::from_secs(missing_bindgen(root)?.map_or(0, |_| 60))])
}

/// About how long [`ensure_trunk`] takes here.
#[must_use]
pub fn trunk_estimate(root: &Path) -> Duration {
    Duration::from_secs(missing_trunk(root).map_or(0, |_| 130))
}

/// mdBook of a version, built into `.tools` where it is not there.
///
/// # Errors
/// It is missing and cannot be installed.
pub(crate) fn ensure_mdbook(root: &Path, version: &str) -> Result<PathBuf, Error> {
    let found = || fitting(root, "mdbook", |said| said.trim_start_matches('v') == version);
    if found().is_none() {
        install(root, &format!("mdbook@{version}"))?;
    }
    let remedy = format!("build mdbook {version} into .tools/bin, or put it on PATH");
    found().ok_or(Error::Missing { what: "mdBook".into(), remedy })
}

/// Builds `missing`, if there is such a package, or says where the tool is taken from.
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

/// The package to install, if a tool of the needed version is not there.
fn missing_bindgen(root: &Path) -> Result<Option<String>, Error> {
    let wanted = locked_version(root, "wasm-bindgen")?;
    Ok((found_bindgen(root)?.len() < BINDGEN.len()).then(|| format!("wasm-bindgen-cli@{wanted}")))
}

/// The programs of the needed version that are there.
fn found_bindgen(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let wanted = locked_version(root, "wasm-bindgen")?;
    Ok(BINDGEN.iter().filter_map(|tool| fitting(root, tool, |version| version == wanted)).collect())
}

fn missing_trunk(root: &Path) -> Option<String> {
    fitting(root, "trunk", fits_trunk).is_none().then(|| format!("trunk@{TRUNK}"))
}

/// PATH with the folders of the tools that fit in front, for cargo and other programs to find them.
#[must_use]
pub fn path(root: &Path) -> OsString {
    let programs = found_bindgen(root).unwrap_or_default();
    let mut folders: Vec<PathBuf> = programs.iter().filter_map(|program| Some(program.parent()?.to_owned())).collect();
    folders.dedup();
    path_with(&folders)
}

/// Where tools are installed.
#[must_use]
pub fn folder(root: &Path) -> PathBuf {
    root.join(".tools").join("bin")
}

/// Where a tool keeps what it needs besides its program.
pub(crate) fn share(root: &Path) -> PathBuf {
    root.join(".tools").join("share")
}

/// The version of package `name` in Cargo.lock.
///
/// # Errors
/// Cargo.lock cannot be read or does not name the package.
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

/// Trunk before 0.21 does not know the settings used here.
fn fits_trunk(version: &str) -> bool {
    version.starts_with("0.21.") || version.starts_with("0.22.")
}

/// The first `tool` whose version fits: in `.tools`, on PATH, or where cargo installs programs.
fn fitting(root: &Path, tool: &str, fits: impl Fn(&str) -> bool) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let folders = iter::once(folder(root)).chain(env::split_paths(&path)).chain(home.map(|home| home.join("bin")));
    let mut programs = folders.filter_map(|folder| find_in(&[folder], tool));
    programs.find(|program| version_of(program).is_some_and(|version| fits(&version)))
}

/// The second word of what the program says of itself, as in `trunk 0.21.14`.
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

/// Builds `package` with a profile that compiles quickly; the tools themselves need no speed.
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
    // What was compiled on the way is as large as the whole project and never read again.
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
