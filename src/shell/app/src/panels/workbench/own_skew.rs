//! A custom schedule for the west edge of the array: the number of clock edges by which each row's elements enter late.

use leptos::prelude::*;
use studio::defect::{DefectName, edges_max, own_rows};
use studio::{Action, Edit, Tool};
use systolic::Fault;
use words::{bench, picture};

use crate::ctx::{text_from, use_ctx};

/// Number of clock edges by which the elements enter late, for each of the first rows.
type Edges = [u8; Fault::OWN_ROWS_MAX];

/// The sliders of a custom schedule, one for each row. Without a custom schedule, the sliders are hidden.
#[component]
pub(crate) fn OwnSkew(
    /// Custom schedule, if one is chosen.
    edges: Memo<Option<Edges>>,
    /// Prefix of the element ids. The prefix makes the ids unique, because a lesson card and a tool can show these
    /// sliders at the same time.
    of: &'static str,
) -> impl IntoView {
    let ctx = use_ctx();
    // The list of sliders depends only on their number and range, so that the sliders are not made again while a person
    // moves one of them.
    let range = Memo::new(move |_| edges.get().map(|_| ctx.plan.with(|plan| (own_rows(plan), edges_max(plan)))));
    let slider = move |row: usize, most: u8| {
        let id = format!("{of}lane-{row}");
        let edge = text_from(move || edges.get().and_then(|edges| edges.get(row).copied()).unwrap_or(0).to_string());
        let set = move |text: String| {
            let (Some(mut edges), Ok(edge)) = (edges.get_untracked(), text.parse()) else { return };
            if let Some(own) = edges.get_mut(row) {
                *own = edge;
            }
            let text = ctx.plan.with_untracked(|plan| DefectName::own_skew(edges, plan).to_text());
            ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Defect, text)));
        };
        view! {
            <div class="lane">
                <label for=id.clone()>{picture::row(u32::try_from(row).unwrap_or(u32::MAX))}</label>
                <input
                    id=id.clone()
                    type="range"
                    min="0"
                    max=most.to_string()
                    step="1"
                    prop:value=edge.clone()
                    on:input=move |event| set(event_target_value(&event))
                />
                <output for=id>{edge}</output>
            </div>
        }
    };
    move || {
        let (rows, most) = range.get()?;
        let sliders = (0..rows).map(|row| slider(row, most)).collect_view();
        let more = ctx.plan.with(|plan| plan.schedule().array().rows() as usize > rows);
        Some(view! {
            <fieldset id=[of, "schedule"].concat()>
                <legend>{bench::OWN_SKEW}</legend>
                {sliders}
                {more.then(|| view! { <p class="hint">{bench::OWN_SKEW_REST}</p> })}
            </fieldset>
        })
    }
}
