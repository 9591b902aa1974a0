//! The tools of the stage, as a part.

use std::sync::Arc;

use leptos::prelude::*;
use studio::defect::{self, BrokenMachine};
use studio::stage::{Layer, class, layers};
use studio::words::{bench, caption};
use studio::{Plan, Session};
use systolic::{Cycle, PeId};

use super::Fill;
use crate::browser::keys;
use crate::panels::design::Design;
use crate::panels::workbench::{Breaker, Channels, Compare, OperandMap, OtherStage, Sheet, Transcript};

/// The caption of a run with a broken machine.
type Caption = fn(&Plan, &BrokenMachine, Option<PeId>) -> caption::Caption;

/// What the tools add to the array.
pub(crate) struct Workbench {
    /// The focused PE at a cycle.
    pub(crate) chosen: fn(&Session, Cycle) -> Option<PeId>,
    /// The machine with the defect that is set, where this run can have it.
    pub(crate) broken: fn(&Session, &Plan, Cycle) -> Option<Arc<BrokenMachine>>,
    /// What the PEs show instead of what they do.
    pub(crate) channel: fn(&Session) -> Option<Layer>,
    /// What is drawn over the PEs.
    pub(crate) layers: &'static [Layer],
    /// The caption of a machine with a defect.
    pub(crate) caption: Caption,
    /// Draws the array of a second run.
    pub(crate) other: Fill,
    /// Draws how the array is built and fed.
    pub(crate) design: Fill,
    /// Draws the ways to the tools, which are further down.
    pub(crate) index: Fill,
    /// Draws the tools.
    pub(crate) tools: Fill,
}

/// All of it.
pub(super) static TOOLS: Workbench = Workbench {
    chosen: Session::pe_at,
    broken,
    channel: |session| session.tools.show.layer(),
    layers: &[class::class, defect::marks, layers::paths, layers::lens, defect::marks_under_lens],
    caption: caption::broken,
    other: |place| mount_to(place, || view! { <OtherStage /> }).forget(),
    design: |place| mount_to(place, || view! { <Design /> }).forget(),
    index: |place| mount_to(place, index).forget(),
    tools: |place| mount_to(place, tools).forget(),
};

fn broken(session: &Session, plan: &Plan, cycle: Cycle) -> Option<Arc<BrokenMachine>> {
    let defect = session.tools.defect?.on(plan).ok()?;
    Some(Arc::new(BrokenMachine::at(plan, defect, cycle)))
}

fn index() -> impl IntoView {
    let ways = bench::TOOLS.map(|(id, name)| {
        view! { <button type="button" on:click=move |_| keys::focus(id)>{name}</button> }
    });
    view! { <nav class="index" id="tools" tabindex="-1" aria-label=bench::INDEX>{ways}</nav> }
}

fn tools() -> impl IntoView {
    view! {
        <Channels />
        <OperandMap />
        <Compare />
        <Breaker />
        <Sheet />
        <Transcript />
    }
}
