//! The views of the model estimates. A person sees one view at a time.

use ::words::estimate::entry::{VIEWS, view_name};
use estimate::Topic;
use leptos::prelude::*;
use studio::PartTexts;

/// A view of the model estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// Comparison of runs, with plots and layers.
    Comparison,
    /// Bill of the first run.
    Bill,
    /// Sequences of many lengths.
    Sequences,
    /// Failures of a long run.
    Failures,
}

impl View {
    const ALL: [Self; 4] = [Self::Comparison, Self::Bill, Self::Sequences, Self::Failures];

    /// The topic whose entries the view has.
    pub(super) const fn topic(self) -> Topic {
        match self {
            Self::Comparison | Self::Bill => Topic::Model,
            Self::Sequences => Topic::Lengths,
            Self::Failures => Topic::Failures,
        }
    }

    /// The view that a link opens: the view of its only question, or the comparison.
    pub(super) fn of_link(texts: &PartTexts) -> Self {
        let is_asked = |view: &Self| !texts.text(view.topic().parameter()).is_empty();
        let mut asked = Self::ALL.into_iter().filter(|view| *view != Self::Bill).filter(is_asked);
        asked.next().unwrap_or(Self::Comparison)
    }
}

/// The choice of a view, as native radio buttons.
#[component]
pub(super) fn Views(chosen: RwSignal<View>) -> impl IntoView {
    let choice = move |(view, id): (View, &'static str)| {
        view! {
            <label>
                <input
                    type="radio"
                    name="estimate-view"
                    id=format!("view-{id}")
                    prop:checked=move || chosen.get() == view
                    on:change=move |_| chosen.set(view)
                />
                <span>{view_name(id)}</span>
            </label>
        }
    };
    let ids = ["comparison", "bill", "sequences", "failures"];
    view! {
        <fieldset class="views">
            <legend class="unseen">{VIEWS}</legend>
            {View::ALL.into_iter().zip(ids).map(choice).collect_view()}
        </fieldset>
    }
}
