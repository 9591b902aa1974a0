//! A choice among pictures: native radio buttons, each with a drawing and a name.

use leptos::prelude::*;

use super::{FieldProblem, Note};
use crate::ctx::{Text, memo};

/// A group of radio buttons.
#[component]
pub(crate) fn PictureChoice(
    /// Stable id of the group. The id of a button consists of this id and the value.
    id: &'static str,
    /// The visible name of the group.
    legend: AnyView,
    /// Explanation of the choice, in a tooltip.
    help: &'static str,
    /// Technical term for the chosen value.
    chosen: AnyView,
    /// Values with their names and their drawings, as SVG text.
    options: Vec<(&'static str, &'static str, String)>,
    /// Text below the name of a value.
    note: Option<Note>,
    /// The chosen value.
    value: Text,
    /// Problem of the chosen value; empty if the value can be used.
    problem: Text,
    /// Called with the new value.
    on_change: Box<dyn Fn(String)>,
) -> impl IntoView {
    let on_change = std::rc::Rc::new(on_change);
    let buttons = options
        .into_iter()
        .map(|(key, name, drawing)| {
            let (value, on_change) = (value.clone(), std::rc::Rc::clone(&on_change));
            let note = note.clone().map(|note| view! { <small>{move || note(key)}</small> });
            let is_chosen = memo(move || value() == key);
            view! {
                <label class="picture" class:is-chosen=move || is_chosen.get()>
                    <input
                        type="radio"
                        id=format!("{id}-{key}")
                        name=id
                        value=key
                        prop:checked=move || is_chosen.get()
                        on:change=move |_| on_change(key.to_owned())
                    />
                    <span class="drawing" aria-hidden="true" inner_html=drawing></span>
                    <span>{name}</span>
                    " "
                    {note}
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="pictures" id=id title=help>
            <legend>{legend} <span class="chosen">{chosen}</span></legend>
            <div class="row">{buttons}</div>
            <FieldProblem id text=problem />
        </fieldset>
    }
}
