//! Build tools: the wasm target, the test runner of wasm-bindgen, and Trunk. If a tool is missing or has the wrong version,
//! the needed version is built into `.tools`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, iter};

use publish::module::WASM;

use crate::Error;
use crate::process::{answer, cargo, find_in, path_with, run, step};

/// Version of Trunk that is built if no suitable Trunk is found. Later versions need a later compiler than this
/// project.
const TRUNK: &str = "0.21.14";
/// Program that runs tests in a browser. This program must have the version of the crate `wasm-bindgen` in Cargo.lock.
const RUNNER: &str = "wasm-bindgen-test-runner";

/// Finds or installs the wasm target.
pub(crate) fn ensure(root: &Path) -> Result<(), Error> {
    step(&format!("the compiler's {WASM} target"), || ensure_target(root))
}

/// Finds or installs the wasm target and the program that runs tests in a browser. Returns PATH with the folder of this
/// program in front, so that cargo finds it.
pub(crate) fn with_runner(root: &Path) -> Result<OsString, Error> {
    ensure(root)?;
    let wanted = locked_version(root, "wasm-bindgen")?;
    let runner = ensured(root, RUNNER, &format!("wasm-bindgen-cli@{wanted}"), |version| version == wanted)?;
    Ok(path_with(&[runner.parent().unwrap_or(root).to_owned()]))
}

/// Returns the path of Trunk, and builds Trunk if it is missing. Trunk serves the page during development.
pub(crate) fn trunk(root: &Path) -> Result<PathBuf, Error> {
    // Earlier versions do not know the project's settings.
    ensured(root, "trunk", &format!("trunk@{TRUNK}"), |said| said.starts_with("0.21.") || said.starts_with("0.22."))
}

/// Returns the path of a tool with a suitable version. If there is none, builds `package` into `.tools`.
fn ensured(root: &Path, tool: &str, package: &str, fits: impl Fn(&str) -> bool) -> Result<PathBuf, Error> {
    if let Some(found) = fitting(root, tool, &fits) {
        return Ok(found);
    }
    step(&format!("building {package} into .tools, this once"), || install(root, package))?;
    let remedy = format!("build {package} into .tools/bin, or put it on PATH");
    fitting(root, tool, fits).ok_or_else(|| Error::missing(tool, &remedy))
}

/// Returns the folder in which tools are installed.
pub(crate) fn folder(root: &Path) -> PathBuf {
    root.join(".tools").join("bin")
}

/// Returns the version of package `name` in Cargo.lock of the folder `root`.
///
/// # Errors
/// Fails if Cargo.lock cannot be read or does not name the package.
pub(crate) fn locked_version(root: &Path, name: &str) -> Result<String, Error> {
    // The answer ends with `name@version`.
    let id = answer(&mut cargo(root, &["pkgid", name]));
    let version = id.as_deref().and_then(|id| Some(id.rsplit_once('@')?.1.to_owned()));
    version.ok_or_else(|| Error::Failed(format!("Cargo.lock names no package {name}")))
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
    let sysroot = answer(Command::new("rustc").current_dir(root).args(["--print", "sysroot"]))
        .ok_or_else(|| Error::missing("rustc", "install Rust with rustup, the usual way"))?;
    if Path::new(&sysroot).join("lib/rustlib").join(WASM).is_dir() {
        return Ok(());
    }
    let remedy = "install it the way this compiler was installed, or use rustup";
    run("adding the wasm target", Command::new("rustup").current_dir(root).args(["target", "add", WASM]))
        .map_err(|_| Error::missing(&format!("the compiler's {WASM} target"), remedy))
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
        .env("XDG_DATA_HOME", folder(root).with_file_name("share"));
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
        let manifest = fs::read_to_string(crate::root().join("Cargo.toml")).unwrap();
        for name in ["wasm-bindgen", "wasm-bindgen-test"] {
            let version = locked_version(&crate::root(), name).unwrap();
            assert!(manifest.contains(&format!("{name} = \"={version}\"")), "{name} {version}");
        }
        assert!(locked_version(&crate::root(), "absent").is_err());
    }
}
