//! Presentation mode: the full screen, a screen that stays awake, and the keys that clickers send.
//!
//! This module handles a clicker's keys before the array view does.

use leptos::prelude::*;
use studio::{Action, Chrome, Deck, Edit, Link};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::KeyboardEvent;

use crate::browser::by_name::{call, property};
use crate::browser::timer::later;
use crate::ctx::Ctx;
use crate::navigation;

/// Id of the answer of the model estimates in words. It gets the focus if a pressed button leads to a new answer.
pub(crate) const ANSWER_ID: &str = "answer-sentence";

/// Requests full screen. If a browser or a frame refuses, the page fills the space that it has.
pub(crate) fn fill_screen() {
    if let Some(root) = crate::browser::document().and_then(|document| document.document_element()) {
        ignore_rejection(call(&root, "requestFullscreen", []));
    }
}

/// Ignores the failure of a promise, so that the console shows no error.
fn ignore_rejection(promise: Option<JsValue>) {
    if let Some(promise) = promise {
        call(&promise, "catch", [Closure::once_into_js(|_: JsValue| {})]);
    }
}

/// Leaves the full screen. Returns false if the page does not fill the screen.
fn leave_screen() -> bool {
    let document = crate::browser::document().filter(|document| document.fullscreen_element().is_some());
    document.inspect(|document| ignore_rejection(call(document, "exitFullscreen", []))).is_some()
}

/// Starts the presentation. The model estimates fill the screen in their own layout, and leave the full screen at the
/// next call; slides replace them.
pub(crate) fn present(ctx: Ctx) {
    let at_estimate = ctx.session().with_untracked(|session| session.view.chrome.is_estimate());
    if at_estimate && untrack(|| deck(ctx)).is_empty() {
        if !leave_screen() {
            fill_screen();
            // Keys scroll the answers, because the focus is there.
            crate::browser::focus::focus(ANSWER_ID);
        }
        return;
    }
    ctx.dispatch(&Action::Edit(Edit::Room(Chrome::Present)));
    fill_screen();
}

/// Ends the presentation, and returns to the full page.
pub(crate) fn end_presentation(ctx: Ctx) {
    leave_screen();
    ctx.dispatch(&Action::Edit(Edit::Room(Chrome::Full)));
    later(|| crate::browser::focus::focus("to-present"), core::time::Duration::ZERO);
}

/// Wake lock of the screen, if the page has a wake lock.
type Awake = StoredValue<Option<JsValue>, LocalStorage>;

/// Requests a wake lock for the screen. Returns `None` if the browser has no wake locks.
fn keep_awake(awake: Awake) -> Option<()> {
    // `web-sys` has the wake lock behind a flag of the compiler.
    let lock = property(&property(&crate::browser::window()?.into(), "navigator")?, "wakeLock")?;
    let promise = call(&lock, "request", ["screen".into()])?;
    let got = Closure::once_into_js(move |lock: JsValue| {
        awake.try_set_value(Some(lock));
    });
    // A refusal is not an error: the screen then turns off according to its settings.
    let refused = Closure::once_into_js(|_: JsValue| {});
    call(&promise, "then", [got, refused]).map(drop)
}

/// Releases the wake lock, so that the screen can sleep.
fn let_sleep(awake: Awake) {
    if let Some(lock) = awake.try_update_value(Option::take).flatten() {
        call(&lock, "release", []);
    }
}

/// Returns the slides of the session.
pub(crate) fn deck(ctx: Ctx) -> Deck {
    ctx.session().with(|session| Deck::of(&session.texts))
}

/// Returns the link of a slide, if the deck has a slide at this index.
pub(crate) fn link_of(ctx: Ctx, deck: &Deck, index: usize) -> Option<Link> {
    ctx.session().with_untracked(|session| deck.shown(index, &session.texts))
}

/// Shows a slide.
pub(crate) fn show_slide(ctx: Ctx, deck: &Deck, index: usize) {
    let Some(link) = link_of(ctx, deck, index) else { return };
    ctx.dispatch(&Action::Edit(Edit::Preset(Box::new(link))));
    // A tool or lesson on the slide may be in a part that is not loaded yet.
    navigation::restore(ctx, Chrome::Present);
}

/// Moves `by` slides forward, or backward if `by` is negative.
pub(crate) fn step(ctx: Ctx, by: isize) {
    let deck = untrack(|| deck(ctx));
    if let Some(index) = deck.next(by) {
        lead_to(ctx, &deck, index);
    }
}

/// Shows a slide, unless it is the current slide.
fn lead_to(ctx: Ctx, deck: &Deck, index: usize) {
    if deck.at() != Some(index) {
        show_slide(ctx, deck, index);
    }
}

/// Returns the index of the slide to which a key leads.
fn led_to(deck: &Deck, key: &str) -> Option<usize> {
    match key {
        "PageDown" => deck.next(1),
        "PageUp" => deck.next(-1),
        digit => digit.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < deck.len()),
    }
}

/// Moves between slides with the keys of a clicker, before the page uses these keys to move between cycles. If the
/// array view has already moved to another cycle, the shown slide then sets its own cycle.
fn follow_slides(ctx: Ctx) {
    let pressed = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || !ctx.presents_untracked() {
            return;
        }
        let deck = untrack(|| deck(ctx));
        if let Some(index) = led_to(&deck, &event.key()) {
            event.prevent_default();
            lead_to(ctx, &deck, index);
        }
    });
    let Some(document) = crate::browser::document() else { return };
    let function = pressed.as_ref().unchecked_ref::<js_sys::Function>().clone();
    // Fails only if the callback is not a function.
    let _ = document.add_event_listener_with_callback("keydown", &function);
    let pressed = StoredValue::new_local(Some(pressed));
    on_cleanup(move || {
        let _ = document.remove_event_listener_with_callback("keydown", &function);
        drop(pressed.try_update_value(Option::take));
    });
    // A deck without a current slide begins with its first slide.
    let presents = crate::ctx::memo(Box::new(move || ctx.presents()));
    crate::browser::effect(Box::new(move || {
        if presents.get() {
            let deck = untrack(|| deck(ctx));
            if deck.at().is_none() {
                show_slide(ctx, &deck, 0);
            }
        }
    }));
}

/// Handles the keys of a presentation: they blank the screen, show a large pointer, request full screen or end the
/// presentation.
pub(crate) fn follow(ctx: Ctx, is_blank: RwSignal<bool>, points: RwSignal<bool>) {
    follow_slides(ctx);
    let awake: Awake = StoredValue::new_local(None);
    let presents = crate::ctx::memo(Box::new(move || ctx.presents()));
    crate::browser::effect(Box::new(move || {
        if presents.get() {
            // Without a wake lock, the screen follows its own settings.
            let _ = keep_awake(awake);
        } else {
            let_sleep(awake);
        }
    }));
    let pressed = window_event_listener(leptos::ev::keydown, move |event| {
        if event.default_prevented() || event.ctrl_key() || event.meta_key() || !ctx.presents_untracked() {
            return;
        }
        match event.key().as_str() {
            "." | "b" | "B" => is_blank.update(|is_blank| *is_blank = !*is_blank),
            "l" | "L" => points.update(|points| *points = !*points),
            // A clicker sends F5 to start the show. The browser would reload the page.
            "F5" => fill_screen(),
            "Escape" => end_presentation(ctx),
            _ => return,
        }
        event.prevent_default();
    });
    let left = window_event_listener_untyped("fullscreenchange", move |_| {
        let is_full = crate::browser::document().is_some_and(|document| document.fullscreen_element().is_some());
        if !is_full && ctx.presents_untracked() {
            end_presentation(ctx);
        }
    });
    on_cleanup(move || {
        pressed.remove();
        left.remove();
    });
}
