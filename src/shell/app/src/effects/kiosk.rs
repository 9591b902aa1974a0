//! Kiosk mode in the browser: its clock, and the input events that reset the clock.

use core::time::Duration;

use leptos::prelude::*;
use studio::kiosk::{Beat, Idle, Kiosk};
use studio::{Action, Chrome, Deck, Edit, Link, PartText, Transport};
use systolic::{Cycle, PeId};
use words::present;

use super::presentation::{self, Hall};
use crate::browser::timer::later;
use crate::ctx::Ctx;
use crate::navigation;

/// Events that count as activity of a person.
const TOUCHES: [&str; 4] = ["pointerdown", "keydown", "wheel", "input"];

/// Shows the state of a link without adding an entry to the browser history, because kiosk mode shows many links a day.
fn open(ctx: Ctx, link: Link) {
    let chrome = link.view.chrome;
    ctx.dispatch(&Action::Edit(Edit::Open(Box::new(link))));
    navigation::restore(ctx, chrome);
}

/// Plays the next slide; after the last slide, plays the first slide. Without slides, plays the same run again.
fn next(ctx: Ctx, chrome: Chrome) {
    let deck = untrack(|| presentation::deck(ctx));
    let index = deck.at().map_or(0, |at| (at + 1) % deck.len().max(1));
    if let Some(mut link) = presentation::link_of(ctx, &deck, index) {
        link.view.chrome = chrome;
        open(ctx, link);
    }
    presentation::play(ctx);
}

/// Maximum number of cycles before or after the shown cycle in which the page looks for a PE's work. A run can have
/// billions of cycles.
const NEAR_CYCLES: usize = 4096;

/// Stops the run at the next cycle in which a PE multiplies. If no such cycle is near, stops at the last one before. If
/// the PE has no work near the shown cycle, does nothing.
fn show_at_work(ctx: Ctx, pe: PeId) {
    let now = ctx.cycle.get_untracked().get();
    let at = ctx.plan.with_untracked(|plan| {
        let multiplies = |cycle: &u64| plan.schedule().mac(Cycle(*cycle), pe).is_some();
        let next = (now..=plan.last().get()).take(NEAR_CYCLES).find(multiplies);
        next.or_else(|| (0..now).rev().take(NEAR_CYCLES).find(multiplies))
    });
    if let Some(cycle) = at {
        ctx.dispatch(&Action::Move(Transport::Seek(cycle)));
    }
}

/// Time for which a message about the link covers the page.
const TOLD: Duration = Duration::from_secs(10);

fn say_for_a_while(say: WriteSignal<String>, words: String) {
    say.set(words);
    later(move || _ = say.try_set(String::new()), TOLD);
}

/// State of a stand, where visitors use the page in kiosk mode.
#[derive(Clone, Copy)]
pub(crate) struct Stand {
    /// Message to show: a problem of the link, or the seconds until the restart.
    pub(crate) said: ReadSignal<String>,
    /// True if the page plays by itself, false if a visitor uses it; `None` without kiosk mode.
    pub(crate) attracts: RwSignal<Option<bool>>,
}

/// Starts kiosk mode if the link asks for it. A restart closes what a visitor opened.
pub(crate) fn follow(ctx: Ctx, hall: Hall) -> Stand {
    let (said, say) = signal(String::new());
    let attracts = RwSignal::new(None);
    let stand = Stand { said, attracts };
    let start = ctx.session().with_untracked(|session| session.link(&ctx.playhead().get_untracked()));
    let deck = Deck::of(&start.texts);
    if !start.texts[PartText::Slide].is_empty() && deck.at().is_none() {
        say_for_a_while(say, present::no_slide(&start.texts[PartText::Slide], deck.len()));
    }
    let text = start.texts[PartText::Kiosk].as_str();
    // An embed never plays by itself.
    if text.is_empty() || ctx.embedded() {
        return stand;
    }
    let Some(idle) = Idle::parse(text) else {
        say_for_a_while(say, present::no_kiosk(text));
        return stand;
    };
    let kiosk = StoredValue::new(Kiosk::new(idle));
    let chrome = start.view.chrome;
    let second = move || {
        let is_playing = ctx.playing.try_get_untracked() == Some(true);
        let beat = kiosk.try_update_value(|kiosk| kiosk.second(is_playing));
        let is_alone = kiosk.try_with_value(Kiosk::attracts);
        if attracts.try_get_untracked().is_some_and(|attracts| attracts != is_alone) {
            attracts.try_set(is_alone);
        }
        let words = if let Some(Beat::Left(seconds)) = beat { present::begins_again(seconds) } else { String::new() };
        if said.try_get_untracked().is_some_and(|said| said != words) {
            say.try_set(words);
        }
        match beat {
            Some(Beat::Again) => {
                hall.clear();
                ctx.parts.shares.set(false);
                open(ctx, start.clone());
                presentation::play(ctx);
            }
            Some(Beat::Next) => next(ctx, chrome),
            _ => {}
        }
    };
    // A visitor who touches a PE sees it from inside.
    let chosen = crate::ctx::memo(move || ctx.session().with(|session| session.view.selected));
    crate::browser::effect(move || {
        let pe = chosen.get();
        if attracts.get_untracked() == Some(false) {
            if let Some(pe) = pe {
                untrack(|| show_at_work(ctx, pe));
            }
            hall.inside.set(pe.is_some());
        }
    });
    let ticking = set_interval(second, Duration::from_secs(1));
    let touched = TOUCHES.map(|event| {
        window_event_listener_untyped(event, move |_| {
            kiosk.try_update_value(Kiosk::touched);
            let was_alone = attracts.try_get_untracked().flatten() == Some(true);
            attracts.try_set(Some(false));
            // A visitor sees the run from its start.
            if was_alone {
                ctx.dispatch(&Action::Move(Transport::Home));
                presentation::play(ctx);
            }
        })
    });
    on_cleanup(move || {
        // Fails only without a window.
        let _ = ticking.map(|ticking| ticking.clear());
        for touched in touched {
            touched.remove();
        }
    });
    stand
}
