//! Matrices that a person types or pastes.

use leptos::prelude::*;
use studio::{Action, Edit, Field, FieldValue, FillKind, Lock, MatrixText, PointedValue};
use systolic::Operand;
use words::{label, message, own_matrices};

use super::setup::{MatrixGrid, SIDE_MAX, cell_id, is_next_to_the_array};
use crate::browser::timer::later;
use crate::browser::{cell, details, entries, focus, small_file};
use crate::ctx::{Ctx, text_from, use_ctx};
use crate::tab::Tab;
use crate::ui::{FieldProblem, message_id};

/// Maximum size of a file in bytes. With the maximum number of elements, each element has 32 bytes.
const FILE_BYTES_MAX: usize = 2 << 20;

/// A grid of input fields and a text area for each of the matrices A and B. Matrices that are too large for a grid have
/// only the text areas.
#[component]
pub(crate) fn Matrices() -> impl IntoView {
    let ctx = use_ctx();
    let is_small = ctx.holds(|session| {
        let own = [&session.scenario.a, &session.scenario.b];
        own.iter().all(|own| own.as_ref().is_none_or(|own| own.rows.max(own.cols) <= SIDE_MAX))
    });
    // If these fields are next to the array, they are not repeated here.
    let custom = ctx.holds(|session| session.scenario.fill == FillKind::Custom);
    let grids = move || {
        (custom.get() && is_small.get() && !ctx.view.edits.get())
            .then(|| view! { <MatrixGrid field=Field::A /><MatrixGrid field=Field::B /> })
    };
    // The text areas stay open. If they closed when a person leaves one of them for the other, the other would vanish
    // under the pointer.
    let is_open = Memo::new(move |before: Option<&bool>| before.copied().unwrap_or(false) || !is_small.get());
    // Grids that appear later are below open text areas, so that the text areas stay in place.
    view! {
        <div class="own-matrices" class:text-first=move || is_open.get()>
            <p class="hint" hidden=move || !is_small.get()>{own_matrices::GRID_HINT}</p>
            {grids}
            <details class="matrices" id="as-text" prop:open=move || is_open.get()>
                <summary>{own_matrices::OPEN_TEXT}</summary>
                <MatrixField field=Field::A />
                <MatrixField field=Field::B />
                <MatrixField field=Field::C />
                <p class="hint">{own_matrices::PASTE_HINT}</p>
            </details>
        </div>
    }
}

/// Moves the focus to the input field of an element: next to the array if the matrices have numbers there, otherwise in
/// the settings. In the settings, generated matrices become custom matrices with the same values.
pub(crate) fn edit_element(ctx: Ctx, field: Field, cell: (u64, u64)) {
    let (rows, cols) = ctx.plan.with_untracked(|plan| {
        let matrix = if field == Field::A { &plan.operands().a } else { &plan.operands().b };
        (matrix.rows(), matrix.cols())
    });
    let is_locked =
        ctx.session().with_untracked(|session| session.view.lock.is_some_and(|list| list.has(Lock::Numbers)));
    // Zeros of the padding belong to no matrix.
    if cell.0 >= rows || cell.1 >= cols || is_locked {
        return;
    }
    let is_on_stage = is_next_to_the_array(ctx, field);
    ctx.view.edits.set(is_on_stage);
    if !is_on_stage {
        if ctx.session().with_untracked(|session| session.scenario.fill != FillKind::Custom) {
            let shown = ctx.plan.with_untracked(|plan| {
                let operands = plan.operands();
                [&operands.a, &operands.b].map(MatrixText::of)
            });
            let [a @ Some(_), b @ Some(_)] = shown else { return };
            ctx.set_all(&[(Field::A, FieldValue::Matrix(a)), (Field::B, FieldValue::Matrix(b))]);
        }
        ctx.view.tab.set(Tab::Change);
        details::open("values");
    }
    // The fields are drawn after this task. A matrix without a grid has only its text area.
    later(
        move || {
            if !is_on_stage {
                focus::focus(field.id());
            }
            focus::focus(&cell_id(field, cell));
        },
        core::time::Duration::ZERO,
    );
}

/// Replaces the matrix of the chosen element by a pasted matrix. A pasted number replaces only the element. A paste
/// into a text field stays in this field.
pub(crate) fn follow_paste(ctx: Ctx) {
    let pasted = window_event_listener(leptos::ev::paste, move |event| {
        if ctx.playing.try_get_untracked().is_none() || ctx.embedded() || cell::is_in_field(&event) {
            return;
        }
        let (operand, row, col) = match untrack(|| ctx.pinned_spot()) {
            Some(PointedValue::Element(operand, row, col)) if operand != Operand::C => (operand, row, col),
            _ => return,
        };
        let Some(text) = cell::text(&event) else { return };
        let field = if operand == Operand::A { Field::A } else { Field::B };
        edit_element(ctx, field, (row, col));
        let now = ctx.session().with_untracked(|session| session.field_text(field));
        let matrix = MatrixText::parse(field, &text).ok().and_then(|block| {
            let now = MatrixText::parse(field, &now).ok()?;
            let is_number = (block.rows, block.cols) == (1, 1);
            now.overlaid(if is_number { (row, col) } else { (0, 0) }, &block)
        });
        // A text that is not a matrix goes to the text field, which shows the mistake.
        ctx.dispatch(&Action::Edit(match matrix {
            Some(matrix) => Edit::Set(field, FieldValue::Matrix(Some(matrix))),
            None => Edit::Type(field, text),
        }));
    });
    on_cleanup(move || pasted.remove());
}

#[component]
fn MatrixField(field: Field) -> impl IntoView {
    let ctx = use_ctx();
    let problem = ctx.text(move |session| session.problem(field).map(message::problem));
    let wrong = problem.clone();
    let text = ctx.text(move |session| own_matrices::in_lines(session.field_text(field)));
    let refused = RwSignal::new(String::new());
    let set = move |text: String| ctx.dispatch(&Action::Edit(Edit::Type(field, text)));
    let open = move |event| {
        let opened = move |bytes: Option<Vec<u8>>| {
            let text = match bytes {
                None => Err(own_matrices::no_file(field)),
                Some(bytes) if bytes.len() > FILE_BYTES_MAX => Err(own_matrices::large_file(field)),
                Some(bytes) => MatrixText::text_of_file(&bytes).map_err(|why| own_matrices::refused(field, &why)),
            };
            match text {
                Ok(text) => {
                    refused.try_set(String::new());
                    ctx.dispatch(&Action::Edit(Edit::Type(field, text)));
                }
                Err(why) => {
                    refused.try_set(why);
                }
            }
        };
        small_file::read(&event, FILE_BYTES_MAX + 1, Box::new(opened));
    };
    let file_id = format!("{}-file", field.id());
    let label_for = file_id.clone();
    view! {
        <div class="matrix">
            <label for=field.id()>{label::field(field)}</label>
            <textarea
                id=field.id()
                rows="4"
                spellcheck="false"
                autocomplete="off"
                title=label::field_help(field)
                aria-invalid=text_from(move || (!wrong().is_empty()).to_string())
                aria-describedby=message_id(field.id())
                prop:value=text
                on:change=move |event| set(event_target_value(&event))
                // A pasted matrix is complete. A typed one may not be.
                on:paste=move |event| entries::after_paste(&event, set)
            ></textarea>
            <FieldProblem id=field.id() text=problem />
            <div class="file">
                <input class="unseen" id=file_id type="file" on:change=open />
                <label class="button" for=label_for>{own_matrices::OPEN_FILE}</label>
            </div>
            <p class="problem" role="alert">{move || refused.get()}</p>
        </div>
    }
}
