//! The parts of the page that are loaded when they are opened: the tools of the stage, and the questions about models on
//! chips.
//!
//! A part is reached through what it hands over when it is there: functions, of which those that draw get a place of the
//! page to fill. The first module names none of them, so none of their code is in it.

mod estimate;
mod lazy;
mod workbench;

use crate::browser::Place;
use leptos::prelude::*;
use leptos::task::spawn_local;
use studio::{Action, Chrome, Edit, LazyPart, Transport};

pub(crate) use workbench::Workbench;

use crate::browser::{self, keys};
use crate::ctx::Ctx;

/// Draws a part's own view into a place of the page; that is done once.
pub(crate) type Fill = fn(Place);

/// A part that is not there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// It is being fetched.
    Loading(LazyPart),
    /// It did not arrive.
    NotLoaded(LazyPart),
}

/// The parts as the page has them.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    /// The tools of the stage, once they are there.
    pub(crate) workbench: RwSignal<Option<&'static Workbench>>,
    /// What draws the questions about models, once it is there.
    pub(crate) estimate: RwSignal<Option<Fill>>,
    /// The part that somebody opened last, until it is there.
    pub(crate) opening: RwSignal<Option<Opening>>,
    /// What was shown of the array before the questions were.
    array: RwSignal<Chrome>,
}

impl Parts {
    /// None of them is there.
    pub(crate) fn new() -> Self {
        Self {
            workbench: RwSignal::new(None),
            estimate: RwSignal::new(None),
            opening: RwSignal::new(None),
            array: RwSignal::new(Chrome::Full),
        }
    }

    fn has(self, part: LazyPart) -> bool {
        match part {
            LazyPart::Workbench => self.workbench.with_untracked(Option::is_some),
            LazyPart::Estimate => self.estimate.with_untracked(Option::is_some),
        }
    }
}

/// Loads a part where it is not there, and goes to it. Until then, and when it does not arrive, all stays as it is.
pub(crate) fn open(ctx: Ctx, part: LazyPart) {
    let opening = ctx.parts.opening;
    if ctx.parts.has(part) {
        opening.set(None);
        go_to(ctx, part.chrome());
        return;
    }
    opening.set(Some(Opening::Loading(part)));
    spawn_local(async move {
        let arrived = match part {
            LazyPart::Workbench => {
                lazy::workbench().await.map(|tools| ctx.parts.workbench.try_set(Some(tools))).is_ok()
            }
            LazyPart::Estimate => lazy::estimate().await.map(|fill| ctx.parts.estimate.try_set(Some(fill))).is_ok(),
        };
        // Meanwhile somebody may have gone elsewhere, or the page may be gone.
        if opening.try_get_untracked().flatten() != Some(Opening::Loading(part)) {
            return;
        }
        opening.set((!arrived).then_some(Opening::NotLoaded(part)));
        if arrived {
            go_to(ctx, part.chrome());
        }
    });
}

/// Shows the room that a link or a step through the history names. It counts as shown while its part is on the way, so
/// that the address stays.
pub(crate) fn restore(ctx: Ctx, chrome: Chrome) {
    ctx.parts.opening.set(None);
    ctx.dispatch(&Action::Edit(Edit::Room(chrome)));
    if let Some(part) = chrome.part() {
        open(ctx, part);
    }
}

/// Back from the questions to the array, as it was before.
pub(crate) fn leave(ctx: Ctx) {
    go_to(ctx, ctx.parts.array.get_untracked());
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
        },
    );
}

/// Changes the room, and takes the focus along where a person went there.
fn go_to(ctx: Ctx, chrome: Chrome) {
    let before = ctx.session().with_untracked(|session| session.view.chrome);
    if chrome == Chrome::Estimate {
        // An array out of sight rests.
        ctx.dispatch(&Action::Move(Transport::Pause));
        if before != Chrome::Estimate {
            ctx.parts.array.set(before);
        }
    }
    if before == chrome {
        return;
    }
    ctx.dispatch(&Action::Edit(Edit::Room(chrome)));
    let place = match chrome {
        Chrome::Estimate => "estimate",
        Chrome::Workbench if before != Chrome::Estimate => "tools",
        _ => "to-estimate",
    };
    // The place is drawn after this task.
    set_timeout(move || keys::focus(place), core::time::Duration::ZERO);
}
