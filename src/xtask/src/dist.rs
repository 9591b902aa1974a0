//! Release files:
//!
//! - the page in one file
//! - the folder of the page in a ZIP
//! - a set of challenges for course systems
//! - the list of the page's crates
//! - checksums

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::materials::Material;
use crate::preview::Address;
use crate::steps::Steps;
use crate::{Error, book, encoding, materials, page, process, python, scorm, single};

/// Name of the file with the whole page.
pub const SINGLE: &str = "systolic-playground.html";
/// Name of the ZIP with the folder of the page.
pub const SITE: &str = "systolic-playground.zip";
/// Name of the folder with the book, in the folder of the release files and in the ZIP.
pub const BOOK: &str = "docs";
/// Name of the ZIP with a set of challenges for course systems.
pub const SCORM: &str = "systolic-playground-scorm.zip";
/// Name of the file that lists the crates of the page.
pub const MATERIALS: &str = "systolic-playground.cdx.json";
/// Name of the file of checksums, in the format of `sha256sum --check`.
pub const SUMS: &str = "SHA256SUMS";

/// Approximate duration of writing the release files.
pub const ESTIMATE: Duration = Duration::from_secs(5);

/// Returns the folder of the release files.
#[must_use]
pub fn folder(root: &Path) -> PathBuf {
    root.join("target").join("dist")
}

/// Builds the page and the book, and writes all release files. If `at` is an address, the page is built for this
/// address.
///
/// # Errors
/// Fails if [`page::build_at`] or the build of the book fails, or a file cannot be written.
pub fn run(root: &Path, steps: &mut Steps, at: Option<&Address>) -> Result<(), Error> {
    page::build_at(root, steps, at)?;
    book::build(root, steps, &folder(root).join(BOOK))?;
    let write = || {
        write(root, &page::dist(root), &materials::of_page(root)?, &folder(root))?;
        // The Python package shows the page in notebooks.
        python::write_page(root)
    };
    steps.run("writing what is handed out", write)
}

/// Checks that the build is reproducible: builds twice and compares every file. The second build uses a copy of the
/// sources in another folder, and no output of the first build.
///
/// # Errors
/// Fails if [`run`] fails, git cannot list the sources, or a file differs.
pub fn check(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    run(root, steps, None)?;
    let copy = root.join("target").join("again").join("elsewhere");
    steps.run("copying the sources", || copied(root, &copy))?;
    run(&copy, steps, None)?;
    let differing: Vec<String> = [page::dist, folder]
        .iter()
        .map(|place| differing(&place(root), &place(&copy)))
        .collect::<Result<Vec<_>, _>>()?
        .concat();
    if differing.is_empty() {
        return Ok(());
    }
    Err(Error::Verdict(format!("built twice, these files differ: {}", differing.join(", "))))
}

/// Copies the tracked files, the untracked files that git does not ignore, and the build tools.
pub(crate) fn copied(root: &Path, copy: &Path) -> Result<(), Error> {
    if copy.exists() {
        fs::remove_dir_all(copy).map_err(Error::io("empty the other folder"))?;
    }
    let listed = process::answer(Command::new("git").current_dir(root).args([
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
    ]));
    let listed = listed.filter(|files| !files.is_empty());
    let listed = listed.ok_or_else(|| Error::Missing {
        what: "git's list of the sources".into(),
        remedy: "run it in a clone".into(),
    })?;
    let tools = root.join(".tools").join("bin");
    let tools =
        fs::read_dir(&tools).into_iter().flatten().flatten().map(|tool| Path::new(".tools/bin").join(tool.file_name()));
    for name in listed.lines().map(PathBuf::from).chain(tools) {
        let (from, to) = (root.join(&name), copy.join(&name));
        // Git also lists tracked files that are deleted here.
        if !from.is_file() {
            continue;
        }
        let parent = to.parent().unwrap_or(copy);
        fs::create_dir_all(parent)
            .and_then(|()| fs::copy(&from, &to))
            .map_err(Error::io(format!("copy {}", name.display())))?;
    }
    Ok(())
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
///
/// # Errors
/// Fails if a file cannot be read, packed or written.
pub fn write(root: &Path, dist: &Path, materials: &[Material], into: &Path) -> Result<(), Error> {
    fs::create_dir_all(into).map_err(Error::io(format!("make {}", into.display())))?;
    let mut sums = String::new();
    let bill = materials::bill(materials).into_bytes();
    let course = scorm::package(root, dist)?;
    let files = [
        (SINGLE, single::page(dist)?.into_bytes()),
        (SITE, site(dist, &into.join(BOOK))?),
        (SCORM, course),
        (MATERIALS, bill),
    ];
    for (name, bytes) in files {
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        sums.push_str(&format!("{digest}  {name}\n"));
        fs::write(into.join(name), bytes).map_err(Error::io(format!("write {name}")))?;
    }
    fs::write(into.join(SUMS), sums).map_err(Error::io(format!("write {SUMS}")))
}

/// Returns a ZIP that contains the folder of the page and the book. Entries are sorted by name and have no timestamps,
/// so that equal folders give equal files. The `.br` and `.gz` files are left out, because web hosts compress files
/// themselves.
fn site(dist: &Path, book: &Path) -> Result<Vec<u8>, Error> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dist).map_err(Error::io("list dist"))? {
        paths.push(entry.map_err(Error::io("list dist"))?.path());
    }
    paths.retain(|path| !encoding::is_compressed(path));
    paths.sort();
    let mut files: Vec<(String, PathBuf)> = paths.into_iter().map(|path| (crate::file_name(&path), path)).collect();
    if book.is_dir() {
        let name = |path: &Path| path.strip_prefix(book).unwrap_or(path).to_string_lossy().replace('\\', "/");
        files.extend(encoding::files(book)?.into_iter().map(|path| (format!("{BOOK}/{}", name(&path)), path)));
    }
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, path) in files {
        let bytes = fs::read(&path).map_err(Error::io(format!("read dist/{name}")))?;
        let packed = zip.start_file(name.as_str(), options).and_then(|()| Ok(zip.write_all(&bytes)?));
        packed.map_err(|error| Error::Malformed(format!("{name} cannot be packed: {error}")))?;
    }
    let packed = zip.finish().map_err(|error| Error::Malformed(format!("the folder cannot be packed: {error}")))?;
    Ok(packed.into_inner())
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
