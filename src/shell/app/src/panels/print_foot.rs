//! The foot of the printed page.

use leptos::html::P;
use leptos::prelude::*;

use crate::ctx::use_ctx;
use crate::effects::print;

/// The foot of a printed page: its address, and the version of the project that printed it. The screen does not show
/// this foot.
#[component]
pub(crate) fn PrintFoot() -> impl IntoView {
    let foot: NodeRef<P> = NodeRef::new();
    print::pictures(foot, use_ctx());
    view! { <p class="print-foot" node_ref=foot></p> }
}
