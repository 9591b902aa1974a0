//! Suggested actions next to the caption: changes of the settings when the run is over, and a change of the chosen
//! element.

use leptos::prelude::*;
use studio::{Action, Field, PointedValue, suggestion};
use systolic::Operand;
use words::{busy, label, own_matrices};

use crate::ctx::use_ctx;
use crate::navigation;

/// Buttons that change one setting each, with the computed effect of the change, and a button that opens the field of
/// the chosen element. Going back in the browser history undoes a change.
#[component]
pub(crate) fn NextSteps() -> impl IntoView {
    let ctx = use_ctx();
    let steps = Memo::new(move |_| {
        let is_over = ctx.cycle.get() == ctx.plan.with(|plan| plan.last()) && !ctx.playing.get();
        // An array with a fault gets no suggestions.
        let is_sound = ctx.tools.broken.with(Option::is_none);
        if is_over && is_sound { ctx.plan.with(|plan| suggestion::suggestions(plan)) } else { Vec::new() }
    });
    let chosen = Memo::new(move |_| match ctx.pinned_spot()? {
        PointedValue::Element(operand, row, col) if operand != Operand::C && !ctx.embedded() => {
            Some((operand, row, col))
        }
        _ => None,
    });
    let change = move || {
        let (operand, row, col) = chosen.get()?;
        let field = if operand == Operand::A { Field::A } else { Field::B };
        let open = move |_| navigation::edit(ctx, operand, row, col);
        Some(view! {
            <button type="button" id="change-element" on:click=open>
                <b>{own_matrices::change(field, row, col)}</b>
                <span>{own_matrices::OR_PASTE}</span>
            </button>
        })
    };
    view! {
        <div class="next-steps" role="group" aria-label=label::NEXT_STEPS>
            {change}
            {move || {
                steps
                    .get()
                    .into_iter()
                    .map(|step| {
                        let (title, gives) = ctx.plan.with(|plan| busy::next_step(plan, &step));
                        let apply = move |_| step.edits().for_each(|edit| ctx.dispatch(&Action::Edit(edit)));
                        view! {
                            <button type="button" on:click=apply>
                                <b>{title}</b>
                                <span>{gives}</span>
                            </button>
                        }
                    })
                    .collect_view()
            }}
        </div>
    }
}
