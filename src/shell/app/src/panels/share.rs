//! Sharing of a run: the link, the code of an embed, slides, and files.

mod embed;
mod files;
mod slides;
mod speaker;

use leptos::html::{Dialog, Input};
use leptos::prelude::*;
use studio::{Chrome, Link, Theme};
use systolic::Cycle;
use words::present::Control;
use words::share;

use self::embed::EmbedCode;
use self::files::Files;
use self::slides::Slides;
pub(super) use self::speaker::open as open_notes;
use crate::browser::location;
use crate::browser::{clipboard, dialog, offline};
use crate::ctx::{Ctx, Text, memo, text_from, use_ctx};
use crate::effects::address;
use crate::ui::{IconButton, icons};

/// Returns the link to the current state. In presentation mode, the link opens the full page.
fn link_of(ctx: Ctx) -> Link {
    let playhead = ctx.playhead().get();
    let mut link = ctx.session().with(|session| session.link(&playhead));
    if matches!(link.view.chrome, Chrome::Workbench | Chrome::Present) {
        link.view.chrome = Chrome::Full;
    }
    link
}

/// A checkbox with its label.
fn tick(id: String, name: String, checked: bool, on_change: impl Fn(bool) + 'static) -> impl IntoView {
    view! {
        <label class="tick">
            <input id=id type="checkbox" prop:checked=checked on:change=move |event| on_change(event_target_checked(&event)) />
            {name}
        </label>
    }
}

/// A button that copies a text, and shows whether the copy succeeded.
fn copy_button(id: &'static str, name: &'static str, copy: impl Fn() -> bool + 'static) -> impl IntoView {
    let said = RwSignal::new("");
    view! {
        <button id=id type="button" on:click=move |_| said.set(if copy() { share::COPIED } else { share::NOT_COPIED })>
            {name}
        </button>
        <span class="said" role="status">{said}</span>
    }
}

/// The share dialog.
#[component]
pub(crate) fn Share() -> impl IntoView {
    let ctx = use_ctx();
    let node: NodeRef<Dialog> = NodeRef::new();
    dialog::follow(node, ctx.parts.shares, "share-title", Some("to-share"));
    // The content is made when the dialog opens, and removed when the dialog closes.
    let content = move || ctx.parts.shares.get().then(|| view! { <Content /> });
    view! {
        <dialog id="share" node_ref=node aria-labelledby="share-title" on:close=move |_| ctx.parts.shares.set(false)>
            <div class="share-head">
                <h2 id="share-title" tabindex="-1">{move || if ctx.presents() { Control::Slides.label() } else { share::TITLE }}</h2>
                <IconButton
                    id="share-close"
                    label=text_from(|| share::CLOSE.to_owned())
                    icon=text_from(|| icons::CLOSE.to_owned())
                    on_press=Box::new(move || dialog::close(node))
                />
            </div>
            {content}
        </dialog>
    }
}

#[component]
fn Content() -> impl IntoView {
    let ctx = use_ctx();
    let (at_cycle, with_theme) = (RwSignal::new(true), RwSignal::new(false));
    let is_large = RwSignal::new(false);
    let link = memo(move || {
        let mut link = link_of(ctx);
        if !at_cycle.get() {
            link.cycle = Cycle(0);
        }
        if !with_theme.get() {
            link.view.theme = Theme::Auto;
        }
        link
    });
    let address: Text = text_from(move || location::absolute_link(&address::text_of(&link.read())));
    let field: NodeRef<Input> = NodeRef::new();
    let is_array = memo(move || link.with(|link| link.view.chrome != Chrome::Estimate));
    let cycle = ctx.cycle.get_untracked().get();
    let code = {
        let address = address.clone();
        move || match export::qr::code(&address()) {
            Some(code) => view! {
                <button
                    id="share-qr"
                    type="button"
                    class="qr"
                    style=("--side", code.side.to_string())
                    aria-label=share::QR
                    aria-pressed=move || is_large.get().to_string()
                    on:click=move |_| is_large.update(|is_large| *is_large = !*is_large)
                >
                    <svg viewBox=format!("0 0 {0} {0}", code.side) aria-hidden="true">
                        <rect width="100%" height="100%"></rect>
                        <path d=code.path></path>
                    </svg>
                </button>
            }
            .into_any(),
            None => view! { <p class="hint">{share::NO_QR}</p> }.into_any(),
        }
    };
    view! {
        <section class="share-link" aria-labelledby="share-link-title">
            <div>
                <h3 id="share-link-title">{share::LINK}</h3>
                <p class="share-row link">
                    <input
                        id="share-address"
                        class="mono"
                        readonly
                        node_ref=field
                        aria-labelledby="share-link-title"
                        prop:value=move || address()
                    />
                    {copy_button("share-copy", share::COPY, move || clipboard::copy_input(field))}
                </p>
                {(!location::is_served()).then(|| view! { <p class="hint" id="share-file">{share::FROM_A_FILE}</p> })}
                <p class="ticks">
                    {tick("share-cycle".to_owned(), share::at_cycle(cycle), true, move |is_on| at_cycle.set(is_on))}
                    {tick("share-theme".to_owned(), share::WITH_THEME.to_owned(), false, move |is_on| with_theme.set(is_on))}
                </p>
                {location::page_beside("links.html").map(|page| view! {
                    <p class="hint"><a id="share-can-say" href=page target="_blank" rel="noopener">{share::CAN_SAY}</a></p>
                })}
                {offline::is_kept().then(|| view! { <p class="hint" id="share-kept">{share::KEPT}</p> })}
            </div>
            <div class="share-qr">{code}</div>
        </section>
        <EmbedCode link is_array=is_array.get_untracked() />
        {move || is_array.get().then(|| view! { <Slides /> <Files /> })}
    }
}
