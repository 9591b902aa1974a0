//! Build of the published page into `dist`, with headers and compressed files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cards::Cards;
use crate::preview::Address;
use crate::steps::Steps;
use crate::tools::WASM;
use crate::{Error, encoding, html, module};

/// Number of steps of [`build`].
pub const STEPS: usize = 4;

/// Returns the folder of the built page.
#[must_use]
pub fn dist(root: &Path) -> PathBuf {
    root.join("dist")
}

/// Returns the approximate duration of each step of [`build`] on two cores.
#[must_use]
pub fn estimates(root: &Path) -> [Duration; STEPS] {
    // Cargo does not recompile crates that its folder for the page's profile already contains.
    let is_built = crate::target(root).join(WASM).join("wasm-release").is_dir();
    [if is_built { 5 } else { 40 }, if is_built { 25 } else { 110 }, 0, 10].map(Duration::from_secs)
}

/// Builds the page for publication, in four steps.
///
/// # Errors
/// Fails in these cases:
/// - A lesson has a mistake.
/// - The page does not compile.
/// - The first module contains code that belongs to a part.
/// - `dist` cannot be written.
pub fn build(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    build_at(root, steps, None)
}

/// Builds the page. If `at` is an address, other pages can show a picture or a frame for a link to the page.
///
/// # Errors
/// Fails if [`build`] fails.
pub fn build_at(root: &Path, steps: &mut Steps, at: Option<&Address>) -> Result<(), Error> {
    let cards = Cards::read(root)?;
    steps.run("reading the lessons", || cards.check(root))?;
    assemble(root, steps, &cards, at)
}

/// Builds the page without checking the lessons, because compiling the checker takes a minute.
///
/// # Errors
/// Fails if [`build`] fails for any reason other than a mistake in a lesson. Lessons with mistakes are published.
pub fn build_unread(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    assemble(root, steps, &Cards::read(root)?, None)
}

fn assemble(root: &Path, steps: &mut Steps, cards: &Cards, at: Option<&Address>) -> Result<(), Error> {
    let module = steps.run("compiling the page", || module::build(root, cards))?;
    steps.run("putting it together", || html::write(root, &dist(root), &module, cards, at))?;
    steps.run("compressing", || encoding::precompress(&dist(root)))
}
