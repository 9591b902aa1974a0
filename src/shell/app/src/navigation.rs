//! Navigation between the views of the page: opens views, loads their parts on demand, and returns to earlier views.

use leptos::prelude::*;
use leptos::task::spawn_local;
use studio::{Action, Chrome, Edit, Field, LazyPart, LearnPage, Link, Panel, Tool, Transport};
use systolic::Operand;

use crate::browser;
use crate::browser::focus::focus;
use crate::browser::port::Greeting;
use crate::browser::timer::later;
use crate::ctx::Ctx;
use crate::part_state::{FIRST_CARD, Fill, Goal, Opening, Parts, SidePlace, ToolPlace, Worksheets};
use crate::tab::Tab;

/// Clears the loading indicator.
fn no_longer_opening(ctx: Ctx) {
    if ctx.parts.opening.with_untracked(Option::is_some) {
        ctx.parts.opening.set(None);
    }
}

/// Opens a view, and loads its part if needed. The page does not change until the part arrives.
pub(crate) fn open(ctx: Ctx, goal: Goal) {
    let (opening, part) = (ctx.parts.opening, goal.part());
    // A tool opens among the side panels, so a person who asks for a tool asks for the panels too.
    if ctx.parts.are_sides_missing.get_untracked() {
        load_sides(ctx);
    }
    if ctx.parts.has(part) {
        no_longer_opening(ctx);
        show(ctx, goal);
        return;
    }
    let Some(loaders) = ctx.parts.loaders.get_value() else { return };
    opening.set(Some(Opening::Loading(goal)));
    spawn_local(async move {
        let arrived = match ctx.parts.fill(part).zip((loaders.fill)(part)) {
            Some((place, loading)) => loading.await.map(|fill| _ = place.try_set(Some(fill))),
            None => (loaders.workbench)().await.map(|tools| {
                browser::add_stylesheet(tools.style());
                ctx.parts.workbench.try_set(Some(tools));
            }),
        };
        let arrived = arrived.is_some();
        // Meanwhile the person may have opened another view, or the page may be gone.
        if opening.try_get_untracked().flatten() != Some(Opening::Loading(goal)) {
            return;
        }
        opening.set((!arrived).then_some(Opening::NotLoaded(goal)));
        if arrived {
            show(ctx, goal);
        }
    });
}

/// Answers a greeting of the host page. If the part with the answer does not arrive, the page does not answer, and the
/// host sends another greeting.
pub(crate) fn greet(ctx: Ctx, owner: Owner, greeting: Greeting) {
    let Some(loaders) = ctx.parts.loaders.get_value() else { return };
    spawn_local(async move {
        if let Some(sharing) = (loaders.share)().await {
            owner.with(|| (sharing.answer)(ctx, greeting));
        }
    });
}

/// Loads the part that draws presentation mode.
pub(crate) fn load_wall(ctx: Ctx) {
    let Some(loaders) = ctx.parts.loaders.get_value() else { return };
    spawn_local(async move {
        if let Some(sharing) = (loaders.share)().await {
            ctx.parts.wall.try_set(Some(sharing.wall));
        }
    });
}

/// Loads the part that draws worksheets, and passes its function to `then`; `None` if the part does not arrive.
pub(crate) fn with_worksheets(ctx: Ctx, then: impl FnOnce(Option<Worksheets>) + 'static) {
    let Some(loaders) = ctx.parts.loaders.get_value() else { return };
    spawn_local(async move { then((loaders.share)().await.map(|sharing| sharing.worksheet)) });
}

/// Loads the side panels without a request by a person. If they do not arrive, the array works without them.
pub(crate) fn load_sides(ctx: Ctx) {
    let Parts { sides, are_sides_missing, .. } = ctx.parts;
    let Some(loaders) = ctx.parts.loaders.get_value() else { return };
    are_sides_missing.set(false);
    spawn_local(async move {
        match (loaders.sides)().await {
            Some(arrived) => {
                browser::add_stylesheet(arrived.style());
                sides.try_set(Some(arrived));
            }
            None => _ = are_sides_missing.try_set(true),
        }
    });
}

/// Shows the view that a link or an entry of the browser history names. While the part of the view is loading, the
/// session already has this view, so that the address does not change.
pub(crate) fn restore(ctx: Ctx, chrome: Chrome) {
    no_longer_opening(ctx);
    ctx.dispatch(&Action::Edit(Edit::Room(chrome)));
    if chrome.is_estimate() {
        open(ctx, Goal::Estimate);
    } else {
        fetch_tools(ctx);
    }
}

/// Loads the tools if the array view needs them. If a tool's panel is open, chooses the tab of the tools.
pub(crate) fn fetch_array_tools(ctx: Ctx) {
    // Without its panel, nothing on the page would name a built dataflow or move through its cycles.
    let lacks_panel = |session: &studio::Session| {
        let is_shown = session.tools.built.is_some() && session.tools.learn.is_none();
        is_shown && session.view.panel.is_none() && !matches!(session.view.chrome, Chrome::Poster | Chrome::Bare)
    };
    if ctx.session().with_untracked(lacks_panel) {
        ctx.dispatch(&Action::Edit(Edit::Panel(Some(Panel::Build))));
    }
    let needed = |session: &studio::Session| session.view.panel.is_some() || session.tools.need_part();
    if ctx.session().with_untracked(|session| session.view.panel.is_some()) {
        ctx.view.tab.set(Tab::Tools);
    }
    if !ctx.parts.has(LazyPart::Workbench) && ctx.session().with_untracked(needed) {
        open(ctx, Goal::Array);
    }
}

/// Loads the tools that the array view needs, and the lesson that is open.
fn fetch_tools(ctx: Ctx) {
    fetch_array_tools(ctx);
    if ctx.session().with_untracked(|session| session.tools.learn.is_some()) {
        open(ctx, Goal::LessonOfLink);
    }
}

/// Returns from the model estimates to the array view in its earlier state.
pub(crate) fn return_to_array(ctx: Ctx) {
    no_longer_opening(ctx);
    go_to(ctx, ctx.parts.array.get_untracked());
    fetch_tools(ctx);
}

/// Leaves the lesson and keeps its state in the array view.
pub(crate) fn leave_lesson(ctx: Ctx) {
    if ctx.session().with_untracked(|session| session.tools.learn.is_some()) {
        ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Learn, String::new())));
    }
    return_to_array(ctx);
}

/// Returns to the first screen, and keeps the entries of the model estimates.
pub(crate) fn go_home(ctx: Ctx) {
    let texts = ctx.session().with_untracked(|session| session.texts.clone());
    ctx.dispatch(&Action::Edit(Edit::Preset(Box::new(Link { texts, ..Link::default() }))));
    ctx.parts.array.set(Chrome::Full);
    no_longer_opening(ctx);
    go_to(ctx, Chrome::Full);
}

/// Returns the id of a tool's button on the page.
pub(crate) const fn tool_button(panel: Panel) -> &'static str {
    match panel {
        Panel::Pe => "tool-pe",
        Panel::Compare => "tool-compare",
        Panel::Break => "tool-break",
        Panel::Heat => "tool-heat",
        Panel::Folds => "tool-folds",
        Panel::Transcript => "tool-transcript",
        Panel::Build => "tool-build",
        Panel::Pictures => "tool-pictures",
    }
}

/// Closes the open tool, and gives the focus back to its button.
pub(crate) fn close_panel(ctx: Ctx) {
    let Some(open) = ctx.session().with_untracked(|session| session.view.panel) else { return };
    ctx.dispatch(&Action::Edit(Edit::Panel(None)));
    focus(tool_button(open));
}

/// Returns the view to which [`return_to_array`] leads.
pub(crate) fn return_target(ctx: Ctx) -> Chrome {
    ctx.parts.array.get()
}

/// Prefetches a part, because a pointer is near its control. A failure is reported when a person opens the part.
pub(crate) fn prefetch(part: LazyPart) {
    browser::emit("playground:nears", part.id());
}

/// Returns a getter for the drawing function of a side panel. The getter returns `None` until the side panels are
/// loaded.
pub(crate) fn side(ctx: Ctx, place: SidePlace) -> Box<dyn Fn() -> Option<Fill>> {
    Box::new(move || ctx.parts.sides.get().map(|sides| sides.fill(place)))
}

/// Returns a getter for the drawing function of a tool. The getter returns `None` until the tools are loaded.
pub(crate) fn tool(ctx: Ctx, place: ToolPlace) -> Box<dyn Fn() -> Option<Fill>> {
    Box::new(move || ctx.parts.workbench.get().map(|bench| bench.fill(place)))
}

/// Opens the input field of an element of A or B. Does nothing in an embed, or before the side panels are loaded.
pub(crate) fn edit(ctx: Ctx, operand: Operand, row: u64, col: u64) {
    let field = if operand == Operand::A { Field::A } else { Field::B };
    if let Some(sides) = ctx.parts.sides.get_untracked().filter(|_| !ctx.embedded()) {
        sides.edit(ctx, field, (row, col));
    }
}

/// Prefetches the side panels while the first frame is drawn.
pub(crate) fn near_sides() {
    browser::emit("playground:nears", "sides");
}

/// Shows a view whose part is loaded.
fn show(ctx: Ctx, goal: Goal) {
    match goal {
        Goal::Estimate => go_to(ctx, Chrome::Estimate),
        Goal::Panel(panel) => {
            ctx.dispatch(&Action::Edit(Edit::Panel(Some(panel))));
            show_work(ctx);
            ctx.view.tab.set(Tab::Tools);
            // The panel is drawn after this task.
            later(|| focus("panel-title"), core::time::Duration::ZERO);
        }
        Goal::Array | Goal::LessonOfLink => {}
        Goal::Share => ctx.parts.shares.set(true),
        Goal::Ask => ctx.parts.asks.set(true),
        Goal::Learn | Goal::FirstLesson => {
            if ctx.session().with_untracked(|session| session.view.chrome.is_estimate()) {
                go_to(ctx, ctx.parts.array.get_untracked());
            }
            go_to_lesson(
                ctx,
                match goal {
                    Goal::FirstLesson => FIRST_CARD.to_owned(),
                    _ => LearnPage::Contents.to_text(),
                },
            );
        }
    }
}

/// Goes to a cycle at which the open tool shows something, if the tool is empty now. A run that plays goes on.
pub(crate) fn show_work(ctx: Ctx) {
    let cycle = ctx.cycle.get_untracked();
    let telling = ctx.session().with_untracked(|session| session.telling_cycle(cycle));
    if let Some(cycle) = telling.filter(|_| !ctx.playing.get_untracked()) {
        ctx.dispatch(&Action::Move(Transport::Seek(cycle.get())));
    }
}

/// Opens the list of the lessons or a card, adds an entry to the browser history, and moves the focus to the title.
pub(crate) fn go_to_lesson(ctx: Ctx, page: String) {
    // The list hides the array. A hidden array does not play.
    ctx.dispatch(&Action::Move(Transport::Pause));
    ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Learn, page)));
    // The list or the card is drawn after this task.
    later(|| focus("card-title"), core::time::Duration::ZERO);
}

/// Switches to a view, and moves the focus to the model estimates when they open.
fn go_to(ctx: Ctx, chrome: Chrome) {
    let before = ctx.session().with_untracked(|session| session.view.chrome);
    if chrome == Chrome::Estimate {
        // A hidden array does not play.
        ctx.dispatch(&Action::Move(Transport::Pause));
        if !before.is_estimate() {
            ctx.parts.array.set(before);
        }
    }
    // An embed never switches its view, and never takes the focus.
    if before == chrome || ctx.embedded() {
        return;
    }
    ctx.dispatch(&Action::Edit(Edit::Room(chrome)));
    if chrome == Chrome::Estimate {
        // The place is drawn after this task.
        later(|| focus("estimate"), core::time::Duration::ZERO);
    }
}
