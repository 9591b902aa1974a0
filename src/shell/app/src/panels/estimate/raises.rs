//! Settings that raise the MFU of the first run, each with a button.

use std::sync::Arc;

use ::report::{Raise, comparison as words, raises};
use estimate::Answered;
use leptos::prelude::*;

use super::drawings::Set;
use crate::ctx::{memo, text_from};

/// The list of settings that raise the MFU, most helpful first.
#[component]
pub(super) fn Raises(rested: ReadSignal<Arc<Answered>>, set: Set) -> impl IntoView {
    let all = memo(move || rested.with(|answered| raises(answered)));
    let title = text_from(move || {
        rested.with(|answered| {
            answered.model_query().map_or_else(String::new, |query| words::raise_title(query.question.chip.name))
        })
    });
    let none = text_from(move || {
        rested.with(|answered| {
            words::nothing_raises(answered.model_query().and_then(|query| query.question.rate_of_user()))
        })
    });
    let list = move || {
        let row = |Raise { text, says, set: settings }: Raise| {
            let set = Arc::clone(&set);
            let take = move |_| set(&settings);
            view! {
                <li>
                    <button type="button" class="remedy" on:click=take>{text}</button>
                    <span>{says}</span>
                </li>
            }
        };
        all.get().into_iter().flatten().map(row).collect_view()
    };
    let nothing = move || all.with(|all| all.as_ref().is_some_and(Vec::is_empty));
    view! {
        <div class="raises" id="raises" hidden=move || all.with(Option::is_none)>
            <h3>{title}</h3>
            <p hidden=move || !nothing()>{none}</p>
            <ul>{list}</ul>
        </div>
    }
}
