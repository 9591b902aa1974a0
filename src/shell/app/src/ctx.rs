//! The state of the page: two signals that only this module can write, and the values derived from them.

use std::sync::Arc;

use display::picture::Token;
use leptos::prelude::*;
use plain::OrEmpty;
use stage::channel::Scale;
use stage::{Filter, Progress, Zoom};
use studio::defect::BrokenMachine;
use studio::{
    Action, Changed, Chrome, Edit, Field, FieldValue, Link, Panel, Plan, Playhead, PointedValue, Session, Transport,
};
use systolic::{Cycle, PeId, Slot};

use crate::browser::measure::Size;
use crate::part_state::{Parts, Workbench};
use crate::tab::Tab;

/// A text that changes with the state of the page. All such texts share one type, because each further closure type in
/// a view adds over a kilobyte of code.
pub type Text = Arc<dyn Fn() -> String + Send + Sync>;

/// Wraps a function as a [`Text`]. When a signal that the function reads has changed, the view calls the function
/// again.
pub fn text_from<T: OrEmpty>(text: impl Fn() -> T + Send + Sync + 'static) -> Text {
    Arc::new(move || text().or_empty())
}

/// Makes a memo. When a signal that `value` reads has changed, the memo computes its value again. The function is
/// boxed, so that all memos of a type share their code.
#[inline]
pub fn memo<T: PartialEq + Send + Sync + 'static>(value: impl Fn() -> T + Send + Sync + 'static) -> Memo<T> {
    fn of<T: PartialEq + Send + Sync + 'static>(value: Box<dyn Fn() -> T + Send + Sync>) -> Memo<T> {
        Memo::new(move |_| value())
    }
    of(Box::new(value))
}

/// Result of a lesson card: a person has answered its question or completed its task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answered {
    /// Name of the card, such as `wave.3`.
    pub(crate) card: String,
    /// True if the answer is right.
    pub(crate) is_right: bool,
}

/// The state of the page and its derived values. Every panel gets a copy.
#[derive(Clone, Copy)]
pub struct Ctx {
    state: State,
    /// The run that is shown.
    pub plan: Memo<Arc<Plan>>,
    /// The cycle that is shown.
    pub cycle: Memo<Cycle>,
    /// True if the run plays.
    pub playing: Memo<bool>,
    /// PE that the caption describes: the PE under the pointer, else the chosen PE.
    pub focused_pe: Memo<Option<PeId>>,
    pointer: Pointer,
    /// Settings of the view that no link contains.
    pub view: View,
    /// Last frame of the array view.
    pub frame: Frame,
    pub(crate) tools: Tools,
    pub(crate) lesson: Lesson,
    /// Parts of the page that are loaded on demand.
    pub(crate) parts: Parts,
}

/// Session and playhead, which only [`Ctx::dispatch`] writes.
#[derive(Clone, Copy)]
struct State {
    session: RwSignal<Session>,
    playhead: RwSignal<Playhead>,
    /// Read-only signals of the session and of the playhead, made once. Each call of `read_only` outside an effect
    /// would make another read-only signal, which would stay in memory as long as the page.
    read: (ReadSignal<Session>, ReadSignal<Playhead>),
    /// Number of actions that changed something visible. This number changes before all other signals: see
    /// [`Ctx::flush_before`].
    n_changes: RwSignal<u32>,
    /// True if the last action let time pass, or moved one cycle forward or back. Only such a change can be shown as
    /// motion.
    is_step: StoredValue<bool>,
}

/// PE and value under the pointer, and the value that a person chose. No link contains them.
#[derive(Clone, Copy)]
struct Pointer {
    /// PE under the pointer.
    pe: RwSignal<Option<PeId>>,
    /// Value under the pointer.
    value: RwSignal<Option<PointedValue>>,
    /// Value that a person chose, with the PE that was chosen at that time.
    pinned: RwSignal<Option<(Option<PeId>, PointedValue)>>,
}

/// Settings of the view that no link contains.
#[derive(Clone, Copy)]
pub struct View {
    /// Zoom of the array view.
    pub zoom: RwSignal<Zoom>,
    /// Shapes that a person has switched off in the legend, and parts of the array that a lesson highlights.
    pub(crate) filter: RwSignal<Filter>,
    /// Tab whose panel is below the caption on a small page.
    pub(crate) tab: RwSignal<Tab>,
    /// True while a person edits A or B next to the array.
    pub(crate) edits: RwSignal<bool>,
    /// True if the last change can be undone.
    pub(crate) can_undo: RwSignal<bool>,
}

/// Last frame of the array view.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Scale of the heat map's shades, and the progress of computing the partial sums.
    pub drawn: RwSignal<(Option<Scale>, Progress)>,
    /// Tokens at which a person can point. The tokens are from the last frame without motion.
    pub(crate) tokens: StoredValue<Vec<Token>>,
    /// Size and place of the array view. The caption has the same width.
    pub(crate) size: RwSignal<Size>,
    /// True if the PEs have signs in place of numbers.
    pub(crate) has_signs: RwSignal<bool>,
}

/// Tools next to the array and below it.
#[derive(Clone, Copy)]
pub(crate) struct Tools {
    /// Tool that is open next to the array, once the tools are loaded.
    pub(crate) panel: Memo<Option<Panel>>,
    /// Class of PE-cycles that is highlighted.
    pub(crate) class: Memo<Option<Slot>>,
    /// Second run of a comparison, once the tools are loaded.
    pub(crate) second: Memo<Option<Arc<Plan>>>,
    /// Array with the chosen fault, simulated once per cycle for all readers.
    pub(crate) broken: Memo<Option<Arc<BrokenMachine>>>,
}

/// The open lesson and its answers.
#[derive(Clone, Copy)]
pub(crate) struct Lesson {
    /// True if a lesson is open and the lessons are loaded.
    pub(crate) is_open: Memo<bool>,
    /// Last answer to a lesson, which is reported to a host page.
    pub(crate) answered: RwSignal<Option<Answered>>,
    /// True while a question asks for PEs. The PEs that a person chooses are then its answer.
    pub(crate) asks_pe: RwSignal<bool>,
    /// Run of the open card before its answer changed settings.
    pub(crate) before: RwSignal<Option<Arc<Plan>>>,
    /// PE that a person chose last as an answer.
    pub(crate) pe_answer: RwSignal<Option<PeId>>,
}

impl Ctx {
    /// Creates the state that a link describes.
    #[must_use]
    pub fn open(link: &Link) -> Self {
        let (session, playhead) = Session::open(link);
        let state = State::new(session, playhead);
        let State { session, playhead, .. } = state;
        let (pointer, parts) = (Pointer::new(), Parts::new());
        let cycle = memo(move || playhead.with(|playhead| playhead.cycle));
        Self {
            state,
            plan: memo(move || session.with(|session| Arc::clone(&session.plan))),
            cycle,
            playing: memo(move || playhead.with(|playhead| playhead.playing)),
            focused_pe: memo(move || {
                session.with(|session| {
                    let array = session.plan.schedule().array();
                    pointer.pe.get().filter(|&pe| array.contains(pe)).or_else(|| match parts.workbench.get() {
                        // Without a followed value, the chosen PE does not depend on time.
                        Some(bench) if session.tools.follow.is_some() => bench.chosen(session, cycle.get()),
                        _ => session.view.selected,
                    })
                })
            }),
            pointer,
            view: View::new(),
            frame: Frame::new(),
            tools: Tools::new(session, cycle, parts),
            lesson: Lesson::new(session, parts),
            parts,
        }
    }

    /// Returns the signal of the session. The session is the state of the page without time.
    #[must_use]
    pub fn session(&self) -> ReadSignal<Session> {
        self.state.read.0
    }

    /// Returns the signal of the playhead. The playhead contains the cycle and the speed, and states whether time
    /// passes.
    #[must_use]
    pub fn playhead(&self) -> ReadSignal<Playhead> {
        self.state.read.1
    }

    /// Returns a text that `part` derives from the session.
    pub fn text<T: OrEmpty>(self, part: impl Fn(&Session) -> T + Send + Sync + 'static) -> Text {
        text_from(move || self.state.session.with(&part))
    }

    /// Returns a text that `part` derives from the run.
    pub fn text_of_plan<T: OrEmpty>(self, part: impl Fn(&Plan) -> T + Send + Sync + 'static) -> Text {
        text_from(move || self.plan.with(|plan| part(plan)))
    }

    /// Returns a text that `part` derives from the run and the cycle.
    pub fn text_of_moment(self, part: impl Fn(&Plan, Cycle) -> String + Send + Sync + 'static) -> Text {
        text_from(move || self.plan.with(|plan| part(plan, self.cycle.get())))
    }

    /// Returns a text that `part` derives from the run and the cycle. The text does not change while the run plays. Use
    /// this function for texts that only keyboards and screen readers need.
    pub fn text_at_rest(self, part: impl Fn(&Plan, Cycle) -> String + Send + Sync + 'static) -> Text {
        let cycle = move || if self.playing.get() { self.cycle.get_untracked() } else { self.cycle.get() };
        text_from(move || self.plan.with(|plan| part(plan, cycle())))
    }

    /// Returns a memo of a condition on the session. Readers of the memo update only if its value changes.
    pub fn holds(self, part: impl Fn(&Session) -> bool + Send + Sync + 'static) -> Memo<bool> {
        memo(move || self.state.session.with(&part))
    }

    /// True if the page is inside another page.
    #[must_use]
    pub fn embedded(&self) -> bool {
        self.state.session.with_untracked(|session| session.view.chrome.is_embedded())
    }

    /// True if the page is in presentation mode.
    pub(crate) fn presents(&self) -> bool {
        self.state.session.with(|session| session.view.chrome == Chrome::Present)
    }

    /// True if the page is in presentation mode. Does not subscribe the caller to the session.
    pub(crate) fn presents_untracked(&self) -> bool {
        untrack(|| self.presents())
    }

    /// Returns the tools of the array view, once they are loaded.
    pub(crate) fn workbench(&self) -> Option<&'static dyn Workbench> {
        self.parts.workbench.get()
    }

    /// Sets several fields in one step. If the run cannot use the values together, sets each field separately, so that
    /// the form shows the problem.
    pub fn set_all(&self, settings: &[(Field, FieldValue)]) {
        match self.state.session.with_untracked(|session| session.settled(settings)) {
            Ok(settled) => self.dispatch(&Action::Edit(Edit::SetAll(Box::new(settled)))),
            Err(_) => {
                for (field, value) in settings {
                    self.dispatch(&Action::Edit(Edit::Set(*field, value.clone())));
                }
            }
        }
    }

    /// Carries out an action.
    pub fn dispatch(&self, action: &Action) {
        // The page may no longer exist.
        let Some(playhead) = self.state.playhead.try_get_untracked() else { return };
        // A built dataflow has its own cycles.
        if let Action::Move(request) = action
            && untrack(|| self.workbench()).is_some_and(|bench| bench.move_built(*request))
        {
            return;
        }
        // An open question gets the PE as its answer.
        if let Action::Edit(Edit::Select(pe @ Some(_))) = action
            && self.lesson.asks_pe.get_untracked()
        {
            return self.lesson.pe_answer.set(*pe);
        }
        let (changed, moved) = match action {
            Action::Edit(edit) => {
                let (session, moved, changed) = self.state.session.get_untracked().applied(edit, playhead);
                ((changed != Changed::Nothing).then_some(session), moved)
            }
            Action::Move(request) => {
                (None, self.state.session.with_untracked(|session| playhead.moved(*request, &session.plan)))
            }
            Action::Elapse(seconds) => {
                let later = |session: &Session| playhead.elapsed(*seconds, &session.plan, session.tools.repeats_fold);
                (None, self.state.session.with_untracked(later))
            }
        };
        // Most frames of a slow run change nothing visible. Then nothing is painted.
        if changed.is_some() || moved.differs_visibly(&playhead) {
            self.state.n_changes.set(self.state.n_changes.get_untracked().wrapping_add(1));
        }
        let is_one = |request: &Transport| matches!(request, Transport::Forward(1) | Transport::Back(1));
        self.state.is_step.set_value(match action {
            Action::Move(request) => is_one(request),
            Action::Elapse(_) => true,
            Action::Edit(_) => false,
        });
        if let Some(session) = changed {
            self.state.session.set(session);
        }
        if moved != playhead {
            self.state.playhead.set(moved);
        }
    }

    /// Makes the calling effect run after every visible change. The effect runs before the texts of the page change,
    /// and before all effects that do not call this function.
    ///
    /// Leptos runs each effect as a task. When a signal is set, the tasks that read the signal wake at once, in the
    /// order of their subscription. Woken tasks run later, in the order of waking, when [`dispatch`](Self::dispatch)
    /// has changed everything. `n_changes` is set first, so its readers are woken first. A test in `tests/page.rs`
    /// fails if this order ever changes.
    pub fn flush_before(&self) {
        self.state.n_changes.get();
    }

    /// True if the current change of the cycle can be shown as motion: the change is a step, and
    /// [`is_slow`](Self::is_slow) is true.
    pub(crate) fn is_motion(&self, rate_max: f64) -> bool {
        self.state.is_step.try_get_value() == Some(true) && self.is_slow(rate_max)
    }

    /// True if time is paused, or passes at no more than `rate_max` cycles per second.
    pub(crate) fn is_slow(&self, rate_max: f64) -> bool {
        self.state.playhead.with_untracked(|playhead| {
            !playhead.playing || self.plan.with_untracked(|plan| playhead.speed.cycles_per_sec(plan) <= rate_max)
        })
    }

    /// Returns the value under the pointer. If no value and no PE is under the pointer, returns the chosen value.
    pub(crate) fn spot(&self) -> Option<PointedValue> {
        self.pointer.value.get().or_else(|| self.pointer.pe.get().is_none().then(|| self.pinned_spot()).flatten())
    }

    /// Returns the chosen value, if its PE is still the chosen PE.
    pub(crate) fn pinned_spot(&self) -> Option<PointedValue> {
        let (pe, spot) = self.pointer.pinned.get()?;
        self.state.session.with(|session| session.view.selected == pe).then_some(spot)
    }

    /// Chooses the next value of the chosen PE. After the last value, no value is chosen.
    pub(crate) fn pin_next(&self) {
        let (session, sides) = (self.state.session.read_untracked(), self.parts.sides.get_untracked());
        let Some((sides, pe)) = sides.zip(session.view.selected) else { return };
        let spots = sides.spots_of(&session.plan, self.cycle.get_untracked(), pe);
        let at = untrack(|| self.pinned_spot()).and_then(|now| spots.iter().position(|spot| *spot == now));
        self.pin(spots.get(at.map_or(0, |at| at + 1)).copied(), Some(pe));
    }

    /// Chooses a value together with its PE. `None` clears the chosen value.
    pub(crate) fn pin(&self, spot: Option<PointedValue>, pe: Option<PeId>) {
        self.pointer.pinned.set(spot.map(|spot| (pe, spot)));
    }

    /// Sets the value under the pointer.
    pub(crate) fn point(&self, spot: Option<PointedValue>) {
        if self.pointer.value.try_get_untracked().is_some_and(|now| now != spot) {
            self.pointer.value.set(spot);
        }
    }

    /// Sets the PE under the pointer, which is the focused PE until the pointer leaves it.
    pub fn hover(&self, pe: Option<PeId>) {
        if self.pointer.pe.try_get_untracked().is_some_and(|now| now != pe) {
            self.pointer.pe.set(pe);
        }
    }
}

impl State {
    fn new(session: Session, playhead: Playhead) -> Self {
        let (session, playhead) = (RwSignal::new(session), RwSignal::new(playhead));
        let read = (session.read_only(), playhead.read_only());
        Self { session, playhead, read, n_changes: RwSignal::new(0), is_step: StoredValue::new(false) }
    }
}

impl Pointer {
    fn new() -> Self {
        Self { pe: RwSignal::new(None), value: RwSignal::new(None), pinned: RwSignal::new(None) }
    }
}

impl View {
    fn new() -> Self {
        Self {
            zoom: RwSignal::new(Zoom::default()),
            filter: RwSignal::new(Filter::default()),
            tab: RwSignal::new(Tab::default()),
            edits: RwSignal::new(false),
            can_undo: RwSignal::new(false),
        }
    }
}

impl Frame {
    fn new() -> Self {
        Self {
            drawn: RwSignal::new((None, Progress::Done)),
            tokens: StoredValue::new(Vec::new()),
            size: RwSignal::new(Size::default()),
            has_signs: RwSignal::new(false),
        }
    }
}

impl Tools {
    fn new(session: RwSignal<Session>, cycle: Memo<Cycle>, parts: Parts) -> Self {
        Self {
            panel: memo(move || {
                let open = session.with(|session| session.view.panel);
                open.filter(|_| parts.workbench.with(Option::is_some))
            }),
            class: memo(move || session.with(|session| session.tools.class)),
            second: memo(move || {
                let bench = parts.workbench.get()?;
                session.with(|session| bench.second(session))
            }),
            broken: memo(move || {
                let bench = parts.workbench.get()?;
                session.with(|session| bench.broken(session, cycle.get()))
            }),
        }
    }
}

impl Lesson {
    fn new(session: RwSignal<Session>, parts: Parts) -> Self {
        Self {
            is_open: memo(move || {
                session.with(|session| session.tools.learn.is_some()) && parts.learn.with(Option::is_some)
            }),
            answered: RwSignal::new(None),
            asks_pe: RwSignal::new(false),
            before: RwSignal::new(None),
            pe_answer: RwSignal::new(None),
        }
    }
}

/// Returns the state of the page from the Leptos context.
#[must_use]
pub fn use_ctx() -> Ctx {
    expect_context::<Ctx>()
}
