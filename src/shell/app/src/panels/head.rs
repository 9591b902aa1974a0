//! The header: the title, the views of the page, examples, colors and help.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use studio::{Chrome, LazyPart, Link};
use words::{help, label};

use crate::browser::location::{self, is_plain};
use crate::ctx::{memo, text_from, use_ctx};
use crate::effects::address;
use crate::navigation;
use crate::part_state::Goal;
use crate::part_state::SidePlace;
use crate::tab::Tab;
use crate::ui::PartSlot;

/// A view of the page.
#[derive(Clone, Copy, PartialEq)]
enum Room {
    Learn,
    Explore,
    Estimate,
}

/// The links to the views of the page. A view opens in place, and keeps its settings.
#[component]
fn Rooms() -> impl IntoView {
    let ctx = use_ctx();
    let here = move || {
        ctx.session().with(|session| match session.view.chrome {
            Chrome::Estimate => Room::Estimate,
            _ if session.tools.learn.is_some() => Room::Learn,
            _ => Room::Explore,
        })
    };
    let tab = move |id: &'static str, name: &'static str, room: Room| {
        let open = move |event: MouseEvent| {
            if is_plain(&event) {
                event.prevent_default();
                match room {
                    Room::Learn => navigation::open(ctx, Goal::Learn),
                    Room::Explore => navigation::leave_lesson(ctx),
                    Room::Estimate => navigation::open(ctx, Goal::Estimate),
                }
            }
        };
        let near = move || match room {
            Room::Learn => navigation::prefetch(LazyPart::Learn),
            Room::Explore => {}
            Room::Estimate => navigation::prefetch(LazyPart::Estimate),
        };
        let link = move || match room {
            Room::Learn => address::link_to_contents(),
            Room::Explore => address::link_in(ctx, navigation::return_target(ctx)),
            Room::Estimate => address::link_in(ctx, Chrome::Estimate),
        };
        let is_here = move || (here() == room).then_some("page");
        view! {
            <a
                id=id
                href=text_from(link)
                aria-current=is_here
                on:click=open
                on:pointerenter=move |_| near()
                on:focus=move |_| near()
            >
                {name}
            </a>
        }
    };
    view! {
        <nav class="rooms" aria-label=label::ROOMS>
            {tab("to-learn", label::LEARN, Room::Learn)} {tab("to-array", label::EXPLORE, Room::Explore)}
            {tab("to-estimate", label::MODELS, Room::Estimate)}
        </nav>
    }
}

/// The header of the page.
#[component]
pub(crate) fn Head() -> impl IntoView {
    let ctx = use_ctx();
    // The link is absolute, because a relative link would keep the fragment of the current address.
    let start = location::absolute_link(&address::text_of(&Link::default()));
    let go_home = move |event: MouseEvent| {
        if is_plain(&event) {
            event.prevent_default();
            navigation::go_home(ctx);
        }
    };
    let always = memo(|| true);
    view! {
        <header class="head">
            <h1><a id="to-start" href=start on:click=go_home>{label::TITLE}</a></h1>
            <Rooms />
            <p class="headline"><span>{ctx.text_of_plan(label::headline)}</span></p>
            <div class="tools" id=Tab::More.place()>
                <PartSlot fill=navigation::side(ctx, SidePlace::Examples) shown=always />
                // Of all `details` elements with the same name, the browser keeps at most one open.
                <details class="help" id="help" name="help">
                    <summary>{help::OPEN}</summary>
                    // Keys must reach an element that can scroll.
                    <div class="sheet" tabindex="0" role="group" aria-label=help::OPEN>
                        <PartSlot fill=navigation::side(ctx, SidePlace::Glossary) shown=always />
                    </div>
                </details>
            </div>
        </header>
    }
}
