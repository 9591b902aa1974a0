//! The video encoder of the browser (WebCodecs), with one frame for each drawing.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use export::webm::{Chunk, i420};
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

use super::by_name::{call, make, property, set};

/// Maximum number of frames in the encoder's queue, so that a long video does not fill the memory.
const WAITING_MAX: f64 = 4.0;
/// Number of frames from one key frame to the next. A player can jump only to key frames.
const KEY: u64 = 50;
/// Bits per second of a video, at any frame rate. With fewer bits, letters would be blurred at one frame per second.
const BITS_PER_SEC: f64 = 8e6;

/// Callback of an encoder. The callback lives as long as the encoder.
type Heard = Closure<dyn FnMut(JsValue)>;

/// A video encoder, with the encoded chunks that it has produced.
pub(crate) struct Video {
    encoder: JsValue,
    chunks: Rc<RefCell<Vec<Chunk>>>,
    is_broken: Rc<Cell<bool>>,
    n_frames: u64,
    frame_us: f64,
    /// Width and height of a frame, in pixels.
    size: (u16, u16),
    /// Callbacks for a chunk and for an error.
    _heard: [Heard; 2],
}

impl Video {
    /// Creates an encoder for frames of this size and rate. Returns `None` if the browser has no encoder.
    pub(crate) fn new((width, height): (u16, u16), frames_per_sec: f64) -> Option<Self> {
        let chunks = Rc::<RefCell<Vec<Chunk>>>::default();
        let is_broken = Rc::<Cell<bool>>::default();
        let (made, broke) = (Rc::clone(&chunks), Rc::clone(&is_broken));
        let output = Heard::new(move |chunk: JsValue| made.borrow_mut().extend(read(&chunk)));
        let error = Heard::new(move |_| broke.set(true));
        let init = JsValue::from(js_sys::Object::new());
        set(&init, "output", output.as_ref())?;
        set(&init, "error", error.as_ref())?;
        let encoder = make(&super::window()?.into(), "VideoEncoder", [init])?;
        let settings = JsValue::from(js_sys::Object::new());
        set(&settings, "codec", &"vp8".into())?;
        set(&settings, "width", &width.into())?;
        set(&settings, "height", &height.into())?;
        set(&settings, "bitrate", &BITS_PER_SEC.into())?;
        set(&settings, "framerate", &frames_per_sec.into())?;
        call(&encoder, "configure", [settings])?;
        Some(Self {
            encoder,
            chunks,
            is_broken,
            n_frames: 0,
            frame_us: 1e6 / frames_per_sec,
            size: (width, height),
            _heard: [output, error],
        })
    }

    /// Returns true if the encoder can accept a frame now, or `None` if the encoder has failed.
    pub(crate) fn takes(&self) -> Option<bool> {
        let waiting = property(&self.encoder, "encodeQueueSize")?.as_f64()?;
        (!self.is_broken.get()).then_some(waiting < WAITING_MAX)
    }

    /// Encodes the pixels of a canvas as the next frame.
    ///
    /// The encoder gets limited-range frames. If the encoder gets a canvas, Chromium encodes the full range, and players
    /// show other colors than the page.
    #[expect(clippy::cast_precision_loss, reason = "a film has few frames")]
    pub(crate) fn add(&mut self, pixels: &[u8]) -> Option<()> {
        let init = JsValue::from(js_sys::Object::new());
        set(&init, "timestamp", &(self.n_frames as f64 * self.frame_us).round().into())?;
        let (width, height) = self.size;
        set(&init, "format", &"I420".into())?;
        set(&init, "codedWidth", &width.into())?;
        set(&init, "codedHeight", &height.into())?;
        let colors = JsValue::from(js_sys::Object::new());
        set(&colors, "matrix", &"smpte170m".into())?;
        set(&colors, "fullRange", &false.into())?;
        set(&init, "colorSpace", &colors)?;
        let planes = js_sys::Uint8Array::from(i420(pixels, width.into()).as_slice());
        let frame = make(&super::window()?.into(), "VideoFrame", [planes.into(), init])?;
        let options = JsValue::from(js_sys::Object::new());
        set(&options, "keyFrame", &self.n_frames.is_multiple_of(KEY).into())?;
        let taken = call(&self.encoder, "encode", [frame.clone(), options]);
        call(&frame, "close", []);
        self.n_frames += 1;
        taken.map(drop)
    }

    /// Returns the number of bytes in all chunks that the encoder has produced.
    pub(crate) fn len(&self) -> usize {
        self.chunks.borrow().iter().map(|chunk| chunk.bytes.len()).sum()
    }

    /// Waits for all frames, and passes the encoded chunks to `done`. If a frame is missing, passes `None`.
    pub(crate) fn finish(self, done: impl FnOnce(Option<Vec<Chunk>>) + 'static) {
        let Some(flushed) = call(&self.encoder, "flush", []) else { return done(None) };
        let all = Closure::once_into_js(move |_: JsValue| {
            // The encoder lives until here, because it calls its callbacks.
            let video = self;
            let chunks = video.chunks.take();
            let is_whole = !video.is_broken.get() && chunks.len() as u64 == video.n_frames;
            done(is_whole.then_some(chunks));
        });
        call(&flushed, "then", [all.clone(), all]);
    }
}

impl Drop for Video {
    /// Closes the encoder. Otherwise the encoder would continue, and would call callbacks that no longer exist.
    fn drop(&mut self) {
        call(&self.encoder, "close", []);
    }
}

/// Reads the bytes and the time of an encoded chunk.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the time and the bytes of a chunk are small whole numbers"
)]
fn read(chunk: &JsValue) -> Option<Chunk> {
    let length = property(chunk, "byteLength")?.as_f64()? as u32;
    let bytes = js_sys::Uint8Array::new_with_length(length);
    call(chunk, "copyTo", [bytes.clone().into()])?;
    let is_key = property(chunk, "type")?.as_string()? == "key";
    let at_us = property(chunk, "timestamp")?.as_f64()?;
    Some(Chunk { at_ms: (at_us / 1e3).round() as u64, is_key, bytes: bytes.to_vec() })
}
