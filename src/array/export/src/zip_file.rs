//! ZIP file that is filled in pieces.

use std::fmt;
use std::io::{self, Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A ZIP file in memory that is being filled.
pub(crate) struct ZipFile(ZipWriter<Cursor<Vec<u8>>>);

impl ZipFile {
    pub(crate) fn new() -> Self {
        Self(ZipWriter::new(Cursor::new(Vec::new())))
    }

    /// Ends the current file in the ZIP and begins a new file with this name.
    pub(crate) fn begin(&mut self, name: &str) -> io::Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        Ok(self.0.start_file(name, options)?)
    }

    /// Adds text to the current file in the ZIP.
    pub(crate) fn write(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())
    }

    pub(crate) fn finish(self) -> io::Result<Vec<u8>> {
        Ok(self.0.finish()?.into_inner())
    }
}

impl fmt::Debug for ZipFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ZipFile").finish_non_exhaustive()
    }
}
