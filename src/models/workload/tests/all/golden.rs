//! Golden files.

use std::path::{Path, PathBuf};

/// Returns the path of a golden file.
pub(crate) fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden")
}
