//! Publisher of the page: turns the compiled module, index.html, style sheets and lessons into the files of a web host.
//!
//! - [`page::build`] compiles the page, splits the WebAssembly module into parts, and writes files with digests in their
//!   names. [`single::page`] and [`scorm::package`] pack these files into one file and into a package for course systems.
//! - [`book::write`] makes the pages of the book from the documents.
//! - Scripts and style sheets are separate source files, because small files are easier to read. `html.rs` joins the
//!   files of the first load.
//! - `docs/performance.md` explains what keeps the page small.
#![expect(clippy::print_stdout, reason = "a build speaks through its terminal")]

mod beside;
pub mod book;
mod cards;
mod digest;
pub mod encoding;
mod error;
pub mod files;
mod html;
mod loader;
pub mod markup;
#[cfg(test)]
mod materials;
pub mod module;
pub mod page;
mod preview;
pub mod process;
pub mod scorm;
pub mod single;
pub mod size;
mod wasm;

pub use error::Error;
pub use preview::Address;

use plain::OrEmpty;
use std::env;
use std::path::{Path, PathBuf};

/// Returns the top folder of the project: the folder with Cargo.lock, at or above the package that cargo runs.
#[must_use]
pub fn root() -> PathBuf {
    // The variable at run time comes first, because the value from the build is stale after the project is moved.
    let package = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let top = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    top.map_or_else(|| package.clone(), Path::to_path_buf)
}

/// Returns the file name of a path, or an empty string for a path that ends in `..`.
#[must_use]
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Returns the text of a file, or an empty string if the file cannot be read.
#[must_use]
pub fn text_if_there(path: &Path) -> String {
    std::fs::read_to_string(path).or_empty()
}

/// Returns the folder in which cargo builds.
#[must_use]
pub fn target(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
