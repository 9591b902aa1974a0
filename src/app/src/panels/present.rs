//! Presentation mode: the array, four numbers, the caption, the number of the slide, and the keys of a clicker.

use leptos::prelude::*;
use studio::LazyPart;
use words::{label, present};

use crate::ctx::{memo, use_ctx};
use crate::effects::{hall, kiosk};
use crate::navigation;
use crate::part_state::Goal;
use crate::ui::PartSlot;

/// The button that opens the share dialog: links, code and files.
#[component]
pub(crate) fn ShareButton() -> impl IntoView {
    let ctx = use_ctx();
    view! {
        <button
            id="to-share"
            type="button"
            aria-haspopup="dialog"
            on:click=move |_| navigation::open(ctx, Goal::Share)
            on:pointerenter=move |_| navigation::prefetch(LazyPart::Share)
            on:focus=move |_| navigation::prefetch(LazyPart::Share)
        >
            {label::SHARE}
        </button>
    }
}

/// The element of the page that the share dialog fills.
#[component]
pub(crate) fn ShareSlot() -> impl IntoView {
    let ctx = use_ctx();
    let shown = memo(Box::new(move || ctx.parts.shares.get()));
    view! { <PartSlot fill=Box::new(move || ctx.parts.share.get()) shown /> }
}

/// The button that starts presentation mode.
#[component]
pub(crate) fn PresentButton() -> impl IntoView {
    let ctx = use_ctx();
    let at_estimate = move || ctx.session().with(|session| session.view.chrome.is_estimate());
    let help = move || if at_estimate() { present::HELP_ANSWERS } else { present::HELP };
    view! {
        <button id="to-present" type="button" title=help on:click=move |_| hall::present(ctx)>
            {present::OPEN}
        </button>
    }
}

/// The elements of presentation mode: four numbers, the slide buttons, the blank screen and the large pointer.
#[component]
pub(crate) fn Present() -> impl IntoView {
    let ctx = use_ctx();
    let (is_blank, points) = (RwSignal::new(false), RwSignal::new(false));
    hall::follow(ctx, is_blank, points);
    let number = move |value: fn(&studio::Plan, systolic::Cycle) -> (String, String)| {
        let both = Memo::new(move |_| ctx.plan.with(|plan| value(plan, ctx.cycle.get())));
        view! {
            <p>
                <b>{move || both.get().0}</b>
                <span>{move || both.get().1}</span>
            </p>
        }
    };
    let place = memo(Box::new(move || {
        let deck = hall::deck(ctx);
        deck.at().map(|at| present::slide(at, deck.len()))
    }));
    // Buttons for a person who has neither keys nor a clicker.
    let lead = move |name: &'static str, sign: &'static str, by: isize| {
        view! { <button type="button" aria-label=name on:click=move |_| hall::step(ctx, by)>{sign}</button> }
    };
    let presents = memo(Box::new(move || ctx.presents()));
    let shown = move || {
        presents.get().then(|| {
            view! {
                // The title in the header is not shown here. An embed has its own title.
                {(!ctx.embedded()).then(|| view! { <h1 class="unseen">{label::TITLE}</h1> })}
                <div class="numbers" id="numbers">
                    {number(present::cycle)} {number(present::at_work)} {number(present::mfu)} {number(present::cost)}
                    {move || {
                        place.get().map(|words| {
                            view! {
                                <div id="slides">
                                    {lead(present::PREVIOUS, "‹", -1)} <p id="slide-number">{words}</p> {lead(present::NEXT, "›", 1)}
                                </div>
                            }
                        })
                    }}
                    <p id="present-keys">{move || present::keys(!hall::deck(ctx).is_empty())}</p>
                </div>
                <button id="present-end" type="button" on:click=move |_| hall::end_presentation(ctx)>{present::END}</button>
            }
        })
    };
    let blank = move || (presents.get() && is_blank.get()).then(|| view! { <div id="blank" aria-hidden="true"></div> });
    // The style sheet draws this pointer in place of the arrow.
    let laser = move || (presents.get() && points.get()).then(|| view! { <i id="laser" aria-hidden="true"></i> });
    view! { {shown} {blank} {laser} <p id="kiosk" role="status">{kiosk::follow(ctx)}</p> }
}
