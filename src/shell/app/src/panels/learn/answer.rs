//! Answers that a person gives in the array view or by ordering items.

use leptos::prelude::*;
use lesson::{Answer, entry, words};
use plain::OrEmpty;
use systolic::PeId;

use super::state::State;
use crate::browser::focus;
use crate::browser::timer::later;
use crate::ctx::{text_from, use_ctx};
use crate::effects::keys;
use crate::effects::lesson::follow_pe_answer;

/// The form for an answer that is one PE or several PEs. A person presses the PEs in the array view, or types their rows
/// and columns.
#[component]
pub(super) fn Pes(state: State, is_one: bool) -> impl IntoView {
    let ctx = use_ctx();
    let chosen = move || match state.given() {
        Some(Answer::Pes(pes)) => pes,
        _ => Vec::new(),
    };
    let press = move |pe: PeId| {
        let mut pes = if is_one { Vec::new() } else { untrack(chosen) };
        match pes.iter().position(|one| *one == pe) {
            Some(at) => _ = pes.remove(at),
            None => pes.push(pe),
        }
        state.draft.set((!pes.is_empty()).then_some(Answer::Pes(pes)));
    };
    follow_pe_answer(ctx, state.locked.with_untracked(Option::is_none), press);
    let said = RwSignal::new(String::new());
    let place = RwSignal::new((String::new(), String::new()));
    let typed = move || {
        let (row, col) = place.get_untracked();
        let array = ctx.plan.with_untracked(|plan| plan.schedule().array());
        match entry::pe(&row, &col, array) {
            Ok(pe) => {
                said.set(String::new());
                press(pe);
            }
            Err(what) => said.set(words::not_usable(&what)),
        }
    };
    let names = text_from(move || {
        let names: Vec<String> = chosen().into_iter().map(::words::caption::pe_name).collect();
        if names.is_empty() { words::press(is_one).to_owned() } else { display::number::joined(&names, ", ") }
    });
    view! {
        <p class="hint" id="chosen" role="status">{names}</p>
        <div
            class="answer-number"
            on:keydown=move |event| {
                if keys::is_entry(&event) {
                    // Enter chooses the PE, and does not lock the answer yet.
                    event.stop_propagation();
                    typed();
                }
            }
        >
            <label>
                {words::ROW} " "
                <input id="answer-row" type="text" inputmode="numeric" on:input=move |event| {
                    place.update(|place| place.0 = event_target_value(&event));
                } />
            </label>
            <label>
                {words::COL} " "
                <input id="answer-col" type="text" inputmode="numeric" on:input=move |event| {
                    place.update(|place| place.1 = event_target_value(&event));
                } />
            </label>
            <button id="answer-pe" type="button" on:click=move |_| typed()>{words::CHOOSE}</button>
        </div>
        <p class="problem" role="status">{move || said.get()}</p>
    }
}

/// Direction in which a person moves an item of an order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Earlier,
    Later,
}

impl Way {
    const fn other(self) -> Self {
        match self {
            Self::Earlier => Self::Later,
            Self::Later => Self::Earlier,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Earlier => words::EARLIER,
            Self::Later => words::LATER,
        }
    }

    /// Returns the id of the button that moves an item in this direction.
    fn button(self, index: usize) -> String {
        match self {
            Self::Earlier => format!("up-{index}"),
            Self::Later => format!("down-{index}"),
        }
    }
}

/// The form for an answer that is an order of items. A person can move each item up or down.
#[component]
pub(super) fn Order(
    state: State,
    /// Names of the items.
    names: Vec<String>,
    /// Order in which the items begin, as indices.
    first: Vec<usize>,
) -> impl IntoView {
    let first = StoredValue::new(first);
    let order = move || match state.given() {
        Some(Answer::Order(order)) => order,
        _ => first.get_value(),
    };
    // The list is drawn again, and the focus stays on the button of the moved item.
    let stay = |index: usize, way: Way| {
        let (id, at_edge) = (way.button(index), way.other().button(index));
        let focus = move || {
            focus::focus(&at_edge);
            // At the end of the list the button is disabled and cannot get the focus.
            focus::focus(&id);
        };
        later(focus, core::time::Duration::ZERO);
    };
    let swap = move |upper: usize| {
        let mut order = untrack(order);
        if upper + 1 < order.len() {
            order.swap(upper, upper + 1);
            state.draft.set(Some(Answer::Order(order)));
        }
    };
    let rows = move || {
        let order = order();
        let last = order.len().saturating_sub(1);
        let row = |(nth, index): (usize, usize)| {
            let name = names.get(index).cloned().or_empty();
            let [earlier, later] = [Way::Earlier, Way::Later].map(|way| [way.word(), " ", &name].concat());
            let up = move |_| {
                swap(nth - 1);
                stay(index, Way::Earlier);
            };
            let down = move |_| {
                swap(nth);
                stay(index, Way::Later);
            };
            view! {
                <li>
                    <span>{name}</span>
                    <button id=Way::Earlier.button(index) type="button" aria-label=earlier disabled=nth == 0 on:click=up>"↑"</button>
                    <button id=Way::Later.button(index) type="button" aria-label=later disabled=nth == last on:click=down>"↓"</button>
                </li>
            }
        };
        order.into_iter().enumerate().map(row).collect_view()
    };
    view! { <ol class="order">{rows}</ol> }
}
