//! The speaker's window in presentation mode.
//!
//! The page draws into this window, under a separate Leptos owner, and handles the keys that are pressed there. So both
//! windows always show the same state.

use core::cell::Cell;
use core::time::Duration;

use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{EventTarget, KeyboardEvent};

use crate::browser::by_name::{call, make, property, set};
use crate::browser::timer::later;
use crate::browser::{document, window};
use crate::ctx::{Ctx, memo};

/// Property of the window that says which page opened it.
const OF_PAGE: &str = "systolicPage";

const SHAPE: &str = "popup,width=1200,height=800";

/// Opens the speaker's window with a title and a style sheet, and draws `content` in it. Returns `None` if the browser
/// blocks the window.
pub(crate) fn open(ctx: Ctx, title: &str, sheet: &str, content: Box<dyn FnOnce() -> AnyView>) -> Option<()> {
    let other = call(&window()?.into(), "open", ["".into(), "speaker".into(), SHAPE.into()])?;
    let other: EventTarget = other.is_object().then(|| other.unchecked_into())?;
    // A window that this page has already opened stays as it is, with its clock.
    let page = property(&property(&window()?.into(), "performance")?, "timeOrigin")?;
    if property(&other, OF_PAGE).as_ref() == Some(&page) {
        call(&other, "focus", []);
        return Some(());
    }
    set(&other, OF_PAGE, &page)?;
    let place = property(&other, "document")?;
    dress(&other, &place, title, sheet)?;
    let body = property(&place, "body")?;
    // The window may still be open from an earlier presentation.
    set(&body, "textContent", &"".into())?;
    // Everything that is made now would belong to the dialog. The content outlives the dialog, so it has a new root
    // owner.
    let owner = Owner::new_root(None);
    let of_show = other.clone();
    let draw = move || {
        close_with(ctx, of_show);
        content()
    };
    // The cast is unchecked, because `instanceof` of this window rejects elements of another window.
    let showing = owner.with(|| mount_to(body.unchecked_into(), draw));
    let showing = Cell::new(Some((showing, owner)));
    let pressed = Closure::<dyn FnMut(KeyboardEvent)>::new(|event| pass_on(&event));
    let hidden = Closure::<dyn FnMut()>::new(move || drop(showing.take()));
    for (name, hears) in [("keydown", pressed.as_ref()), ("pagehide", hidden.as_ref())] {
        // Fails only if the callback is not a function.
        let _ = other.add_event_listener_with_callback(name, hears.unchecked_ref());
    }
    // Both callbacks live as long as the window.
    pressed.forget();
    hidden.forget();
    Some(())
}

/// Sets the title, the language and the style sheet of the speaker's window.
fn dress(other: &JsValue, place: &JsValue, title: &str, rules: &str) -> Option<()> {
    set(place, "title", &title.into())?;
    set(&property(place, "documentElement")?, "lang", &"en".into())?;
    // A sheet belongs to the window that made it.
    let sheet = make(other, "CSSStyleSheet", [])?;
    call(&sheet, "replaceSync", [rules.into()]);
    set(place, "adoptedStyleSheets", &js_sys::Array::of1(&sheet))
}

/// Sends a key that was pressed in the speaker's window to the window of the slides.
fn pass_on(event: &KeyboardEvent) {
    let key = event.key();
    // These keys act on the button that has the focus.
    let is_of_button = matches!(key.as_str(), "Enter" | " " | "Tab" | "Shift");
    if is_of_button || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return;
    }
    event.prevent_default();
    // A browser allows full screen only for the window in which the key was pressed.
    if key != "F5" {
        press(&key);
    }
}

/// Simulates a key press in the window of the slides. Returns `None` if the browser refuses.
pub(crate) fn press(key: &str) -> Option<()> {
    let how = js_sys::Object::new();
    set(&how, "key", &key.into())?;
    set(&how, "bubbles", &true.into())?;
    set(&how, "cancelable", &true.into())?;
    let event = make(&window()?.into(), "KeyboardEvent", ["keydown".into(), how.into()])?;
    document()?.dispatch_event(event.unchecked_ref()).ok().map(drop)
}

/// Closes the speaker's window when the presentation ends or the page closes.
fn close_with(ctx: Ctx, other: EventTarget) {
    let presents = memo(move || ctx.presents());
    let close = move || _ = call(&other, "close", []);
    let gone = window_event_listener_untyped("pagehide", {
        let close = close.clone();
        move |_| close()
    });
    on_cleanup(move || gone.remove());
    Effect::new(move |has_begun: Option<bool>| {
        let presents = presents.get();
        if has_begun == Some(true) && !presents {
            // Between two slides the presentation ends for a moment, so the window waits before it closes.
            let close = close.clone();
            later(
                move || {
                    if !ctx.presents_untracked() {
                        close();
                    }
                },
                Duration::from_millis(300),
            );
        }
        presents || has_begun == Some(true)
    });
}

/// Seconds since the page was opened.
pub(crate) fn now_s() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now() / 1000.0)
}

/// Returns the local time of day, such as `14:05`.
pub(crate) fn time_of_day() -> Option<String> {
    // `14:05:33 GMT+0100 (…)`.
    let time = call(&make(&window()?.into(), "Date", [])?, "toTimeString", [])?.as_string()?;
    time.get(..5).map(str::to_owned)
}
