//! Content encodings that every browser understands (brotli and gzip), and the kinds of files that are worth
//! compressing.

use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::{Error, files};

/// Name endings of the files that are worth compressing. Images and fonts already contain compressed data.
const COMPRESSIBLE: [&str; 11] = ["html", "js", "mjs", "css", "wasm", "svg", "json", "txt", "xml", "webmanifest", "md"];

/// True if a file with this name is worth compressing.
pub fn compressible(path: &Path) -> bool {
    path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| COMPRESSIBLE.contains(&ending))
}

/// True if this file is the compressed form of another file.
pub fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "br" || ending == "gz")
}

/// Returns `bytes` compressed with gzip at `level` 0 to 9.
///
/// # Errors
/// Never fails in practice, because the encoder writes to memory.
pub fn gzip(bytes: &[u8], level: u32) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Returns `bytes` compressed with brotli at `quality` 0 to 11.
///
/// # Errors
/// Never fails in practice, because the encoder writes to memory.
pub fn brotli(bytes: &[u8], quality: i32) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let settings = brotli::enc::BrotliEncoderParams { quality, size_hint: bytes.len(), ..Default::default() };
    brotli::BrotliCompress(&mut &*bytes, &mut out, &settings)?;
    Ok(out)
}

/// Returns the path of the compressed form of `path`, for example `app.js.br`.
pub fn sibling(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Compresses every compressible file of `folder` with brotli (quality 11) and gzip (level 9), and writes the compressed
/// forms next to the file.
pub fn precompress(folder: &Path) -> Result<(), Error> {
    for path in files(folder)?.iter().filter(|path| compressible(path)) {
        let (bytes, doing) = (files::bytes(path)?, || format!("compress {}", path.display()));
        files::write(&sibling(path, "br"), brotli(&bytes, 11).map_err(Error::io(doing()))?)?;
        files::write(&sibling(path, "gz"), gzip(&bytes, 9).map_err(Error::io(doing()))?)?;
    }
    Ok(())
}

/// Returns a ZIP of files. The entries have no times, so that equal files give equal archives.
///
/// # Errors
/// Fails if a name is longer than a ZIP allows.
pub fn zipped(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Result<Vec<u8>, Error> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let packed = files.into_iter().try_for_each(|(name, bytes)| {
        zip.start_file(name, options)?;
        zip.write_all(&bytes).map_err(Into::into)
    });
    let packed = packed.and_then(|()| zip.finish());
    Ok(packed.map_err(|error| Error::Failed(format!("files cannot be packed: {error}")))?.into_inner())
}

/// Returns every file in `folder` and its subfolders, sorted, without hidden files and folders.
///
/// # Errors
/// Fails if a folder cannot be listed.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for path in files::list(folder)?.into_iter().filter(|path| !crate::file_name(path).starts_with('.')) {
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn both_encodings_give_the_bytes_back() {
        let text = "weights stay, activations stream ".repeat(100);
        let small = gzip(text.as_bytes(), 9).unwrap();
        let mut back = String::new();
        flate2::read::GzDecoder::new(&*small).read_to_string(&mut back).unwrap();
        assert_eq!(back, text);
        let small = brotli(text.as_bytes(), 11).unwrap();
        let mut back = Vec::new();
        brotli::BrotliDecompress(&mut &*small, &mut back).unwrap();
        assert_eq!(back, text.as_bytes());
        assert!(small.len() < text.len() / 10);
    }

    #[test]
    fn a_sibling_keeps_the_whole_name() {
        assert_eq!(sibling(Path::new("dist/app.js"), "br"), Path::new("dist/app.js.br"));
        assert!(compressible(Path::new("a_bg.wasm")) && !compressible(Path::new("a.png")));
        assert!(is_compressed(Path::new("app.js.br")) && !compressible(Path::new("app.js.br")));
    }
}
