//! WebM file of encoded frames (syntax: RFC 8794, content: WebM Container Guidelines).

/// A frame from a video encoder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Start time of the frame, in milliseconds.
    pub at_ms: u64,
    /// True if the frame can be decoded without earlier frames (key frame).
    pub is_key: bool,
    /// Encoded bytes of the frame.
    pub bytes: Vec<u8>,
}

/// Returns a WebM file of VP8 frames. The arguments are the width and height in pixels, the total duration in
/// milliseconds, and the frames.
///
/// ```
/// let frame = export::webm::Chunk { at_ms: 0, is_key: true, bytes: vec![1, 2, 3] };
/// let file = export::webm::file((16, 8), 500, &[frame]);
/// assert_eq!(file[..4], [0x1a, 0x45, 0xdf, 0xa3]);
/// ```
#[must_use]
pub fn file((width, height): (u16, u16), lasts_ms: u64, chunks: &[Chunk]) -> Vec<u8> {
    let head = [
        number(&[0x42, 0x86], 1),
        number(&[0x42, 0xf7], 1),
        number(&[0x42, 0xf2], 4),
        number(&[0x42, 0xf3], 8),
        element(&[0x42, 0x82], b"webm"),
        number(&[0x42, 0x87], 4),
        number(&[0x42, 0x85], 2),
    ];
    #[expect(clippy::cast_precision_loss, reason = "exact for 285,000 years")]
    let lasts = (lasts_ms as f64).to_be_bytes();
    let info = [
        // Nanoseconds in one unit of time, which is a millisecond.
        number(&[0x2a, 0xd7, 0xb1], 1_000_000),
        element(&[0x44, 0x89], &lasts),
        element(&[0x4d, 0x80], b"systolic-playground"),
        element(&[0x57, 0x41], b"systolic-playground"),
    ];
    let video = [number(&[0xb0], width.into()), number(&[0xba], height.into())];
    let track = [
        number(&[0xd7], TRACK),
        number(&[0x73, 0xc5], TRACK),
        number(&[0x9c], 0),
        number(&[0x83], 1),
        element(&[0x86], b"V_VP8"),
        element(&[0xe0], &video.concat()),
    ];
    let mut segment = element(&[0x15, 0x49, 0xa9, 0x66], &info.concat());
    segment.extend(element(&[0x16, 0x54, 0xae, 0x6b], &element(&[0xae], &track.concat())));
    // A cluster begins at a key frame, or if the time of a block would no longer fit in 16 bits.
    let mut clusters: Vec<(u64, Vec<u8>)> = Vec::new();
    for chunk in chunks {
        let within = clusters.last().and_then(|(start, _)| i16::try_from(chunk.at_ms - start).ok());
        let since = match within.filter(|_| !chunk.is_key) {
            Some(since) => since,
            None => {
                clusters.push((chunk.at_ms, number(&[0xe7], chunk.at_ms)));
                0
            }
        };
        if let Some((_, cluster)) = clusters.last_mut() {
            let [high, low] = since.to_be_bytes();
            let block = [&[0x81, high, low, if chunk.is_key { 0x80 } else { 0 }], chunk.bytes.as_slice()].concat();
            cluster.extend(element(&[0xa3], &block));
        }
    }
    segment.extend(clusters.iter().flat_map(|(_, cluster)| element(&[0x1f, 0x43, 0xb6, 0x75], cluster)));
    [element(&[0x1a, 0x45, 0xdf, 0xa3], &head.concat()), element(&[0x18, 0x53, 0x80, 0x67], &segment)].concat()
}

/// Number of the video track, which is the only track in the file.
const TRACK: u64 = 1;

/// Encodes an element: its ID, the length of its body in 8 bytes, and the body.
fn element(id: &[u8], body: &[u8]) -> Vec<u8> {
    // The first set bit says that 7 more bytes of the length follow.
    let length = (1u64 << 56) | u64::try_from(body.len()).unwrap_or(u64::MAX);
    [id, &length.to_be_bytes(), body].concat()
}

fn number(id: &[u8], value: u64) -> Vec<u8> {
    element(id, &value.to_be_bytes())
}
