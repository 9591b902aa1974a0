//! A link to a page of the book.

use leptos::prelude::*;

use crate::browser::location;

/// A link that leaves the playground for a page of the book, or nothing if the book is not next to the playground.
pub(crate) fn book_link(id: &'static str, page: &'static str, words: &'static str) -> Option<AnyView> {
    location::has_book().then(|| view! { <a id=id class="book-link" href=page>{words}</a> }.into_any())
}
