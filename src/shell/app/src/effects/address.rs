//! The address bar. The page writes the link of its state into the address bar, and restores earlier states when a
//! person presses Back or Forward. An embed reads the address and never changes it.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::leptos_dom::helpers::window_event_listener;
use leptos::prelude::*;
use studio::{Action, Chrome, Edit, LearnPage, Link, PartText, Plan, Scenario, Tool};
use systolic::Cycle;

use crate::browser::location;
use crate::browser::timing::Debounce;
use crate::ctx::Ctx;
use crate::navigation;

/// Time without further changes after which a change becomes an entry of the browser history.
const SETTLED: core::time::Duration = core::time::Duration::from_millis(400);

/// Formats a link for the address bar: `?query` or `?query#fragment`.
pub(crate) fn text_of(link: &Link) -> String {
    let (query, fragment) = link.to_parts();
    if fragment.is_empty() { format!("?{query}") } else { format!("?{query}#{fragment}") }
}

/// Returns the link that opens the current state in another view, for example the state of an embed as a full page.
///
/// While the run plays, the link is not updated, because a link with matrices can be half a megabyte, which is too much
/// for every frame.
pub(crate) fn link_in(ctx: Ctx, chrome: Chrome) -> String {
    let playhead = if ctx.playing.get() { ctx.playhead().get_untracked() } else { ctx.playhead().get() };
    let mut link = ctx.session().with(|session| session.link(&playhead));
    link.view.chrome = chrome;
    // The link of an embedded card opens the card as a full page. A link between views of one page keeps the state
    // without the card.
    link.tools.learn = link.tools.learn.filter(|_| ctx.embedded());
    text_of(&link)
}

/// Returns the link to the list of the lessons.
pub(crate) fn link_to_contents() -> String {
    let mut link = Link::default();
    link.tools.learn = Some(LearnPage::Contents);
    text_of(&link)
}

/// Returns the link to a solution of the open card's task: the card with the current state.
pub(crate) fn link_to_answer(ctx: Ctx) -> String {
    let mut link = ctx.session().with(|session| session.link(&ctx.playhead().get_untracked()));
    link.view.chrome = Chrome::Full;
    if let Some(LearnPage::Card(place)) = &mut link.tools.learn {
        place.is_result = true;
    }
    location::absolute_link(&text_of(&link))
}

/// Returns the link to the model estimates for the GEMM of a run, on its chip.
pub(crate) fn link_to_product(ctx: Ctx, plan: &Plan) -> String {
    let playhead = ctx.playhead().get_untracked();
    let mut link = ctx.session().with(|session| session.link(&playhead));
    link.view.chrome = Chrome::Estimate;
    link.texts[PartText::Ask] = plan.product_entries(&estimate::custom::show(&plan.scenario().custom_values()));
    text_of(&link)
}

/// Returns the link that opens another run in the array view, at the first cycle. The entries of the model estimates
/// stay in the link.
pub(crate) fn link_to_run(ctx: Ctx, scenario: Scenario) -> String {
    let texts = ctx.session().with(|session| session.texts.clone());
    text_of(&Link { scenario, texts, cycle: Cycle(0), ..Link::default() })
}

/// Opens the glossary entry that the address names, now and after each change of the fragment.
pub(crate) fn follow_word(ctx: Ctx) {
    let open = move || {
        if let Some(place) = studio::word_address(&location::read().1) {
            super::keys::open_help_at(ctx, &place);
        }
    };
    // The effect runs after the page is drawn.
    crate::browser::effect(open);
    let changed = window_event_listener(leptos::ev::hashchange, move |_| open());
    on_cleanup(move || changed.remove());
}

fn history() -> Option<web_sys::History> {
    crate::browser::window().and_then(|window| window.history().ok())
}

/// True if going back in the history undoes a change. In a lesson, going back leads to another card.
fn can_undo(ctx: Ctx) -> bool {
    ctx.session().with_untracked(|session| session.tools.text(Tool::Learn).is_empty())
        && history().and_then(|history| history.state().ok()).is_some_and(|state| state.is_truthy())
}

/// Undoes the last change.
pub(crate) fn undo(ctx: Ctx) {
    if can_undo(ctx) {
        let _ = history().map(|history| history.back());
    }
}

/// Writes a link to the address bar. If `step` is given, adds an entry to the history. The entry records if the
/// settings of the run changed.
fn write(ctx: Ctx, link: &str, step: Option<bool>) {
    let Some(history) = history() else { return };
    // The browser may forbid this change, for example in a `srcdoc` frame. The page works without it.
    let _ = if let Some(has_settings) = step {
        history.push_state_with_url(&has_settings.into(), "", Some(link))
    } else {
        history.replace_state_with_url(&history.state().unwrap_or_default(), "", Some(link))
    };
    ctx.view.can_undo.set(can_undo(ctx));
}

/// Updates the address bar when the state changes, and restores an earlier state when a person presses Back or Forward.
pub(crate) fn follow(ctx: Ctx) {
    // These values distinguish two entries of the history. Choosing a PE does not change the run, but adds an entry. A
    // card sets its own state, so inside a lesson only a new card adds an entry. Otherwise Back would always lead to
    // the same card.
    let now = move || {
        ctx.session().with_untracked(|session| {
            (session.revision, session.view.selected, session.tools.text(Tool::Learn), session.scenario.clone())
        })
    };
    let written = Rc::new(RefCell::new(now()));
    let debounce = Debounce::new(SETTLED);
    let settled = Rc::clone(&written);
    let mut first = true;
    crate::browser::effect(move || {
        let session = ctx.session().read();
        let playhead = ctx.playhead().get();
        debounce.cancel();
        // While time passes or a person drags a number, the link would be outdated at once. Settings that cannot run
        // have no link.
        if core::mem::take(&mut first) || playhead.playing || session.is_stale() || session.is_dragged() {
            return;
        }
        let written = Rc::clone(&settled);
        let embedded = session.view.chrome.is_embedded();
        let settle = move || {
            let link = ctx.session().with_untracked(|session| text_of(&session.link(&playhead)));
            crate::browser::crash::report_link(&link);
            if !embedded {
                let now = now();
                let before = written.replace(now.clone());
                let is_same_card = !now.2.is_empty() && before.2 == now.2;
                let is_step = (before.0 != now.0 || before.1 != now.1) && !is_same_card;
                write(ctx, &link, is_step.then(|| before.3 != now.3));
            }
        };
        debounce.call(settle);
    });
    let back = window_event_listener(leptos::ev::popstate, move |_| {
        let (query, fragment) = location::read();
        let link = Link::parse(&query, &fragment);
        let chrome = link.view.chrome;
        ctx.dispatch(&Action::Edit(Edit::Open(Box::new(link))));
        navigation::restore(ctx, chrome);
        // Going back must not add an entry to the history.
        written.replace(now());
        ctx.view.can_undo.set(can_undo(ctx));
    });
    on_cleanup(move || back.remove());
}
