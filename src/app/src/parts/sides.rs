//! What stands around the stage, as a part: the settings, the tools' buttons, what is counted, what to try next, the
//! examples and the glossary; and what is drawn over the array and moves on it.
//!
//! The array can be seen and played without it, so it is not in the first module; it is fetched while that one starts, and
//! is there a moment later.

use display::Picture;
use leptos::prelude::*;
use stage::pointing::{self, Shown};
use stage::{Layer, class, fields, filter, focus, layers, timeline, trace};
use studio::{Field, Plan, Spot};
use systolic::{Cycle, PeId, Slot};
use words::caption::Caption;
use words::why;

use super::Fill;
use crate::browser::motion::{Motion, Pass};
use crate::browser::{crash, host, measure};
use crate::ctx::{Ctx, use_ctx};
use crate::panels::{
    ExampleBanner, Examples, FoldMap, Glossary, Legend, Live, NextSteps, Notices, Offer, PosterPlay, Present,
    PresentButton, PrintFoot, Setup, ShareButton, ShareSlot, Tabs, ToolPanel, ToolRow, WhyLine, edit_element, key_hint,
    opening_words,
};

/// What the sides add to the array, each for its place.
pub(crate) struct Sides {
    /// Its style sheet.
    pub(crate) style: &'static str,
    /// Draws what a link said that could not be used.
    pub(crate) notices: Fill,
    /// Draws the line of shapes, and the headline on one line.
    pub(crate) legend: Fill,
    /// Draws the settings.
    pub(crate) setup: Fill,
    /// Draws the tabs of a small page.
    pub(crate) tabs: Fill,
    /// Draws the buttons of the tools.
    pub(crate) tool_row: Fill,
    /// Draws the place of the tool that is open.
    pub(crate) tool_panel: Fill,
    /// Draws what is counted of the run.
    pub(crate) live: Fill,
    /// Draws what to try next, and opens the words of the caption above it.
    pub(crate) next_steps: Fill,
    /// Draws the map of the folds.
    pub(crate) fold_map: Fill,
    /// Draws the cards of the examples.
    pub(crate) examples: Fill,
    /// Draws what an example shows, over the array.
    pub(crate) banner: Fill,
    /// Draws the words of the field.
    pub(crate) glossary: Fill,
    /// The value at a point of the stage.
    pub(crate) spot_at: fn(&Shown<'_>, (f32, f32)) -> Option<Spot>,
    /// What can be pointed at in a PE.
    pub(crate) spots_of: fn(&Plan, Cycle, PeId) -> Vec<Spot>,
    /// A value with its terms, for a caption of this number of letters.
    pub(crate) why: fn(&Plan, Cycle, Spot, usize) -> Option<Caption>,
    /// Opens the field of an element of A or B, by its row and column.
    pub(crate) edit: fn(Ctx, Field, (u64, u64)),
    /// What is drawn over the PEs.
    pub(crate) layers: &'static [Layer],
    /// Shows tokens on their way.
    pub(crate) pass: Pass,
    /// Whether the strip looks the same at two cycles.
    pub(crate) looks_same: fn(&Plan, (Cycle, Cycle), f32, f32) -> bool,
    /// Lights a class up on the strip.
    pub(crate) light: fn(&Plan, Slot, f32, f32, &mut Picture),
}

/// All of it.
pub(super) static SIDES: Sides = Sides {
    style: concat!(
        include_str!("../../../../style/surfaces.css"),
        include_str!("../../../../style/figures.css"),
        include_str!("../../../../style/rail.css"),
        include_str!("../../../../style/drawer.css"),
        include_str!("../../../../style/projector.css"),
        include_str!("../../../../style/present.css"),
        include_str!("../../../../style/print.css"),
    ),
    notices: |place| {
        host::listen(use_ctx());
        crash::drill();
        measure::follow_ratio();
        mount_to(place, || view! { <Notices /> }).forget();
    },
    legend: |place| mount_to(place, || view! { <Legend /> <WhyLine /> <Present /> <PrintFoot /> }).forget(),
    setup: |place| mount_to(place, || view! { <Setup /> }).forget(),
    tabs: |place| mount_to(place, || view! { <Tabs /> }).forget(),
    tool_row: |place| mount_to(place, || view! { <ToolRow /> }).forget(),
    tool_panel: |place| mount_to(place, || view! { <ToolPanel /> }).forget(),
    live: |place| mount_to(place, || view! { <Live /> }).forget(),
    next_steps: |place| {
        opening_words(&place);
        key_hint(&place);
        let offer = || (!use_ctx().embedded()).then(|| view! { <Offer id="offer-line" /> });
        mount_to(place, move || view! { <NextSteps /> <PosterPlay /> {offer()} }).forget();
    },
    fold_map: |place| mount_to(place, || view! { <FoldMap /> }).forget(),
    examples: |place| {
        mount_to(place, || view! { <Offer id="offer" /> <Examples /> <ShareButton /> <PresentButton /> }).forget();
    },
    banner: |place| mount_to(place, || view! { <ExampleBanner /> <ShareSlot /> }).forget(),
    glossary: |place| mount_to(place, || view! { <Glossary /> }).forget(),
    spot_at: pointing::spot_at,
    spots_of: Spot::all_of,
    why: why::caption,
    edit: edit_element,
    layers: &[fields::fields, filter::apply, class::class, focus::dim, trace::way, layers::lens],
    pass: Motion::pass,
    looks_same: timeline::looks_same,
    light: timeline::light,
};
