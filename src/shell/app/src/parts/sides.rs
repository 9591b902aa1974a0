//! The side panels, as a part that is loaded after the first module: settings, tool buttons, counts, suggestions,
//! examples and glossary. The part also draws the layers over the array view, and the motion of tokens.
//!
//! A person can see the array and play the run without the side panels, so they are not in the first module. The page
//! fetches them while the first module starts.

use display::Picture;
use leptos::prelude::*;
use stage::pointing::{self, Shown};
use stage::{Layer, class, fields, filter, focus, layers, timeline, trace, ways};
use studio::{Field, Plan, PointedValue};
use systolic::{Cycle, PeId, Slot};
use words::caption::Caption;
use words::{when, why};

use crate::browser::motion::{Motion, Now, Passed};
use crate::browser::painter::Painter;
use crate::browser::{crash, measure};
use crate::ctx::{Ctx, use_ctx};
use crate::effects::{greeting, keys, pointer, theme};
use crate::panels::{
    AskButton, AskSlot, CellsOnStage, ExampleBanner, Examples, FoldMap, Glossary, Legend, Live, NextSteps, Notices,
    Offer, PosterPlay, PresentButton, PresentSlot, PrintFoot, Setup, ShareButton, ShareSlot, TableLink, Tabs,
    ToolPanel, ToolRow, WhyLine, edit_element, follow_paste, key_hint, opening_words,
};
use crate::part_state::{Fill, SidePlace, Sides};

/// The side panels.
pub(super) struct SidePanels;

impl Sides for SidePanels {
    fn style(&self) -> &'static str {
        concat!(
            include_str!("../../../../../style/surfaces.css"),
            include_str!("../../../../../style/figures.css"),
            include_str!("../../../../../style/rail.css"),
            include_str!("../../../../../style/drawer.css"),
            include_str!("../../../../../style/projector.css"),
            include_str!("../../../../../style/present.css"),
            include_str!("../../../../../style/print.css"),
        )
    }

    fn start(&self, ctx: Ctx) {
        greeting::listen(ctx);
        crash::drill();
        measure::follow_ratio();
        theme::follow_face();
        keys::follow_escape(ctx);
        keys::follow_ask(ctx);
        pointer::follow_timeline(ctx);
        pointer::follow_drawing(ctx);
        follow_paste(ctx);
    }

    fn fill(&self, place: SidePlace) -> Fill {
        match place {
            SidePlace::Notices => |place| mount_to(place, || view! { <Notices /> }).forget(),
            SidePlace::Legend => |place| {
                let table = || (!use_ctx().embedded()).then(|| view! { <TableLink /> });
                mount_to(place, move || view! { {table()} <Legend /> <WhyLine /> <PresentSlot /> <PrintFoot /> })
                    .forget();
            },
            SidePlace::Setup => |place| mount_to(place, || view! { <Setup /> }).forget(),
            SidePlace::Tabs => |place| mount_to(place, || view! { <Tabs /> }).forget(),
            SidePlace::ToolRow => |place| mount_to(place, || view! { <ToolRow /> }).forget(),
            SidePlace::ToolPanel => |place| mount_to(place, || view! { <ToolPanel /> }).forget(),
            SidePlace::Live => |place| mount_to(place, || view! { <Live /> }).forget(),
            SidePlace::NextSteps => |place| {
                opening_words(&place);
                key_hint(&place);
                let offer = || (!use_ctx().embedded()).then(|| view! { <Offer id="offer-line" /> });
                mount_to(place, move || view! { <NextSteps /> <PosterPlay /> {offer()} }).forget();
            },
            SidePlace::Cells => |place| mount_to(place, || view! { <CellsOnStage /> }).forget(),
            SidePlace::FoldMap => |place| mount_to(place, || view! { <FoldMap /> }).forget(),
            SidePlace::Examples => |place| {
                let buttons = || view! { <Examples /> <ShareButton /> <PresentButton /> };
                mount_to(place, move || view! { <AskButton id="to-search" /> <Offer id="offer" /> {buttons()} })
                    .forget();
            },
            SidePlace::Banner => {
                |place| mount_to(place, || view! { <ExampleBanner /> <ShareSlot /> <AskSlot /> }).forget()
            }
            SidePlace::Glossary => |place| mount_to(place, || view! { <Glossary /> }).forget(),
        }
    }

    fn spot_at(&self, shown: &Shown<'_>, at: (f32, f32)) -> Option<PointedValue> {
        pointing::spot_at(shown, at)
    }

    fn spots_of(&self, plan: &Plan, cycle: Cycle, pe: PeId) -> Vec<PointedValue> {
        PointedValue::all_of(plan, cycle, pe)
    }

    fn why(&self, plan: &Plan, cycle: Cycle, spot: PointedValue, letters: usize) -> Option<Caption> {
        why::caption(plan, cycle, spot, letters)
    }

    fn when(&self, plan: &Plan, cycle: Cycle, pe: PeId) -> Option<String> {
        when::cycle_as_sum(plan, cycle, pe)
    }

    fn edit(&self, ctx: Ctx, field: Field, at: (u64, u64)) {
        edit_element(ctx, field, at);
    }

    fn layers(&self) -> &'static [Layer] {
        &[fields::fields, filter::apply, class::class, focus::dim, ways::draw_ways, trace::draw_path, layers::lens]
    }

    fn wall(&self) -> Layer {
        stage::states::draw
    }

    fn pass(&self, motion: &mut Motion, now: Now<'_>, picture: &mut Picture, painter: &mut Painter) -> Passed {
        motion.pass(now, picture, painter)
    }

    fn looks_same(&self, plan: &Plan, cycles: (Cycle, Cycle), width: f32, height: f32) -> bool {
        timeline::looks_same(plan, cycles, width, height)
    }

    fn light(&self, plan: &Plan, slot: Slot, width: f32, height: f32, picture: &mut Picture) {
        timeline::light(plan, slot, width, height, picture);
    }
}
