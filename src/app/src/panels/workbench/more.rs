//! What few need, folded away.

use leptos::prelude::*;
use words::bench;

/// Its content, out of sight until somebody opens it or it is needed; from then on it stays.
#[component]
pub(super) fn More(
    /// The name on the page.
    id: &'static str,
    /// Whether what is set can be seen only here.
    is_needed: Memo<bool>,
    children: Children,
) -> impl IntoView {
    let open = Memo::new(move |before: Option<&bool>| before.copied().unwrap_or(false) || is_needed.get());
    view! {
        <details class="more" id=id prop:open=move || open.get()>
            <summary>{bench::MORE}</summary>
            {children()}
        </details>
    }
}
