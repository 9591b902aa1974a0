//! Names that change with the content of a file, and digests by which a page vouches for it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The digits that stand for a content in the names of its files.
#[must_use]
pub fn short(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// A file name that changes with the content, so that a stored copy is never a stale one: `stem-0123456789abcdef.ending`.
#[must_use]
pub fn hashed(stem: &str, ending: &str, bytes: &[u8]) -> String {
    format!("{stem}-{}.{ending}", short(bytes))
}

/// What stands beside the name of a file, so that a browser takes no other content for it.
#[must_use]
pub fn integrity(bytes: &[u8]) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_as_browsers_read_them() {
        // Of the empty input, as FIPS 180-4 has it.
        assert_eq!(integrity(b""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assert_eq!(hashed("page", "js", b""), "page-e3b0c44298fc1c14.js");
    }
}
