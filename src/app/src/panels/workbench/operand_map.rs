//! The three matrices with the tile that each is at.

use leptos::html::Canvas;
use leptos::prelude::*;
use studio::words::{bench, stage};

use crate::browser::paint;
use crate::ctx::use_ctx;

/// The matrices and the fold in words.
#[component]
pub(crate) fn OperandMap() -> impl IntoView {
    let ctx = use_ctx();
    let canvas: NodeRef<Canvas> = NodeRef::new();
    paint::operand_map(canvas, ctx);
    let words = ctx.text_of_moment(stage::operand_map);
    view! {
        <section class="bench" id="tiles" tabindex="-1" aria-label=bench::OPERAND_MAP>
            <h2>{bench::OPERAND_MAP}</h2>
            <div class="tiles" role="img" aria-label=words.clone()>
                <canvas node_ref=canvas aria-hidden="true"></canvas>
            </div>
            <p class="hint">{words}</p>
        </section>
    }
}
