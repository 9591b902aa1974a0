//! The window of the speaker.
//!
//! The page draws into this window, under a separate owner, and takes the keys that are pressed there. So both windows
//! always show the same state.

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

const SHAPE: &str = "popup,width=1000,height=680";

/// Opens the window with a title and a style sheet, and draws in it; nothing where the browser does not let one be opened.
pub(crate) fn open(ctx: Ctx, title: &str, sheet: &str, content: Box<dyn FnOnce() -> AnyView>) -> Option<()> {
    let other = call(&window()?.into(), "open", ["".into(), "speaker".into(), SHAPE.into()])?;
    let other: EventTarget = other.is_object().then(|| other.unchecked_into())?;
    let place = property(&other, "document")?;
    dress(&other, &place, title, sheet)?;
    let body = property(&place, "body")?;
    // It may be open already, from a show before.
    set(&body, "textContent", &"".into())?;
    // What is drawn there outlives the dialog, which owns what is made now.
    let owner = Owner::new_root(None);
    let of_show = other.clone();
    let draw = move || {
        close_with(ctx, of_show);
        content()
    };
    // An element of another window is none to this one's `instanceof`.
    let showing = owner.with(|| mount_to(body.unchecked_into(), draw));
    let showing = Cell::new(Some((showing, owner)));
    let pressed = Closure::<dyn FnMut(KeyboardEvent)>::new(|event| pass_on(&event));
    let hidden = Closure::<dyn FnMut()>::new(move || drop(showing.take()));
    for (name, hears) in [("keydown", pressed.as_ref()), ("pagehide", hidden.as_ref())] {
        // Fails only for what is no function.
        let _ = other.add_event_listener_with_callback(name, hears.unchecked_ref());
    }
    // As long as the window.
    pressed.forget();
    hidden.forget();
    Some(())
}

/// Gives the window its words and its colors.
fn dress(other: &JsValue, place: &JsValue, title: &str, rules: &str) -> Option<()> {
    set(place, "title", &title.into())?;
    set(&property(place, "documentElement")?, "lang", &"en".into())?;
    // A sheet belongs to the window that made it.
    let sheet = make(other, "CSSStyleSheet", [])?;
    call(&sheet, "replaceSync", [rules.into()]);
    set(place, "adoptedStyleSheets", &js_sys::Array::of1(&sheet))
}

/// What is pressed there is pressed here.
fn pass_on(event: &KeyboardEvent) {
    let key = event.key();
    // They press the button that has the focus.
    let is_of_button = matches!(key.as_str(), "Enter" | " " | "Tab" | "Shift");
    if is_of_button || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return;
    }
    event.prevent_default();
    // The full screen is for the window in which it is asked for.
    if key != "F5" {
        press(&key);
    }
}

/// Presses a key in the window of the slides, if there is one.
pub(crate) fn press(key: &str) -> Option<()> {
    let how = js_sys::Object::new();
    set(&how, "key", &key.into())?;
    set(&how, "bubbles", &true.into())?;
    set(&how, "cancelable", &true.into())?;
    let event = make(&window()?.into(), "KeyboardEvent", ["keydown".into(), how.into()])?;
    document()?.dispatch_event(event.unchecked_ref()).ok().map(drop)
}

/// Closes the window with the show, and with the page.
fn close_with(ctx: Ctx, other: EventTarget) {
    let presents = memo(Box::new(move || ctx.presents()));
    let close = move || _ = call(&other, "close", []);
    let gone = window_event_listener_untyped("pagehide", {
        let close = close.clone();
        move |_| close()
    });
    on_cleanup(move || gone.remove());
    Effect::new(move |has_begun: Option<bool>| {
        let presents = presents.get();
        if has_begun == Some(true) && !presents {
            // From one slide to the next the hall is closed for a moment.
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

/// The time of day by the clock of the room, as `14:05`.
pub(crate) fn time_of_day() -> Option<String> {
    // `14:05:33 GMT+0100 (…)`.
    let time = call(&make(&window()?.into(), "Date", [])?, "toTimeString", [])?.as_string()?;
    time.get(..5).map(str::to_owned)
}
