//! What the lessons remember while the page is open: the card, the answers that were locked, and the one that is being
//! given.

use std::sync::Arc;

use leptos::prelude::*;
use lesson::evaluate::plan_with;
use lesson::{Answer, Card, Lesson, Lit, Scene, course};
use stage::filter::LIT_MAX;
use stage::focus::Part;
use studio::{Action, Edit, Field, Link, Plan, Tool, Transport};
use systolic::{Cycle, Operand};

use crate::browser::{self, lesson as effects};
use crate::ctx::{Ctx, memo};

/// A card that is open.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Open {
    /// Its lesson.
    pub(super) lesson: Arc<Lesson>,
    /// Its number, counted from 1.
    pub(super) number: usize,
}

impl Open {
    pub(super) fn card(&self) -> Option<&Card> {
        self.lesson.card(self.number)
    }
}

/// The lessons as the page has them.
#[derive(Clone, Copy)]
pub(super) struct State {
    ctx: Ctx,
    /// The card that the link names.
    pub(super) place: Memo<Option<String>>,
    /// That card, where there is one.
    pub(super) open: Memo<Option<Open>>,
    /// The answer that is being given.
    pub(super) draft: RwSignal<Option<Answer>>,
    /// The answer that was locked on this card.
    pub(super) locked: Memo<Option<Answer>>,
    /// The cycle to which the run plays to show the answer.
    pub(super) reveal: RwSignal<Option<Cycle>>,
    /// Whether the question is answered or the goal met.
    pub(super) is_done: Memo<bool>,
    /// Whether the stage shows something else than the card wants.
    pub(super) is_touched: Memo<bool>,
    /// All answers that were locked, by the card.
    answers: RwSignal<Vec<(String, Answer)>>,
}

/// The cycles that a run takes to an answer, at most; farther away it goes there at once.
const RUN_MAX: u64 = 12;

const fn part(lit: Lit) -> Option<Part> {
    Some(match lit {
        Lit::Array => Part::Array,
        Lit::Wave => Part::Wave,
        Lit::A => Part::Matrix(Operand::A),
        Lit::B => Part::Matrix(Operand::B),
        Lit::C => Part::Matrix(Operand::C),
        Lit::Skew => Part::Skew,
        Lit::Results => Part::Results,
        Lit::Pe(pe) => Part::Pe(pe),
        Lit::Timeline | Lit::Headline => return None,
    })
}

impl State {
    pub(super) fn new(ctx: Ctx) -> Self {
        let place = memo(Box::new(move || {
            let text = ctx.session().with(|session| session.tools.text(Tool::Learn));
            (!text.is_empty()).then_some(text)
        }));
        let lesson = memo(Box::new(move || {
            let id = ctx.session().with(|session| session.tools.learn.as_ref().map(|place| place.lesson.clone()))?;
            Lesson::read(course::text(&id)?).ok().map(Arc::new)
        }));
        let open = memo(Box::new(move || {
            let number = ctx.session().with(|session| session.tools.learn.as_ref().map(|place| place.card))?;
            let lesson = lesson.get()?;
            lesson.card(number).is_some().then_some(Open { lesson, number })
        }));
        let answers = RwSignal::new(Vec::<(String, Answer)>::new());
        let locked = memo(Box::new(move || {
            let place = place.get()?;
            answers.with(|all| all.iter().find(|(of, _)| *of == place).map(|(_, answer)| answer.clone()))
        }));
        let reveal = RwSignal::new(None);
        let is_done = memo(Box::new(move || {
            open.with(|open| match open.as_ref().and_then(Open::card) {
                Some(card) => match &card.change {
                    Some(change) => ctx.plan.with(|plan| change.is_met(&Scene::new(plan, ctx.cycle.get()))),
                    None => locked.with(Option::is_some) && reveal.get().is_none(),
                },
                None => true,
            })
        }));
        let is_touched = memo(Box::new(move || {
            let (is_locked, runs) = (locked.with(Option::is_some), reveal.get().is_some());
            open.with(|open| {
                let card = open.as_ref().and_then(Open::card).filter(|card| card.change.is_none() && !runs);
                card.is_some_and(|card| ctx.plan.with(|plan| !is_as_wanted(card, is_locked, plan, ctx.cycle.get())))
            })
        }));
        let draft = RwSignal::new(None);
        let state = Self { ctx, place, open, draft, locked, reveal, is_done, is_touched, answers };
        effects::follow_card(place, move |_| {
            draft.set(None);
            reveal.set(None);
            state.put_back();
        });
        effects::follow_reveal(ctx, reveal);
        effects::follow_verdict(is_done);
        effects::follow_cover(memo(Box::new(move || {
            open.with(|open| {
                let card = open.as_ref().and_then(Open::card).filter(|card| card.run.is_some() && !is_done.get())?;
                let cycles = card.plan.schedule().cycles().as_f64();
                let share = (systolic::Cycles(card.state.cycle.get() + 1).as_f64()) / cycles;
                Some(display::number::fixed(share * 100.0, 2) + "%")
            })
        })));
        state
    }

    /// Puts the state of the card on the stage, and lights what it lights.
    pub(super) fn put_back(&self) {
        let ctx = self.ctx;
        self.reveal.set(None);
        let Some(Some(card)) = self.open.get_untracked().map(|open| open.card().cloned()) else {
            self.light(&[]);
            return;
        };
        self.light(&card.lit);
        let now = ctx.session().with_untracked(|session| session.link(&ctx.playhead().get_untracked()));
        let learn = now.tools.learn.clone();
        let mut link = Link { estimate: now.estimate, unknown: now.unknown, speed: now.speed, ..card.state.clone() };
        link.tools.learn = learn;
        ctx.dispatch(&Action::Edit(Edit::Open(Box::new(link))));
        if self.locked.with_untracked(Option::is_some) {
            self.set_then(&card);
        }
    }

    fn light(&self, lit: &[Lit]) {
        let mut parts = [None; LIT_MAX];
        for (place, lit) in parts.iter_mut().zip(lit.iter().copied().filter_map(part)) {
            *place = Some(lit);
        }
        self.ctx.filter.update(|filter| *filter = filter.lighting(parts));
    }

    /// Locks the answer that is given, and shows what happens.
    pub(super) fn lock(&self, card: &Card) {
        let Some((place, answer)) = self.place.get_untracked().zip(self.draft.get_untracked()) else { return };
        self.answers.update(|all| {
            all.retain(|(of, _)| *of != place);
            all.push((place, answer));
        });
        self.set_then(card);
        self.show(card);
    }

    fn set_then(&self, card: &Card) {
        for (field, text) in &card.then {
            self.set(*field, text.clone());
        }
    }

    /// Sets a field, as a person would.
    pub(super) fn set(&self, field: Field, text: String) {
        self.ctx.dispatch(&Action::Edit(Edit::Set(field, text)));
    }

    /// Runs from the cycle of the card to where its answer is seen.
    pub(super) fn show(&self, card: &Card) {
        let (ctx, from) = (self.ctx, card.state.cycle);
        let Some(to) = card.run.filter(|run| *run > from) else { return };
        if browser::wants_no_motion() || to.get() - from.get() > RUN_MAX {
            ctx.dispatch(&Action::Move(Transport::Seek(to.get())));
            return;
        }
        ctx.dispatch(&Action::Move(Transport::Seek(from.get())));
        self.reveal.set(Some(to));
        ctx.dispatch(&Action::Move(Transport::Play));
    }
}

/// Whether the stage is as the card wants it: before its question, or at any cycle up to where the answer is seen.
fn is_as_wanted(card: &Card, is_locked: bool, plan: &Plan, cycle: Cycle) -> bool {
    let is_run = if is_locked && !card.then.is_empty() {
        plan_with(&card.plan, &card.then).is_ok_and(|wanted| wanted == *plan)
    } else {
        card.plan == *plan
    };
    let last = card.run.filter(|_| is_locked).unwrap_or(card.state.cycle);
    is_run && (card.state.cycle..=last.max(card.state.cycle)).contains(&cycle)
}
