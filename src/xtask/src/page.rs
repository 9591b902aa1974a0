//! Building the shipped page into `dist`, headers and compressed files with it.

use std::path::{Path, PathBuf};

use crate::steps::Steps;
use crate::{Error, encoding, html, module};

/// Steps that [`build`] runs.
pub const STEPS: usize = 3;

/// The folder of the built page.
#[must_use]
pub fn dist(root: &Path) -> PathBuf {
    root.join("dist")
}

/// Builds the page as it is published: three steps.
///
/// # Errors
/// The page does not compile, its first module holds what belongs to a part, or `dist` cannot be written.
pub fn build(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    let module = steps.run("compiling the page (about 2 minutes the first time)", || module::build(root))?;
    steps.run("putting it together", || html::write(root, &dist(root), &module))?;
    steps.run("compressing", || encoding::precompress(&dist(root)))
}
