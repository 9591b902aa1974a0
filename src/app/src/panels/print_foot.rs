//! The foot of a page on paper.

use leptos::html::P;
use leptos::prelude::*;

use crate::ctx::use_ctx;
use crate::effects::print;

/// Which version printed what; it is on paper alone.
#[component]
pub(crate) fn PrintFoot() -> impl IntoView {
    let foot: NodeRef<P> = NodeRef::new();
    print::pictures(foot, use_ctx());
    view! { <p class="print-foot" node_ref=foot></p> }
}
