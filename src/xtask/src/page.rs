//! Building the shipped page into `dist`, headers and compressed files with it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cards::Cards;
use crate::preview::Address;
use crate::steps::Steps;
use crate::tools::WASM;
use crate::{Error, encoding, html, module};

/// Steps that [`build`] runs.
pub const STEPS: usize = 4;

/// The folder of the built page.
#[must_use]
pub fn dist(root: &Path) -> PathBuf {
    root.join("dist")
}

/// About how long each step of [`build`] takes on two cores.
#[must_use]
pub fn estimates(root: &Path) -> [Duration; STEPS] {
    // Cargo's folder of the page's profile: what it holds is not compiled again.
    let is_built = crate::target(root).join(WASM).join("wasm-release").is_dir();
    [if is_built { 5 } else { 40 }, if is_built { 25 } else { 110 }, 0, 10].map(Duration::from_secs)
}

/// Builds the page as it is published: four steps.
///
/// # Errors
/// A lesson has a mistake, the page does not compile, its first module holds what belongs to a part, or `dist` cannot be written.
pub fn build(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    build_at(root, steps, None)
}

/// The same for an address, if one is known: then other pages can show a picture of it, or a frame.
///
/// # Errors
/// As [`build`].
pub fn build_at(root: &Path, steps: &mut Steps, at: Option<&Address>) -> Result<(), Error> {
    let cards = Cards::read(root)?;
    steps.run("reading the lessons", || cards.check(root))?;
    assemble(root, steps, &cards, at)
}

/// Builds the page without checking the lessons, because the checker compiles for a minute.
///
/// # Errors
/// As [`build`], but a lesson with a mistake is published with it.
pub fn build_unread(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    assemble(root, steps, &Cards::read(root)?, None)
}

fn assemble(root: &Path, steps: &mut Steps, cards: &Cards, at: Option<&Address>) -> Result<(), Error> {
    let module = steps.run("compiling the page", || module::build(root, cards))?;
    steps.run("putting it together", || html::write(root, &dist(root), &module, cards, at))?;
    steps.run("compressing", || encoding::precompress(&dist(root)))
}
