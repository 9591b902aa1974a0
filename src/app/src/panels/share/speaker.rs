//! What the one who speaks sees, in a window of its own: the notes of the slide, what comes next, and the time.
//!
//! The page draws into that window and takes the keys that are pressed there, so both always show the same.

use core::cell::Cell;
use core::time::Duration;

use leptos::prelude::*;
use studio::Link;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{EventTarget, KeyboardEvent};
use words::{present, share};

use crate::browser::by_name::{call, make, property, set};
use crate::browser::{document, hall, window};
use crate::ctx::{Ctx, memo};
use crate::panels::caption;

const SHAPE: &str = "popup,width=1000,height=680";
/// Width and height of what comes next, in CSS pixels.
const SIZE: (f32, f32) = (600.0, 400.0);

/// Opens the window; nothing where the browser does not let one be opened.
pub(super) fn open(ctx: Ctx) -> Option<()> {
    let other = call(&window()?.into(), "open", ["".into(), "speaker".into(), SHAPE.into()])?;
    let other: EventTarget = other.is_object().then(|| other.unchecked_into())?;
    let place = property(&other, "document")?;
    dress(&other, &place)?;
    let body = property(&place, "body")?;
    // It may be open already, from a show before.
    set(&body, "textContent", &"".into())?;
    // What is drawn there outlives the dialog, which owns what is made now.
    let owner = Owner::new_root(None);
    let of_show = other.clone();
    let draw = move || {
        close_with(ctx, of_show);
        speaker(ctx)
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
fn dress(other: &JsValue, place: &JsValue) -> Option<()> {
    set(place, "title", &share::SPEAKER.into())?;
    set(&property(place, "documentElement")?, "lang", &"en".into())?;
    // A sheet belongs to the window that made it.
    let sheet = make(other, "CSSStyleSheet", [])?;
    call(&sheet, "replaceSync", [include_str!("../../../../../style/speaker.css").into()]);
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

/// Presses a key in the hall; nothing where there is none.
fn press(key: &str) -> Option<()> {
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
            set_timeout(
                move || {
                    if !ctx.presents_untracked() {
                        close()
                    }
                },
                Duration::from_millis(300),
            );
        }
        presents || has_begun == Some(true)
    });
}

/// The drawing of a slide as an address.
fn picture(link: &Link) -> Option<String> {
    let plan = studio::Plan::new(&link.scenario).ok()?;
    let text = export::svg::document(&export::View { plan: &plan, link, size: SIZE });
    // What an address would take for its own signs.
    Some(format!("data:image/svg+xml,{}", text.replace('%', "%25").replace('#', "%23")))
}

/// What stands in the window.
fn speaker(ctx: Ctx) -> impl IntoView {
    let deck = memo(Box::new(move || hall::deck(ctx)));
    let at = memo(Box::new(move || deck.with(|deck| (deck.at().unwrap_or(0), deck.len()))));
    let link = move |index: usize| untrack(|| hall::link_of(ctx, &deck.get(), index));
    let title = move || {
        let (at, n_slides) = at.get();
        present::slide(at, n_slides)
    };
    let now = move || {
        let words = caption::shown(ctx);
        let cycle = ctx.plan.with(|plan| present::moment(plan, ctx.cycle.get()));
        view! {
            <p class="now">
                <b>{cycle}</b>
                " "
                <strong>{words.headline}</strong>
                " "
                {words.sentence}
            </p>
        }
    };
    let notes = move || deck.with(|deck| deck.at().map(|at| deck.notes(at)).filter(|notes| !notes.is_empty()));
    let next = move || {
        let (at, n_slides) = at.get();
        let link = (at + 1 < n_slides).then(|| link(at + 1)).flatten();
        match link {
            Some(link) => view! {
                <p>{share::slide(&link)}</p>
                <img src=picture(&link) alt="" />
            }
            .into_any(),
            None => view! { <p>{share::LAST_SLIDE}</p> }.into_any(),
        }
    };
    let (seconds, zero) = (RwSignal::new(now_s()), RwSignal::new(now_s()));
    let tick = move || _ = seconds.try_set(now_s());
    if let Ok(ticking) = set_interval_with_handle(tick, Duration::from_secs(1)) {
        on_cleanup(move || ticking.clear());
    }
    let passed = move || share::duration((seconds.get() - zero.get()).max(0.0));
    let clock = move || {
        seconds.track();
        // `14:05:33 GMT+0100 (…)`, by the clock of the room.
        let time = call(&make(&window()?.into(), "Date", [])?, "toTimeString", [])?.as_string()?;
        time.get(..5).map(str::to_owned)
    };
    let button = |key: &'static str, name: &'static str| {
        view! { <button type="button" on:click=move |_| _ = press(key)>{name}</button> }
    };
    view! {
        <main>
            <section class="said">
                <h1>{title}</h1>
                {now}
                <div class="notes">{move || notes().unwrap_or_else(|| share::NO_NOTES.to_owned())}</div>
            </section>
            <section class="next">
                <h2>{share::NEXT_SLIDE}</h2>
                {next}
            </section>
            <footer>
                <b class="passed">{passed}</b>
                <button type="button" on:click=move |_| zero.set(now_s())>{share::FROM_ZERO}</button>
                <span>{clock}</span>
                <span class="keys">
                    {button("PageUp", share::SLIDE_BEFORE)} {button("PageDown", share::SLIDE_AFTER)} {button("ArrowRight", share::CYCLE_ON)}
                    {button("b", share::BLANK)} {button("Escape", present::END)}
                </span>
                <p class="hint">{share::SPEAKER_HINT}</p>
            </footer>
        </main>
    }
}

/// Seconds since the page was opened.
fn now_s() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now() / 1000.0)
}
