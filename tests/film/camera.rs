//! Camera for films of the page: it moves the page's clock and pointer, and takes shots.

use serde_json::{Value, json};
use whole::browser::{Page, Setting};

use crate::reel::Reel;
use crate::shot::Shot;

/// Script that gives the page a clock that the camera moves, and a visible pointer.
const STUDIO: &str = include_str!("studio.js");
/// Duration of a shot in milliseconds; [`SHOT_CS`] is the same time in hundredths of a second.
pub(crate) const SHOT_MS: u32 = 100;
const SHOT_CS: u16 = 10;

/// View of the page that is filmed, and the shots so far.
pub(crate) struct Camera {
    page: Page,
    reel: Reel,
    /// Position of the pointer, in CSS pixels.
    at: [f64; 2],
    is_pressed: bool,
}

impl Camera {
    /// Creates a camera for frames of `width` by `height` pixels, with `scale` pixels to a CSS pixel.
    pub(crate) fn new((width, height): (u16, u16), scale: f64) -> Self {
        let page = view((width, height), scale);
        page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": STUDIO }));
        Self { page, reel: Reel::default(), at: [0.0; 2], is_pressed: false }
    }

    /// The filmed page.
    pub(crate) const fn page(&self) -> &Page {
        &self.page
    }

    /// Opens the first link, with the pointer at `at`.
    pub(crate) fn start(&mut self, at: [f64; 2], query: &str) {
        self.at = at;
        self.open(query);
    }

    /// Opens a link, waits until the page is complete, and stops the page's clock. The pointer does not move.
    pub(crate) fn open(&self, query: &str) {
        self.page.goto(query);
        shown(&self.page);
        self.page
            .js_async("while (document.fonts.size < 4) await new Promise(requestAnimationFrame); window.studio.stop()");
        self.mouse("mouseMoved");
    }

    /// Takes `n_shots` shots. The page's clock advances by [`SHOT_MS`] before each shot.
    pub(crate) fn roll(&mut self, n_shots: u32) {
        for _ in 0..n_shots {
            self.page.js_async(&format!("await window.studio.pass({SHOT_MS})"));
            let shot = Shot::read(&self.page.screenshot()).expect("a screenshot is a PNG");
            self.reel.add(shot, SHOT_CS);
        }
    }

    /// Moves the pointer to the middle of an element, in `n_shots` shots.
    pub(crate) fn point(&mut self, css: &str, n_shots: u32) {
        self.go(middle(&self.page, css), n_shots);
    }

    /// Moves the pointer in a straight line to `to`, in `n_shots` shots.
    pub(crate) fn go(&mut self, to: [f64; 2], n_shots: u32) {
        let from = self.at;
        for nth in 1..=n_shots {
            let share = f64::from(nth) / f64::from(n_shots);
            self.at = [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
            self.mouse("mouseMoved");
            self.roll(1);
        }
    }

    /// Presses and releases the mouse button at the pointer.
    pub(crate) fn click(&mut self) {
        self.press();
        self.release();
    }

    /// Presses the mouse button at the pointer.
    pub(crate) fn press(&mut self) {
        self.is_pressed = true;
        self.mouse("mousePressed");
    }

    /// Releases the mouse button.
    pub(crate) fn release(&mut self) {
        self.is_pressed = false;
        self.mouse("mouseReleased");
    }

    /// Returns all shots.
    pub(crate) fn finish(self) -> Reel {
        self.reel
    }

    fn mouse(&self, what: &str) {
        let [x, y] = self.at;
        let is_click = what != "mouseMoved";
        let button = if self.is_pressed || is_click { "left" } else { "none" };
        let event = json!({ "type": what, "x": x, "y": y, "button": button, "buttons": u8::from(self.is_pressed),
            "clickCount": u8::from(is_click) });
        self.page.cdp("Input.dispatchMouseEvent", event);
        self.page.js(&format!("window.studio.point({x}, {y}, {})", self.is_pressed));
    }
}

/// Creates an empty view for screenshots of `width` by `height` pixels, with `scale` pixels to a CSS pixel.
pub(crate) fn view((width, height): (u16, u16), scale: f64) -> Page {
    // Letters with gray edges have fewer colors than letters with colored edges. The scale is a flag, because a scale
    // set through DevTools blurs letters on a canvas.
    let page = Page::new(Setting {
        flags: vec!["disable-lcd-text".to_owned(), format!("force-device-scale-factor={scale}")],
        ..Setting::default()
    });
    let css = |pixels: u16| (f64::from(pixels) / scale).round();
    let metrics = json!({ "width": css(width), "height": css(height), "deviceScaleFactor": 0, "mobile": false });
    page.cdp("Emulation.setDeviceMetricsOverride", metrics);
    page
}

/// Waits until the array and the side panels are visible.
pub(crate) fn shown(page: &Page) {
    page.wait_for("#stage canvas");
    page.wait_for("#live");
    page.wait_until("everything has arrived", || page.text("#arrival").is_empty());
}

/// Position of the middle of an element, in CSS pixels.
fn middle(page: &Page, css: &str) -> [f64; 2] {
    page.wait_for(css);
    let script = format!(
        "const box = document.querySelector('{css}').getBoundingClientRect(); \
         return [box.left + box.width / 2, box.top + box.height / 2]"
    );
    numbers(&page.js(&script))
}

/// Reads two numbers from the result of a script.
pub(crate) fn numbers(value: &Value) -> [f64; 2] {
    [0, 1].map(|at| value[at].as_f64().expect("the script gives two numbers"))
}
