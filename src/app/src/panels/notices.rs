//! What a link said that could not be used.

use leptos::prelude::*;
use studio::{Action, Edit};
use words::{label, message};

use crate::ctx::use_ctx;

/// One dismissible box with a sentence for each part.
#[component]
pub(crate) fn Notices() -> impl IntoView {
    let ctx = use_ctx();
    view! {
            {move || {
                let texts = ctx.session().with(|session| {
                    message::notices(&session.notices, &session.plan)
                });
                (!texts.is_empty())
                    .then(|| {
                        view! {
                            <div class="notice">
                                <ul>{texts.into_iter().map(|text| view! { <li>{text}</li> }).collect_view()}</ul>
                                <button type="button" on:click=move |_| ctx.dispatch(&Action::Edit(Edit::Dismiss))>
                                    {label::DISMISS}
                                </button>
                            </div>
                        }
                    })
            }}
    }
}
