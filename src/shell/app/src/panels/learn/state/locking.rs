//! Locking an answer: the second try, and the run that shows the outcome.

use std::sync::Arc;

use leptos::prelude::*;
use lesson::{Answer, Ask, Card, Question, RightChoice, Verdict};
use studio::{Action, Edit, Transport};

use super::{Locked, RUN_MAX, State};
use crate::browser;
use crate::browser::focus;
use crate::browser::timer::later;
use crate::effects::lesson as effects;

impl State {
    /// Locks the answer that a person has given, and shows the outcome.
    pub(in crate::panels::learn) fn lock(self, card: &Card) {
        let Some((place, answer)) = self.place.get_untracked().zip(self.draft.get_untracked()) else { return };
        let Some(question) = &card.question else { return };
        let judged = question.judge(&card.scene(), &answer);
        let locked = Locked { place, answer, judged, typed: self.typed.get_untracked() };
        let is_test = self.open.with_untracked(|open| open.as_ref().is_some_and(|open| open.lesson.is_test));
        if !is_test && self.has_second_try(question, &locked) {
            if let Answer::Choice(nth) = locked.answer {
                self.draft.set(None);
                focus::focus(&format!("choice-{nth}"));
            }
            self.tried.set(Some(locked));
            later(|| effects::scroll_to("#verdict"), core::time::Duration::ZERO);
            return;
        }
        self.answers.update(|all| {
            all.retain(|one| one.place != locked.place);
            all.push(locked);
        });
        self.ctx.lesson.asks_pe.set(false);
        if !is_test {
            self.ctx.view.filter.update(|filter| *filter = filter.with_verdicts(true));
            self.set_then(card);
            self.show(card);
            self.select_right(card);
        }
        // The pressed button is gone, so the focus moves to the button for the next card.
        later(|| focus::focus("card-next"), core::time::Duration::ZERO);
    }

    /// True if an answer is wrong, and a person can try once more. A claim and a choice of two have only one try.
    fn has_second_try(self, question: &Question, locked: &Locked) -> bool {
        let has_many = match &question.ask {
            Ask::Choose { choices, right } => choices.len() > 2 && !matches!(right, RightChoice::Claimed(_)),
            _ => true,
        };
        // Locking an answer again by accident is not a second try.
        let is_open =
            self.tried.with_untracked(|tried| tried.as_ref().is_none_or(|tried| tried.answer == locked.answer));
        has_many && is_open && locked.judged.verdict == Verdict::Wrong
    }

    /// Selects the PE that a card asks for, so that the array view marks the PE and the caption describes it.
    fn select_right(self, card: &Card) {
        let right = card.question.as_ref().filter(|question| matches!(question.ask, Ask::Pe(_)));
        if let Some(Answer::Pes(pes)) = right.and_then(|question| question.right(&card.scene()).ok()) {
            self.ctx.dispatch(&Action::Edit(Edit::Select(pes.first().copied())));
        }
    }

    pub(super) fn set_then(self, card: &Card) {
        self.set_before(card);
        self.ctx.set_all(&card.then);
    }

    /// Keeps the run of a card for comparison with the run after the answer, or after the changes of a task.
    pub(super) fn set_before(self, card: &Card) {
        let is_answered = !card.then.is_empty() && self.locked.with_untracked(Option::is_some);
        let has_two = is_answered || card.change.is_some();
        self.ctx.lesson.before.set(has_two.then(|| Arc::new(card.plan.clone())));
    }

    /// Plays the run from the cycle of the card to the cycle that shows the answer. A built dataflow jumps to this
    /// cycle.
    pub(in crate::panels::learn) fn show(self, card: &Card) {
        let (ctx, from) = (self.ctx, card.state.cycle);
        let Some(to) = card.run.filter(|run| *run > from) else { return };
        if card.state.tools.built.is_some() {
            ctx.dispatch(&Action::Edit(Edit::ShowBuilt(to.get())));
            return;
        }
        if browser::wants_no_motion() || to.get() - from.get() > RUN_MAX {
            ctx.dispatch(&Action::Move(Transport::Seek(to.get())));
            return;
        }
        ctx.dispatch(&Action::Move(Transport::Seek(from.get())));
        self.reveal.set(Some(to));
        ctx.dispatch(&Action::Move(Transport::Play));
    }
}
