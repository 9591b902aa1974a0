//! The classes of PE-cycles: a bar, and a button for each class that highlights and explains the class.

use leptos::prelude::*;
use studio::busy::Remedy;
use studio::{Action, Edit, Tool};
use systolic::Slot;
use words::busy;
use words::figures::Part;

use super::{Array, Parts, Prose, SoFar, steady};
use crate::browser::focus;
use crate::browser::timer::later;
use crate::ctx::{Ctx, Text, memo, text_from, use_ctx};

fn part_text(parts: Parts, nth: usize, text: impl Fn(&Part, &[Part; 6]) -> String + Send + Sync + 'static) -> Text {
    text_from(move || parts.with(|parts| parts.get(nth).map_or_else(String::new, |part| text(part, parts))))
}

/// Returns a share as a whole number of units. A share of 1 is `of` units. A whole number needs no float formatter.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 10 000")]
fn whole(share: f64, of: f64) -> String {
    ((share * of).round() as u32).to_string()
}

/// A bar of the six classes of PE-cycles.
#[component]
pub(super) fn Bar(
    parts: Parts,
    /// Class name for the style sheet.
    #[prop(default = "bar")]
    class: &'static str,
) -> impl IntoView {
    let widths = Slot::ALL
        .into_iter()
        .enumerate()
        .map(|(nth, slot)| {
            let grow = part_text(parts, nth, |part, _| whole(part.share, 10_000.0));
            view! { <span class=format!("slot {}", slot.id()) style:flex-grow=grow></span> }
        })
        .collect_view();
    // The bar is hidden from screen readers, because the sentence above it has the same content.
    view! { <span class=class aria-hidden="true">{widths}</span> }
}

/// A button that applies a change.
fn remedy_button(ctx: Ctx, remedy: Remedy) -> impl IntoView {
    let words = ctx.plan.with_untracked(|plan| busy::remedy(plan, &remedy));
    let apply = move |_| remedy.edits().for_each(|edit| ctx.dispatch(&Action::Edit(edit)));
    view! { <button type="button" class="remedy" on:click=apply>{words}</button> }
}

/// The change that raises the MFU most.
#[component]
pub(super) fn LargestGain() -> impl IntoView {
    let ctx = use_ctx();
    let best = Memo::new(move |_| ctx.plan.with(|plan| studio::busy::best_remedy(plan)).filter(|_| !ctx.embedded()));
    let shown = move || best.get().map(|remedy| view! { {busy::LARGEST_GAIN} " " {remedy_button(ctx, remedy)} });
    // The line keeps its place while no change raises the MFU.
    view! { <p id="largest-gain">{shown}</p> }
}

/// The list of the classes of PE-cycles, with one row for each class.
#[component]
pub(super) fn Classes(parts: Parts, so_far: SoFar, array: Array) -> impl IntoView {
    let scale = StoredValue::new(0.0);
    let rows = Slot::ALL
        .into_iter()
        .enumerate()
        .map(|(nth, of)| view! { <Class parts so_far array scale nth of /> })
        .collect_view();
    view! {
        <ul class="classes" aria-label=busy::CLASSES>
            <li class="class-heads" aria-hidden="true">
                {busy::COUNTS.map(|head| view! { <span>{head}</span> }).into_iter().collect_view()}
            </li>
            {rows}
            <li class="class paid">
                <span class="key" aria-hidden="true"></span>
                <span class="name">{busy::PAID}</span>
                " "
                <span></span>
                <span class="share"></span>
                <span class="usd">{text_from(move || array.whole.with(|now| now.cost.trim_start_matches('$').to_owned()))}</span>
            </li>
        </ul>
    }
}

/// Returns a part of a count as a width in percent.
fn percent_of(part: u64, all: u64) -> String {
    whole(systolic::Elements(part).as_f64() / systolic::Elements(all.max(1)).as_f64(), 100.0) + "%"
}

/// A class of PE-cycles: a button with the number and the share of its PE-cycles. A pressed button shows the reason for
/// these PE-cycles, and settings that reduce their number.
#[component]
fn Class(
    parts: Parts,
    so_far: SoFar,
    array: Array,
    /// Share that a bar of full length represents.
    scale: StoredValue<f64>,
    nth: usize,
    of: Slot,
) -> impl IntoView {
    let (ctx, slot) = (use_ctx(), of);
    let is_pressed = memo(move || ctx.tools.class.get() == Some(slot));
    // The row of stalls is hidden in a run without stalls.
    let is_out =
        move || slot == Slot::Stall && parts.with(|parts| parts.get(nth).is_none_or(|part| part.pe_cycles == 0));
    let press = move |_| {
        let text = if is_pressed.get_untracked() { "" } else { slot.id() };
        ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Class, text.to_owned())));
        // The reason is drawn after this task. On a small page, it is below the visible part of its panel.
        later(|| focus::reveal(".class[aria-pressed=true] + .reason"), core::time::Duration::ZERO);
    };
    let relative = part_text(parts, nth, move |part, all| {
        let most = all.iter().fold(f64::MIN_POSITIVE, |most, part| most.max(part.share));
        whole(part.share / steady(scale, most), 100.0) + "%"
    });
    let remedies = move || {
        let remedies =
            if is_pressed.get() { ctx.plan.with(|plan| studio::busy::remedies(plan, slot)) } else { Vec::new() };
        remedies.into_iter().map(|remedy| remedy_button(ctx, remedy)).collect_view()
    };
    // The filled part of the bar is the share of these PE-cycles that has passed.
    let passed = text_from(move || {
        let all = parts.with(|parts| parts.get(nth).map_or(0, |part| part.pe_cycles));
        percent_of(so_far.with(|tally| tally.get(slot).get()), all)
    });
    let usd = text_from(move || array.whole.with(|now| now.classes.get(nth).cloned().unwrap_or_default()));
    let id = slot.id();
    let reason =
        text_from(move || if is_pressed.get() { ctx.plan.with(|plan| busy::why(plan, slot)) } else { String::new() });
    view! {
        <li hidden=is_out>
            <button
                type="button"
                class="class"
                id=format!("class-{id}")
                aria-pressed=text_from(move || is_pressed.get().to_string())
                on:click=press
            >
                <span class=format!("key {id}") aria-hidden="true"></span>
                <span class="name">{busy::class(slot)}</span>
                // Spaces separate the words for screen readers.
                " "
                <span class="track" aria-hidden="true">
                    <span class="all" style:width=relative><span class=format!("slot {id}") style:width=passed></span></span>
                </span>
                <span class="share">{part_text(parts, nth, |part, _| busy::share_in_table(part))}</span>
                " "
                <span class="usd">{usd}</span>
            </button>
            <div class="reason" hidden=move || !is_pressed.get()>
                <p><Prose text=reason /></p>
                {remedies}
            </div>
        </li>
    }
}
