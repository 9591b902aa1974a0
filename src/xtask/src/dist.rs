//! What a release hands out: the page in one file, its folder in a ZIP, and the checksums of both.

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::steps::Steps;
use crate::{Error, encoding, page, single};

/// The page in one file.
pub const SINGLE: &str = "systolic-playground.html";
/// The folder of the page.
pub const SITE: &str = "systolic-playground.zip";
/// The checksums, as `sha256sum --check` reads them.
pub const SUMS: &str = "SHA256SUMS";

/// About how long it takes to write them.
pub const ESTIMATE: Duration = Duration::from_secs(5);

/// Where they are written.
#[must_use]
pub fn folder(root: &Path) -> PathBuf {
    root.join("target").join("dist")
}

/// Builds the page and writes all of them.
///
/// # Errors
/// As [`page::build`], or a file cannot be written.
pub fn run(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    page::build(root, steps)?;
    steps.run("writing what is handed out", || write(&page::dist(root), &folder(root)))
}

/// Writes all of them from a built page.
///
/// # Errors
/// A file cannot be read or written.
pub fn write(dist: &Path, into: &Path) -> Result<(), Error> {
    fs::create_dir_all(into).map_err(Error::io(format!("make {}", into.display())))?;
    let mut sums = String::new();
    for (name, bytes) in [(SINGLE, single::page(dist)?.into_bytes()), (SITE, site(dist)?)] {
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        sums.push_str(&format!("{digest}  {name}\n"));
        fs::write(into.join(name), bytes).map_err(Error::io(format!("write {name}")))?;
    }
    fs::write(into.join(SUMS), sums).map_err(Error::io(format!("write {SUMS}")))
}

/// The folder as a ZIP, in the order of names and without times, so that equal folders are equal files. Hosts compress by
/// themselves, so compressed forms stay out.
fn site(dist: &Path) -> Result<Vec<u8>, Error> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dist).map_err(Error::io("list dist"))? {
        paths.push(entry.map_err(Error::io("list dist"))?.path());
    }
    paths.retain(|path| !encoding::is_compressed(path));
    paths.sort();
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = fs::read(&path).map_err(Error::io(format!("read dist/{name}")))?;
        let packed = zip.start_file(name.as_str(), options).and_then(|()| Ok(zip.write_all(&bytes)?));
        packed.map_err(|error| Error::Malformed(format!("{name} cannot be packed: {error}")))?;
    }
    let packed = zip.finish().map_err(|error| Error::Malformed(format!("the folder cannot be packed: {error}")))?;
    Ok(packed.into_inner())
}
