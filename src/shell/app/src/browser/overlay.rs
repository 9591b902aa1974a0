//! Canvases over the array view. All tokens on one canvas move by the same distance in the same direction. A canvas is
//! painted once, and the browser moves it without a script.

use display::picture::Rect;
use stage::tween::{Group, TRAVEL_MS, Travel};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Animation, HtmlCanvasElement};

use super::measure::Size;
use super::painter::Painter;

/// Canvases for moving tokens. Later steps reuse the canvases.
#[derive(Default)]
pub(crate) struct Overlays {
    all: Vec<Overlay>,
    /// Number of canvases that show tokens.
    n_used: usize,
}

struct Overlay {
    painter: Painter,
    motion: Option<Animation>,
    /// Movement, appearance or disappearance of the canvas's tokens during a step.
    fate: Fate,
}

/// Movement, appearance or disappearance of tokens during a step of time.
#[derive(Clone, Copy)]
enum Fate {
    /// Movement right and down to each corner of the path, in CSS pixels.
    Goes(Path),
    /// Appearance at the start of the step, and movement right and down to each corner of the path, in CSS pixels.
    Enters(Path),
    /// Disappearance.
    Ends,
}

/// Displacements at the corner of the path, if it has one, and at its end.
type Path = (Option<(f64, f64)>, (f64, f64));

/// Formats a length in CSS pixels for a style property.
#[expect(clippy::cast_possible_truncation, reason = "a length on a screen")]
fn length(px: f64) -> String {
    format!("calc({}px / 100)", (px * 100.0).round() as i64)
}

fn put(canvas: &HtmlCanvasElement, name: &str, value: &str) {
    // Fails only if the property does not exist.
    let _ = canvas.style().set_property(name, value);
}

/// Starts a browser animation of a canvas.
fn animated(canvas: &HtmlCanvasElement, frames: &JsValue, timing: &JsValue) -> Option<Animation> {
    // `web-sys` has no such method yet.
    super::by_name::call(canvas, "animate", [frames.clone(), timing.clone()])?.dyn_into().ok()
}

impl Overlays {
    /// Paints tokens at their starting positions, on canvases over the canvas of `below`.
    ///
    /// All canvases are painted before anything on the page changes, because setting the font of a canvas makes the
    /// browser update all styles.
    pub(crate) fn lay(&mut self, travel: &Travel, below: &Painter, size: Size) {
        let fate = |group: &Group| {
            let scaled = |(x, y): (f32, f32)| (f64::from(x) * size.scale, f64::from(y) * size.scale);
            let path = (group.corner().map(scaled), scaled(group.by));
            if group.enters { Fate::Enters(path) } else { Fate::Goes(path) }
        };
        let moving = travel.groups.iter().map(|group| (group, fate(group)));
        let gone = (!travel.gone.marks.is_empty()).then_some((&travel.gone, Fate::Ends));
        let mut places = Vec::new();
        for (group, fate) in moving.chain(gone) {
            let Some(place) = group.seen_on(size.width, size.height) else { continue };
            let place = snapped(&place, size);
            if self.all.len() == places.len() {
                let Some(painter) = below.twin() else { break };
                self.all.push(Overlay { painter, motion: None, fate });
            }
            let overlay = &mut self.all[places.len()];
            overlay.painter.share_palette(below);
            overlay.painter.paint_part(&group.marks, &place, size.ratio);
            overlay.fate = fate;
            places.push(place);
        }
        for (overlay, place) in self.all.iter_mut().zip(&places) {
            overlay.rest();
            let (canvas, (left, top)) = (overlay.painter.canvas(), size.offset);
            let css = |px: f32| f64::from(px) * size.scale;
            put(canvas, "left", &length(f64::from(left) + css(place.x)));
            put(canvas, "top", &length(f64::from(top) + css(place.y)));
            put(canvas, "width", &length(css(place.w)));
            put(canvas, "height", &length(css(place.h)));
            put(canvas, "opacity", if matches!(overlay.fate, Fate::Enters(_)) { "0" } else { "1" });
            put(canvas, "display", "block");
            if canvas.parent_node().is_none()
                && let Some(parent) = below.canvas().parent_node()
            {
                // Fails only if a parent would be its own child.
                let _ = parent.append_child(canvas);
            }
        }
        let n_before = core::mem::replace(&mut self.n_used, places.len());
        self.all[..n_before.max(places.len())][places.len()..].iter_mut().for_each(Overlay::hide);
    }

    /// Starts the movement of the tokens, forward or backward.
    pub(crate) fn set_out(&mut self, is_backward: bool) {
        let direction = if is_backward { "reverse" } else { "normal" };
        let timing = format!(
            r#"{{"duration":{TRAVEL_MS},"fill":"both","easing":"cubic-bezier(.65,0,.35,1)","direction":"{direction}"}}"#
        );
        let Ok(timing) = js_sys::JSON::parse(&timing) else { return };
        for overlay in &mut self.all[..self.n_used] {
            let frames = match overlay.fate {
                Fate::Goes((corner, end)) | Fate::Enters((corner, end)) => {
                    let to = |(x, y)| format!(r#","translate({},{})""#, length(x), length(y));
                    let path = corner.map(to).unwrap_or_default() + &to(end);
                    format!(r#"{{"opacity":[1,1],"transform":["none"{path}]}}"#)
                }
                Fate::Ends => r#"{"opacity":[0,0]}"#.to_owned(),
            };
            let Ok(frames) = js_sys::JSON::parse(&frames) else { continue };
            overlay.rest();
            overlay.motion = animated(overlay.painter.canvas(), &frames, &timing);
        }
    }

    /// Hides all canvases.
    pub(crate) fn hide(&mut self) {
        self.all[..self.n_used].iter_mut().for_each(Overlay::hide);
        self.n_used = 0;
    }
}

impl Overlay {
    /// Cancels the motion of the canvas, so that its tokens are at their starting positions.
    fn rest(&mut self) {
        if let Some(motion) = self.motion.take() {
            motion.cancel();
        }
    }

    fn hide(&mut self) {
        self.rest();
        put(self.painter.canvas(), "display", "none");
    }
}

/// Moves the edges of a rectangle outward to whole pixels of the screen, so that the content of the rectangle is not
/// blurred.
#[expect(clippy::cast_possible_truncation, reason = "sizes of a screen")]
fn snapped(place: &Rect, size: Size) -> Rect {
    let down = |px: f32| ((f64::from(px) * size.ratio).floor() / size.ratio) as f32;
    let up = |px: f32| ((f64::from(px) * size.ratio).ceil() / size.ratio) as f32;
    let (x, y) = (down(place.x), down(place.y));
    Rect::new(x, y, up(place.x + place.w) - x, up(place.y + place.h) - y)
}
