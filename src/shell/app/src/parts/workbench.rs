//! The tools of the array, as a part that is loaded on demand.

use std::cell::RefCell;
use std::sync::Arc;

use leptos::prelude::*;
use stage::drawings::{Instead, cube};
use stage::{Filter, Frame, Layer, broken, class, fields, filter, focus, layers, marks, trace};
use studio::defect::{BrokenMachine, BrokenRun};
use studio::{Action, Built, Drawing, Edit, Plan, Session, Transport};
use systolic::{Cycle, PeId};
use words::caption::{self, Caption};

use crate::browser::measure::Size;
use crate::ctx::Ctx;
use crate::panels::workbench::{self, FlowSteps, OpenTool, OtherLine, OtherStage, OwnFlow, OwnRows};
use crate::part_state::{Fill, ToolPlace, Workbench};

/// The tools of the array.
pub(super) struct Tools;

thread_local! {
    // The run with a fault is kept between frames. The next frame continues from the last cycle, and C does not change.
    static RUN: RefCell<Option<BrokenRun>> = const { RefCell::new(None) };
}

impl Workbench for Tools {
    fn style(&self) -> &'static str {
        concat!(include_str!("../../../../../style/shades.css"), include_str!("../../../../../style/workbench.css"))
    }

    fn fill(&self, place: ToolPlace) -> Fill {
        match place {
            ToolPlace::Other => |place| mount_to(place, || view! { <OtherStage /> }).forget(),
            ToolPlace::OtherLine => |place| mount_to(place, || view! { <OtherLine /> }).forget(),
            ToolPlace::Panel => |place| mount_to(place, || view! { <OpenTool /> }).forget(),
            ToolPlace::Schedule => |place| mount_to(place, || view! { <OwnRows /> }).forget(),
            ToolPlace::Flow => |place| mount_to(place, || view! { <OwnFlow /> }).forget(),
            ToolPlace::FlowSteps => |place| mount_to(place, || view! { <FlowSteps /> }).forget(),
        }
    }

    fn chosen(&self, session: &Session, cycle: Cycle) -> Option<PeId> {
        session.pe_at(cycle)
    }

    fn broken(&self, session: &Session, cycle: Cycle) -> Option<Arc<BrokenMachine>> {
        let plan = &session.plan;
        let Some(defect) = session.tools.defect.and_then(|defect| defect.on(plan).ok()) else {
            RUN.set(None);
            return None;
        };
        let machine = RUN.with_borrow_mut(|run| {
            let same = run.take().filter(|run| run.is_of(plan, defect));
            run.insert(same.unwrap_or_else(|| BrokenRun::new(plan, defect))).at(cycle)
        });
        // A lesson card that asks about the fault does not give its answer away.
        let is_open = use_context::<Ctx>().is_some_and(|ctx| !ctx.view.filter.with(Filter::judges));
        Some(Arc::new(if is_open { machine.unjudged() } else { machine }))
    }

    fn second(&self, session: &Session) -> Option<Arc<Plan>> {
        session.tools.compare.as_ref()?.plan(&session.scenario).ok().map(Arc::new)
    }

    fn channel(&self, session: &Session) -> Option<Layer> {
        stage::channel::layer(session.tools.show)
    }

    fn instead(&self, session: &Session) -> (Option<Instead>, Option<Built>) {
        (stage::drawings::of_tools(&session.tools), session.tools.built)
    }

    fn press_cube(&self, ctx: Ctx, size: Size, at: (f32, f32)) {
        let (cycle, zoom) = (ctx.cycle.get_untracked(), ctx.view.zoom.get_untracked());
        let is_alone = ctx.session().with_untracked(|session| session.tools.picture == Drawing::Cube);
        let hit = ctx.plan.with_untracked(|plan| {
            // A card that asks has a drawing without counts, which is divided in another way.
            let filter = ctx.view.filter.get_untracked();
            let (frame, size) = (Frame { zoom, filter, ..Frame::new(plan, cycle) }, (size.width, size.height));
            if is_alone {
                cube::hit(&frame, size, at).map_or((None, None), |(pe, cycle)| (Some(pe), cycle))
            } else {
                (None, cube::hit_three(&frame, size, at))
            }
        });
        let (pe, cycle) = hit;
        if let Some(cycle) = cycle {
            ctx.dispatch(&Action::Move(Transport::Seek(cycle.get())));
        }
        ctx.dispatch(&Action::Edit(Edit::Select(pe)));
    }

    fn move_built(&self, request: Transport) -> bool {
        workbench::move_built(request)
    }

    fn layers(&self) -> &'static [Layer] {
        &[
            fields::fields,
            broken::draw_queues,
            filter::apply,
            class::class,
            focus::dim,
            marks::marks,
            trace::draw_path,
            layers::lens,
            marks::marks_under_lens,
        ]
    }

    fn caption(&self, plan: &Plan, machine: &BrokenMachine, pe: Option<PeId>) -> Caption {
        caption::broken(plan, machine, pe)
    }

    fn telling(&self, machine: &BrokenMachine) -> Option<PeId> {
        caption::telling_broken_pe(machine)
    }
}
