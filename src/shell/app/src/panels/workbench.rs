//! The tools that the first screen does not need, such as the comparison of two runs, faults, and the details of one
//! PE.

mod breaker;
mod build;
mod channels;
mod compare;
mod folds;
mod more;
mod own_skew;
mod pictures;
mod sheet;
mod transcript;

pub(crate) use breaker::Breaker;
pub(crate) use build::{Build, FlowSteps, OwnFlow, move_built};
pub(crate) use channels::Channels;
pub(crate) use compare::{Compare, OtherLine, OtherStage};
pub(crate) use folds::Folds;
pub(crate) use own_skew::OwnSkew;
pub(crate) use pictures::Pictures;
pub(crate) use sheet::Sheet;
pub(crate) use transcript::Transcript;

use leptos::prelude::*;
use studio::Panel;
use studio::defect::Defect;

use crate::ctx::use_ctx;

/// The sliders of a custom input schedule, for a lesson card.
#[component]
pub(crate) fn OwnRows() -> impl IntoView {
    let ctx = use_ctx();
    let edges = Memo::new(move |_| {
        let defect = ctx.session().with(|session| session.tools.defect)?;
        match ctx.plan.with(|plan| defect.on(plan)) {
            Ok(Defect::OwnSkew(edges)) => Some(edges),
            _ => None,
        }
    });
    view! { <OwnSkew edges of="card-" /> }
}

/// The content of the open tool.
#[component]
pub(crate) fn OpenTool() -> impl IntoView {
    let panel = use_ctx().tools.panel;
    move || {
        Some(match panel.get()? {
            Panel::Pe => view! { <Sheet /> }.into_any(),
            Panel::Compare => view! { <Compare /> }.into_any(),
            Panel::Break => view! { <Breaker /> }.into_any(),
            Panel::Heat => view! { <Channels /> }.into_any(),
            Panel::Folds => view! { <Folds /> }.into_any(),
            Panel::Transcript => view! { <Transcript /> }.into_any(),
            Panel::Build => view! { <Build /> }.into_any(),
            Panel::Pictures => view! { <Pictures /> }.into_any(),
        })
    }
}
