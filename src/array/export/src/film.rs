//! Films of a run, and their encoding as GIF. Each cycle has one frame, or several frames if the film shows values as
//! they move between PEs. Every frame has a caption.

use std::collections::HashMap;

use ::words::share;
use display::picture::{Anchor, px};
use display::{Picture, Tone};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use stage::tween::{PES_MAX, RATE_MAX, TRAVEL_MS, Travel};
use studio::defect::BrokenMachine;
use systolic::Cycle;

use crate::View;

/// Maximum number of cycles in a film.
pub const CYCLES_MAX: u64 = 1_000;
/// Maximum number of frames in a film that shows values as they move between PEs.
const FRAMES_MAX: u64 = 3_000;
/// Duration of a frame in seconds, if a cycle has several frames.
const FRAME_SECS: f64 = 0.04;
/// Height of the caption under the drawing, in CSS pixels. `LETTERS` is the font size of the caption.
const CAPTION: f32 = 56.0;
const LETTERS: f32 = 22.0;
/// Minimum duration of a frame, in hundredths of a second. If the duration is shorter, browsers show the frame for a
/// tenth of a second instead.
const DELAY_MIN_CS: f64 = 2.0;
/// Duration of the last frame before the film repeats, in hundredths of a second.
const LAST_CS: u16 = 250;
/// Maximum number of colors in a frame of a GIF.
const COLORS_MAX: usize = 256;
/// Bytes of a canvas pixel: red, green, blue and opacity.
const BYTES: usize = 4;

/// Draws the array at a cycle, with a caption below the drawing.
#[must_use]
pub fn picture(view: &View<'_>, cycle: Cycle) -> Picture {
    let broken = view.broken_at(cycle);
    captioned(view, cycle, view.picture_at(cycle, broken.as_ref()), broken.as_ref())
}

fn captioned(view: &View<'_>, cycle: Cycle, mut picture: Picture, broken: Option<&BrokenMachine>) -> Picture {
    if view.is_slide() {
        return crate::slide::around(view, cycle, broken, picture);
    }
    let said = view.caption_at(cycle, broken);
    let baseline = picture.height + CAPTION / 2.0;
    picture.height += CAPTION;
    let text = share::film_caption(view.plan, cycle, &said.headline);
    picture.bold((picture.width / px(2u32), baseline), text, LETTERS, Anchor::Middle, Tone::Ink);
    picture
}

/// Plan of a film: the number of frames, and the cycle that each frame shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reel {
    cycles: u64,
    /// Number of frames for each cycle.
    per_cycle: u64,
    cycles_per_sec: f64,
}

impl Reel {
    /// Plans the film of a run, up to [`CYCLES_MAX`] cycles. `with_motion` asks for several frames per cycle, which
    /// show values as they move between PEs. On the page and in films, values move only in small arrays without a
    /// fault, and only at low speeds.
    #[must_use]
    pub fn new(view: &View<'_>, cycles_per_sec: f64, with_motion: bool) -> Self {
        let schedule = view.plan.schedule();
        let cycles = schedule.cycles().get().min(CYCLES_MAX);
        let travels = with_motion
            && cycles_per_sec <= RATE_MAX
            && schedule.array().pes() <= PES_MAX
            && view.link.tools.defect.is_none();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some tens")]
        let wanted = (1.0 / cycles_per_sec / FRAME_SECS).round() as u64;
        let per_cycle = if travels { wanted.min(FRAMES_MAX / cycles).max(1) } else { 1 };
        Self { cycles, per_cycle, cycles_per_sec }
    }

    /// Number of frames in the film.
    #[must_use]
    pub const fn frames(self) -> u64 {
        self.cycles * self.per_cycle
    }

    /// Number of frames per second.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "some tens")]
    pub fn frames_per_sec(self) -> f64 {
        self.cycles_per_sec * self.per_cycle as f64
    }

    /// Duration of the film in milliseconds. The last frame lasts longer, so that a person can read it.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "of a film"
    )]
    pub fn lasts_ms(self) -> u64 {
        let frame_ms = 1e3 / self.frames_per_sec();
        (self.frames().saturating_sub(1) as f64 * frame_ms + frame_ms.max(10.0 * f64::from(LAST_CS))).round() as u64
    }

    /// Cycle that a frame shows.
    #[must_use]
    pub const fn cycle(self, frame: u64) -> Cycle {
        Cycle(frame / self.per_cycle)
    }

    /// Draws the frame with this number, counted from 0.
    #[must_use]
    pub fn picture(self, view: &View<'_>, frame: u64) -> Picture {
        let cycle = self.cycle(frame);
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a share")]
        let share = ((frame % self.per_cycle + 1) as f64 / self.frames_per_sec() * 1e3 / f64::from(TRAVEL_MS)) as f32;
        let before = cycle.get().checked_sub(1).filter(|_| self.per_cycle > 1 && share < 1.0);
        let Some(before) = before.map(|before| view.picture_at(Cycle(before), None)) else {
            return picture(view, cycle);
        };
        // If cells are too small to show values, nothing moves.
        if before.tokens.is_empty() {
            return picture(view, cycle);
        }
        let travel = Travel::new(&before, &view.picture_at(cycle, None));
        captioned(view, cycle, travel.at(share), None)
    }
}

/// GIF encoder for a film, one frame at a time.
pub struct Film {
    encoder: Encoder<Vec<u8>>,
    width: usize,
    /// Duration of a frame, in hundredths of a second.
    delay: u16,
    /// Pixels of the previous frame.
    before: Vec<u8>,
}

impl Film {
    /// Creates an empty film. The arguments are the width and height of a frame in pixels, and the number of frames per
    /// second.
    ///
    /// # Errors
    /// Fails if a GIF cannot have this size.
    pub fn new((width, height): (u16, u16), frames_per_sec: f64) -> Result<Self, EncodingError> {
        let mut encoder = Encoder::new(Vec::new(), width, height, &[])?;
        encoder.set_repeat(Repeat::Infinite)?;
        let delay = (100.0 / frames_per_sec).round().clamp(DELAY_MIN_CS, f64::from(u16::MAX));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within the limits")]
        let delay = delay as u16;
        Ok(Self { encoder, width: usize::from(width), delay, before: Vec::new() })
    }

    /// Adds the next frame, given as the pixels of a canvas, row by row. The encoder writes only the rectangle that
    /// differs from the previous frame.
    ///
    /// # Errors
    /// Fails if the number of pixels does not match the frame size.
    pub fn add(&mut self, pixels: Vec<u8>, is_last: bool) -> Result<(), EncodingError> {
        let place = Place::of_change(&self.before, &pixels, self.width);
        let (palette, buffer) = indexed(&place, &pixels, self.width);
        let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
        self.before = pixels;
        self.encoder.write_frame(&Frame {
            delay: if is_last { self.delay.max(LAST_CS) } else { self.delay },
            dispose: DisposalMethod::Keep,
            left: side(place.left),
            top: side(place.top),
            width: side(place.width),
            height: side(place.height),
            palette: Some(palette),
            buffer: buffer.into(),
            ..Frame::default()
        })
    }

    /// Number of bytes that the encoder has written.
    #[must_use]
    pub fn len(&self) -> usize {
        self.encoder.get_ref().len()
    }

    /// True if the encoder has written no bytes. The result is always false, because [`Film::new`] writes the header.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Ends the film and returns the bytes of the file.
    ///
    /// # Errors
    /// Fails if the end of the file cannot be written.
    pub fn finish(self) -> Result<Vec<u8>, EncodingError> {
        self.encoder.into_inner()
    }
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Place {
    /// Returns the smallest rectangle that contains all differences between two frames. The rectangle has at least one
    /// pixel, because each cycle needs a frame even if nothing changes.
    fn of_change(before: &[u8], now: &[u8], width: usize) -> Self {
        let rows = now.len() / (width * BYTES).max(1);
        if before.len() != now.len() {
            return Self { left: 0, top: 0, width, height: rows };
        }
        let row = |of: &'_ [u8], row: usize| of[row * width * BYTES..(row + 1) * width * BYTES].to_vec();
        let differs = |at: &usize| row(before, *at) != row(now, *at);
        let Some(top) = (0..rows).find(differs) else { return Self { left: 0, top: 0, width: 1, height: 1 } };
        let bottom = (0..rows).rfind(differs).unwrap_or(top);
        let (mut left, mut right) = (width, 0);
        for at in top..=bottom {
            let (then, now) = (row(before, at), row(now, at));
            let differs = |col: &usize| then[col * BYTES..(col + 1) * BYTES] != now[col * BYTES..(col + 1) * BYTES];
            left = (0..left).find(differs).unwrap_or(left);
            right = (right..width).rfind(differs).unwrap_or(right);
        }
        Self { left, top, width: right + 1 - left, height: bottom + 1 - top }
    }
}

type Color = [u8; 3];

/// Returns the palette of a rectangle, most frequent color first, and the palette index of each pixel. If the rectangle
/// has more than 256 colors, rare colors become the nearest frequent color. Rare colors are shades at the edges of
/// letters and lines.
fn indexed(place: &Place, pixels: &[u8], width: usize) -> (Vec<u8>, Vec<u8>) {
    let colors = || {
        (place.top..place.top + place.height).flat_map(move |row| {
            let start = (row * width + place.left) * BYTES;
            pixels[start..start + place.width * BYTES].chunks_exact(BYTES).map(|pixel| [pixel[0], pixel[1], pixel[2]])
        })
    };
    // A drawing has long runs of one color, so each run is looked up only once.
    let mut counts: HashMap<Color, u32> = HashMap::new();
    for run in runs(colors()) {
        *counts.entry(run.0).or_default() += run.1;
    }
    let mut known: Vec<(Color, u32)> = counts.into_iter().collect();
    known.sort_unstable_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
    let palette: Vec<Color> = known.iter().take(COLORS_MAX).map(|(color, _)| *color).collect();
    let nearest = |color: &Color| {
        let distance = |other: &Color| -> u32 {
            (0..3).map(|channel| u32::from(color[channel].abs_diff(other[channel])).pow(2)).sum()
        };
        (0u8..=u8::MAX).zip(&palette).min_by_key(|(_, other)| distance(other)).map_or(0, |(index, _)| index)
    };
    let indices: HashMap<Color, u8> = known.iter().map(|(color, _)| (*color, nearest(color))).collect();
    let mut buffer = Vec::with_capacity(place.width * place.height);
    for (color, n_pixels) in runs(colors()) {
        buffer.resize(buffer.len() + n_pixels as usize, indices[&color]);
    }
    (palette.concat(), buffer)
}

/// Groups consecutive equal colors, and counts the pixels of each group.
fn runs(colors: impl Iterator<Item = Color>) -> impl Iterator<Item = (Color, u32)> {
    let mut colors = colors.peekable();
    core::iter::from_fn(move || {
        let color = colors.next()?;
        let mut n_pixels = 1;
        while colors.next_if_eq(&color).is_some() {
            n_pixels += 1;
        }
        Some((color, n_pixels))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use display::picture::Mark;
    use studio::{Link, Plan};

    const SIZE: (u16, u16) = (5, 4);

    /// Returns pixels of one color, with another color at the marked places.
    fn frame(marks: &[(usize, usize)]) -> Vec<u8> {
        let (width, height) = (usize::from(SIZE.0), usize::from(SIZE.1));
        let mut pixels = [255, 255, 255, 255].repeat(width * height);
        for (row, col) in marks {
            pixels[(row * width + col) * BYTES..][..BYTES].copy_from_slice(&[1, 2, 3, 255]);
        }
        pixels
    }

    #[test]
    fn a_frame_is_a_cycle_even_where_nothing_changes_and_writes_the_change_alone() {
        let mut film = Film::new(SIZE, 2.0).expect("a size");
        let marks: [&[(usize, usize)]; 4] = [&[], &[(1, 2), (2, 4)], &[(1, 2), (2, 4)], &[(3, 0)]];
        for (nth, marks) in marks.iter().enumerate() {
            film.add(frame(marks), nth == 3).expect("a frame");
        }
        let file = film.finish().expect("memory");
        // This test parses the GIF by sections 18 to 27 of GIF89a, without the library that wrote the file.
        assert_eq!((&file[..6], &file[6..10]), (&b"GIF89a"[..], &[5, 0, 4, 0][..]));
        assert!(file.windows(11).any(|part| part == b"NETSCAPE2.0"), "it goes round");
        let mut places = Vec::new();
        let mut at = 13 + if file[10] & 0x80 == 0 { 0 } else { 3 << ((file[10] & 7) + 1) };
        let mut delay = 0;
        while file[at] != 0x3b {
            if file[at] == 0x21 {
                if file[at + 1] == 0xf9 {
                    delay = u16::from_le_bytes([file[at + 4], file[at + 5]]);
                }
                at += 2;
            } else {
                assert_eq!(file[at], 0x2c, "an image");
                let number = |from: usize| u16::from_le_bytes([file[at + from], file[at + from + 1]]);
                places.push(([number(1), number(3), number(5), number(7)], delay));
                let colors = if file[at + 9] & 0x80 == 0 { 0 } else { 3 << ((file[at + 9] & 7) + 1) };
                at += 10 + colors + 1;
            }
            while file[at] != 0 {
                at += usize::from(file[at]) + 1;
            }
            at += 1;
        }
        assert_eq!(places, [([0, 0, 5, 4], 50), ([2, 1, 3, 2], 50), ([0, 0, 1, 1], 50), ([0, 1, 5, 3], 250)]);
    }

    #[test]
    fn up_to_256_colors_are_kept_and_of_more_the_frequent_ones() {
        let shade = |nth: usize| [u8::try_from(nth % 256).unwrap_or(0), u8::try_from(nth / 256).unwrap_or(0), 9, 255];
        for n_colors in [200, 600] {
            // Every third color is there twice.
            let twice = (0..n_colors).filter(|nth| nth % 3 == 0);
            let pixels: Vec<u8> = (0..n_colors).chain(twice).flat_map(shade).collect();
            let width = pixels.len() / BYTES;
            let (palette, buffer) = indexed(&Place { left: 0, top: 0, width, height: 1 }, &pixels, width);
            assert_eq!(palette.len(), 3 * n_colors.min(COLORS_MAX));
            for (pixel, index) in pixels.chunks_exact(BYTES).zip(&buffer) {
                let shown = &palette[usize::from(*index) * 3..][..3];
                let off: u8 = shown.iter().zip(pixel).map(|(one, other)| one.abs_diff(*other)).max().unwrap_or(0);
                assert!(off <= if n_colors == 200 { 0 } else { 2 }, "{pixel:?} {shown:?}");
            }
        }
    }

    #[test]
    fn the_color_of_most_pixels_comes_first_however_they_lie() {
        // The colors are in one run of five pixels and three runs of one pixel.
        let colors = [[1; 4], [1; 4], [1; 4], [1; 4], [1; 4], [2; 4], [3; 4], [2; 4], [3; 4], [2; 4]];
        let (palette, buffer) = indexed(&Place { left: 0, top: 0, width: 10, height: 1 }, &colors.concat(), 10);
        assert_eq!(palette, [1, 1, 1, 2, 2, 2, 3, 3, 3]);
        assert_eq!(buffer, [0, 0, 0, 0, 0, 1, 2, 1, 2, 1]);
    }

    #[test]
    fn with_motion_tokens_are_between_their_places_and_then_rest() {
        let link = Link::parse("rows=3&cols=3&m=4&k=3&n=3&df=ws&dt=int8&speed=2", "");
        let plan = Plan::new(&link.scenario).expect("a run");
        let view = View { plan: &plan, link: &link, size: (900.0, 700.0) };
        let reel = Reel::new(&view, 2.0, true);
        // Half a second per cycle is twelve or thirteen frames of 40 ms.
        assert_eq!(
            (reel.frames() % plan.schedule().cycles().get(), reel.frames() / plan.schedule().cycles().get()),
            (0, 13)
        );
        assert_eq!(Reel::new(&view, 2.0, false).frames(), plan.schedule().cycles().get());
        // This is the middle of the text of an element of A that moves east.
        let place = |picture: &Picture, text: &str| -> Vec<f32> {
            let at = |mark: &Mark| match mark {
                Mark::Text { at, text: own, .. } if own == text => Some(at.0),
                _ => None,
            };
            picture.marks.iter().filter_map(at).collect()
        };
        for cycle in 1..plan.schedule().cycles().get() {
            let (before, after) = (picture(&view, Cycle(cycle - 1)), picture(&view, Cycle(cycle)));
            let frame = |nth: u64| reel.picture(&view, cycle * 13 + nth);
            // The motion takes 240 of 500 ms, so nothing moves from the seventh frame on.
            assert!((6..13).all(|nth| frame(nth) == after), "cycle {cycle}");
            let caption = format!("Cycle {cycle} of ");
            assert!((0..6).all(|nth| frame(nth).texts().any(|text| text.starts_with(&caption))), "cycle {cycle}");
            // While a text moves, it is between its old and its new place.
            for text in before.texts().filter(|text| text.parse::<f32>().is_ok()) {
                let (from, to) = (place(&before, text), place(&after, text));
                if let ([from], [to]) = (&from[..], &to[..]) {
                    let ways: Vec<f32> = (0..6).flat_map(|nth| place(&frame(nth), text)).collect();
                    assert!(ways.iter().all(|at| (from.min(*to)..=from.max(*to)).contains(at)), "{text} of {ways:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_travels_where_it_does_not_on_the_page() {
        for query in ["rows=32&cols=32&m=8&k=8&n=8", "break=no-skew", "rows=2&cols=2&m=2000&k=2&n=2"] {
            let link = Link::parse(query, "");
            let plan = Plan::new(&link.scenario).expect("a run");
            let view = View { plan: &plan, link: &link, size: (900.0, 700.0) };
            let drawn = plan.schedule().cycles().get().min(CYCLES_MAX);
            assert!(Reel::new(&view, 2.0, true).frames() <= FRAMES_MAX.max(drawn), "{query}");
            assert_eq!(Reel::new(&view, 10.0, true).frames(), drawn, "{query}");
        }
    }

    #[test]
    fn each_cycle_says_which_it_is() {
        let link = Link::default();
        let plan = Plan::new(&link.scenario).expect("a run");
        let view = View { plan: &plan, link: &link, size: (900.0, 700.0) };
        for cycle in 0..plan.schedule().cycles().get() {
            let picture = picture(&view, Cycle(cycle));
            let captions = picture.texts().filter(|text| text.starts_with(&format!("Cycle {cycle} of 15. ")));
            assert_eq!((captions.count(), picture.height), (1, 756.0));
        }
    }
}
