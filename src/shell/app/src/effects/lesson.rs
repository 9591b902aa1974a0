//! Effects of the lessons: they reset the array view when a card opens, and play the run to the cycle that shows an
//! answer.

use std::cell::RefCell;

use leptos::prelude::*;
use studio::{Action, Transport};
use systolic::{Cycle, PeId};
use wasm_bindgen::JsCast;

use crate::browser::timer::later;
use crate::ctx::Ctx;

/// Calls `open` once at the start, and again whenever the open card changes.
pub(crate) fn follow_card(card: Memo<Option<String>>, open: impl Fn() + 'static) {
    let last = RefCell::new(None);
    crate::browser::effect(move || {
        let now = card.get();
        if last.replace(Some(now.clone())) != Some(now) {
            untrack(&open);
        }
    });
}

/// Calls `ask` with each new value of `wanted`.
pub(crate) fn follow_wanted(wanted: Memo<Option<String>>, ask: impl Fn(String) + 'static) {
    crate::browser::effect(move || {
        if let Some(id) = wanted.get() {
            untrack(|| ask(id));
        }
    });
}

/// Stops the run at the cycle that shows the answer. The reveal also ends if a person stops the run earlier.
pub(crate) fn follow_reveal(ctx: Ctx, reveal: RwSignal<Option<Cycle>>) {
    crate::browser::effect(move || {
        let (Some(to), cycle, playing) = (reveal.get(), ctx.cycle.get(), ctx.playing.get()) else { return };
        if cycle >= to {
            ctx.dispatch(&Action::Move(Transport::Seek(to.get())));
        }
        if cycle >= to || !playing {
            reveal.set(None);
        }
    });
}

/// Moves to the end of the run whenever the end changes. Without an end, the cycle stays.
pub(crate) fn follow_end(ctx: Ctx, end: Memo<Option<Cycle>>) {
    crate::browser::effect(move || {
        if let Some(end) = end.get() {
            untrack(|| ctx.dispatch(&Action::Move(Transport::Seek(end.get()))));
        }
    });
}

/// Highlights the timeline. The value `alone` highlights only the timeline. The value `along` highlights the timeline
/// together with parts of the array. `None` removes the highlight.
pub(crate) fn follow_light(lit: Memo<Option<&'static str>>) {
    crate::browser::effect(move || {
        let lit = lit.get();
        if let Some(main) =
            crate::browser::document().and_then(|document| document.query_selector("main").ok().flatten())
        {
            // The element accepts any attribute.
            let _ = match lit {
                Some(how) => main.set_attribute("data-lights", how),
                None => main.remove_attribute("data-lights"),
            };
        }
    });
}

/// Keeps the focus on the title when a loaded card replaces the message about its loading.
pub(crate) fn keep_focus_on_card() {
    let focused = crate::browser::document().and_then(|document| document.active_element());
    if focused.is_some_and(|element| element.id() == "card-title") {
        // The card is drawn after this task.
        later(|| crate::browser::focus::focus("card-title"), core::time::Duration::ZERO);
    }
}

/// Covers the right end of the timeline, so that later cycles are hidden. `cover` is the share of the timeline's width
/// that stays visible. `None` removes the cover.
pub(crate) fn follow_cover(cover: Memo<Option<String>>) {
    crate::browser::effect(move || {
        let cover = cover.get();
        let main = crate::browser::document().and_then(|document| document.query_selector("main").ok().flatten());
        let Some(main) = main.and_then(|main| main.dyn_into::<crate::browser::Place>().ok()) else { return };
        // The element accepts any attribute and any property.
        let _ = match &cover {
            Some(share) => main.set_attribute("data-asks", "").and(main.style().set_property("--asked", share)),
            None => main.remove_attribute("data-asks"),
        };
    });
}

/// Scrolls just far enough to bring the end of an element into view.
pub(crate) fn scroll_to(css: &str) {
    let element = crate::browser::document().and_then(|document| document.query_selector(css).ok().flatten());
    if let Some(element) = element {
        element.scroll_into_view_with_bool(false);
    }
}

/// Scrolls the verdict on an answer into view when the verdict appears.
pub(crate) fn follow_verdict(is_done: Memo<bool>) {
    let mut was_done = true;
    crate::browser::effect(move || {
        let is_done = is_done.get();
        if is_done && !core::mem::replace(&mut was_done, is_done) {
            later(|| scroll_to(".card-why"), core::time::Duration::ZERO);
        }
        was_done = is_done;
    });
}

/// Calls `chosen` with each PE that a person chooses as an answer. `asks` is false if the answer is locked.
pub(crate) fn follow_pe_answer(ctx: Ctx, asks: bool, chosen: impl Fn(PeId) + 'static) {
    ctx.lesson.asks_pe.set(asks);
    ctx.lesson.pe_answer.set(None);
    crate::browser::effect(move || {
        if let Some(pe) = ctx.lesson.pe_answer.get() {
            untrack(|| chosen(pe));
        }
    });
    on_cleanup(move || _ = ctx.lesson.asks_pe.try_set(false));
}
