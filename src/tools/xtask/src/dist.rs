//! Release files:
//!
//! - the page in one file
//! - the folder of the page in a ZIP
//! - a set of challenges for course systems
//! - checksums

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::process::step;
use crate::{Error, book, encoding, files, page, process, python, scorm, single, tools};
use publish::Address;

/// Returns the folder of the release files.
pub(crate) fn folder(root: &Path) -> PathBuf {
    root.join("target").join("dist")
}

/// Builds the page and the book, and writes all release files. If `at` is an address, the page is built for this
/// address.
///
/// # Errors
/// Fails if [`page::build`] or [`book::run`] fails, or a file cannot be written.
pub(crate) fn run(root: &Path, at: Option<&Address>) -> Result<(), Error> {
    page::build(root, at)?;
    book::run(root)?;
    step("writing what is handed out", || write(root, &page::dist(root), &folder(root)))?;
    // The Python package shows the page in notebooks.
    python::write_page(root)?;
    println!("Written to {}", folder(root).display());
    Ok(())
}

/// Checks that the build is reproducible: builds twice and compares every file. The second build uses a copy of the
/// sources in another folder, and no output of the first build.
///
/// # Errors
/// Fails if [`run`] fails, git cannot list the sources, or a file differs.
pub(crate) fn check(root: &Path) -> Result<(), Error> {
    run(root, None)?;
    let copy = root.join("target").join("again").join("elsewhere");
    files::renewed(&copy)?;
    step("copying the sources", || files::sources(root, &copy))?;
    if tools::folder(root).is_dir() {
        files::copied(&tools::folder(root), &tools::folder(&copy))?;
    }
    run(&copy, None)?;
    for place in [page::dist, folder] {
        let mut compare = Command::new("diff");
        compare.arg("--recursive").arg("--brief").args([place(root), place(&copy)]);
        process::run("diff", &mut compare).map_err(|_| Error::Verdict("built twice, these files differ".to_owned()))?;
    }
    println!("Built twice, in two folders: every file is the same.");
    Ok(())
}

/// Writes all release files from a built page.
pub(crate) fn write(root: &Path, dist: &Path, into: &Path) -> Result<(), Error> {
    let mut sums = String::new();
    let files = [
        ("systolic-playground.html", single::page(dist)?.into_bytes()),
        ("systolic-playground.zip", site(dist)?),
        ("systolic-playground-scorm.zip", scorm::package(root, dist)?),
    ];
    for (name, bytes) in files {
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        sums.push_str(&format!("{digest}  {name}\n"));
        files::write(&into.join(name), bytes)?;
    }
    // The format of `sha256sum --check`.
    files::write(&into.join("SHA256SUMS"), sums)
}

/// Returns a ZIP that contains the folder of the page, with the book. Entries are sorted by name and have no timestamps,
/// so that equal folders give equal files. The `.br` and `.gz` files are left out, because web hosts compress files
/// themselves.
fn site(dist: &Path) -> Result<Vec<u8>, Error> {
    let paths = encoding::files(dist)?;
    let name = |path: &Path| path.strip_prefix(dist).unwrap_or(path).to_string_lossy().replace('\\', "/");
    let files =
        paths.iter().filter(|path| !encoding::is_compressed(path)).map(|path| Ok((name(path), files::bytes(path)?)));
    encoding::zipped(files.collect::<Result<Vec<_>, Error>>()?)
}
