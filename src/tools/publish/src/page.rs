//! Build of the published page into `dist`, with headers and compressed files.

use std::path::{Path, PathBuf};

use crate::cards::Cards;
use crate::preview::Address;
use crate::process::step;
use crate::{Error, encoding, html, module};

/// Returns the folder of the built page.
#[must_use]
pub fn dist(root: &Path) -> PathBuf {
    root.join("dist")
}

/// Builds the page. If `at` is an address, other pages can show a picture or a frame for a link to the page.
///
/// # Errors
/// Fails in these cases:
/// - A lesson has a mistake.
/// - The page does not compile.
/// - The first module contains code that belongs to a part.
/// - `dist` cannot be written.
pub fn build(root: &Path, at: Option<&Address>) -> Result<(), Error> {
    check_lessons(root)?;
    assemble(root, at)?;
    compress(root)
}

/// Checks all lessons.
///
/// # Errors
/// Fails if a lesson has a mistake. The checker prints the line and column of each mistake.
pub fn check_lessons(root: &Path) -> Result<(), Error> {
    step("reading the lessons", || Cards::read(root)?.check(root))
}

/// Builds the page without checking the lessons, because compiling the checker takes a minute.
///
/// # Errors
/// Fails if [`build`] fails for any reason other than a mistake in a lesson. Lessons with mistakes are published.
pub fn build_unread(root: &Path) -> Result<(), Error> {
    assemble(root, None)?;
    compress(root)
}

/// Builds the page like [`build_unread`], but without compressed files. The development server compresses by itself.
///
/// # Errors
/// Fails if [`build_unread`] fails.
pub fn build_to_serve(root: &Path) -> Result<(), Error> {
    assemble(root, None)
}

fn assemble(root: &Path, at: Option<&Address>) -> Result<(), Error> {
    let cards = Cards::read(root)?;
    let module = step("compiling the page", || module::build(root, &cards))?;
    step("putting it together", || html::write(root, &dist(root), &module, &cards, at))
}

fn compress(root: &Path) -> Result<(), Error> {
    step("compressing", || encoding::precompress(&dist(root)))
}
