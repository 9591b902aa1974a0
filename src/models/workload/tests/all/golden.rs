//! The golden files.

use std::path::{Path, PathBuf};

/// Their folder.
pub(crate) fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden")
}
