//! The words of the page, each with its sentence and an address of its own.

use leptos::prelude::*;
use studio::words::glossary::{self, Entry};

use crate::browser::{address, keys};
use crate::ctx::use_ctx;

/// A question mark after a word of the page: it has the sentence as its tooltip and opens the list at the word.
#[component]
pub(crate) fn Term(entry: &'static Entry) -> impl IntoView {
    let ctx = use_ctx();
    let open = move |_| keys::open_help_at(ctx, &glossary::place(entry));
    view! {
        <button type="button" class="term" aria-label=glossary::question(entry) title=entry.sentence on:click=open>
            "?"
        </button>
    }
}

/// The list of words, a part of the help.
#[component]
pub(crate) fn Glossary() -> impl IntoView {
    address::follow_word(use_ctx());
    let entries = glossary::ENTRIES
        .iter()
        .map(|entry| {
            view! { <div id=glossary::place(entry) tabindex="-1"><dt>{entry.term}</dt><dd>{entry.sentence}</dd></div> }
        })
        .collect_view();
    view! {
        <h2 id="glossary" tabindex="-1">{glossary::TITLE}</h2>
        <dl class="glossary">{entries}</dl>
    }
}
