//! The six parts of the page besides its first module, each loaded when it is needed.
//!
//! - The side panels (settings, counts, examples, glossary) are fetched while the first module starts.
//! - The tools of the array (`tool=compare` and others) are loaded when a person opens a tool. One tool is open at a
//!   time.
//! - The model estimates (`ui=desk`) and the lessons (`learn=wave.3`) are loaded when a person opens them.
//! - Sharing is loaded when a person opens it, or when the host page sends a greeting.
//! - The search is loaded when a person opens it. Its index is fetched like the text of a lesson.
//!
//! A part implements an interface of `part_state.rs`, and [`register`] gives the page one loader for each part. The
//! page reaches a part only through its interface. A drawing function of a part fills a place that the page keeps for
//! the part. The first module names no function of a part, so it contains no code of a part. Each part adds its own
//! style sheet (`browser::add_stylesheet`), so that the first load has only the styles of the first screen.
//!
//! If a part does not arrive, the page reports the failure next to the control that the person used, and the person can
//! try again. The page already starts to fetch the part when a pointer is over this control.
//!
//! `cargo xtask build` splits the linked module. The build fails if the first module contains a function of the crates
//! `workload`, `lesson` or `ask`. Tests and `trunk serve` run the module without a split. Only `lazy.rs` and
//! `browser/text.rs` depend on the split.

mod ask;
mod estimate;
mod lazy;
mod learn;
mod share;
mod sides;
mod workbench;

use leptos::prelude::SetValue;
use studio::LazyPart;

use crate::ctx::Ctx;
use crate::part_state::{Loaders, Loading, Sharing};

/// Gives the page the loaders of the parts.
pub(crate) fn register(ctx: Ctx) {
    ctx.parts.loaders.set_value(Some(Loaders {
        sides: || Box::pin(async { lazy::sides().await.ok() }),
        workbench: || Box::pin(async { lazy::workbench().await.ok() }),
        share: sharing,
        fill: |part| match part {
            LazyPart::Workbench => None,
            LazyPart::Estimate => Some(Box::pin(async { lazy::estimate().await.ok() })),
            LazyPart::Learn => Some(Box::pin(async { lazy::learn().await.ok() })),
            LazyPart::Share => Some(Box::pin(async { Some(sharing().await?.dialog) })),
            LazyPart::Ask => Some(Box::pin(async { lazy::ask().await.ok() })),
        },
    }));
}

fn sharing() -> Loading<Sharing> {
    Box::pin(async { lazy::share().await.ok() })
}
