//! File names that change with the content, and digests by which a browser checks the content.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Returns the digest for a file name: the first 8 bytes of the content's SHA-256, in hexadecimal.
pub(crate) fn short(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a file name that changes with the content, so that a cached copy is never stale:
/// `stem-0123456789abcdef.ending`.
pub(crate) fn hashed(stem: &str, ending: &str, bytes: &[u8]) -> String {
    format!("{stem}-{}.{ending}", short(bytes))
}

/// Returns the value of an `integrity` attribute: `sha256-`, then the digest in Base64. A browser rejects content with
/// another digest.
pub(crate) fn integrity(bytes: &[u8]) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_as_browsers_read_them() {
        // The digest of the empty input is in FIPS 180-4.
        assert_eq!(integrity(b""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assert_eq!(hashed("page", "js", b""), "page-e3b0c44298fc1c14.js");
    }
}
