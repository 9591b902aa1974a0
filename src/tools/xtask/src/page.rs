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
pub(crate) fn build(root: &Path, at: Option<&Address>) -> Result<(), Error> {
    let cards = Cards::read(root)?;
    step("reading the lessons", || cards.check(root))?;
    assemble(root, &cards, at)
}

/// Builds the page without checking the lessons, because compiling the checker takes a minute.
///
/// # Errors
/// Fails if [`build`] fails for any reason other than a mistake in a lesson. Lessons with mistakes are published.
pub(crate) fn build_unread(root: &Path) -> Result<(), Error> {
    assemble(root, &Cards::read(root)?, None)
}

fn assemble(root: &Path, cards: &Cards, at: Option<&Address>) -> Result<(), Error> {
    let module = step("compiling the page", || module::build(root, cards))?;
    step("putting it together", || html::write(root, &dist(root), &module, cards, at))?;
    step("compressing", || encoding::precompress(&dist(root)))
}
