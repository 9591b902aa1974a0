//! The build tools: the wasm target, Trunk and wasm-bindgen, taken when they fit and built into `.tools` when not.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{answer, cargo, find_in, path_with, run};
use crate::steps::Steps;
use crate::{Error, process};

/// The target every browser build is for.
pub const WASM: &str = "wasm32-unknown-unknown";
/// The Trunk that is built when none fits; newer ones ask for a newer compiler than this project does.
pub const TRUNK: &str = "0.21.14";
/// Names of the steps that [`ensure`] runs.
pub const STEPS: usize = 2;

/// Makes Trunk present, which serves the page while it is worked on: one step. No other chore needs it.
///
/// # Errors
/// It is missing and cannot be installed.
pub fn ensure_trunk(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    let trunk = folder_of(root, "trunk", fits_trunk);
    steps.run(&announce("Trunk", TRUNK, trunk.is_some(), "2 minutes"), || match trunk {
        Some(_) => Ok(()),
        None => install(root, &format!("trunk@{TRUNK}")),
    })
}

/// Makes every build tool present: two steps.
///
/// # Errors
/// A tool is missing and cannot be installed.
pub fn ensure(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    steps.run(&format!("the {WASM} target"), || ensure_target(root))?;
    let wanted = locked_version(root, "wasm-bindgen")?;
    let present = ["wasm-bindgen", "wasm-bindgen-test-runner"]
        .iter()
        .all(|tool| folder_of(root, tool, |version| version == wanted).is_some());
    steps.run(&announce("wasm-bindgen", &wanted, present, "1 minute"), || {
        if present { Ok(()) } else { install(root, &format!("wasm-bindgen-cli@{wanted}")) }
    })
}

/// PATH with the folders of the tools that fit in front, for cargo to find them.
#[must_use]
pub fn path(root: &Path) -> std::ffi::OsString {
    path_with(&folder(root))
}

/// Where tools are installed.
#[must_use]
pub fn folder(root: &Path) -> PathBuf {
    root.join(".tools").join("bin")
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

fn announce(tool: &str, version: &str, present: bool, time: &str) -> String {
    if present { tool.to_owned() } else { format!("building {tool} {version} into .tools (about {time}, once)") }
}

/// Trunk before 0.21 does not know the settings used here.
fn fits_trunk(version: &str) -> bool {
    version.starts_with("0.21.") || version.starts_with("0.22.")
}

/// The first folder, `.tools/bin` before PATH, that holds `tool`, provided its version fits.
///
/// Only the first counts: the child programs search in this order too and never look further.
fn folder_of(root: &Path, tool: &str, fits: impl Fn(&str) -> bool) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&path(root)).collect();
    let program = find_in(&folders, tool)?;
    let said = answer(Command::new(&program).arg("--version"))?;
    fits(said.split_whitespace().nth(1)?).then_some(program)
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
fn install(root: &Path, package: &str) -> Result<(), Error> {
    let scratch = root.join(".tools").join("build");
    let mut command = cargo(root, &["install", "--locked", "--no-default-features", "--force", "--root", ".tools"]);
    command
        .arg(package)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env("CARGO_TARGET_DIR", &scratch);
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
