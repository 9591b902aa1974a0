//! Checks a parsed card: its numbers, the lengths of its texts, and that its question has one right answer.

use studio::Field;

use crate::evaluate::plan_with;
use crate::judge::{formula_differs, right_choice};
use crate::keys::Keys;
use crate::mistake::{What, wrong};
use crate::{Ask, Card, Change, Choice, Expression, Mistake, Paragraph, Piece, Position, Question, Scene, Value};

type Checked = Result<(), Mistake>;

/// Maximum number of words in a question or task. `CHOICE_MAX` is the maximum for a choice. `REASON_MAX` is the maximum
/// for a hint, or for a misconception with its correction.
const ASKED_MAX: usize = 30;
const CHOICE_MAX: usize = 16;
const REASON_MAX: usize = 40;

/// Data of a card that the checks need.
struct Check<'a> {
    text: &'a str,
    scene: Scene<'a>,
    sizes: Vec<String>,
}

pub(crate) fn card(text: &str, keys: &Keys<'_>, card: &Card) -> Checked {
    let scenario = card.plan.scenario();
    let sizes = [Field::Rows, Field::Cols, Field::M, Field::K, Field::N].map(|field| scenario.text(field));
    let check = Check { text, scene: card.scene(), sizes: sizes.to_vec() };
    check.said(&[&card.title], CHOICE_MAX)?;
    check.said(&card.text.iter().collect::<Vec<_>>(), Card::WORDS_MAX)?;
    check.said(&card.why.iter().collect::<Vec<_>>(), Card::WORDS_MAX)?;
    if let Some((beside, _)) = &card.beside
        && (beside.tools.built.is_some() || card.state.tools.built.is_some())
    {
        return Err(keys.wrong(keys.written("beside").at, What::Beside));
    }
    if !card.then.is_empty()
        && let Err(why) = plan_with(&card.plan, &card.then)
    {
        let then = keys.written("then");
        return Err(keys.wrong(then.at, What::NoValue(plain::cut(then.text), why)));
    }
    for word in keys.list("words") {
        if ::words::glossary::by_id(word.text).is_none() {
            return Err(keys.wrong(word.at, What::Name(word.text.to_owned())));
        }
    }
    if card.run.is_some_and(|run| run > card.revealed().last() || run < card.state.cycle) {
        let run = keys.written("run");
        return Err(keys.wrong(run.at, What::NoValue(plain::cut(run.text), crate::Refusal::NotThere)));
    }
    if let Some(question) = &card.question {
        check.question(question)?;
    }
    if let Some(shows) = &card.shows {
        let at = keys.written("shows").at;
        if !check.value(shows, at)?.holds() {
            return Err(keys.wrong(at, What::Goal("shows")));
        }
    }
    if !card.lit.iter().all(|lit| lit.is_in(card.plan.schedule())) {
        let entry = keys.written("lit");
        return Err(keys.wrong(entry.at, What::NoValue(plain::cut(entry.text), crate::Refusal::NotThere)));
    }
    if let Some(change) = &card.change {
        check.change(keys, change, card)?;
    }
    Ok(())
}

impl Check<'_> {
    fn wrong(&self, at: usize, what: What) -> Checked {
        wrong(self.text, at, what)
    }

    /// Checks that a text has at most `most` words and that each expression has a value. A number outside an expression
    /// must be a size of the array or of the matrices.
    fn said(&self, paragraphs: &[&Paragraph], most: usize) -> Checked {
        let n = paragraphs.iter().map(|one| one.words()).sum();
        if let Some(first) = paragraphs.first().filter(|_| n > most) {
            return self.wrong(first.at(), What::TooManyWords { n, most });
        }
        for piece in paragraphs.iter().flat_map(|one| &one.pieces) {
            match piece {
                Piece::Value { value, at, .. } => _ = self.value(value, *at)?,
                Piece::Text { text, at, .. } => {
                    let words = text.split(|c: char| !c.is_alphanumeric());
                    let is_number = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
                    if let Some(word) = words.filter(is_number).find(|word| !self.sizes.iter().any(|size| size == word))
                    {
                        return self.wrong(*at, What::Number(word.to_owned()));
                    }
                }
                Piece::Code { .. } => {}
            }
        }
        Ok(())
    }

    fn value(&self, expression: &Expression, at: usize) -> Result<Value, Mistake> {
        expression
            .value(&self.scene)
            .map_err(|why| Mistake { at: Position::of(self.text, at), what: What::NoValue(String::new(), why) })
    }

    fn question(&self, question: &Question) -> Checked {
        let at = question.text.at();
        self.said(&[&question.text], ASKED_MAX)?;
        match &question.ask {
            Ask::Choose { choices, right } => {
                self.distinct(choices, at)?;
                let Some(right) = right_choice(choices, right, &self.scene) else {
                    return self.wrong(at, What::Choices("right"));
                };
                let is_claim = question.is_claim();
                for (index, choice) in choices.iter().enumerate() {
                    match &choice.reason {
                        None if is_claim => {}
                        Some(_) if index == right => return self.wrong(choice.at, What::Choices("reason")),
                        None if index != right => return self.wrong(choice.at, What::NoReason),
                        _ => {}
                    }
                }
            }
            Ask::Order(choices) => self.distinct(choices, at)?,
            Ask::Number { answer, range } => {
                let answer = self.value(answer, at)?;
                if let Some((least, most)) = range {
                    let (least, most) = (self.value(least, at)?, self.value(most, at)?);
                    if !(least.number <= answer.number && answer.number <= most.number) {
                        return self.wrong(at, What::Choices("range"));
                    }
                }
                self.named(question, answer)?;
            }
            Ask::Register(answer) | Ask::Cycle(answer) => {
                let answer = self.value(answer, at)?;
                self.named(question, answer)?;
            }
            Ask::Pe(which) | Ask::Pes(which) => {
                let array = self.scene.plan.schedule().array();
                let mut holding = 0;
                for pe in array.iter() {
                    let holds = which.value(&self.scene.of_pe(pe));
                    let holds = holds.map_err(|why| Mistake {
                        at: Position::of(self.text, at),
                        what: What::NoValue(String::new(), why),
                    })?;
                    holding += u64::from(holds.holds());
                }
                if holding == 0 || holding == array.pes() {
                    return self.wrong(at, What::Choices("right"));
                }
            }
            Ask::Formula(_) => {
                for named in &question.named {
                    if formula_differs(question, &self.scene, &named.value).is_none() {
                        return self.wrong(named.at, What::Choices("same"));
                    }
                }
            }
        }
        for reason in question.reasons() {
            self.said(&[&reason.text], REASON_MAX)?;
        }
        Ok(())
    }

    /// Checks that a question has at least two choices, that their values differ, and that their texts pass
    /// [`Check::said`].
    fn distinct(&self, choices: &[Choice], at: usize) -> Checked {
        if choices.len() < 2 {
            return self.wrong(at, What::Choices("few"));
        }
        let mut seen: Vec<Value> = Vec::new();
        for choice in choices {
            self.said(&[&choice.label], CHOICE_MAX)?;
            // The verdict puts the choice into a sentence.
            let is_sentence =
                |piece: &Piece| matches!(piece, Piece::Text { text, .. } if text.trim_end().ends_with('.'));
            if choice.label.pieces.last().is_some_and(is_sentence) {
                return self.wrong(choice.at, What::Choices("stop"));
            }
            let value = self.value(&choice.value, choice.at)?;
            // Conditions may have equal values, because all but one are false.
            if value.unit != crate::Unit::Truth && seen.iter().any(|other| other.is_same(value)) {
                return self.wrong(choice.at, What::Choices("same"));
            }
            seen.push(value);
        }
        Ok(())
    }

    /// Checks that known wrong answers differ from the right answer and from each other.
    fn named(&self, question: &Question, answer: Value) -> Checked {
        let mut seen = vec![answer];
        for named in &question.named {
            let value = self.value(&named.value, named.at)?;
            if seen.iter().any(|other| other.is_same(value)) {
                return self.wrong(named.at, What::Choices("same"));
            }
            seen.push(value);
        }
        Ok(())
    }

    fn change(&self, keys: &Keys<'_>, change: &Change, card: &Card) -> Checked {
        self.said(&[&change.text], ASKED_MAX)?;
        for hint in &change.hints {
            self.said(&[hint], REASON_MAX)?;
        }
        let at = keys.written("goal").at;
        if self.value(&change.goal, at)?.holds() {
            return self.wrong(at, What::Goal("met"));
        }
        let solved = plan_with(&card.plan, &change.solution).ok();
        let is_solved = solved.is_some_and(|plan| change.is_met(&change.solved(card, &plan)));
        let is_offered = change.solution.iter().all(|(field, _)| change.fields.contains(field));
        if is_solved && is_offered { Ok(()) } else { self.wrong(keys.written("solution").at, What::Goal("solution")) }
    }
}
