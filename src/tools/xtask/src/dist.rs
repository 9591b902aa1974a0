//! Release files:
//!
//! - the page in one file
//! - the folder of the page in a ZIP
//! - a set of challenges for course systems
//! - checksums

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::preview::Address;
use crate::process::step;
use crate::{Error, book, encoding, files, page, python, scorm, single, tools};

/// Name of the folder with the book, in the folder of the release files and in the ZIP.
const BOOK: &str = "docs";

/// Returns the folder of the release files.
pub(crate) fn folder(root: &Path) -> PathBuf {
    root.join("target").join("dist")
}

/// Builds the page and the book, and writes all release files. If `at` is an address, the page is built for this
/// address.
///
/// # Errors
/// Fails if [`page::build`] or the build of the book fails, or a file cannot be written.
pub(crate) fn run(root: &Path, at: Option<&Address>) -> Result<(), Error> {
    page::build(root, at)?;
    book::build(root, &folder(root).join(BOOK))?;
    let write = || {
        write(root, &page::dist(root), &folder(root))?;
        // The Python package shows the page in notebooks.
        python::write_page(root)
    };
    step("writing what is handed out", write)?;
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
    let differing: Vec<String> = [page::dist, folder]
        .iter()
        .map(|place| differing(&place(root), &place(&copy)))
        .collect::<Result<Vec<_>, _>>()?
        .concat();
    if differing.is_empty() {
        println!("Built twice, in two folders: every file is the same.");
        return Ok(());
    }
    Err(Error::Verdict(format!("built twice, these files differ: {}", differing.join(", "))))
}

/// Returns the names of files that differ between two folders, or that only one folder contains.
fn differing(one: &Path, other: &Path) -> Result<Vec<String>, Error> {
    let names = |folder: &Path| -> Result<BTreeSet<PathBuf>, Error> {
        let files = encoding::files(folder)?;
        Ok(files.iter().filter_map(|path| path.strip_prefix(folder).ok()).map(Path::to_owned).collect())
    };
    let all: BTreeSet<PathBuf> = names(one)?.union(&names(other)?).cloned().collect();
    let read = |folder: &Path, name: &Path| fs::read(folder.join(name)).ok();
    let differs = |name: &&PathBuf| read(one, name) != read(other, name);
    Ok(all.iter().filter(differs).map(|name| name.display().to_string()).collect())
}

/// Writes all release files from a built page.
pub(crate) fn write(root: &Path, dist: &Path, into: &Path) -> Result<(), Error> {
    let mut sums = String::new();
    let files = [
        ("systolic-playground.html", single::page(dist)?.into_bytes()),
        ("systolic-playground.zip", site(dist, &into.join(BOOK))?),
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

/// Returns a ZIP that contains the folder of the page and the book. Entries are sorted by name and have no timestamps,
/// so that equal folders give equal files. The `.br` and `.gz` files are left out, because web hosts compress files
/// themselves.
fn site(dist: &Path, book: &Path) -> Result<Vec<u8>, Error> {
    let mut paths = files::list(dist)?;
    paths.retain(|path| !encoding::is_compressed(path));
    let mut files: Vec<(String, PathBuf)> = paths.into_iter().map(|path| (crate::file_name(&path), path)).collect();
    if book.is_dir() {
        let name = |path: &Path| path.strip_prefix(book).unwrap_or(path).to_string_lossy().replace('\\', "/");
        files.extend(encoding::files(book)?.into_iter().map(|path| (format!("{BOOK}/{}", name(&path)), path)));
    }
    let files = files.into_iter().map(|(name, path)| Ok((name, files::bytes(&path)?)));
    zipped(files.collect::<Result<Vec<_>, Error>>()?)
}

/// Returns a ZIP of files. The entries have no times, so that equal files give equal archives.
pub(crate) fn zipped(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Result<Vec<u8>, Error> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let packed = files.into_iter().try_for_each(|(name, bytes)| {
        zip.start_file(name, options)?;
        zip.write_all(&bytes).map_err(Into::into)
    });
    let packed = packed.and_then(|()| zip.finish());
    Ok(packed.map_err(|error| Error::Failed(format!("files cannot be packed: {error}")))?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_differs_or_is_in_one_folder_alone_is_named() {
        let at = std::env::temp_dir().join(format!("dist-{}", std::process::id()));
        let (one, other) = (at.join("one"), at.join("other"));
        for (folder, name, text) in [
            (&one, "same", "a"),
            (&other, "same", "a"),
            (&one, "changed", "a"),
            (&other, "changed", "b"),
            (&one, "gone", "a"),
            (&other, "new", "a"),
        ] {
            fs::create_dir_all(folder).and_then(|()| fs::write(folder.join(name), text)).expect("written");
        }
        assert_eq!(differing(&one, &other).expect("read"), ["changed", "gone", "new"]);
        assert_eq!(differing(&one, &one).expect("read"), [""; 0]);
        fs::remove_dir_all(at).expect("removed");
    }
}
