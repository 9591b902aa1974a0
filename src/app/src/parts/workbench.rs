//! The tools of the stage, as a part.

use std::cell::RefCell;
use std::sync::Arc;

use leptos::prelude::*;
use stage::{Filter, Layer, broken, class, fields, filter, focus, layers, marks, trace};
use studio::defect::{BrokenMachine, BrokenRun, Defect};
use studio::{Panel, Plan, Session};
use systolic::{Cycle, PeId};
use words::caption;

use super::Fill;
use crate::ctx::{Ctx, use_ctx};
use crate::panels::workbench::{Breaker, Channels, Compare, Folds, OtherLine, OtherStage, OwnSkew, Sheet, Transcript};

/// The caption of a run with a broken machine.
type Caption = fn(&Plan, &BrokenMachine, Option<PeId>) -> caption::Caption;

/// What the tools add to the array.
pub(crate) struct Workbench {
    /// Its style sheet.
    pub(crate) style: &'static str,
    /// The focused PE at a cycle.
    pub(crate) chosen: fn(&Session, Cycle) -> Option<PeId>,
    /// The machine with the defect that is set, where this run can have it.
    pub(crate) broken: fn(&Session, Cycle) -> Option<Arc<BrokenMachine>>,
    /// The run that is shown beside the first, where there is one.
    pub(crate) second: fn(&Session) -> Option<Arc<Plan>>,
    /// What the PEs show instead of what they do.
    pub(crate) channel: fn(&Session) -> Option<Layer>,
    /// What is drawn over the PEs.
    pub(crate) layers: &'static [Layer],
    /// The caption of a machine with a defect.
    pub(crate) caption: Caption,
    /// The PE of which it speaks where none is chosen.
    pub(crate) telling: fn(&BrokenMachine) -> Option<PeId>,
    /// Draws the array of a second run.
    pub(crate) other: Fill,
    /// Draws its timeline.
    pub(crate) other_line: Fill,
    /// Draws the tool that is open.
    pub(crate) panel: Fill,
    /// Draws when each row's elements enter, to be set by hand.
    pub(crate) schedule: Fill,
}

/// All of it.
pub(super) static TOOLS: Workbench = Workbench {
    style: concat!(include_str!("../../../../style/shades.css"), include_str!("../../../../style/workbench.css")),
    chosen: Session::pe_at,
    broken,
    second: |session| session.tools.compare.as_ref()?.plan(&session.scenario).ok().map(Arc::new),
    channel: |session| stage::channel::layer(session.tools.show),
    layers: &[
        fields::fields,
        broken::around,
        filter::apply,
        class::class,
        focus::dim,
        marks::marks,
        trace::way,
        layers::lens,
        marks::marks_under_lens,
    ],
    caption: caption::broken,
    telling: caption::telling_broken_pe,
    other: |place| mount_to(place, || view! { <OtherStage /> }).forget(),
    other_line: |place| mount_to(place, || view! { <OtherLine /> }).forget(),
    panel: |place| mount_to(place, || view! { <Open /> }).forget(),
    schedule: |place| mount_to(place, || view! { <OwnRows /> }).forget(),
};

thread_local! {
    // It goes on from edge to edge, and what becomes of C is the same at each.
    static RUN: RefCell<Option<BrokenRun>> = const { RefCell::new(None) };
}

fn broken(session: &Session, cycle: Cycle) -> Option<Arc<BrokenMachine>> {
    let plan = &session.plan;
    let Some(defect) = session.tools.defect.and_then(|defect| defect.on(plan).ok()) else {
        RUN.set(None);
        return None;
    };
    let machine = RUN.with_borrow_mut(|run| {
        let same = run.take().filter(|run| run.is_of(plan, defect));
        run.insert(same.unwrap_or_else(|| BrokenRun::new(plan, defect))).at(cycle)
    });
    // A card that asks about it does not give its answer away.
    let is_open = use_context::<Ctx>().is_some_and(|ctx| !ctx.filter.with(Filter::judges));
    Some(Arc::new(if is_open { machine.unjudged() } else { machine }))
}

/// When each row's elements enter.
#[component]
fn OwnRows() -> impl IntoView {
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

/// The tool that is open.
#[component]
fn Open() -> impl IntoView {
    let panel = use_ctx().panel;
    move || {
        Some(match panel.get()? {
            Panel::Pe => view! { <Sheet /> }.into_any(),
            Panel::Compare => view! { <Compare /> }.into_any(),
            Panel::Break => view! { <Breaker /> }.into_any(),
            Panel::Heat => view! { <Channels /> }.into_any(),
            Panel::Folds => view! { <Folds /> }.into_any(),
            Panel::Transcript => view! { <Transcript /> }.into_any(),
        })
    }
}
