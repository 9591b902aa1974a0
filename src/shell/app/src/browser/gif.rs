//! Films as GIF, one frame at a time.

use export::View;
use export::film::{Film, Reel};

use super::snapshot::OffscreenCanvas;

/// A GIF that is being made.
pub(crate) struct Gif {
    film: Film,
    canvas: OffscreenCanvas,
    reel: Reel,
    done: u64,
    /// Pixels of the next frame, once they are drawn.
    drawn: Option<Vec<u8>>,
}

impl Gif {
    /// Begins the film of a run. Returns `None` if the browser has no canvas.
    pub(crate) fn new(view: &View<'_>, with_motion: bool) -> Option<Self> {
        let reel = Reel::new(view, view.link.speed.cycles_per_sec(view.plan), with_motion);
        let canvas = OffscreenCanvas::new(&reel.picture(view, 0), 1.0)?;
        let film = Film::new(canvas.size(), reel.frames_per_sec()).ok()?;
        Some(Self { film, canvas, reel, done: 0, drawn: None })
    }

    /// Draws the next frame, or adds the frame that the previous call has drawn. Returns true after the last frame, or
    /// `None` if a frame could not be made.
    pub(crate) fn step(&mut self, view: &View<'_>) -> Option<bool> {
        let Some(pixels) = self.drawn.take() else {
            self.drawn = Some(self.canvas.pixels(&self.reel.picture(view, self.done))?);
            return Some(false);
        };
        self.done += 1;
        let is_last = self.done == self.reel.frames();
        self.film.add(pixels, is_last).ok().map(|()| is_last)
    }

    /// Number of frames that are already in the film, number of all frames, and number of bytes so far.
    pub(crate) fn progress(&self) -> (u64, u64, u64) {
        (self.done, self.reel.frames(), u64::try_from(self.film.len()).unwrap_or(u64::MAX))
    }

    /// Returns the bytes of the file.
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        self.film.finish().ok()
    }
}
