//! The content of the speaker's window: the notes of the slide, the next slide, and the time.

use core::time::Duration;

use leptos::prelude::*;
use studio::{Chrome, Link};
use words::{present, share};

use crate::ctx::{Ctx, memo};
use crate::effects::presentation;
use crate::effects::speaker as window;
use crate::telling;

/// Opens the speaker's window. Returns `None` if the browser blocks the window.
pub(in crate::panels) fn open(ctx: Ctx) -> Option<()> {
    let sheet = include_str!("../../../../../../style/speaker.css");
    window::open(ctx, share::SPEAKER, sheet, Box::new(move || speaker(ctx).into_any()))
}

/// Returns the picture of a whole slide as a data URL; `None` if its settings cannot run.
pub(super) fn picture(mut link: Link) -> Option<String> {
    let plan = studio::Plan::new(&link.scenario).ok()?;
    link.view.chrome = Chrome::Present;
    let text = export::svg::document(&export::View { plan: &plan, link: &link, size: export::slide::SIZE });
    // Escapes characters that have a meaning in a URL.
    Some(format!("data:image/svg+xml,{}", text.replace('%', "%25").replace('#', "%23")))
}

/// The content of the speaker's window.
fn speaker(ctx: Ctx) -> impl IntoView {
    let deck = memo(move || presentation::deck(ctx));
    let at = memo(move || deck.with(|deck| (deck.at().unwrap_or(0), deck.len())));
    let link = move |index: usize| untrack(|| presentation::link_of(ctx, &deck.get(), index));
    let title = move || {
        let (at, n_slides) = at.get();
        present::slide(at, n_slides)
    };
    let now = move || {
        let words = telling::current_caption(ctx);
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
    let notes = move || {
        let notes = deck.with(|deck| deck.at().and_then(|at| deck.said(at)).map(|said| said.notes.clone()));
        notes.filter(|notes| !notes.is_empty())
    };
    let said = move |index: usize| {
        deck.with(|deck| deck.said(index).map(|said| said.title.clone())).filter(|title| !title.is_empty())
    };
    let next = move || {
        let (at, n_slides) = at.get();
        let link = (at + 1 < n_slides).then(|| link(at + 1)).flatten();
        match link {
            Some(link) => view! {
                <p>{said(at + 1).unwrap_or_else(|| share::slide(&link))}</p>
                <img src=picture(link) alt="" />
            }
            .into_any(),
            None => view! { <p>{share::LAST_SLIDE}</p> }.into_any(),
        }
    };
    let (seconds, zero) = (RwSignal::new(window::now_s()), RwSignal::new(window::now_s()));
    let tick = move || _ = seconds.try_set(window::now_s());
    if let Ok(ticking) = set_interval(tick, Duration::from_secs(1)) {
        on_cleanup(move || ticking.clear());
    }
    let passed = move || share::duration((seconds.get() - zero.get()).max(0.0));
    let planned = move || deck.with(|deck| share::planned(deck, at.get().0));
    // The array, for a speaker who sees only this window. A playing run is drawn once a second.
    let wall = move || {
        let playhead = if ctx.playing.get() {
            seconds.track();
            ctx.playhead().get_untracked()
        } else {
            ctx.playhead().get()
        };
        let link = ctx.session().with(|session| session.link(&playhead));
        picture(link).map(|picture| view! { <img class="wall" src=picture alt="" /> })
    };
    let clock = move || {
        seconds.track();
        window::time_of_day()
    };
    let button = |key: &'static str, name: &'static str| {
        view! { <button type="button" on:click=move |_| _ = window::press(key)>{name}</button> }
    };
    view! {
        <main>
            <section class="said">
                <h1>{title}</h1>
                <div class="notes">{move || notes().unwrap_or_else(|| share::NO_NOTES.to_owned())}</div>
                {now}
            </section>
            <section class="next">
                {wall}
                <h2>{share::NEXT_SLIDE}</h2>
                {next}
            </section>
            <footer>
                <b class="passed">{passed}</b>
                <span>{planned}</span>
                <button type="button" on:click=move |_| zero.set(window::now_s())>{share::FROM_ZERO}</button>
                <span>{share::CLOCK} " " {clock}</span>
                <span class="keys">
                    {button("PageUp", share::SLIDE_BEFORE)} {button("PageDown", share::SLIDE_AFTER)} {button("ArrowRight", share::CYCLE_ON)}
                    {button("b", share::BLANK)} {button("Escape", present::END)}
                </span>
                <p class="hint">{share::SPEAKER_HINT}</p>
            </footer>
        </main>
    }
}
