//! A source with a link to its document.

use display::words::address::address;
use leptos::prelude::*;

/// The text of a source, as a link if the source names its document.
pub(crate) fn linked(source: String) -> AnyView {
    match address(&source) {
        Some(href) => view! { <a href=href target="_blank" rel="noopener noreferrer">{source}</a> }.into_any(),
        None => source.into_any(),
    }
}
