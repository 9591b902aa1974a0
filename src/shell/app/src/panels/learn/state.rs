//! The state of the lessons while the page is open: the card, the locked answers, and the answer that a person is
//! giving.
//!
//! - A card has no separate array view. The card sets the state of the page's array view in the same way as a link, and
//!   highlights parts (`stage/src/focus.rs`). The card compares states to detect that a person changed something.
//! - A link with `learn=` opens the state of the card. A link with `learn=challenges-first.1.result` keeps its own
//!   state if this state differs from the card only in settings that the task offers. The page then checks the solution
//!   again.
//! - The page keeps locked answers as long as it is open. Within a lesson, each entry of the browser history is a card.

mod locking;

use plain::OrEmpty;
use std::sync::Arc;

use leptos::prelude::*;
use lesson::course::{self, Entry};
use lesson::evaluate::plan_with;
use lesson::moved;
use lesson::{Answer, Card, Help, Judged, Kind, Lesson, LessonPlace, Lit, Verdict};
use studio::{Action, Drawing, Edit, LearnPage, Link, Plan, Tools};
use systolic::Cycle;

use super::again::Decks;
use super::progress::Progress;
use super::texts::{Arrival, Texts};
use crate::browser::timer::later;
use crate::ctx::{Answered, Ctx, memo};
use crate::effects::lesson as effects;
use crate::navigation;

/// An open lesson card.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Open {
    /// Lesson of the card.
    pub(super) lesson: Arc<Lesson>,
    /// Number of the card in its lesson, counted from 1.
    pub(super) number: usize,
    /// Version of the card; 0 for the card as written.
    pub(super) version: u32,
}

impl Open {
    /// Opens a card in its version. `None` if the lesson has no such card, or the card no such version.
    fn new(lesson: Arc<Lesson>, place: &LessonPlace) -> Option<Self> {
        let LessonPlace { card: number, version, .. } = *place;
        let card = lesson.card(number)?;
        let lesson = match version {
            0 => lesson,
            _ => {
                // A version of a test also has the cards whose numbers do not vary.
                let card = card.version(place, version).or_else(|| lesson.is_test.then(|| card.clone()))?;
                let cards = lesson
                    .cards
                    .iter()
                    .zip(1..)
                    .map(|(one, nth)| if nth == number { card.clone() } else { one.clone() });
                Arc::new(Lesson { cards: cards.collect(), ..(*lesson).clone() })
            }
        };
        Some(Self { lesson, number, version })
    }

    pub(super) fn card(&self) -> Option<&Card> {
        self.lesson.card(self.number)
    }

    /// Returns the place of the open card.
    pub(super) fn place_now(&self) -> LessonPlace {
        LessonPlace { version: self.version, ..self.place(self.number) }
    }

    /// Returns the place of the card with this number, in the version of the open card if the lesson is a test.
    pub(super) fn place(&self, card: usize) -> LessonPlace {
        let version = if self.lesson.is_test { self.version } else { 0 };
        LessonPlace { lesson: self.lesson.id.clone(), card, version, is_result: false }
    }
}

/// Content of the learn part.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shown {
    /// List of all lessons, challenges and claims, in place of the array view.
    Contents,
    /// Lesson card that is open.
    Card(Open),
    /// Id of a lesson that is loading or did not arrive.
    Waiting(String),
    /// Name in a link, if no card has this name.
    Nothing(LessonPlace),
}

/// Solution of a task that a link contains.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SharedSolution {
    /// Run that the solution consists of.
    Run(Arc<Plan>),
    /// Solution that changes settings that the task does not offer.
    TooMuch,
}

/// State of the lessons on the page.
#[derive(Clone, Copy)]
pub(super) struct State {
    ctx: Ctx,
    /// Lessons that were requested.
    pub(super) texts: Texts,
    /// Cards that were answered or read.
    pub(super) progress: Progress,
    /// Cards to do again.
    pub(super) decks: Decks,
    /// Help that the open card gives, and the help that the next card gives.
    pub(super) help: RwSignal<Help>,
    pub(super) next_help: StoredValue<Help>,
    /// Name of the card in the link, such as `wave.3`.
    pub(super) place: Memo<Option<String>>,
    /// Content that the link names: the list, a card, or the message in its place.
    pub(super) shown: Memo<Option<Shown>>,
    /// Open card, if the card in the link exists and is loaded.
    pub(super) open: Memo<Option<Open>>,
    /// Answer that a person is giving and has not locked.
    pub(super) draft: RwSignal<Option<Answer>>,
    /// Text that a person typed for the answer, before and after locking the answer.
    pub(super) typed: RwSignal<String>,
    /// Locked answer to the open card.
    pub(super) locked: Memo<Option<Locked>>,
    /// First answer to the open card, if it was wrong. A person then has a second try.
    pub(super) tried: RwSignal<Option<Locked>>,
    /// Solution that the link contains.
    pub(super) sent: RwSignal<Option<SharedSolution>>,
    /// Cycle to which the run plays to show the answer.
    pub(super) reveal: RwSignal<Option<Cycle>>,
    /// True if the question is answered or the goal is met.
    pub(super) is_done: Memo<bool>,
    /// True if the array view has left the state that the card sets. For a card with a task, true if the task does not
    /// allow the state.
    pub(super) is_touched: Memo<bool>,
    /// Card that was opened last.
    last: RwSignal<Option<String>>,
    /// All locked answers.
    answers: RwSignal<Vec<Locked>>,
}

/// An answer that a person locked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Locked {
    /// Name of the card, such as `wave.3`.
    place: String,
    answer: Answer,
    /// Verdict on the answer.
    pub(super) judged: Judged,
    typed: String,
}

/// Maximum number of cycles that the page plays to reach an answer. If the answer is farther away, the page jumps to
/// the cycle that shows the answer.
const RUN_MAX: u64 = 12;

impl State {
    pub(super) fn new(ctx: Ctx) -> Self {
        let of_place = move |get: fn(&LessonPlace) -> String| {
            let card = move |page: &LearnPage| page.card().map(|place| get(&moved::today(place)));
            memo(move || ctx.session().with(|session| session.tools.learn.as_ref().and_then(card)))
        };
        let place = of_place(LessonPlace::version_text);
        let wanted = of_place(|place| place.lesson.clone());
        let texts = Texts::new(wanted, effects::keep_focus_on_card);
        let shown = memo(move || {
            let place = match ctx.session().with(|session| session.tools.learn.clone())? {
                LearnPage::Contents => return Some(Shown::Contents),
                LearnPage::Card(place) => moved::today(&place),
            };
            Some(match texts.get(&place.lesson) {
                Some(Arrival::There(lesson)) => Open::new(lesson, &place).map_or(Shown::Nothing(place), Shown::Card),
                Some(Arrival::Awaited | Arrival::Missing) => Shown::Waiting(place.lesson),
                None => Shown::Nothing(place),
            })
        });
        let open = memo(move || match shown.get() {
            Some(Shown::Card(open)) => Some(open),
            _ => None,
        });
        let answers = RwSignal::new(Vec::<Locked>::new());
        let locked = memo(move || {
            let place = place.get()?;
            answers.with(|all| all.iter().find(|one| one.place == place).cloned())
        });
        let reveal = RwSignal::new(None);
        let is_done = memo(move || {
            open.with(|open| match open.as_ref().and_then(Open::card) {
                Some(card) => match &card.change {
                    Some(_) => ctx.plan.with(|plan| card.is_solved_by(plan, &tools(ctx))),
                    None => locked.with(Option::is_some) && reveal.get().is_none(),
                },
                None => true,
            })
        });
        let is_touched = memo(move || {
            let (is_locked, runs) = (locked.with(Option::is_some), reveal.get().is_some());
            open.with(|open| {
                let card = open.as_ref().and_then(Open::card).filter(|_| !runs);
                card.is_some_and(|card| {
                    ctx.plan.with(|plan| match &card.change {
                        Some(_) => !card.offers(plan, &tools(ctx)),
                        None => !is_as_wanted(card, is_locked, plan, ctx.cycle.get()),
                    })
                })
            })
        });
        let state = Self {
            ctx,
            texts,
            progress: Progress::new(ctx.embedded()),
            decks: Decks::new(ctx.embedded()),
            help: RwSignal::new(Help::Alone),
            next_help: StoredValue::new(Help::Alone),
            place,
            shown,
            open,
            draft: RwSignal::new(None),
            typed: RwSignal::new(String::new()),
            locked,
            tried: RwSignal::new(None),
            sent: RwSignal::new(None),
            reveal,
            is_done,
            is_touched,
            last: RwSignal::new(None),
            answers,
        };
        on_cleanup(move || ctx.lesson.before.set(None));
        state.follow();
        state
    }

    fn follow(self) {
        let Self { ctx, place, open, is_done, .. } = self;
        let card = memo(move || place.get().filter(|_| open.with(Option::is_some)));
        effects::follow_card(card, move || self.begin());
        effects::follow_reveal(ctx, self.reveal);
        effects::follow_verdict(is_done);
        // A task that begins with the PE-cycles of the whole run shows the whole run after each change.
        effects::follow_end(
            ctx,
            memo(move || {
                open.with(|open| {
                    let card = open.as_ref().and_then(Open::card).filter(|card| card.change.is_some())?;
                    let is_whole =
                        card.state.tools.picture == Drawing::PeCycles && card.state.cycle == card.plan.last();
                    is_whole.then(|| ctx.plan.with(|plan| plan.last()))
                })
            }),
        );
        // The solution of another person does not count as done.
        let is_own = move || {
            self.sent.with(|sent| !matches!(sent, Some(SharedSolution::Run(of)) if ctx.plan.with(|plan| plan == of)))
        };
        let done = memo(move || card.get().filter(|_| is_done.get() && is_own()));
        effects::follow_wanted(done, move |place| {
            let Some(place) = LessonPlace::parse(&place) else { return };
            if let Some(is_right) = self.is_right() {
                ctx.lesson.answered.set(Some(Answered { card: place.card_text(), is_right }));
                if open.with_untracked(|open| open.as_ref().is_some_and(|open| !open.lesson.is_test)) {
                    self.record(&place, is_right);
                }
            }
            self.progress.add(place.card_text());
        });
        effects::follow_cover(memo(move || {
            open.with(|open| {
                let card = open.as_ref().and_then(Open::card).filter(|card| card.run.is_some() && !is_done.get())?;
                let cycles = card.plan.schedule().cycles().as_f64();
                let share = (systolic::Cycles(card.state.cycle.get() + 1).as_f64()) / cycles;
                Some(display::number::fixed(share * 100.0, 2) + "%")
            })
        }));
        effects::follow_light(memo(move || {
            open.with(|open| {
                let lit = &open.as_ref().and_then(Open::card)?.lit;
                let is_alone = export::card::highlights(lit).iter().all(Option::is_none);
                lit.contains(&Lit::Timeline).then_some(if is_alone { "alone" } else { "along" })
            })
        }));
    }

    /// Starts a card that has just opened. Clears the input for the previous card, and resets the array view.
    fn begin(self) {
        let place = self.place.get_untracked();
        let typed = self.answers.with_untracked(|all| {
            all.iter().find(|one| Some(&one.place) == place.as_ref()).map(|one| one.typed.clone())
        });
        self.draft.set(None);
        self.tried.set(None);
        self.help.set(self.next_help.get_value());
        if self.help.get_untracked() != Help::Alone {
            later(|| effects::scroll_to(".ask"), core::time::Duration::ZERO);
        }
        self.next_help.set_value(Help::Alone);
        self.typed.set(typed.or_empty());
        self.sent.set(None);
        // A card of a deck does not move the place in a lesson.
        if !self.decks.keeps(place.as_deref()) && place.is_some() {
            self.last.set(place);
        }
        let is_result = self.ctx.session().with_untracked(|session| {
            session.tools.learn.as_ref().and_then(LearnPage::card).is_some_and(|place| place.is_result)
        });
        if let Some(card) = self.card().filter(|card| is_result && card.change.is_some()) {
            let plan = self.ctx.plan.get_untracked();
            if card.offers(&plan, &self.tools()) {
                self.sent.set(Some(SharedSolution::Run(plan)));
                self.light(&card.lit, true);
                return;
            }
            self.sent.set(Some(SharedSolution::TooMuch));
        }
        self.put_back();
    }

    /// Opens a card again without its answer. The card stays done in the list of lessons.
    pub(super) fn forget(self, place: &LessonPlace) {
        let name = place.version_text();
        self.answers.update(|all| all.retain(|one| one.place != name));
    }

    /// Returns the open card.
    pub(super) fn card(self) -> Option<Card> {
        self.open.with_untracked(|open| open.as_ref().and_then(Open::card).cloned())
    }

    /// True if the answer to the open card is right. `None` if the card has no question, or if a person has not
    /// answered the question.
    pub(super) fn is_right(self) -> Option<bool> {
        let card = self.card()?;
        if card.change.is_some() {
            return Some(self.is_done.get_untracked());
        }
        let verdict = self.locked.get_untracked()?.judged.verdict;
        // Only the first answer counts.
        Some(verdict == Verdict::Right && self.tried.with_untracked(Option::is_none))
    }

    /// Returns the answer that a person has locked, or is giving.
    pub(super) fn given(self) -> Option<Answer> {
        self.locked.with(|locked| locked.as_ref().map(|locked| locked.answer.clone())).or_else(|| self.draft.get())
    }

    /// True if the open card marks the right choice: after a wrong answer that ends the card, except in a test.
    pub(super) fn shows_right(self) -> bool {
        let is_wrong = self.locked.with(|one| one.as_ref().is_some_and(|one| one.judged.verdict == Verdict::Wrong));
        let is_test = self.open.with(|open| open.as_ref().is_some_and(|open| open.lesson.is_test));
        is_wrong && !is_test && self.reveal.get().is_none()
    }

    /// True if the locked answer to a card is right.
    pub(super) fn is_right_at(self, place: &str) -> bool {
        let is_right = |one: &Locked| one.place == place && one.judged.verdict == Verdict::Right;
        self.answers.with(|all| all.iter().any(is_right))
    }

    /// Returns the tools of the array view, such as a fault or a built dataflow.
    pub(super) fn tools(&self) -> Tools {
        tools(self.ctx)
    }

    /// Resets the array view to the state and highlights of the card.
    pub(super) fn put_back(self) {
        let ctx = self.ctx;
        self.reveal.set(None);
        let Some(card) = self.card() else {
            ctx.lesson.before.set(None);
            self.light(&[], true);
            return;
        };
        self.set_before(&card);
        self.light(&card.lit, !card.hides_run() || self.locked.with_untracked(Option::is_some));
        let now = ctx.session().with_untracked(|session| session.link(&ctx.playhead().get_untracked()));
        let learn = now.tools.learn.clone();
        let mut link = Link { texts: now.texts, unknown: now.unknown, speed: now.speed, ..card.state.clone() };
        link.tools.learn = learn;
        ctx.dispatch(&Action::Edit(Edit::Open(Box::new(link))));
        // A card may show a tool.
        navigation::fetch_array_tools(ctx);
        if self.locked.with_untracked(Option::is_some) {
            self.set_then(&card);
        }
    }

    /// Highlights parts of the array view. If `judges` is true, the view marks wrong values; otherwise a person has to
    /// find them.
    fn light(self, lit: &[Lit], judges: bool) {
        let parts = export::card::highlights(lit);
        self.ctx.view.filter.update(|filter| *filter = filter.with_highlights(parts).with_verdicts(judges));
        self.ctx.pin(export::card::framed(lit), None);
    }

    /// Marks the open card as done if the card only explains: a person who leaves it has read it.
    pub(super) fn leave_card(self) {
        let place = self.place.get_untracked().filter(|_| self.card().is_some_and(|card| card.kind == Kind::Explain));
        if let Some(place) = place.as_deref().and_then(LessonPlace::parse) {
            self.progress.add(place.card_text());
        }
    }

    /// Returns the card with which a person continues a lesson: the card that was open last, or the first card that is
    /// not done.
    pub(super) fn next_card(self, entry: &Entry) -> usize {
        let last = self.last.with(|last| last.as_deref().and_then(LessonPlace::parse));
        let is_open = |place: &LessonPlace| place.lesson == entry.id && self.progress.of(entry.id) < entry.n_cards;
        let first = || (1..=entry.n_cards).find(|&card| !self.progress.has(entry.id, card));
        last.filter(is_open).map(|place| place.card).or_else(first).unwrap_or(1)
    }

    /// Returns the lesson with which a person continues: the lesson that was open last, unless this lesson is done.
    /// Otherwise returns a lesson that is begun, or else the first lesson of the course that is not done. `None` if all
    /// lessons are done.
    pub(super) fn next_lesson(self) -> Option<&'static Entry> {
        let is_done = |entry: &&Entry| self.progress.of(entry.id) >= entry.n_cards;
        let is_begun = |entry: &&Entry| self.progress.of(entry.id) > 0 && !is_done(entry);
        let last = self.last.with(|last| last.as_deref().and_then(LessonPlace::parse));
        let last = last.and_then(|place| course::entry(&place.lesson)).filter(|entry| !is_done(entry));
        let all = || course::Set::ALL.into_iter().flat_map(course::of_set);
        last.or_else(|| all().find(is_begun))
            .or_else(|| course::of_set(course::Set::Course).find(|entry| !is_done(entry)))
    }

    /// Opens a card, adds an entry to the browser history, and moves the focus to the title of the card.
    pub(super) fn go(self, place: String) {
        navigation::go_to_lesson(self.ctx, place);
    }
}

fn tools(ctx: Ctx) -> Tools {
    ctx.session().with(|session| session.tools.clone())
}

/// True if the array view is in the state of the card. After an answer is locked, the array view can be at any cycle up
/// to the cycle that shows the answer.
fn is_as_wanted(card: &Card, is_locked: bool, plan: &Plan, cycle: Cycle) -> bool {
    let is_run = if is_locked && !card.then.is_empty() {
        plan_with(&card.plan, &card.then).is_ok_and(|wanted| wanted == *plan)
    } else {
        card.plan == *plan
    };
    // The run after the answer may be shorter.
    let first = card.state.cycle.min(plan.last());
    let last = card.run.filter(|_| is_locked).unwrap_or(first);
    is_run && (first..=last.max(first)).contains(&cycle)
}
