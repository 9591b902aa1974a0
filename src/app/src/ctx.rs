//! The state of the page: two signals whose write halves nobody else can reach, and what follows from them.

use std::sync::Arc;

use display::picture::Token;
use leptos::prelude::*;
use plain::OrEmpty;
use stage::channel::Scale;
use stage::{Filter, Progress, Zoom};
use studio::defect::BrokenMachine;
use studio::{Action, Changed, Chrome, Edit, Field, Link, Panel, Plan, Playhead, PointedValue, Session, Transport};
use systolic::{Cycle, PeId, Slot};

use crate::part_state::{Parts, Workbench};
use crate::tab::Tab;

/// A text that changes. One type for all of them: each further type of closure in a view costs over a kilobyte.
pub type Text = Arc<dyn Fn() -> String + Send + Sync>;

/// The text that a function gives, now and whenever a signal that it reads has changed.
pub fn text_from<T: OrEmpty>(text: impl Fn() -> T + Send + Sync + 'static) -> Text {
    Arc::new(move || text().or_empty())
}

/// A value that follows; boxed, so that all memos of a type share their code.
pub fn memo<T: PartialEq + Send + Sync + 'static>(value: Box<dyn Fn() -> T + Send + Sync>) -> Memo<T> {
    Memo::new(move |_| value())
}

/// A question of a lesson that was answered, or a task that was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answered {
    /// The card: `wave.3`.
    pub(crate) card: String,
    /// True if the answer is right.
    pub(crate) is_right: bool,
}

/// What every panel gets.
#[derive(Clone, Copy)]
pub struct Ctx {
    session: RwSignal<Session>,
    playhead: RwSignal<Playhead>,
    /// The same for those who read them. Each call of `read_only` makes another, which stays for as long as the page does where no
    /// effect calls it: handlers would fill the memory.
    read: (ReadSignal<Session>, ReadSignal<Playhead>),
    /// How many actions changed what is seen. It changes before anything else does: see [`Ctx::flush_before`].
    n_changes: RwSignal<u32>,
    /// Whether the last action let time pass, or went one cycle on or back: what may be shown as motion.
    is_step: StoredValue<bool>,
    /// The PE under the pointer; it belongs to no link.
    hovered: RwSignal<Option<PeId>>,
    /// The value under the pointer, and the one that was chosen with its PE; nor do these.
    pointed: RwSignal<Option<PointedValue>>,
    pinned: RwSignal<Option<(Option<PeId>, PointedValue)>>,
    /// The tokens of the last frame at rest, to be pointed at.
    pub(crate) tokens: StoredValue<Vec<Token>>,
    /// The width of the stage, which the caption has too.
    pub(crate) width: RwSignal<f32>,
    /// The shapes that the legend has switched off, and the parts that a lesson lights up; nor does this.
    pub(crate) filter: RwSignal<Filter>,
    /// How closely the array is looked at; nor does this.
    pub zoom: RwSignal<Zoom>,
    /// What stands below the caption where the page is small; nor this.
    pub(crate) tab: RwSignal<Tab>,
    /// What the shades on the stage mean and how far its sums have come, as the last frame had them.
    pub drawn: RwSignal<(Option<Scale>, Progress)>,
    /// The run that is shown.
    pub plan: Memo<Arc<Plan>>,
    /// The cycle that is shown.
    pub cycle: Memo<Cycle>,
    /// Whether time passes.
    pub playing: Memo<bool>,
    /// The PE that the caption describes: the one under the pointer, else the chosen one.
    pub focused_pe: Memo<Option<PeId>>,
    /// The class of the accounts that is lit up.
    pub(crate) class: Memo<Option<Slot>>,
    /// What is loaded when it is opened.
    pub(crate) parts: Parts,
    /// The tool that is open beside the array, once it is there.
    pub(crate) panel: Memo<Option<Panel>>,
    /// Whether a lesson stands beside the array.
    pub(crate) learns: Memo<bool>,
    /// The last answer to a lesson, for a host of this page.
    pub(crate) answered: RwSignal<Option<Answered>>,
    /// The run that is shown beside this one.
    pub(crate) second: Memo<Option<Arc<Plan>>>,
    /// The machine with the defect that is set, run once per cycle for all that show it.
    pub(crate) broken: Memo<Option<Arc<BrokenMachine>>>,
}

impl Ctx {
    /// The state that a link describes.
    #[must_use]
    pub fn open(link: &Link) -> Self {
        let (session, playhead) = Session::open(link);
        let (session, playhead) = (RwSignal::new(session), RwSignal::new(playhead));
        let hovered = RwSignal::new(None);
        let plan = memo(Box::new(move || session.with(|session| Arc::clone(&session.plan))));
        let cycle = memo(Box::new(move || playhead.with(|playhead| playhead.cycle)));
        let parts = Parts::new();
        Self {
            session,
            playhead,
            read: (session.read_only(), playhead.read_only()),
            n_changes: RwSignal::new(0),
            is_step: StoredValue::new(false),
            hovered,
            pointed: RwSignal::new(None),
            pinned: RwSignal::new(None),
            tokens: StoredValue::new(Vec::new()),
            width: RwSignal::new(0.0),
            filter: RwSignal::new(Filter::default()),
            zoom: RwSignal::new(Zoom::default()),
            tab: RwSignal::new(Tab::default()),
            drawn: RwSignal::new((None, Progress::Done)),
            plan,
            cycle,
            playing: memo(Box::new(move || playhead.with(|playhead| playhead.playing))),
            focused_pe: memo(Box::new(move || {
                session.with(|session| {
                    let array = session.plan.schedule().array();
                    hovered.get().filter(|&pe| array.contains(pe)).or_else(|| match parts.workbench.get() {
                        // Without something to follow, time changes nothing here.
                        Some(bench) if session.tools.follow.is_some() => bench.chosen(session, cycle.get()),
                        _ => session.view.selected,
                    })
                })
            })),
            class: memo(Box::new(move || session.with(|session| session.tools.class))),
            parts,
            panel: memo(Box::new(move || {
                let open = session.with(|session| session.view.panel);
                open.filter(|_| parts.workbench.with(Option::is_some))
            })),
            learns: memo(Box::new(move || {
                session.with(|session| session.tools.learn.is_some()) && parts.learn.with(Option::is_some)
            })),
            answered: RwSignal::new(None),
            second: memo(Box::new(move || {
                let bench = parts.workbench.get()?;
                session.with(|session| bench.second(session))
            })),
            broken: memo(Box::new(move || {
                let bench = parts.workbench.get()?;
                session.with(|session| bench.broken(session, cycle.get()))
            })),
        }
    }

    /// Everything but time.
    #[must_use]
    pub fn session(&self) -> ReadSignal<Session> {
        self.read.0
    }

    /// Time.
    #[must_use]
    pub fn playhead(&self) -> ReadSignal<Playhead> {
        self.read.1
    }

    /// A text that follows from the session.
    pub fn text<T: OrEmpty>(self, part: impl Fn(&Session) -> T + Send + Sync + 'static) -> Text {
        text_from(move || self.session.with(&part))
    }

    /// A text that follows from the run.
    pub fn text_of_plan<T: OrEmpty>(self, part: impl Fn(&Plan) -> T + Send + Sync + 'static) -> Text {
        text_from(move || self.plan.with(|plan| part(plan)))
    }

    /// A text that follows from the run and the moment.
    pub fn text_of_moment(self, part: impl Fn(&Plan, Cycle) -> String + Send + Sync + 'static) -> Text {
        text_from(move || self.plan.with(|plan| part(plan, self.cycle.get())))
    }

    /// The same, but it does not change while the run plays: for what only hands and screen readers need.
    pub fn text_at_rest(self, part: impl Fn(&Plan, Cycle) -> String + Send + Sync + 'static) -> Text {
        let cycle = move || if self.playing.get() { self.cycle.get_untracked() } else { self.cycle.get() };
        text_from(move || self.plan.with(|plan| part(plan, cycle())))
    }

    /// Whether something holds of the session; what depends on it changes only when the answer does.
    pub fn holds(self, part: impl Fn(&Session) -> bool + Send + Sync + 'static) -> Memo<bool> {
        memo(Box::new(move || self.session.with(&part)))
    }

    /// Whether the page is inside somebody else's.
    #[must_use]
    pub fn embedded(&self) -> bool {
        self.session.with_untracked(|session| session.view.chrome.is_embedded())
    }

    /// Whether the array is shown to a hall.
    pub(crate) fn presents(&self) -> bool {
        self.session.with(|session| session.view.chrome == Chrome::Present)
    }

    /// The same, for who does not follow it.
    pub(crate) fn presents_untracked(&self) -> bool {
        untrack(|| self.presents())
    }

    /// What the tools of the stage add to the array, once they are there.
    pub(crate) fn workbench(&self) -> Option<&'static dyn Workbench> {
        self.parts.workbench.get()
    }

    /// Sets several fields in one step. Where one cannot be used, each is set alone, so that its field shows the problem.
    pub fn set_all(&self, settings: &[(Field, String)]) {
        match self.session.with_untracked(|session| session.settled(settings)) {
            Ok(settled) => self.dispatch(&Action::Edit(Edit::SetAll(Box::new(settled)))),
            Err(_) => {
                for (field, text) in settings {
                    self.dispatch(&Action::Edit(Edit::Set(*field, text.clone())));
                }
            }
        }
    }

    /// Carries out an action.
    pub fn dispatch(&self, action: &Action) {
        // The page may be gone.
        let Some(playhead) = self.playhead.try_get_untracked() else { return };
        let (changed, moved) = match action {
            Action::Edit(edit) => {
                let (session, moved, changed) = self.session.get_untracked().applied(edit, playhead);
                ((changed != Changed::Nothing).then_some(session), moved)
            }
            Action::Move(request) => {
                (None, self.session.with_untracked(|session| playhead.moved(*request, &session.plan)))
            }
            Action::Elapse(seconds) => {
                let later = |session: &Session| playhead.elapsed(*seconds, &session.plan, session.tools.repeats_fold);
                (None, self.session.with_untracked(later))
            }
        };
        // Most frames of a slow run change nothing that is seen, and then nothing is painted.
        if changed.is_some() || moved.differs_visibly(&playhead) {
            self.n_changes.set(self.n_changes.get_untracked().wrapping_add(1));
        }
        let is_one = |request: &Transport| matches!(request, Transport::Forward(1) | Transport::Back(1));
        self.is_step.set_value(match action {
            Action::Move(request) => is_one(request),
            Action::Elapse(_) => true,
            Action::Edit(_) => false,
        });
        if let Some(session) = changed {
            self.session.set(session);
        }
        if moved != playhead {
            self.playhead.set(moved);
        }
    }

    /// Makes the effect that calls this run after every action that changes what is seen, before the texts of the page and the effects that do
    /// not call it.
    ///
    /// What Leptos does for it: an effect is a task; setting a signal wakes the tasks that read it at once, in the order
    /// in which they came to read it; and tasks run in the order in which they were woken, later, when
    /// [`dispatch`](Self::dispatch) has changed everything. `n_changes` is set first, so its readers are woken first. A
    /// test in `tests/page.rs` fails if that ever changes.
    pub fn flush_before(&self) {
        self.n_changes.get();
    }

    /// Whether the change of cycle that is being shown may be shown as motion: a step, or time that passes slowly.
    pub(crate) fn is_motion(&self, rate_max: f64) -> bool {
        self.is_step.try_get_value() == Some(true) && self.is_slow(rate_max)
    }

    /// Whether time stands, or passes slowly.
    pub(crate) fn is_slow(&self, rate_max: f64) -> bool {
        self.playhead.with_untracked(|playhead| {
            !playhead.playing || self.plan.with_untracked(|plan| playhead.speed.cycles_per_sec(plan) <= rate_max)
        })
    }

    /// The value that is pointed at: under the pointer, else the chosen one.
    pub(crate) fn spot(&self) -> Option<PointedValue> {
        self.pointed.get().or_else(|| self.hovered.get().is_none().then(|| self.pinned_spot()).flatten())
    }

    /// The value that was chosen, as long as its PE is.
    pub(crate) fn pinned_spot(&self) -> Option<PointedValue> {
        let (pe, spot) = self.pinned.get()?;
        self.session.with(|session| session.view.selected == pe).then_some(spot)
    }

    /// The value whose way is shown: where none is pointed at, that of the chosen PE.
    pub(crate) fn shown_spot(&self) -> Option<PointedValue> {
        let chosen = || self.session.with(|session| session.view.selected).map(PointedValue::Sum);
        self.spot().or_else(|| self.hovered.get().is_none().then(chosen).flatten())
    }

    /// Chooses the next of the values of the chosen PE, then the PE as such again.
    pub(crate) fn pin_next(&self) {
        let (session, sides) = (self.session.read_untracked(), self.parts.sides.get_untracked());
        let Some((sides, pe)) = sides.zip(session.view.selected) else { return };
        let spots = sides.spots_of(&session.plan, self.cycle.get_untracked(), pe);
        let at = untrack(|| self.pinned_spot()).and_then(|now| spots.iter().position(|spot| *spot == now));
        self.pin(spots.get(at.map_or(0, |at| at + 1)).copied(), Some(pe));
    }

    /// Chooses a value along with its PE, or lets the chosen one go.
    pub(crate) fn pin(&self, spot: Option<PointedValue>, pe: Option<PeId>) {
        self.pinned.set(spot.map(|spot| (pe, spot)));
    }

    /// Notes the value under the pointer.
    pub(crate) fn point(&self, spot: Option<PointedValue>) {
        if self.pointed.try_get_untracked().is_some_and(|now| now != spot) {
            self.pointed.set(spot);
        }
    }

    /// Makes the PE under the pointer the focused one for as long as it is there.
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
