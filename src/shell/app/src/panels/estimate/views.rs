//! The choice of a view of the model estimates.

use ::report::entry::{VIEWS, view_name};
use estimate::entries::Entries;
use estimate::{Entry, Topic, View};
use leptos::prelude::*;
use studio::{Action, Edit, PartText, PartTexts};

use crate::ctx::use_ctx;

/// Returns the view that a link shows. If the link names no view, this is the view of the question in the link, or else
/// the comparison.
pub(super) fn of_link(texts: &PartTexts) -> View {
    let entries = Entries::parse(Topic::Model, &texts[PartText::Ask]);
    let named = entries.text(Entry::View).and_then(View::by_id);
    let is_asked = |view: &View| !texts.text(view.topic().parameter()).is_empty();
    let asked = || View::ALL.into_iter().map(|(_, view)| view).filter(|view| *view != View::Bill).find(is_asked);
    named.or_else(asked).unwrap_or_default()
}

/// Returns the texts of a link that shows a view.
fn showing(texts: &PartTexts, id: &str) -> PartTexts {
    let ask = Entries::parse(Topic::Model, &texts[PartText::Ask]).with(Entry::View, id).to_text();
    texts.clone().with(PartText::Ask, ask)
}

/// The choice of a view, as native radio buttons.
#[component]
pub(super) fn Views(chosen: Memo<View>) -> impl IntoView {
    let ctx = use_ctx();
    let choose = move |id: &str, view: View| {
        let texts = ctx.session().with_untracked(|session| session.texts.clone());
        // A link names its view only if it would show another view.
        let unnamed = showing(&texts, "");
        let texts = if of_link(&unnamed).of_model() == view { unnamed } else { showing(&texts, id) };
        ctx.dispatch(&Action::Edit(Edit::Texts(texts)));
    };
    let choice = move |(id, view): (&'static str, View)| {
        view! {
            <label>
                <input
                    type="radio"
                    name="estimate-view"
                    id=format!("view-{id}")
                    prop:checked=move || chosen.get().of_model() == view
                    on:change=move |_| choose(id, view)
                />
                <span>{view_name(view)}</span>
            </label>
        }
    };
    view! {
        <fieldset class="views">
            <legend class="unseen">{VIEWS}</legend>
            {View::ALL.into_iter().filter(|(_, view)| view.topic() == Topic::Model).map(choice).collect_view()}
        </fieldset>
    }
}
