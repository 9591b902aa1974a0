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
        // This is one unit of time, a millisecond, in nanoseconds.
        number(&[0x2a, 0xd7, 0xb1], 1_000_000),
        element(&[0x44, 0x89], &lasts),
        element(&[0x4d, 0x80], b"systolic-playground"),
        element(&[0x57, 0x41], b"systolic-playground"),
    ];
    // Without these two numbers, players guess the range and the matrix, and they guess differently.
    let color = [number(&[0x55, 0xb1], BT_601), number(&[0x55, 0xb9], LIMITED)];
    let video =
        [number(&[0xb0], width.into()), number(&[0xba], height.into()), element(&[0x55, 0xb0], &color.concat())];
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
    for (nth, chunk) in chunks.iter().enumerate() {
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
            let block = |flags| [&[0x81, high, low, flags], chunk.bytes.as_slice()].concat();
            cluster.extend(match chunks.get(nth + 1) {
                Some(_) => element(&[0xa3], &block(if chunk.is_key { 0x80 } else { 0 })),
                // Only a block in a group has its own duration.
                None => {
                    let mut group = element(&[0xa1], &block(0));
                    group.extend(number(&[0x9b], lasts_ms.saturating_sub(chunk.at_ms)));
                    let before = nth.checked_sub(1).and_then(|nth| chunks.get(nth)).filter(|_| !chunk.is_key);
                    group.extend(before.map_or_else(Vec::new, |one| signed(&[0xfb], one.at_ms, chunk.at_ms)));
                    element(&[0xa0], &group)
                }
            });
        }
    }
    segment.extend(clusters.iter().flat_map(|(_, cluster)| element(&[0x1f, 0x43, 0xb6, 0x75], cluster)));
    [element(&[0x1a, 0x45, 0xdf, 0xa3], &head.concat()), element(&[0x18, 0x53, 0x80, 0x67], &segment)].concat()
}

/// Number of the video track, which is the only track in the file.
const TRACK: u64 = 1;

/// Matrix and range of the colors (ITU-T H.273: 6 is BT.601; Matroska: range 1 is 16 to 235).
const BT_601: u64 = 6;
const LIMITED: u64 = 1;

/// Returns the planes Y, U and V of a frame in limited-range BT.601, with one U and one V for four pixels.
///
/// `pixels` has red, green, blue and alpha of each pixel, row by row. A row has `width` pixels.
///
/// ```
/// let red = [255, 0, 0, 255].repeat(4);
/// assert_eq!(export::webm::i420(&red, 2), [81, 81, 81, 81, 90, 240]);
/// ```
#[must_use]
pub fn i420(pixels: &[u8], width: usize) -> Vec<u8> {
    // Weights of red, green and blue for Y, U and V, in 1/65536 (Recommendation BT.601-7, 2.5.1 to 2.5.3).
    const WEIGHTS: [[i32; 3]; 3] = [[16_829, 33_039, 6_416], [-9_714, -19_070, 28_784], [28_784, -24_103, -4_681]];
    const ZERO: [i32; 3] = [16, 128, 128];
    let rows: Vec<&[u8]> = pixels.chunks_exact(4 * width.max(1)).collect();
    let part = |nth: usize, [red, green, blue]: [i32; 3]| {
        let [of_red, of_green, of_blue] = WEIGHTS[nth];
        let sum = of_red * red + of_green * green + of_blue * blue;
        u8::try_from(ZERO[nth] + ((sum + (1 << 15)) >> 16)).unwrap_or(u8::MAX)
    };
    let color = |pixel: &[u8]| [0, 1, 2].map(|nth| pixel.get(nth).map_or(0, |value| i32::from(*value)));
    let mut planes: Vec<u8> =
        rows.iter().flat_map(|row| row.chunks_exact(4)).map(|pixel| part(0, color(pixel))).collect();
    for nth in [1, 2] {
        for pair in rows.chunks(2) {
            let upper = pair.first().copied().unwrap_or_default();
            let lower = pair.last().copied().unwrap_or_default();
            for (upper, lower) in upper.chunks(8).zip(lower.chunks(8)) {
                // These are two pixels of each row, or one at the end of a row.
                let second = if upper.len() > 4 { 4 } else { 0 };
                let all = [upper, lower, upper.get(second..).unwrap_or(upper), lower.get(second..).unwrap_or(lower)]
                    .map(color);
                let mean = [0, 1, 2].map(|nth| all.iter().map(|one| one[nth]).sum::<i32>() / 4);
                planes.push(part(nth, mean));
            }
        }
    }
    planes
}

/// Encodes the time from one frame to another as a signed number.
fn signed(id: &[u8], to_ms: u64, from_ms: u64) -> Vec<u8> {
    element(id, &to_ms.wrapping_sub(from_ms).to_be_bytes())
}

/// Encodes an element: its ID, the length of its body in 8 bytes, and the body.
fn element(id: &[u8], body: &[u8]) -> Vec<u8> {
    // The first set bit says that 7 more bytes of the length follow.
    let length = (1u64 << 56) | u64::try_from(body.len()).unwrap_or(u64::MAX);
    [id, &length.to_be_bytes(), body].concat()
}

fn number(id: &[u8], value: u64) -> Vec<u8> {
    element(id, &value.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Color bars at full saturation in limited-range BT.601, as test generators print them.
    #[test]
    fn the_color_bars_have_the_levels_of_the_standard() {
        let bars = [
            ([255, 255, 255], [235, 128, 128]),
            ([255, 255, 0], [210, 16, 146]),
            ([0, 255, 255], [170, 166, 16]),
            ([0, 255, 0], [145, 54, 34]),
            ([255, 0, 255], [106, 202, 222]),
            ([255, 0, 0], [81, 90, 240]),
            ([0, 0, 255], [41, 240, 110]),
            ([0, 0, 0], [16, 128, 128]),
        ];
        for ([red, green, blue], [y, u, v]) in bars {
            assert_eq!(i420(&[red, green, blue, 255].repeat(4), 2), [y, y, y, y, u, v], "{red} {green} {blue}");
        }
    }

    #[test]
    fn a_frame_with_odd_sides_has_a_color_for_each_corner() {
        // Three by three pixels have nine values of Y, four of U and four of V.
        let planes = i420(&[255, 255, 255, 255].repeat(9), 3);
        assert_eq!(planes, [vec![235; 9], vec![128; 8]].concat());
    }
}
