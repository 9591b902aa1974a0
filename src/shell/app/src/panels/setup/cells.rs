//! The fields of A and B at the places of their elements next to the array.

use core::time::Duration;

use leptos::prelude::*;
use stage::Scene;
use studio::Field;
use systolic::Operand;

use super::grid::MatrixGrid;
use crate::browser::timer::later;
use crate::browser::{self, focus};
use crate::ctx::{Ctx, text_from, use_ctx};

/// Time without the focus after which the fields close. A pasted matrix of another size gets new fields. They receive
/// the focus only in the next frame, before this time ends.
const CLOSES: Duration = Duration::from_millis(100);

/// Returns left edge, top edge, width and height of a matrix next to the array, in CSS pixels. `None` if the matrix has
/// no numbers there.
fn place_of(ctx: Ctx, operand: Operand) -> Option<[f64; 4]> {
    let (size, second) = (ctx.frame.size.get(), ctx.tools.second.get());
    let view = (size.width, size.height);
    let scene = ctx.plan.with(|plan| Scene::view(plan, second.as_deref(), view, ctx.presents()));
    let rect = scene.place(operand).filter(|place| place.form.has_numbers() && !scene.is_strip)?.rect;
    let [x, y, w, h] = [rect.x, rect.y, rect.w, rect.h].map(|part| f64::from(part) * size.scale);
    Some([x + f64::from(size.offset.0), y + f64::from(size.offset.1), w, h])
}

/// Matrices that a person can edit.
const MATRICES: [(Field, Operand); 2] = [(Field::A, Operand::A), (Field::B, Operand::B)];

/// True if the numbers of a matrix are next to the array.
pub(in super::super) fn is_next_to_the_array(ctx: Ctx, field: Field) -> bool {
    untrack(|| MATRICES.into_iter().any(|(one, operand)| one == field && place_of(ctx, operand).is_some()))
}

/// The fields of A and B next to the array, while a person edits a number there.
#[component]
pub(crate) fn CellsOnStage() -> impl IntoView {
    let ctx = use_ctx();
    let matrix = move |(field, operand): (Field, Operand)| {
        let part = move |nth: usize| {
            text_from(move || display::number::fixed(place_of(ctx, operand).map_or(0.0, |place| place[nth]), 1) + "px")
        };
        view! {
            <div class="cells" style:left=part(0) style:top=part(1) style:width=part(2) style:height=part(3)>
                <MatrixGrid field />
            </div>
        }
    };
    let left = move |_| {
        let close = move || {
            // A number that cannot be used stays in its field, with the reason.
            let is_wrong = || {
                let field =
                    browser::document().and_then(|all| all.query_selector(".cells [aria-invalid=true]").ok().flatten());
                field.is_some()
            };
            if !focus::is_within(".cells") && !is_wrong() {
                ctx.view.edits.try_set(false);
            }
        };
        later(close, CLOSES);
    };
    let matrices = move || {
        ctx.view.edits.get().then(|| {
            view! {
                // The keys of the array view do not act in a field.
                <div on:keydown=|event| event.stop_propagation() on:focusout=left>
                    {MATRICES.into_iter().filter(|(field, _)| is_next_to_the_array(ctx, *field)).map(matrix).collect_view()}
                </div>
            }
        })
    };
    view! { {matrices} }
}
