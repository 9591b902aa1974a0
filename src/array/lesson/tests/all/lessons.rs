//! Solves every lesson: each question gets the right answer once, and each wrong answer once.

use lesson::course::{self, Set};
use lesson::{Answer, Ask, Card, Kind, Lesson, Lit, Paragraph, Question, Scene, Verdict, words};

use crate::cards::{self, Placed};

fn lessons() -> Vec<Lesson> {
    cards::lessons(Set::Course)
}

fn cards() -> Vec<Placed> {
    cards::of(Set::Course)
}

#[test]
fn each_lesson_leads_to_the_next_and_needs_only_those_before_it() {
    let lessons = lessons();
    assert!(lessons.len() >= 7, "{}", lessons.len());
    let follows = lessons.iter().skip(1).map(|lesson| Some(lesson.id.as_str())).chain([None]);
    for (nth, (lesson, next)) in lessons.iter().zip(follows).enumerate() {
        assert_eq!(lesson.next.as_deref(), next, "after {}", lesson.id);
        assert_eq!(course::next_in_set(&lesson.id), next, "after {}", lesson.id);
        let is_before = |id: &String| lessons.iter().take(nth).any(|other| other.id == *id);
        assert!(lesson.needs.iter().all(is_before), "{} needs {:?}", lesson.id, lesson.needs);
    }
}

/// Returns the answers that the lesson knows to be wrong.
pub(crate) fn wrong_answers(question: &Question, scene: &Scene<'_>) -> Vec<Answer> {
    let right = question.right(scene).expect("a question has an answer");
    let array = scene.plan.schedule().array();
    let typed = |value: lesson::Value| {
        if value.unit == lesson::Unit::Share { value.number * 100.0 } else { value.number }
    };
    match &question.ask {
        Ask::Choose { choices, .. } => (0..choices.len()).map(Answer::Choice).filter(|one| *one != right).collect(),
        Ask::Order(choices) => vec![Answer::Order((0..choices.len()).collect()), {
            let Answer::Order(mut order) = right.clone() else { panic!("an order") };
            order.swap(0, 1);
            Answer::Order(order)
        }]
        .into_iter()
        .filter(|one| *one != right)
        .collect(),
        Ask::Number { .. } | Ask::Register(_) => question
            .named
            .iter()
            .map(|named| Answer::Number(typed(named.value.value(scene).expect("a value"))))
            .collect(),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cycle is whole")]
        Ask::Cycle(_) => question
            .named
            .iter()
            .map(|named| Answer::Cycle(systolic::Cycle(named.value.value(scene).expect("a value").number as u64)))
            .collect(),
        Ask::Pe(_) => question
            .named
            .iter()
            .map(|named| {
                let pe = array.iter().find(|&pe| named.value.holds(&scene.of_pe(pe)));
                Answer::Pes(vec![pe.expect("a wrong answer is a PE")])
            })
            .collect(),
        Ask::Pes(_) => question
            .named
            .iter()
            .map(|named| Answer::Pes(array.iter().filter(|&pe| named.value.holds(&scene.of_pe(pe))).collect()))
            .collect(),
        Ask::Formula(_) => question.named.iter().map(|named| Answer::Formula(named.value.clone())).collect(),
    }
}

#[test]
fn every_question_takes_its_right_answer_and_names_the_misconception_of_each_wrong_one() {
    let mut n_questions = 0;
    for (place, card) in cards() {
        let Some(question) = &card.question else { continue };
        let scene = card.scene();
        let right = question.right(&scene).expect("a question has an answer");
        let judged = question.judge(&scene, &right);
        assert_eq!(judged.verdict, Verdict::Right, "{place}: {judged:?}");
        let wrong = wrong_answers(question, &scene);
        assert!(!wrong.is_empty(), "{place}: no wrong answer is named");
        for answer in wrong {
            let judged = question.judge(&scene, &answer);
            assert_eq!(judged.verdict, Verdict::Wrong, "{place}: {answer:?}");
            let is_order = matches!(question.ask, Ask::Order(_));
            assert!(judged.reason.is_some() || is_order, "{place}: nothing is said of {answer:?}");
            let said = words::verdict(&judged);
            assert!(!said.contains("  ") && said.ends_with('.'), "{place}: {said}");
        }
        n_questions += 1;
    }
    assert!(n_questions >= 5, "only {n_questions} questions");
}

#[test]
fn every_goal_is_missed_at_first_and_met_by_its_solution() {
    let mut n_goals = 0;
    for (place, card) in cards() {
        let Some(change) = &card.change else { continue };
        assert!(!change.is_met(&card.scene()), "{place}");
        let solved = lesson::evaluate::plan_with(&card.plan, &change.solution).expect("the solution can run");
        assert!(change.is_met(&change.solved(&card, &solved)), "{place}");
        n_goals += 1;
    }
    assert!(n_goals >= 1);
}

#[test]
fn a_lesson_has_five_to_ten_cards_with_a_question_and_a_task() {
    for lesson in lessons() {
        let n = lesson.cards.len();
        assert!((5..=10).contains(&n), "{}: {n} cards", lesson.id);
        for kind in [Kind::Predict, Kind::Change] {
            assert!(lesson.cards.iter().any(|card| card.kind == kind), "{} has no card of {kind:?}", lesson.id);
        }
        assert!(lesson.cards.iter().all(|card| card.lit.len() <= Lit::MOST));
    }
}

#[test]
fn nothing_takes_longer_to_read_than_it_says() {
    for lesson in Set::ALL.into_iter().flat_map(cards::lessons) {
        let words: usize = lesson.cards.iter().map(words_of).sum();
        assert!(words <= 200 * whole(lesson.minutes), "{}: {words} words in {} minutes", lesson.id, lesson.minutes);
        assert!(lesson.aims.iter().all(|aim| aim.split_whitespace().count() >= 3), "{}: {:?}", lesson.id, lesson.aims);
        let is_known = |id: &String| course::set(id) == Some(Set::Course);
        assert!(lesson.needs.iter().all(is_known), "{} needs {:?}", lesson.id, lesson.needs);
    }
}

/// Number of words that a person with the right answer reads: title, text, question or task, and the end. A slow reader
/// reads 200 words per minute.
fn words_of(card: &Card) -> usize {
    let asked = card.question.iter().map(|question| &question.text);
    let task = card.change.iter().map(|change| &change.text);
    let all = core::iter::once(&card.title).chain(&card.text).chain(asked).chain(task).chain(&card.why);
    all.map(Paragraph::words).sum()
}

fn whole(minutes: u64) -> usize {
    usize::try_from(minutes).expect("a few minutes")
}

/// Estimated time for a card in seconds: reading, thinking, answering and watching the run. The time is not measured.
const CARD_SECONDS: usize = 50;

#[test]
fn a_lesson_says_the_minutes_of_its_cards_and_the_first_lesson_takes_six() {
    for lesson in lessons() {
        let minutes = (lesson.cards.len() * CARD_SECONDS).div_ceil(60);
        assert_eq!(whole(lesson.minutes), minutes, "{}", lesson.id);
    }
    let first = lessons().into_iter().next().expect("a lesson");
    assert_eq!((first.id.as_str(), first.minutes), ("multiply", 6));
}

#[test]
fn each_lesson_begins_with_its_name_and_an_earlier_question_and_ends_with_a_sentence_and_what_readers_can_do() {
    for (nth, lesson) in lessons().iter().enumerate() {
        let title = |card: Option<&Card>| card.map(|card| card.title.text(&card.scene())).unwrap_or_default();
        let first = title(lesson.cards.first());
        let recalls =
            first.strip_prefix(&format!("{}: ", lesson.title)).is_some_and(|what| what.ends_with(" once more"));
        assert!(nth == 0 || recalls, "{}: {first}", lesson.id);
        assert_eq!(title(lesson.cards.last()), "In one sentence", "{}", lesson.id);
        let end = |card: &Card| card.why.iter().any(|end| end.text(&card.scene()).contains("You can now "));
        assert!(lesson.cards.last().is_some_and(end), "{}: what readers can do now", lesson.id);
        let asks = |card: Option<&Card>| card.is_some_and(|card| card.kind == Kind::Predict);
        assert!((nth == 0 || asks(lesson.cards.first())) && asks(lesson.cards.last()), "{}", lesson.id);
    }
}

#[test]
fn another_machine_gives_other_answers() {
    // The cards are judged on an array with one more row. If answers were constants, none would change.
    let mut changed = 0;
    for (_, card) in cards() {
        let Some(question) = &card.question else { continue };
        let rows = card.plan.schedule().array().rows() + 1;
        let set = [(studio::Field::Rows, studio::FieldValue::Count(rows.into()))];
        let Ok(taller) = lesson::evaluate::plan_with(&card.plan, &set) else { continue };
        let there = Scene::new(&taller, card.state.cycle).with_reveal_at(card.run);
        changed += usize::from(question.right(&there) != question.right(&card.scene()));
    }
    assert!(changed >= 3, "only {changed} answers follow the machine");
}

#[test]
fn the_list_knows_how_many_cards_each_lesson_has_before_its_text_is_there() {
    for id in Set::ALL.into_iter().flat_map(course::ids_of_set) {
        let text = course::text(id).unwrap_or_else(|| panic!("{id} has no text"));
        let read = Lesson::read(text).unwrap_or_else(|mistake| panic!("{id}:{}", words::mistake(&mistake)));
        let entry = course::entry(id).expect("listed");
        assert_eq!((entry.title, entry.n_cards), (read.title.as_str(), read.cards.len()));
        assert_eq!((Some(entry.about), entry.minutes), (read.about.as_deref(), read.minutes));
    }
    assert_eq!((course::text("zebra"), course::n_cards("zebra")), (None, 0));
}

#[test]
fn every_right_number_can_be_typed() {
    let mut n_typed = 0;
    for (place, card) in cards() {
        let Some(limits) = lesson::entry::Limits::of(&card) else { continue };
        let right = card.question.as_ref().map(|question| question.right(&card.scene()));
        let text = match right {
            Some(Ok(Answer::Number(number))) => display::number::significant(number, 9),
            Some(Ok(Answer::Cycle(cycle))) => cycle.get().to_string(),
            other => panic!("{place}: {other:?}"),
        };
        assert!(limits.read(&text).is_ok(), "{place}: {text}");
        n_typed += 1;
    }
    assert!(n_typed > 5, "{n_typed}");
}
