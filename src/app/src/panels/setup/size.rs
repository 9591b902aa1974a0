//! The setting of a size: a slider for trying out values, and a field for any value.

use leptos::prelude::*;
use studio::slider::{place_of, value_at};
use studio::{Action, Edit, Field};
use words::label;

use super::Number;
use crate::ctx::{text_from, use_ctx};
use crate::ui::Slider;

/// A label, a slider and a field that set the same number.
#[component]
pub(super) fn Size(field: Field) -> impl IntoView {
    let ctx = use_ctx();
    let number = move || ctx.session().with(|session| session.scenario.number(field));
    let to_value =
        |place: String| place.parse().map_or_else(|_| String::new(), |place: u64| value_at(place).to_string());
    let drag = move |place| ctx.dispatch(&Action::Edit(Edit::Drag(field, to_value(place))));
    let settle = move |place| ctx.dispatch(&Action::Edit(Edit::Set(field, to_value(place))));
    view! {
        <div class="size">
            <span class="caption" title=label::field_help(field)>{label::field(field)}</span>
            <Slider
                id=format!("{}-slider", field.id())
                label=label::field(field)
                last=place_of(field.most())
                place=text_from(move || place_of(number()).to_string())
                value=ctx.text(move |session| session.scenario.text(field))
                on_drag=Box::new(drag)
                on_settle=Box::new(settle)
            />
            <Number field />
        </div>
    }
}
