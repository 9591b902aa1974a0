//! Visitors of the page: with a mouse, with only keys, with only a finger, or with only what a screen reader gets.

use serde_json::json;
use stage::Layout;
use studio::Plan;
use systolic::PeId;
use whole::browser::{Page, Setting};

use crate::shown;
use crate::tasks::{Tree, press};

const TAB: &str = "\u{e004}";
const DOWN: &str = "\u{e015}";
const RIGHT: &str = "\u{e014}";
const ENTER: &str = "\u{e007}";
const BACKSPACE: &str = "\u{e003}";

/// Input method of a visitor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hand {
    Mouse,
    Keys,
    Finger,
    /// Screen reader: finds an element by role and name, and presses Space.
    Tree,
}

/// Element to press or fill in: its selector, and its role and name for a screen reader.
pub(crate) struct Thing<'a> {
    css: &'a str,
    role: &'a str,
    name: &'a str,
}

pub(crate) const fn thing<'a>(css: &'a str, role: &'a str, name: &'a str) -> Thing<'a> {
    Thing { css, role, name }
}

pub(crate) struct Visitor {
    pub(crate) page: Page,
    pub(crate) hand: Hand,
}

impl Visitor {
    /// Opens a link in a window of 1280 by 900 pixels.
    pub(crate) fn new(hand: Hand, query: &str) -> Self {
        let page = Page::new(Setting::window(1280, 900));
        page.goto(query);
        shown(&page);
        Self { page, hand }
    }

    fn is_at(&self, css: &str) -> bool {
        self.page.js(&format!("return document.activeElement === document.querySelector('{css}')")).as_bool()
            == Some(true)
    }

    /// Moves the focus to an element. A mouse or finger also presses it.
    pub(crate) fn reach(&self, thing: &Thing<'_>) {
        match self.hand {
            Hand::Keys => {
                let is_radio = thing.role == "radio";
                self.page.js("document.activeElement.blur()");
                for _ in 0..140 {
                    press(&self.page, TAB);
                    if self.is_at(thing.css) {
                        return;
                    }
                    // Tab leads to the chosen radio button, and the arrows lead to the others.
                    let in_group = format!(
                        "const wanted = document.querySelector('{}'), at = document.activeElement; \
                         return at.type === 'radio' && at.name === wanted.name",
                        thing.css
                    );
                    if is_radio && self.page.js(&in_group).as_bool() == Some(true) {
                        for _ in 0..4 {
                            press(&self.page, RIGHT);
                            if self.is_at(thing.css) {
                                return;
                            }
                        }
                    }
                }
                panic!("Tab does not lead to {}", thing.css);
            }
            Hand::Mouse => {
                let seen = format!("{}{}", if thing.role == "radio" { "label:has(" } else { "" }, thing.css);
                self.page.click(&(seen + if thing.role == "radio" { ")" } else { "" }));
            }
            Hand::Finger => {
                // A finger touches what the screen shows, so the scrolled page is shown first.
                let place = self.page.js_async(&format!(
                    "const one = document.querySelector('{}'), seen = one.type === 'radio' ? one.labels[0] ?? one : one; \
                     seen.scrollIntoView({{ block: 'center' }}); \
                     await new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(shown))); \
                     const box = seen.getBoundingClientRect(); \
                     return [box.x + box.width / 2, box.y + box.height / 2]",
                    thing.css
                ));
                self.tap(place[0].as_f64().expect("a number"), place[1].as_f64().expect("a number"));
            }
            Hand::Tree => Tree::of(&self.page).focus(thing.role, thing.name),
        }
    }

    pub(crate) fn tap(&self, x: f64, y: f64) {
        let points = json!([{ "x": x, "y": y }]);
        self.page.cdp("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": points }));
        self.page.cdp("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
    }

    pub(crate) fn press(&self, thing: &Thing<'_>) {
        self.reach(thing);
        match self.hand {
            Hand::Mouse | Hand::Finger => {}
            // An arrow has already chosen the radio button.
            Hand::Keys if thing.role == "radio" => {}
            Hand::Keys => press(&self.page, ENTER),
            Hand::Tree if thing.role == "link" => press(&self.page, ENTER),
            Hand::Tree => press(&self.page, " "),
        }
    }

    /// Replaces the text of a field and presses Enter.
    pub(crate) fn fill(&self, thing: &Thing<'_>, text: &str) {
        self.write(thing, text);
        press(&self.page, ENTER);
    }

    /// Replaces the text of a field, and keeps the focus there.
    pub(crate) fn write(&self, thing: &Thing<'_>, text: &str) {
        self.reach(thing);
        self.page.wait_until("the field has the focus", || self.is_at(thing.css));
        let all = self.page.js("return document.activeElement.value.length").as_u64().unwrap_or_default();
        self.page.keys(":focus", &format!("\u{e010}{}{text}", BACKSPACE.repeat(usize::try_from(all).unwrap_or(0))));
    }

    /// Chooses an option of a list. For a mouse or finger, a script sets the value, because the browser draws the open
    /// list.
    pub(crate) fn choose(&self, thing: &Thing<'_>, value: &str) {
        self.reach(thing);
        if matches!(self.hand, Hand::Mouse | Hand::Finger) {
            self.page.js(&format!(
                "const list = document.querySelector('{}'); list.blur(); list.value = '{value}'; \
                 list.dispatchEvent(new Event('change', {{ bubbles: true }}))",
                thing.css
            ));
            return;
        }
        let is_chosen =
            || self.page.js(&format!("return document.querySelector('{}').value", thing.css)).as_str() == Some(value);
        // A tool may begin with this value.
        if is_chosen() {
            return;
        }
        for _ in 0..12 {
            press(&self.page, DOWN);
            if is_chosen() {
                return;
            }
        }
        panic!("{} has no {value}", thing.css);
    }

    pub(crate) fn wait(&self, what: &str, holds: impl Fn(&Page) -> bool) {
        self.page.wait_until(&format!("{what} ({:?})", self.hand), || holds(&self.page));
    }

    pub(crate) fn wait_for_text(&self, css: &str, word: &str) {
        self.wait(&format!("{css} has {word:?}"), |page| page.count(css) > 0 && page.text(css).contains(word));
    }

    /// Presses a PE of the array at the place of its sum.
    pub(crate) fn press_pe(&self, plan: &Plan, pe: PeId) {
        let box_of = self.page.js("const box = document.querySelector('#stage canvas').getBoundingClientRect(); \
             return [box.x, box.y, box.width, box.height]");
        let side = |nth: usize| box_of[nth].as_f64().expect("a number");
        #[expect(clippy::cast_possible_truncation, reason = "a size on a screen")]
        let layout = Layout::new(plan, side(2) as f32, side(3) as f32);
        let cell = layout.cell_of(pe);
        let (x, y) = (side(0) + f64::from(cell.x + cell.w / 2.0), side(1) + f64::from(cell.y + 0.85 * cell.h));
        if self.hand == Hand::Finger {
            self.tap(x, y);
            return;
        }
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.page.cdp("Input.dispatchMouseEvent", event);
        }
    }
}
