//! The page and the positions of its panels.

use leptos::html::Canvas;
use leptos::prelude::*;
use studio::{LearnPage, Link};
use words::label;

use crate::browser;
use crate::browser::focus;
use crate::ctx::{Ctx, memo, text_from, use_ctx};
use crate::effects::paint;
use crate::effects::pointer::Pointer;
use crate::navigation;
use crate::panels::{Arrival, Caption, Head, Stage, Transport};
use crate::part_state::{Fill, Opening, SidePlace, ToolPlace};
use crate::parts;
use crate::tab::Tab;
use crate::ui::PartSlot;

/// The whole page, in the state that the address bar's link describes.
#[component]
pub fn App() -> impl IntoView {
    let (query, fragment) = browser::location::read();
    view! { <Page link=Link::parse(&query, &fragment) /> }
}

/// The whole page, in the state that a link describes.
#[component]
pub fn Page(
    /// Link that describes the state to show.
    link: Link,
) -> impl IntoView {
    let ctx = Ctx::open(&link);
    provide_context(ctx);
    let embedded = link.view.chrome.is_embedded();
    if !link.view.chrome.is_estimate() {
        navigation::near_sides();
    }
    parts::register(ctx);
    navigation::load_sides(ctx);
    // The effects of the side panels start when the side panels are loaded.
    browser::effect(move || {
        if let Some(sides) = ctx.parts.sides.get() {
            untrack(|| sides.start(ctx));
        }
    });
    let always = memo(|| true);
    crate::effects::clock::run(ctx);
    crate::effects::address::follow(ctx);
    crate::effects::theme::follow(ctx);
    navigation::restore(ctx, link.view.chrome);
    let at_estimate = memo(move || {
        ctx.session().with(|session| session.view.chrome.is_estimate()) && ctx.parts.estimate.with(Option::is_some)
    });
    // A link to the model estimates shows them at once, or the array view if they do not load. A view that has been
    // drawn stays on the page.
    let has_array = Memo::new(move |had: Option<&bool>| {
        had.copied().unwrap_or(false)
            || ctx.session().with(|session| !session.view.chrome.is_estimate())
            || matches!(ctx.parts.opening.get(), Some(Opening::NotLoaded(_)))
    });
    let at_array = memo(move || !at_estimate.get());
    let room = text_from(move || if at_estimate.get() { "estimate" } else { "array" }.to_owned());
    let hide = text_from(move || ctx.session().with(|session| session.view.hide.to_text()));
    let look = text_from(move || ctx.session().with(|session| session.view.chrome.id().to_owned()));
    let controls = move || match ctx.tools.panel.get_untracked() {
        _ if at_estimate.get() => "estimate-setup",
        Some(_) => "panel-title",
        None => "setup",
    };
    view! {
        <div class="page" class:embed=embedded class:present=move || ctx.presents() data-room=room data-look=look data-hide=hide>
            {(!embedded).then(|| view! {
                <a
                    class="skip"
                    href=text_from(move || format!("#{}", controls()))
                    on:click=move |event| {
                        // If the browser followed this link, the page would read the fragment as matrices.
                        event.prevent_default();
                        if controls() == "setup" {
                            ctx.view.tab.set(Tab::Change);
                        }
                        focus::focus(controls());
                    }
                >
                    {label::SKIP}
                </a>
                <a
                    class="skip"
                    href="#stage"
                    hidden=move || at_estimate.get()
                    on:click=move |event| {
                        event.prevent_default();
                        focus::focus("stage");
                    }
                >
                    {label::SKIP_TO_ARRAY}
                </a>
                <Head />
            })}
            // This element is on the page from the start, so that a screen reader announces each message that appears
            // in it.
            <div class="notices" role="status" id="notices">
                <PartSlot fill=navigation::side(ctx, SidePlace::Notices) shown=always />
            </div>
            <Arrival />
            {(!embedded).then(|| view! { <PartSlot fill=navigation::side(ctx, SidePlace::Banner) shown=always /> })}
            <PartSlot fill=Box::new(move || has_array.get().then_some(array as Fill)) shown=at_array />
            <PartSlot fill=Box::new(move || ctx.parts.estimate.get()) shown=at_estimate />
        </div>
    }
}

/// Draws the array view with its panels. A page that starts with the model estimates calls this function when a person
/// first opens the array view.
fn array(place: browser::Place) {
    mount_to(place, || view! { <Array /> }).forget();
}

/// The array view with its panels.
#[component]
fn Array() -> impl IntoView {
    let ctx = use_ctx();
    let embedded = ctx.embedded();
    let canvas: NodeRef<Canvas> = NodeRef::new();
    let pointer = Pointer::new(ctx, paint::stage(canvas, ctx));
    crate::effects::keys::follow(ctx, pointer);
    let always = memo(|| true);
    // The link of an embed decides what its readers can change.
    let has_setup = !embedded || ctx.session().with_untracked(|session| session.view.lock.is_some());
    let side = move |place| navigation::side(ctx, place);
    let lists = ctx.holds(|session| session.tools.learn == Some(LearnPage::Contents));
    view! {
        <main
            class:tool=move || ctx.tools.panel.get().is_some() && !ctx.lesson.is_open.get()
            class:learn=move || ctx.lesson.is_open.get() && !lists.get()
            // The list takes the whole page, as the model estimates do.
            class:room=move || ctx.lesson.is_open.get() && lists.get()
        >
            {embedded.then(|| view! { <h1 class="unseen">{label::TITLE}</h1> })}
            // The layout has its own order. The Tab key reaches the array view and Play before the texts.
            <Stage canvas pointer />
            <section class="foot" aria-label=label::CYCLES>
                // On a small page, each element with the class `place` is the panel of a tab. On a wide page, its
                // content is a part of the layout.
                <div class="place" id=Tab::Run.place() data-shown="">
                    <Transport pointer />
                    <PartSlot fill=navigation::tool(ctx, ToolPlace::OtherLine) shown=always />
                    <PartSlot fill=side(SidePlace::FoldMap) shown=always />
                    <PartSlot fill=side(SidePlace::NextSteps) shown=always />
                </div>
                <Caption />
            </section>
            <PartSlot fill=Box::new(move || ctx.parts.learn.get()) shown=ctx.lesson.is_open />
            <PartSlot fill=side(SidePlace::Legend) shown=always />
            {(!embedded).then(|| view! { <PartSlot fill=side(SidePlace::Tabs) shown=always /> })}
            <div class="place" id=Tab::Tools.place()>
                {(!embedded).then(|| view! { <PartSlot fill=side(SidePlace::ToolRow) shown=always /> })}
                <PartSlot fill=side(SidePlace::ToolPanel) shown=always />
            </div>
            <div class="place" id=Tab::Change.place()>
                {has_setup.then(|| view! { <PartSlot fill=side(SidePlace::Setup) shown=always /> })}
            </div>
            <PartSlot fill=navigation::tool(ctx, ToolPlace::Other) shown=always />
            <div class="place" id=Tab::Why.place()><PartSlot fill=side(SidePlace::Live) shown=always /></div>
        </main>
    }
}
