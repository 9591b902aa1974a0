//! The state of the page: two signals whose write halves nobody else can reach, and what follows from them.

use std::sync::Arc;

use leptos::prelude::*;
use studio::{Action, Chrome, Link, Plan, Playhead, Session};
use systolic::{Cycle, PeId};

/// What every panel gets.
#[derive(Clone, Copy)]
pub struct Ctx {
    session: RwSignal<Session>,
    playhead: RwSignal<Playhead>,
    /// The PE under the pointer; it belongs to no link.
    hovered: RwSignal<Option<PeId>>,
    /// The run that is shown.
    pub plan: Memo<Arc<Plan>>,
    /// The cycle that is shown.
    pub cycle: Memo<Cycle>,
    /// Whether time passes.
    pub playing: Memo<bool>,
    /// The PE that the caption tells about: the one under the pointer, else the chosen one.
    pub told: Memo<Option<PeId>>,
}

impl Ctx {
    /// The state that a link asks for.
    #[must_use]
    pub fn open(link: &Link) -> Self {
        let (session, playhead) = Session::open(link);
        let (session, playhead) = (RwSignal::new(session), RwSignal::new(playhead));
        let hovered = RwSignal::new(None);
        Self {
            session,
            playhead,
            hovered,
            plan: Memo::new(move |_| session.with(|session| Arc::clone(&session.plan))),
            cycle: Memo::new(move |_| playhead.with(|playhead| playhead.cycle)),
            playing: Memo::new(move |_| playhead.with(|playhead| playhead.playing)),
            told: Memo::new(move |_| hovered.get().or_else(|| session.with(|session| session.view.selected))),
        }
    }

    /// Everything but time.
    #[must_use]
    pub fn session(&self) -> ReadSignal<Session> {
        self.session.read_only()
    }

    /// Time.
    #[must_use]
    pub fn playhead(&self) -> ReadSignal<Playhead> {
        self.playhead.read_only()
    }

    /// A part of the session that changes on its own.
    pub fn part<T: PartialEq + Send + Sync + 'static>(self, part: impl Fn(&Session) -> T + Send + Sync + 'static) -> Memo<T> {
        Memo::new(move |_| self.session.with(&part))
    }

    /// Whether the page is inside somebody else's.
    #[must_use]
    pub fn embedded(&self) -> bool {
        self.session.with_untracked(|session| session.view.chrome == Chrome::Embed)
    }

    /// Does what was asked.
    pub fn dispatch(&self, action: &Action) {
        let (Some(session), Some(playhead)) = (self.session.try_get_untracked(), self.playhead.try_get_untracked()) else {
            return;
        };
        let only_time = matches!(action, Action::Move(_) | Action::Elapse(_));
        let (session, moved) = session.applied(action, playhead);
        if !only_time {
            self.session.set(session);
        }
        if moved != playhead {
            self.playhead.set(moved);
        }
    }

    /// Tells about the PE under the pointer for as long as it is there.
    pub fn hover(&self, pe: Option<PeId>) {
        if self.hovered.try_get_untracked().is_some_and(|now| now != pe) {
            self.hovered.set(pe);
        }
    }
}

/// The state of the page.
#[must_use]
pub fn use_ctx() -> Ctx {
    expect_context::<Ctx>()
}
