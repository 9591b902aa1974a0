//! Presentation mode: the array, three numbers, the caption, the place among the slides, and the controls of the speaker.

use core::time::Duration;

use leptos::html::Canvas;
use leptos::prelude::*;
use stage::{Scene, states};
use studio::compare;
use studio::{Action, Field, FieldValue, LazyPart, PartText, Plan, Scenario, Speed, Transport};
use systolic::{Cycle, Dataflow, PeCycles, Slot};
use words::legend::Shape;
use words::present::{Control, Sign};
use words::{busy, label, present};

use super::shape_path;
use crate::ctx::{Ctx, memo, use_ctx};
use crate::effects::kiosk::{self, Stand};
use crate::effects::paint;
use crate::effects::presentation::{self, Cover, Hall};
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
    let shown = memo(move || ctx.parts.shares.get());
    view! { <PartSlot fill=Box::new(move || ctx.parts.share.get()) shown /> }
}

/// The button that starts presentation mode.
#[component]
pub(crate) fn PresentButton() -> impl IntoView {
    let ctx = use_ctx();
    let at_estimate = move || ctx.session().with(|session| session.view.chrome.is_estimate());
    let help = move || if at_estimate() { present::HELP_ANSWERS } else { present::HELP };
    view! {
        <button
            id="to-present"
            type="button"
            title=help
            on:click=move |_| presentation::present(ctx)
            on:pointerenter=move |_| navigation::prefetch(LazyPart::Share)
            on:focus=move |_| navigation::prefetch(LazyPart::Share)
        >
            {present::OPEN}
        </button>
    }
}

/// Time for which the speaker sees the hint that names the key for the list of keys.
const HINT: Duration = Duration::from_secs(10);

/// The element of the page that presentation mode fills. The page loads its part when a person presents, or if the link
/// has slides or plays by itself.
#[component]
pub(crate) fn PresentSlot() -> impl IntoView {
    let ctx = use_ctx();
    let is_asked =
        ctx.holds(|session| [PartText::Slides, PartText::Kiosk].iter().any(|of| !session.texts[*of].is_empty()));
    crate::browser::effect(move || {
        if (is_asked.get() || ctx.presents()) && ctx.parts.wall.with_untracked(Option::is_none) {
            navigation::load_wall(ctx);
        }
    });
    let always = memo(|| true);
    view! { <PartSlot fill=Box::new(move || ctx.parts.wall.get()) shown=always /> }
}

/// The elements of presentation mode: three numbers with the signs of the array, the place among the slides, and the
/// controls of the speaker.
#[component]
pub(crate) fn Present() -> impl IntoView {
    let ctx = use_ctx();
    let hall = Hall::new(ctx, super::share::open_notes);
    let stand = kiosk::follow(ctx, hall);
    let presents = memo(move || ctx.presents());
    // The page tells a speaker once which key opens the list of keys.
    let is_told = StoredValue::new(false);
    crate::browser::effect(move || {
        if presents.get() && !is_told.get_value() {
            is_told.set_value(true);
            if stand.attracts.get_untracked().is_none() {
                hall.tell_for(HINT, present::KEYS_HINT.to_owned());
            }
        }
    });
    let has_controls = memo(move || hall.controls.get());
    let title = Memo::new(move |_| {
        let deck = presentation::deck(ctx);
        // At a stand, every slide plays, also slides that do not play in a talk. So its title may no longer be true.
        let is_true = |plan: &Plan| stand.attracts.get().is_none() || !present::has_moved(&deck, plan, ctx.cycle.get());
        let title = ctx.plan.with(|plan| present::title(&deck, plan).filter(|_| is_true(plan)));
        title.or_else(|| (stand.attracts.get() == Some(true)).then(|| present::WHAT.to_owned()))
    });
    let shown = move || {
        presents.get().then(|| {
            view! {
                // The title in the header is not shown here. An embed has its own title.
                {(!ctx.embedded()).then(|| view! { <h1 class="unseen">{label::TITLE}</h1> })}
                <div class="numbers" id="numbers">{move || has_controls.get().then(|| controls(hall))} {numbers(ctx, hall, stand)}</div>
                {move || title.get().map(|title| view! { <p class="caption-line" id="slide-title"><strong>{title}</strong></p> })}
                {place(ctx, hall, stand)}
                {move || hall.settings.get().then(|| close_settings(ctx, hall))}
            }
        })
    };
    let cover = move || {
        let cover = hall.cover.get().filter(|_| presents.get());
        cover.map(|cover| view! { <div id="blank" class:white=cover == Cover::White aria-hidden="true"></div> })
    };
    // The style sheet draws this pointer in place of the arrow.
    let laser = move || (presents.get() && hall.points.get()).then(|| view! { <i id="laser" aria-hidden="true"></i> });
    let invites = move || presents.get() && stand.attracts.get() == Some(true);
    let words = move || if invites() { present::INVITE.to_owned() } else { stand.said.get() };
    view! { {shown} {cover} {laser} <p id="kiosk" class:invites=invites role="status">{words}</p> }
}

/// The buttons that close the settings next to the array.
fn close_settings(ctx: Ctx, hall: Hall) -> impl IntoView {
    let label = present::close_settings(presentation::deck(ctx).at().is_some());
    view! {
        <div id="wall-settings">
            <button class="primary" type="button" on:click=move |_| hall.close_settings()>{label}</button>
            <button type="button" on:click=move |_| hall.act(Control::Settings)>{present::HIDE_SETTINGS}</button>
        </div>
    }
}

/// The three numbers and the signs of the array, or a PE from inside.
fn numbers(ctx: Ctx, hall: Hall, stand: Stand) -> impl IntoView {
    let number = move |value: fn(&Plan, Cycle) -> (String, String)| {
        let both = Memo::new(move |_| ctx.plan.with(|plan| value(plan, ctx.cycle.get())));
        view! {
            <p>
                <b>{move || both.get().0}</b>
                <span>{move || both.get().1}</span>
            </p>
        }
    };
    let cells = Memo::new(move |_| {
        let size = ctx.frame.size.get();
        let beside = ctx.tools.second.get();
        let scene = ctx.plan.with(|plan| Scene::view(plan, beside.as_deref(), (size.width, size.height), true));
        states::cells_of(&scene.layout)
    });
    // A visitor of a stand does not know MFU and cost.
    let has_mfu = memo(move || hall.settings.get() || (presentation::shows_mfu(ctx) && stand.attracts.get().is_none()));
    let matrices = Memo::new(move |_| {
        // A faulty array computes another C, so the matrices are hidden.
        let is_whole = ctx.tools.broken.with(Option::is_none) && !has_mfu.get();
        ctx.plan.with(|plan| present::matrices(plan, ctx.cycle.get())).filter(|_| is_whole)
    });
    let signs = move || {
        let signs =
            ctx.plan.with(|plan| matrices.with(|matrices| present::signs(plan, cells.get(), matrices.as_ref())));
        view! { <ul class="signs">{signs.into_iter().map(sign).collect_view()}</ul> }
    };
    let tables = move || {
        matrices.get().map(|all| {
            // The element that has just become complete, with the row and the column that gave it.
            let newest = ctx.plan.with(|plan| present::newest(plan, ctx.cycle.get()));
            let marked = move |name: &'static str, place: (u64, u64)| {
                newest.is_some_and(|(m, n)| match name {
                    "A" => place.0 == m,
                    "B" => place.1 == n,
                    _ => place == (m, n),
                })
            };
            ["A", "B", "C"]
                .into_iter()
                .zip(all)
                .map(|(name, rows)| table(name, rows, move |place| marked(name, place)))
                .collect_view()
        })
    };
    let mfu_and_cost = move || {
        has_mfu.get().then(|| {
            view! {
                {number(present::mfu)}
                <p class="so-far">{ctx.text_of_moment(present::mfu_so_far)}</p>
                {number(present::cost)}
            }
        })
    };
    let tried = tried_dataflows(ctx);
    // Each touch sets this signal again.
    let attracts = memo(move || stand.attracts.get());
    let of_pe = crate::ctx::text_from(move || {
        let is_alone = ctx.tools.second.with(Option::is_none) && stand.attracts.get().is_none();
        let said = |all: &[present::Rows; 3]| ctx.plan.with(|plan| present::at_one_pe(plan, ctx.cycle.get(), all));
        matrices.with(|all| all.as_ref().filter(|_| is_alone).map_or_else(String::new, said))
    });
    let of_one = move || {
        view! {
            {mfu_and_cost}
            {move || number(if stand.attracts.get().is_none() { present::at_work } else { present::squares_at_work })}
            {move || stand.attracts.get().is_none().then(|| view! { <p class="phase">{ctx.text_of_moment(present::phase)}</p> })}
        }
    };
    // If two runs are shown, each has its numbers above it.
    let at_top = move || ctx.tools.second.with(Option::is_none).then(of_one);
    view! {
        {at_top}
        {tables}
        <div class="of-pe">{of_pe}</div>
        {move || match attracts.get() {
            attracts if hall.inside.get() => inside(ctx, hall, attracts.is_some()).into_any(),
            Some(false) => tries(ctx, tried).into_any(),
            None if has_mfu.get() && ctx.tools.second.with(Option::is_none) => paid(ctx).into_any(),
            _ => signs().into_any(),
        }}
    }
}

/// The PE-cycles that are paid for, by class: a bar, and the count of each class.
fn paid(ctx: Ctx) -> impl IntoView {
    let parts = Memo::new(move |_| ctx.plan.with(|plan| present::paid(plan)));
    let bar = move || {
        let part = |(slot, n, _): (Slot, PeCycles, String)| view! { <i class=slot.id() style:flex-grow=n.get().to_string()></i> };
        parts.get().into_iter().map(part).collect_view()
    };
    let counts = move || {
        let count = |(slot, _, count): (Slot, PeCycles, String)| view! { <li><i class=slot.id()></i> " " {count}</li> };
        parts.get().into_iter().map(count).collect_view()
    };
    view! { <ul class="signs spent" aria-label=busy::CLASSES><li class="parts" aria-hidden="true">{bar}</li> {counts}</ul> }
}

/// The outline of a value.
fn value(shape: Shape) -> impl IntoView {
    view! { <svg class=shape.id() viewBox="0 0 22 14" aria-hidden="true"><path d=shape_path(shape)></path></svg> }
}

/// A sign of the array, with its meaning.
fn sign((sign, does): (Sign, String)) -> impl IntoView {
    let picture = match sign {
        Sign::Value(shape) => value(shape).into_any(),
        Sign::Wave => view! { <i class="wave"></i> }.into_any(),
        Sign::Corner(shape) => view! { <i class=format!("corner {}", shape.id())></i> }.into_any(),
        Sign::Waits => view! { <i class="waits"></i> }.into_any(),
        Sign::Done => view! { <i class="done"></i> }.into_any(),
        Sign::Idle => view! { <i></i> }.into_any(),
        Sign::Busy => view! { <i class="useful"></i> }.into_any(),
        Sign::Loads => view! { <i class="load"></i> }.into_any(),
        Sign::Padding => view! { <i class="padding"></i> }.into_any(),
    };
    view! { <li>{picture} " " {does}</li> }
}

/// A matrix with its name, and with marks on some elements.
fn table(name: &'static str, rows: present::Rows, is_marked: impl Fn((u64, u64)) -> bool) -> impl IntoView {
    let row = |(m, row): (u64, Vec<String>)| {
        let cell = |(n, value)| view! { <td class:marked=is_marked((m, n))>{value}</td> };
        view! { <tr>{(0..).zip(row).map(cell).collect_view()}</tr> }
    };
    view! { <table class=format!("matrix {name}")><caption>{name}</caption><tbody>{(0..).zip(rows).map(row).collect_view()}</tbody></table> }
}

/// Sides of the array and of the matrices that a visitor of a stand can choose.
const SIDES: [u64; 3] = [4, 8, 16];

/// Returns which dataflows a visitor has tried with these matrices on this array, in the order of [`Dataflow::ALL`].
fn tried_dataflows(ctx: Ctx) -> Memo<(Scenario, [bool; 3])> {
    Memo::new(move |before: Option<&(Scenario, [bool; 3])>| {
        let (now, scenario) = ctx.plan.with(|plan| {
            let dataflow = plan.scenario().dataflow;
            (dataflow, Scenario { dataflow: Dataflow::WeightStationary, ..plan.scenario().clone() })
        });
        let mut tried = before.filter(|(of, _)| *of == scenario).map_or([false; 3], |(_, tried)| *tried);
        for (one, tried) in Dataflow::ALL.into_iter().zip(&mut tried) {
            *tried |= one == now;
        }
        (scenario, tried)
    })
}

/// Buttons for a visitor of a stand: play and step. A run that has ended begins again.
fn moves(ctx: Ctx) -> impl IntoView {
    let go = move |transport: Transport| {
        if ctx.plan.with_untracked(|plan| plan.last()) == ctx.cycle.get_untracked() {
            ctx.dispatch(&Action::Move(Transport::Home));
        }
        ctx.dispatch(&Action::Move(transport));
    };
    view! {
        <div class="row">
            <button type="button" on:click=move |_| go(Transport::Toggle)>{move || present::play(ctx.playing.get())}</button>
            <button type="button" on:click=move |_| go(Transport::Forward(1))>{present::STEP}</button>
        </div>
    }
}

/// The things that a visitor of a stand can do.
fn tries(ctx: Ctx, tried: Memo<(Scenario, [bool; 3])>) -> impl IntoView {
    let plans = Memo::new(move |_| ctx.plan.with(|plan| compare::in_each_dataflow(plan)));
    let choose = move |fields: &[(Field, FieldValue)]| {
        ctx.set_all(fields);
        // A person follows the numbers of a small array, and the wave of a large one.
        let speed = match ctx.plan.with_untracked(|plan| plan.scenario().rows) {
            0..=4 => Speed::HalfCycles(2),
            5..=8 => Speed::HalfCycles(8),
            _ => Speed::HalfCycles(20),
        };
        ctx.dispatch(&Action::Move(Transport::Speed(speed)));
        ctx.dispatch(&Action::Move(Transport::Home));
        presentation::play(ctx);
    };
    let array = move |side: u64| {
        let is_chosen =
            memo(move || ctx.plan.with(|plan| plan.scenario().rows == side && plan.scenario().cols == side));
        let sides =
            [Field::Rows, Field::Cols, Field::M, Field::K, Field::N].map(|field| (field, FieldValue::Count(side)));
        view! { <button type="button" aria-pressed=move || is_chosen.get().to_string() on:click=move |_| choose(&sides)>{present::side(side)}</button> }
    };
    let question = move || match tried.with(|(_, tried)| tried.iter().all(|tried| *tried)) {
        true => present::fewest(&plans.with(compare::Fewest::of)),
        false => present::WHICH.to_owned(),
    };
    let dataflow = move |(nth, one): (usize, Dataflow)| {
        let is_chosen = memo(move || ctx.plan.with(|plan| plan.scenario().dataflow == one));
        let fields = [(Field::Dataflow, FieldValue::Dataflow(one))];
        let name = move || {
            let is_tried = tried.with(|(_, tried)| tried[nth]);
            let cycles = plans.with(|plans| plans[nth].as_ref().map(|plan| plan.schedule().cycles().get()));
            present::let_stay(one, cycles.filter(|_| is_tried))
        };
        view! { <button type="button" aria-pressed=move || is_chosen.get().to_string() on:click=move |_| choose(&fields)>{value(present::stays(one))} " " {name}</button> }
    };
    let has_no_slides = move || presentation::deck(ctx).is_empty();
    view! {
        <div class="controls tries">
            <p>{present::TOUCH_PE}</p>
            <div class="row" role="group" aria-label=present::ARRAY>{SIDES.map(array).into_iter().collect_view()}</div>
            <p id="which" role="status">{question}</p>
            <div role="group" aria-labelledby="which">{(0..).zip(Dataflow::ALL).map(dataflow).collect_view()}</div>
            <p>{move || ctx.plan.with(|plan| present::ways(plan))}</p>
            {moves(ctx)}
            <button type="button" hidden=has_no_slides on:click=move |_| presentation::step_around(ctx)>{present::NEXT_EXAMPLE}</button>
        </div>
    }
}

/// The chosen PE, from inside. A visitor of a stand has no keys, and gets a button that closes the PE.
fn inside(ctx: Ctx, hall: Hall, is_stand: bool) -> impl IntoView {
    let close = is_stand.then(|| {
        view! {
            <div class="controls tries">
                {moves(ctx)}
                <button type="button" on:click=move |_| hall.act(Control::Inside)>{present::CLOSE_PE}</button>
            </div>
        }
    });
    let canvas: NodeRef<Canvas> = NodeRef::new();
    let pe = Memo::new(move |_| ctx.session().with(|session| session.view.selected));
    paint::inside_pe(canvas, ctx, pe);
    let sum = crate::ctx::text_from(move || {
        let (pe, cycle) = (pe.get(), ctx.cycle.get());
        pe.map_or_else(String::new, |pe| ctx.plan.with(|plan| words::caption::sum_headline(plan, cycle, pe)))
    });
    view! { <canvas class="inside" node_ref=canvas aria-hidden="true"></canvas> <div class="sum-line">{sum}</div> {close} }
}

/// The controls of the speaker, each with its key.
fn controls(hall: Hall) -> impl IntoView {
    let one = |control: Control| {
        let press = move |_| {
            hall.controls.set(false);
            hall.act(control);
        };
        let id = (control == Control::End).then_some("present-end");
        view! {
            <button id=id type="button" on:click=press>
                <kbd>{control.key()}</kbd>
                " "
                {move || if control == Control::Unit { hall.unit.get().message() } else { control.label() }}
            </button>
        }
    };
    let key = |(key, does): (&'static str, &'static str)| view! { <p><kbd>{key}</kbd> " " {does}</p> };
    view! {
        <div class="controls keys">
            {present::KEYS.map(key).into_iter().collect_view()}
            {Control::ALL.map(one).into_iter().collect_view()}
        </div>
    }
}

/// The place among the slides with its buttons; the cycle if there are no slides.
fn place(ctx: Ctx, hall: Hall, stand: Stand) -> impl IntoView {
    let is_stand = memo(move || stand.attracts.get().is_some());
    let place = memo(move || {
        let deck = presentation::deck(ctx);
        deck.at().map(|at| (at, deck.len()))
    });
    let moment = move |plan: &Plan, cycle: Cycle| {
        let moment = if is_stand.get() { present::count } else { present::moment };
        moment(plan, cycle)
    };
    let at = move || match (hall.message.get(), place.get()) {
        (message, _) if !message.is_empty() && !is_stand.get() => message,
        (_, Some((at, n_slides))) => {
            let has_moved = ctx.plan.with(|plan| present::has_moved(&presentation::deck(ctx), plan, ctx.cycle.get()));
            present::slide(at, n_slides) + if has_moved && !is_stand.get() { present::CHANGED } else { "" }
        }
        (_, None) => ctx.plan.with(|plan| moment(plan, ctx.cycle.get())),
    };
    let dots = move || {
        let (at, n_slides) = place.get().filter(|(_, n_slides)| *n_slides <= present::DOTS_MAX)?;
        let dot = |nth| view! { <i class:here=nth == at></i> };
        Some(view! { <span class="dots" aria-hidden="true">{(0..n_slides).map(dot).collect_view()}</span> })
    };
    // Buttons for a person who has neither keys nor a clicker.
    let lead = move |name: &'static str, sign: &'static str, by: isize| {
        view! { <button type="button" aria-label=name hidden=move || place.get().is_none() on:click=move |_| presentation::step(ctx, by)>{sign}</button> }
    };
    view! {
        <div id="slides">
            <p id="slide-cycle" hidden=move || place.get().is_none()>{ctx.text_of_moment(move |plan, cycle| moment(plan, cycle))}</p>
            {lead(present::PREVIOUS, "‹", -1)} {dots} <p id="slide-number" role="status">{at}</p> {lead(present::NEXT, "›", 1)}
            <button
                id="present-controls"
                type="button"
                aria-label=present::CONTROLS
                title=present::CONTROLS
                aria-pressed=move || hall.controls.get().to_string()
                // A visitor of a stand is not the speaker.
                hidden=move || is_stand.get()
                on:click=move |_| hall.controls.update(|controls| *controls = !*controls)
            >
                "⋯"
            </button>
        </div>
    }
}
