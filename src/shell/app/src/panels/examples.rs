//! The examples: a card for each example run. While an example run is shown, a sentence about this run is above the
//! array.

use std::sync::Arc;

use leptos::html::{Canvas, Details};
use leptos::prelude::*;
use studio::{Action, Chrome, Edit, Group, LazyPart, Link, Plan, Preset, Speed};
use words::talks::{self, Talk};
use words::{examples, label};

use crate::browser::details;
use crate::browser::kept::Kept;
use crate::browser::location;
use crate::ctx::{memo, use_ctx};
use crate::effects::{address, keys, paint, presentation};
use crate::navigation;
use crate::part_state::Goal;

/// The button that offers a first lesson to a person who opened the page without a link and has not begun a lesson. The
/// button is in the header. On a smaller page, it is below the caption until the person changes something.
#[component]
pub(crate) fn Offer(id: &'static str) -> impl IntoView {
    let ctx = use_ctx();
    let is_new = location::read() == (String::new(), String::new()) && Kept::Cards.read().is_empty();
    let is_offered =
        ctx.holds(move |session| is_new && (session.revision == 0 || id == "offer") && session.tools.learn.is_none());
    view! {
        <button
            id=id
            class="offer"
            type="button"
            hidden=move || !is_offered.get()
            on:click=move |_| navigation::open(ctx, Goal::FirstLesson)
            on:pointerenter=move |_| navigation::prefetch(LazyPart::Learn)
        >
            {label::OFFER}
        </button>
    }
}

/// The button that shows the cards of the examples. The cards are made only when a person opens them.
#[component]
pub(crate) fn Examples() -> impl IntoView {
    keys::close_help_elsewhere();
    let details: NodeRef<Details> = NodeRef::new();
    let is_open = RwSignal::new(false);
    let close = move || {
        if let Some(details) = details.get_untracked() {
            details.set_open(false);
        }
    };
    let group = move |group: Group| {
        let cards = Preset::ALL.into_iter().filter(move |preset| preset.group() == group);
        view! {
            <h3>{examples::group(group)}</h3>
            {cards.map(|preset| card(preset, close)).collect_view()}
        }
    };
    let cards = move || is_open.get().then(|| view! { {talks()} {Group::ALL.map(group).collect_view()} });
    view! {
        <details
            class="help examples"
            id="examples"
            name="help"
            node_ref=details
            on:toggle=move |event| is_open.set(details::is_open(&event))
        >
            <summary>{examples::OPEN}</summary>
            <div class="sheet cards" role="group" aria-label=examples::OPEN>
                <h2 class="sheet-title">{examples::OPEN}</h2>
                {cards}
            </div>
        </details>
    }
}

/// Draws the links of the ready talks.
fn talks() -> impl IntoView {
    let ctx = use_ctx();
    let link = |talk: Talk| {
        let address = talk.link().map(|link| address::text_of(&link));
        let begin = move |event: leptos::ev::MouseEvent| {
            // A press with Control, Meta or Shift opens the link elsewhere.
            if let Some(link) = talk.link().filter(|_| !event.ctrl_key() && !event.meta_key() && !event.shift_key()) {
                event.prevent_default();
                ctx.dispatch(&Action::Edit(Edit::Open(Box::new(link))));
                navigation::restore(ctx, Chrome::Present);
                presentation::fill_screen();
            }
        };
        view! {
            <a class="card" href=address on:click=begin>
                <strong>{talk.title}</strong>
                <span>{talk.length()}</span>
            </a>
        }
    };
    view! { <h3>{talks::HEADING}</h3> {Talk::ALL.map(link).into_iter().collect_view()} }
}

/// Draws the card of an example: a picture of the run, its name, the utilization and a sentence.
fn card(preset: Preset, close: impl Fn() + 'static) -> impl IntoView {
    let ctx = use_ctx();
    let link = preset.link();
    let canvas: NodeRef<Canvas> = NodeRef::new();
    let plan = Plan::new(&link.scenario).ok().map(Arc::new);
    let number = plan.as_ref().map(|plan| examples::surprise(plan));
    // A link to an example uses the speed of links. Its card uses a speed at which something moves.
    let speed = plan.as_ref().map(|plan| Speed::suiting(plan)).unwrap_or(link.speed);
    if let Some(plan) = plan {
        paint::thumbnail(canvas, ctx, plan, link.cycle, stage::Zoom::filling);
    }
    let open = move |_| {
        let texts = ctx.session().with_untracked(|session| session.texts.clone());
        ctx.dispatch(&Action::Edit(Edit::Preset(Box::new(Link { speed, texts, ..preset.link() }))));
        close();
    };
    view! {
        <button type="button" class="card" id=format!("example-{}", preset.id()) on:click=open>
            <canvas node_ref=canvas aria-hidden="true"></canvas>
            <strong>{label::preset(preset)}</strong>
            <b>{number}</b>
            <span>{examples::sentence(preset)}</span>
        </button>
    }
}

/// The sentence about the current example. It is shown until a person changes the run or dismisses the sentence.
#[component]
pub(crate) fn ExampleBanner() -> impl IntoView {
    let ctx = use_ctx();
    let dismissed = RwSignal::new(None);
    // The first screen needs no sentence, because it begins with its own caption.
    let shown = memo(move || {
        let preset = ctx.session().with(|session| Preset::of(&session.scenario))?;
        (preset != Preset::First && dismissed.get() != Some(preset.id())).then_some(preset)
    });
    move || {
        shown.get().map(|preset| {
            view! {
                <aside class="notice" id="example" aria-label=label::EXAMPLES>
                    <p><strong>{label::preset(preset)}</strong> " · " {examples::sentence(preset)}</p>
                    <button type="button" on:click=move |_| dismissed.set(Some(preset.id()))>{label::DISMISS}</button>
                </aside>
            }
        })
    }
}
