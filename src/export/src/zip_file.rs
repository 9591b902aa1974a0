//! A ZIP that is filled piece after piece.

use std::fmt;
use std::io::{self, Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The ZIP so far.
pub(crate) struct ZipFile(ZipWriter<Cursor<Vec<u8>>>);

impl ZipFile {
    pub(crate) fn new() -> Self {
        Self(ZipWriter::new(Cursor::new(Vec::new())))
    }

    /// Ends the file before and begins one of this name.
    pub(crate) fn begin(&mut self, name: &str) -> io::Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        Ok(self.0.start_file(name, options)?)
    }

    /// Adds to the file that was begun last.
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
