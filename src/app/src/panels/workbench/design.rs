//! The settings of the array's design.

use leptos::prelude::*;
use studio::{Field, FieldValue};
use words::label;

use crate::ctx::use_ctx;
use crate::panels::setup::{Pick, unless};

/// The choices of the array's design: overlap of folds, loading and draining.
#[component]
pub(crate) fn Design() -> impl IntoView {
    let ctx = use_ctx();
    let loads = ctx.holds(|session| session.scenario.uses(Field::Load));
    let drains = ctx.holds(|session| session.scenario.uses(Field::Drain));
    view! {
        <h3>{label::DESIGN}</h3>
        <Pick field=Field::Overlap options=named(Field::Overlap) />
        <div hidden=unless(loads)><Pick field=Field::Load options=named(Field::Load) /></div>
        <div hidden=unless(drains)><Pick field=Field::Drain options=named(Field::Drain) /></div>
    }
}

/// Returns the named values of a field, with their names on the page.
fn named(field: Field) -> Vec<(&'static str, String)> {
    let choice = |value: FieldValue| Some((value.id()?, label::design(&value).to_owned()));
    field.choices().into_iter().filter_map(choice).collect()
}
