//! The link of a run in the metadata of a PNG, so that a slide leads back to the run.

use flate2::Crc;

/// Length of the signature of a PNG and of its first chunk, the header (PNG, 11.2.2).
const HEAD: usize = 8 + 25;
/// Keyword of the `iTXt` chunk.
const KEYWORD: &str = "URL";

/// Adds a link to a PNG, as an `iTXt` chunk after the header (PNG, 11.3.3.4). Bytes that are not a PNG stay as they are.
#[must_use]
pub fn with_link(png: &[u8], link: &str) -> Vec<u8> {
    let Some((head, rest)) = png.split_at_checked(HEAD).filter(|(head, _)| head[12..16] == *b"IHDR") else {
        return png.to_vec();
    };
    // The chunk has no compression, no language and no translated keyword.
    let data = [b"iTXt", KEYWORD.as_bytes(), &[0, 0, 0, 0, 0], link.as_bytes()].concat();
    let mut sum = Crc::new();
    sum.update(&data);
    let length = u32::try_from(data.len() - 4).unwrap_or(u32::MAX).to_be_bytes();
    [head, &length, &data, &sum.sum().to_be_bytes(), rest].concat()
}
