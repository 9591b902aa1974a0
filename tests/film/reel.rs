//! Shots as a GIF: one palette for the film, and for each frame only the pixels that change.
//!
//! The films of the page (`export::film`) have a palette in each frame and write the whole rectangle of a change. The
//! clock and the caption of the page change with each cycle, so this rectangle is nearly the whole view here.

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use crate::palette::Palette;
use crate::shot::Shot;

/// Largest number of colors of a film. One more index marks pixels that do not change.
const COLORS_MAX: usize = 255;

/// Shots of a film, each with its duration in hundredths of a second.
#[derive(Default)]
pub(crate) struct Reel {
    shots: Vec<(Shot, u16)>,
}

impl Reel {
    /// Adds a shot. If nothing has changed, the previous shot is shown for longer.
    ///
    /// # Panics
    /// Panics if the size of the shot differs from the size of the film.
    pub(crate) fn add(&mut self, shot: Shot, time_cs: u16) {
        if let Some((last, last_time_cs)) = self.shots.last_mut() {
            assert_eq!((last.width, last.height), (shot.width, shot.height), "all shots have one size");
            if *last == shot {
                *last_time_cs += time_cs;
                return;
            }
        }
        self.shots.push((shot, time_cs));
    }

    /// Duration of the film in seconds.
    pub(crate) fn time_sec(&self) -> f64 {
        f64::from(self.shots.iter().map(|(_, time_cs)| u32::from(*time_cs)).sum::<u32>()) / 100.0
    }

    /// Number of frames of the film.
    pub(crate) const fn len(&self) -> usize {
        self.shots.len()
    }

    /// Returns the film as a GIF that repeats without end.
    ///
    /// # Errors
    /// Fails if the reel has no shots.
    pub(crate) fn write(&self) -> Result<Vec<u8>, EncodingError> {
        let palette = Palette::new(self.shots.iter().map(|(shot, _)| &shot.pixels[..]), COLORS_MAX);
        let mut colors = palette.bytes();
        let same = u8::try_from(colors.len() / 3).unwrap_or(u8::MAX);
        colors.extend([0; 3]);
        let size = self.shots.first().map_or((0, 0), |(shot, _)| (shot.width, shot.height));
        let mut encoder = Encoder::new(Vec::new(), size.0, size.1, &colors)?;
        encoder.set_repeat(Repeat::Infinite)?;
        let mut before = Vec::new();
        for (shot, delay) in &self.shots {
            let now = palette.indexed(&shot.pixels);
            let place = Place::of_change(&before, &now, shot.width.into());
            let [left, top, width, height] = place.sides();
            encoder.write_frame(&Frame {
                delay: *delay,
                dispose: DisposalMethod::Keep,
                transparent: Some(same),
                left,
                top,
                width,
                height,
                buffer: place.changes(&before, &now, shot.width.into(), same).into(),
                ..Frame::default()
            })?;
            before = now;
        }
        encoder.into_inner()
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
    /// Smallest rectangle with all changes of a picture that is `width` pixels wide. It has at least one pixel.
    fn of_change(before: &[u8], now: &[u8], width: usize) -> Self {
        let rows = now.len() / width;
        if before.len() != now.len() {
            return Self { left: 0, top: 0, width, height: rows };
        }
        let changed = || (0..now.len()).filter(|at| before[*at] != now[*at]);
        let (Some(first), Some(last)) = (changed().next(), changed().next_back()) else {
            return Self { left: 0, top: 0, width: 1, height: 1 };
        };
        let (left, right) =
            changed().map(|at| at % width).fold((width, 0), |(left, right), col| (left.min(col), right.max(col)));
        let (top, bottom) = (first / width, last / width);
        Self { left, top, width: right + 1 - left, height: bottom + 1 - top }
    }

    /// Left, top, width and height in the number type of a GIF.
    fn sides(self) -> [u16; 4] {
        [self.left, self.top, self.width, self.height].map(|side| u16::try_from(side).unwrap_or(u16::MAX))
    }

    /// The pixels of the rectangle: `same` for a pixel that does not change.
    fn changes(self, before: &[u8], now: &[u8], width: usize, same: u8) -> Vec<u8> {
        let row = |row: usize| row * width + self.left..row * width + self.left + self.width;
        let pixel = |at: usize| if before.get(at) == Some(&now[at]) { same } else { now[at] };
        (self.top..self.top + self.height).flat_map(row).map(pixel).collect()
    }
}

#[cfg(test)]
mod tests {
    use gif::{ColorOutput, DecodeOptions};

    use super::*;

    const SIZE: (u16, u16) = (6, 4);

    /// A white shot with some blue pixels.
    fn shot(marks: &[(usize, usize)]) -> Shot {
        let mut pixels = [255].repeat(usize::from(SIZE.0) * usize::from(SIZE.1) * 4);
        for (row, col) in marks {
            pixels[(row * usize::from(SIZE.0) + col) * 4..][..2].copy_from_slice(&[10, 20]);
        }
        Shot { width: SIZE.0, height: SIZE.1, pixels }
    }

    /// Pictures of a film as a viewer shows them, each with its duration and the rectangle of its frame.
    fn seen(film: &[u8]) -> Vec<(Shot, u16, [u16; 4])> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(film).expect("a GIF");
        assert_eq!((decoder.width(), decoder.height(), decoder.repeat()), (SIZE.0, SIZE.1, Repeat::Infinite));
        let (mut screen, mut pictures) = (shot(&[]), Vec::new());
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            for (nth, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                let row = usize::from(frame.top) + nth / usize::from(frame.width);
                let col = usize::from(frame.left) + nth % usize::from(frame.width);
                screen.pixels[(row * usize::from(SIZE.0) + col) * 4..][..4].copy_from_slice(pixel);
            }
            pictures.push((screen.clone(), frame.delay, [frame.left, frame.top, frame.width, frame.height]));
        }
        pictures
    }

    #[test]
    fn a_viewer_sees_each_shot_for_its_time_and_a_frame_has_only_the_change() {
        let shots = [shot(&[(0, 0)]), shot(&[(0, 0), (1, 2), (2, 4)]), shot(&[(3, 5)]), shot(&[])];
        let mut reel = Reel::default();
        for shot in &shots {
            reel.add(shot.clone(), 10);
        }
        // The last shot is shown for longer.
        reel.add(shots[3].clone(), 30);
        let places = [[0, 0, 6, 4], [2, 1, 3, 2], [0, 0, 6, 4], [5, 3, 1, 1]];
        let wanted: Vec<_> = shots
            .into_iter()
            .zip([10, 10, 10, 40])
            .zip(places)
            .map(|((shot, time), place)| (shot, time, place))
            .collect();
        assert_eq!(seen(&reel.write().expect("a film")), wanted);
        assert_eq!((reel.len(), reel.time_sec()), (4, 0.7));
    }

    #[test]
    fn a_film_of_many_colors_ends_with_its_last_shot_in_near_colors() {
        let mut reel = Reel::default();
        let shade = |nth: usize| u8::try_from(nth * 7 % 256).expect("it is below 256");
        let colors = |from: usize| (from..from + 24).flat_map(|nth| [shade(nth), shade(nth * 3), shade(nth * 5), 255]);
        for nth in 0..20 {
            reel.add(Shot { width: SIZE.0, height: SIZE.1, pixels: colors(nth * 24).collect() }, 10);
        }
        let pictures = seen(&reel.write().expect("a film"));
        assert_eq!(pictures.len(), 20);
        for ((shown, ..), (shot, _)) in pictures.iter().zip(&reel.shots) {
            let off = shown.pixels.iter().zip(&shot.pixels).map(|(one, other)| one.abs_diff(*other)).max();
            assert!(off <= Some(32), "{off:?}");
        }
    }
}
