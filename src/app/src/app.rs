//! The page: which panel is where.

use leptos::prelude::*;
use studio::words::label;
use studio::{Chrome, Link};

use crate::browser;
use crate::ctx::Ctx;
use crate::panels::{Caption, Head, Live, Notices, Setup, Stage, Transport};

/// The whole page, opened at the address bar's link.
#[component]
pub fn App() -> impl IntoView {
    let (query, fragment) = browser::address::read();
    view! { <Page link=Link::parse(&query, &fragment) /> }
}

/// The array of a second run, where there is one.
#[cfg(feature = "workbench")]
fn other_stage() -> impl IntoView {
    view! { <crate::panels::workbench::OtherStage /> }
}

#[cfg(not(feature = "workbench"))]
const fn other_stage() {}

/// The whole page, opened at a link.
#[component]
pub fn Page(
    /// What to show.
    link: Link,
) -> impl IntoView {
    let ctx = Ctx::open(&link);
    provide_context(ctx);
    let embedded = link.view.chrome == Chrome::Embed;
    browser::clock::run(ctx);
    browser::address::follow(ctx);
    browser::theme::follow(ctx);
    view! {
        <div class="page" class:embed=embedded>
            {(!embedded).then(|| view! {
                <a
                    class="skip"
                    href="#setup"
                    on:click=move |event| {
                        // Following the fragment would open another link: the fragment holds matrices.
                        event.prevent_default();
                        browser::keys::focus("setup");
                    }
                >
                    {label::SKIP}
                </a>
            })}
            {(!embedded).then(|| view! { <Head /> })}
            <Notices />
            {room(link.view.chrome, embedded)}
        </div>
    }
}

/// What the page is about: the array, or the questions of the desk.
#[cfg(feature = "workbench")]
fn room(chrome: Chrome, embedded: bool) -> impl IntoView {
    match chrome {
        Chrome::Desk => view! { <main class="room"><crate::panels::desk::Desk /></main> }.into_any(),
        _ => array(embedded).into_any(),
    }
}

// Without the desk there is nothing to choose, and a view of any type costs the first module 13 KB.
#[cfg(not(feature = "workbench"))]
fn room(_: Chrome, embedded: bool) -> impl IntoView {
    array(embedded)
}

/// The array with its panels.
fn array(embedded: bool) -> impl IntoView {
    view! {
            <main>
                {embedded.then(|| view! { <h1 class="unseen">{label::TITLE}</h1> })}
                <Stage />
                {(!embedded).then(|| view! { <Setup /> })}
                {other_stage()}
                <Live />
                <section class="foot" aria-label=label::CYCLES>
                    <Caption />
                    <Transport />
                </section>
            </main>
    }
}
