//! Project commands: tools, builds, server, tests, page size, release files.
//!
//! - A page build checks all lessons, compiles the page, splits the WebAssembly module into parts, and writes files
//!   with digests in their names. The single file (`single.rs`) and the release files are made from the output of this
//!   build.
//! - Scripts and style sheets are separate source files, because small files are easier to read. `html.rs` joins the
//!   files of the first load.
//! - `docs/size.md` explains what keeps the page small, `docs/testing.md` explains the tests.
#![expect(clippy::print_stdout, reason = "a command line speaks through its terminal")]

pub mod axe;
mod beside;
pub mod book;
pub mod browser;
mod cards;
mod codegen;
mod command;
mod commits;
mod debian;
mod digest;
mod dist;
pub mod encoding;
pub mod engines;
mod error;
mod figures;
mod files;
mod formulas;
mod fuzz;
mod headers;
pub mod hosts;
mod html;
mod lanes;
mod loader;
pub mod markup;
#[cfg(test)]
mod materials;
mod module;
mod npm;
mod packages;
pub mod page;
mod preview;
pub mod process;
pub mod prose;
mod pyodide;
mod python;
pub mod scorm;
mod serve;
pub mod server;
pub mod single;
mod size_report;
mod suite;
mod tools;
mod trunk;
mod wasm;

pub use command::main;
pub use error::Error;

use plain::OrEmpty;
use std::env;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the top folder of the project: the folder with Cargo.lock, at or above the package that cargo runs.
#[must_use]
pub fn root() -> PathBuf {
    // The variable at run time comes first, because the value from the build is stale after the project is moved.
    let package = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let top = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    top.map_or_else(|| package.clone(), Path::to_path_buf)
}

/// Returns the file name of a path, or an empty string for a path that ends in `..`.
fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Returns the text of a file, or an empty string if the file cannot be read.
fn text_if_there(path: &Path) -> String {
    std::fs::read_to_string(path).or_empty()
}

/// Returns the default seed of random checks, which is different each second.
fn clock_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs())
}

/// Returns the folder in which cargo builds.
fn target(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
