//! The stage as a card of a lesson wants it: its state when the card opens, and the run to where its answer is seen.

use std::cell::RefCell;

use leptos::prelude::*;
use studio::{Action, Edit, Transport};
use systolic::{Cycle, PeId};
use wasm_bindgen::JsCast;

use crate::ctx::Ctx;

/// Does something whenever another card is open, and once for the first.
pub(crate) fn follow_card(place: Memo<Option<String>>, open: impl Fn(Option<String>) + 'static) {
    let last = RefCell::new(None);
    super::effect(Box::new(move || {
        let now = place.get();
        if last.replace(Some(now.clone())) != Some(now.clone()) {
            untrack(|| open(now));
        }
    }));
}

/// Stops the run where the answer is seen, or when somebody stops it before.
pub(crate) fn follow_reveal(ctx: Ctx, reveal: RwSignal<Option<Cycle>>) {
    super::effect(Box::new(move || {
        let (Some(to), cycle, playing) = (reveal.get(), ctx.cycle.get(), ctx.playing.get()) else { return };
        if cycle >= to {
            ctx.dispatch(&Action::Move(Transport::Seek(to.get())));
        }
        if cycle >= to || !playing {
            reveal.set(None);
        }
    }));
}

/// Covers what comes after a cycle on the timeline, as a share of its width; nothing uncovers it.
pub(crate) fn follow_cover(cover: Memo<Option<String>>) {
    super::effect(Box::new(move || {
        let cover = cover.get();
        let main = super::document().and_then(|document| document.query_selector("main").ok().flatten());
        let Some(main) = main.and_then(|main| main.dyn_into::<super::Place>().ok()) else { return };
        // The element takes any attribute and any property.
        let _ = match &cover {
            Some(share) => main.set_attribute("data-asks", "").and(main.style().set_property("--asked", share)),
            None => main.remove_attribute("data-asks"),
        };
    }));
}

/// Brings what is said of an answer into view, once it is there.
pub(crate) fn follow_verdict(is_done: Memo<bool>) {
    let mut was_done = true;
    super::effect(Box::new(move || {
        let is_done = is_done.get();
        if is_done && !core::mem::replace(&mut was_done, is_done) {
            let show = || {
                let why = super::document().and_then(|document| document.query_selector(".card-why").ok().flatten());
                if let Some(why) = why {
                    why.scroll_into_view_with_bool(false);
                }
            };
            set_timeout(show, core::time::Duration::ZERO);
        }
        was_done = is_done;
    }));
}

/// Hands on each PE that is chosen on the stage, and lets it go, so that the next press chooses again.
pub(crate) fn follow_selection(ctx: Ctx, chosen: impl Fn(PeId) + 'static) {
    super::effect(Box::new(move || {
        let selected = ctx.session().with(|session| session.view.selected);
        if let Some(pe) = selected {
            untrack(|| chosen(pe));
            ctx.dispatch(&Action::Edit(Edit::Select(None)));
        }
    }));
}
