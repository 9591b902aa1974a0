//! The five parts of the page besides its first module, each loaded when it is needed.
//!
//! - The side panels (settings, counts, examples, glossary) are fetched while the first module starts.
//! - The tools of the array (`tool=compare` and others) are loaded when a person opens a tool. One tool is open at a
//!   time.
//! - The estimate (`ui=desk`) and the lessons (`learn=wave.3`) are loaded when a person opens them.
//! - Sharing is loaded when a person opens it, or when a host greets.
//!
//! A part hands over a table of functions, and the page reaches the part only through this table. A function that draws
//! fills a place that the page keeps for it. The first module names no function of a part, so it contains none of their
//! code. A part brings its style sheet (`browser::wear`), so that the first load has only the styles of the first
//! screen.
//!
//! If a part does not arrive, the page reports it next to the control that the person used, and the person can try
//! again. A pointer over this control already fetches the part.
//!
//! `cargo xtask build` cuts the linked module. It refuses a first module with a function of `workload` or `lesson`.
//! Tests and `trunk serve` run the module whole. Only `lazy.rs` contains the difference.

mod estimate;
mod host;
mod lazy;
mod learn;
mod share;
mod sides;
mod workbench;

use crate::browser::Place;
use crate::browser::timer::later;
use leptos::prelude::*;
use leptos::task::spawn_local;
use studio::{Action, Chrome, Edit, Field, LazyPart, Link, Panel, Tool, Transport};
use systolic::Operand;

pub(crate) use lazy::ask_for_text;
pub(crate) use share::Sharing;
pub(crate) use sides::Sides;
pub(crate) use workbench::Workbench;

use crate::browser::host::Greeting;
use crate::browser::{self, keys};
use crate::ctx::Ctx;
use crate::panels::tools;
use crate::tab::Tab;

/// Draws a part's own view into a place of the page; that is done once.
pub(crate) type Fill = fn(Place);

/// Where the first lesson begins.
pub(crate) const FIRST_CARD: &str = "wave.1";

/// What a person or a link wants of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The questions about models on chips.
    Estimate,
    /// A tool beside the array.
    Panel(Panel),
    /// What the tools that are set show on the array.
    Array,
    /// The lesson that was open last, or the first one.
    Learn,
    /// Links, code and files for others.
    Share,
}

impl Goal {
    /// The part that has it.
    pub(crate) const fn part(self) -> LazyPart {
        match self {
            Self::Estimate => LazyPart::Estimate,
            Self::Panel(_) | Self::Array => LazyPart::Workbench,
            Self::Learn => LazyPart::Learn,
            Self::Share => LazyPart::Share,
        }
    }
}

/// A part that is not there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// It is being fetched.
    Loading(Goal),
    /// It did not arrive.
    NotLoaded(Goal),
}

/// The parts as the page has them.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    /// What stands around the stage, once it is there.
    pub(crate) sides: RwSignal<Option<&'static Sides>>,
    /// Whether that did not arrive.
    pub(crate) are_sides_missing: RwSignal<bool>,
    /// The tools of the stage, once they are there.
    pub(crate) workbench: RwSignal<Option<&'static Workbench>>,
    /// What draws the questions about models, once it is there.
    pub(crate) estimate: RwSignal<Option<Fill>>,
    /// What draws the lessons, once it is there.
    pub(crate) learn: RwSignal<Option<Fill>>,
    /// What draws the dialog of links and files, once it is there.
    pub(crate) share: RwSignal<Option<Fill>>,
    /// Whether that dialog is open.
    pub(crate) shares: RwSignal<bool>,
    /// The card that was open last.
    card: StoredValue<String>,
    /// The part that somebody opened last, until it is there.
    pub(crate) opening: RwSignal<Option<Opening>>,
    /// What was shown of the array before the questions were.
    array: RwSignal<Chrome>,
}

impl Parts {
    /// None of them is there.
    pub(crate) fn new() -> Self {
        Self {
            sides: RwSignal::new(None),
            are_sides_missing: RwSignal::new(false),
            workbench: RwSignal::new(None),
            estimate: RwSignal::new(None),
            learn: RwSignal::new(None),
            share: RwSignal::new(None),
            shares: RwSignal::new(false),
            card: StoredValue::new(FIRST_CARD.to_owned()),
            opening: RwSignal::new(None),
            array: RwSignal::new(Chrome::Full),
        }
    }

    fn has(self, part: LazyPart) -> bool {
        match part {
            LazyPart::Workbench => self.workbench.with_untracked(Option::is_some),
            LazyPart::Estimate => self.estimate.with_untracked(Option::is_some),
            LazyPart::Learn => self.learn.with_untracked(Option::is_some),
            LazyPart::Share => self.share.with_untracked(Option::is_some),
        }
    }
}

/// Nothing is on its way any more that somebody waits for.
fn no_longer_opening(ctx: Ctx) {
    if ctx.parts.opening.with_untracked(Option::is_some) {
        ctx.parts.opening.set(None);
    }
}

/// Loads a part where it is not there, and shows what is wanted of it. Until then, and when it does not arrive, all stays
/// as it is.
pub(crate) fn open(ctx: Ctx, goal: Goal) {
    let (opening, part) = (ctx.parts.opening, goal.part());
    // A tool stands among the sides; whoever asks for one part tries for all.
    if ctx.parts.are_sides_missing.get_untracked() {
        load_sides(ctx);
    }
    if ctx.parts.has(part) {
        no_longer_opening(ctx);
        show(ctx, goal);
        return;
    }
    opening.set(Some(Opening::Loading(goal)));
    spawn_local(async move {
        let arrived = match part {
            LazyPart::Workbench => {
                let arrived = lazy::workbench().await;
                arrived
                    .map(|tools| {
                        browser::wear(tools.style);
                        ctx.parts.workbench.try_set(Some(tools));
                    })
                    .is_ok()
            }
            LazyPart::Estimate => lazy::estimate().await.map(|fill| ctx.parts.estimate.try_set(Some(fill))).is_ok(),
            LazyPart::Learn => lazy::learn().await.map(|fill| ctx.parts.learn.try_set(Some(fill))).is_ok(),
            LazyPart::Share => lazy::share().await.map(|sharing| ctx.parts.share.try_set(Some(sharing.dialog))).is_ok(),
        };
        // Meanwhile somebody may have gone elsewhere, or the page may be gone.
        if opening.try_get_untracked().flatten() != Some(Opening::Loading(goal)) {
            return;
        }
        opening.set((!arrived).then_some(Opening::NotLoaded(goal)));
        if arrived {
            show(ctx, goal);
        }
    });
}

/// Answers the greeting of the page around this one. Where the part does not arrive nothing is said: the host greets again.
pub(crate) fn greet(ctx: Ctx, owner: Owner, greeting: Greeting) {
    spawn_local(async move {
        if let Ok(sharing) = lazy::share().await {
            owner.with(|| (sharing.answer)(ctx, greeting));
        }
    });
}

/// Loads what stands around the stage, which needs no opening. When it does not arrive, the array goes on without it.
pub(crate) fn load_sides(ctx: Ctx) {
    let Parts { sides, are_sides_missing, .. } = ctx.parts;
    are_sides_missing.set(false);
    spawn_local(async move {
        match lazy::sides().await {
            Ok(arrived) => {
                browser::wear(arrived.style);
                sides.try_set(Some(arrived));
            }
            Err(_) => _ = are_sides_missing.try_set(true),
        }
    });
}

/// Shows the room that a link or a step through the history names. It counts as shown while its part is on the way, so
/// that the address stays.
pub(crate) fn restore(ctx: Ctx, chrome: Chrome) {
    no_longer_opening(ctx);
    ctx.dispatch(&Action::Edit(Edit::Room(chrome)));
    if chrome.is_estimate() {
        open(ctx, Goal::Estimate);
    } else {
        fetch_tools(ctx);
    }
}

/// Loads the tools where the array shows something of them.
pub(crate) fn fetch_array_tools(ctx: Ctx) {
    let needed = |session: &studio::Session| session.view.panel.is_some() || session.tools.need_part();
    if ctx.session().with_untracked(|session| session.view.panel.is_some()) {
        ctx.tab.set(Tab::Tools);
    }
    if !ctx.parts.has(LazyPart::Workbench) && ctx.session().with_untracked(needed) {
        open(ctx, Goal::Array);
    }
}

/// The same, and the lesson that is open.
fn fetch_tools(ctx: Ctx) {
    fetch_array_tools(ctx);
    if ctx.session().with_untracked(|session| session.tools.learn.is_some()) {
        open(ctx, Goal::Learn);
    }
}

/// Back from the questions to the array, as it was before.
pub(crate) fn leave(ctx: Ctx) {
    no_longer_opening(ctx);
    go_to(ctx, ctx.parts.array.get_untracked());
    fetch_tools(ctx);
}

/// To the array alone, as the lesson shows it.
pub(crate) fn explore(ctx: Ctx) {
    let card = ctx.session().with_untracked(|session| session.tools.text(Tool::Learn));
    if !card.is_empty() {
        ctx.parts.card.set_value(card);
        ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Learn, String::new())));
    }
    leave(ctx);
}

/// To the first screen, with the questions about models as they are.
pub(crate) fn go_home(ctx: Ctx) {
    let texts = ctx.session().with_untracked(|session| session.texts.clone());
    ctx.dispatch(&Action::Edit(Edit::Preset(Box::new(Link { texts, ..Link::default() }))));
    ctx.parts.array.set(Chrome::Full);
    no_longer_opening(ctx);
    go_to(ctx, Chrome::Full);
}

/// Closes the tool that is open, and gives the focus back to its button.
pub(crate) fn close_panel(ctx: Ctx) {
    let Some(open) = ctx.session().with_untracked(|session| session.view.panel) else { return };
    ctx.dispatch(&Action::Edit(Edit::Panel(None)));
    keys::focus(tools::button(open));
}

/// Where [`leave`] leads.
pub(crate) fn left_to(ctx: Ctx) -> Chrome {
    ctx.parts.array.get()
}

/// Somebody comes near a link to a part: it is fetched ahead. That it does not arrive is said when it is opened.
pub(crate) fn near(part: LazyPart) {
    browser::emit(
        "playground:nears",
        match part {
            LazyPart::Workbench => "workbench",
            LazyPart::Estimate => "estimate",
            LazyPart::Learn => "learn",
            LazyPart::Share => "share",
        },
    );
}

/// What fills a place with one of the sides, once they are there.
pub(crate) fn side(ctx: Ctx, of: fn(&'static Sides) -> Fill) -> Box<dyn Fn() -> Option<Fill>> {
    Box::new(move || ctx.parts.sides.get().map(of))
}

/// Opens the field of an element of A or B, where the page has fields.
pub(crate) fn edit(ctx: Ctx, operand: Operand, row: u64, col: u64) {
    let field = if operand == Operand::A { Field::A } else { Field::B };
    if let Some(sides) = ctx.parts.sides.get_untracked().filter(|_| !ctx.embedded()) {
        (sides.edit)(ctx, field, (row, col));
    }
}

/// The array is drawn next: its sides are fetched meanwhile.
pub(crate) fn near_sides() {
    browser::emit("playground:nears", "sides");
}

fn show(ctx: Ctx, goal: Goal) {
    match goal {
        Goal::Estimate => go_to(ctx, Chrome::Estimate),
        Goal::Panel(panel) => {
            ctx.dispatch(&Action::Edit(Edit::Panel(Some(panel))));
            ctx.tab.set(Tab::Tools);
            // The panel is drawn after this task.
            later(|| keys::focus("panel-title"), core::time::Duration::ZERO);
        }
        Goal::Array => {}
        Goal::Share => ctx.parts.shares.set(true),
        Goal::Learn => {
            if ctx.session().with_untracked(|session| session.view.chrome.is_estimate()) {
                go_to(ctx, ctx.parts.array.get_untracked());
            }
            if ctx.session().with_untracked(|session| session.tools.learn.is_none()) {
                ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Learn, ctx.parts.card.get_value())));
                // The card is drawn after this task.
                later(|| keys::focus("card-title"), core::time::Duration::ZERO);
            }
        }
    }
}

/// Changes the room, and takes the focus along where a person went there.
fn go_to(ctx: Ctx, chrome: Chrome) {
    let before = ctx.session().with_untracked(|session| session.view.chrome);
    if chrome == Chrome::Estimate {
        // An array out of sight rests.
        ctx.dispatch(&Action::Move(Transport::Pause));
        if !before.is_estimate() {
            ctx.parts.array.set(before);
        }
    }
    // An embed stays what it is, and never takes the focus.
    if before == chrome || ctx.embedded() {
        return;
    }
    ctx.dispatch(&Action::Edit(Edit::Room(chrome)));
    if chrome == Chrome::Estimate {
        // The place is drawn after this task.
        later(|| keys::focus("estimate"), core::time::Duration::ZERO);
    }
}
