//! Messages about parameters of a link that could not be used.

use leptos::prelude::*;
use studio::{Action, Edit};
use words::{label, message};

use crate::ctx::use_ctx;

/// A box with a sentence for each parameter of a link that could not be used. A person can dismiss the box.
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
