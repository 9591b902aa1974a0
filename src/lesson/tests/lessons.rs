//! Every lesson is read, and solved: each question once with the right answer and once with each wrong one.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use lesson::{Answer, Ask, Card, Kind, Lesson, Lit, Paragraph, Question, Scene, Verdict, words};

fn folder() -> PathBuf {
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests")).join("../../lessons")
}

/// All lessons, in the order of the course.
fn lessons() -> Vec<Lesson> {
    let mut all: Vec<Lesson> = Vec::new();
    for entry in fs::read_dir(folder()).expect("the lessons are there") {
        let path = entry.expect("a lesson").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let Some(id) = name.strip_suffix(".md").filter(|id| *id != "README") else { continue };
        let text = fs::read_to_string(&path).expect("a lesson can be read");
        let lesson =
            Lesson::read(&text).unwrap_or_else(|mistake| panic!("lessons/{name}:{}", words::mistake(&mistake)));
        assert_eq!(lesson.id, id, "a lesson is named as its file");
        all.push(lesson);
    }
    let mut ordered: Vec<Lesson> = Vec::new();
    let mut next = Some("wave".to_owned());
    while let Some(id) = next.take() {
        let at = all.iter().position(|lesson| lesson.id == id).unwrap_or_else(|| panic!("there is no lesson {id}"));
        let lesson = all.remove(at);
        next.clone_from(&lesson.next);
        ordered.push(lesson);
    }
    assert!(ordered.iter().map(|lesson| lesson.id.as_str()).eq(lesson::course::ids()), "the course has other lessons");
    assert!(ordered.iter().all(|one| one.title == lesson::course::title(&one.id)));
    let left: Vec<&str> = all.iter().map(|lesson| lesson.id.as_str()).collect();
    assert_eq!(left, Vec::<&str>::new(), "lessons to which no other leads");
    ordered
}

fn cards() -> Vec<(String, Card)> {
    let numbered = |lesson: Lesson| {
        let id = lesson.id;
        lesson.cards.into_iter().zip(1..).map(move |(card, nth)| (format!("{id}.{nth}"), card))
    };
    lessons().into_iter().flat_map(numbered).collect()
}

/// Answers that the lesson knows to be wrong.
fn wrong_answers(question: &Question, scene: &Scene<'_>) -> Vec<Answer> {
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
        assert!(change.is_met(&Scene::new(&solved, card.state.cycle)), "{place}");
        n_goals += 1;
    }
    assert!(n_goals >= 1);
}

#[test]
fn a_lesson_has_five_to_ten_cards_with_at_least_one_of_each_kind() {
    for lesson in lessons() {
        let n = lesson.cards.len();
        assert!((5..=10).contains(&n), "{}: {n} cards", lesson.id);
        for kind in [Kind::Explain, Kind::Predict, Kind::Change] {
            assert!(lesson.cards.iter().any(|card| card.kind == kind), "{} has no card of {kind:?}", lesson.id);
        }
        assert!(lesson.cards.iter().all(|card| card.lit.len() <= Lit::MOST));
        // 200 words a minute, which is slow, leave time to answer.
        let words: usize = lesson.cards.iter().map(words_of).sum();
        assert!(words as u64 <= lesson.minutes * 200, "{}: {words} words in {} minutes", lesson.id, lesson.minutes);
    }
}

fn words_of(card: &Card) -> usize {
    let asked = card.question.iter().map(|question| question.text.words()).sum::<usize>();
    card.text.iter().chain(&card.why).map(Paragraph::words).sum::<usize>() + asked
}

#[test]
fn a_word_of_the_glossary_is_introduced_before_a_card_uses_it() {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut missing = Vec::new();
    for (place, card) in cards() {
        known.extend(card.words.iter().cloned());
        let scene = card.scene();
        let asked = card.question.as_ref().map(|question| &question.text);
        let task = card.change.as_ref().map(|change| &change.text);
        let reasons = card.question.iter().flat_map(|question| question.reasons().map(|reason| &reason.text));
        let all = card.text.iter().chain(&card.why).chain(asked).chain(task).chain(reasons);
        for text in all.filter_map(|one| one.shown(&scene).ok()) {
            for (word, entry) in ::words::glossary::marked(&text) {
                if let Some(entry) = entry.filter(|entry| !known.contains(entry.id)) {
                    missing.push(format!("{place} uses {word:?} ({}) before it is introduced", entry.id));
                }
            }
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn another_machine_gives_other_answers() {
    // The same cards, judged on an array with one row more: were the answers written down, none would change.
    let mut changed = 0;
    for (_, card) in cards() {
        let Some(question) = &card.question else { continue };
        let rows = card.plan.schedule().array().rows() + 1;
        let set = [(studio::Field::Rows, rows.to_string())];
        let Ok(taller) = lesson::evaluate::plan_with(&card.plan, &set) else { continue };
        let there = Scene::new(&taller, card.state.cycle).to(card.run);
        changed += usize::from(question.right(&there) != question.right(&card.scene()));
    }
    assert!(changed >= 3, "only {changed} answers follow the machine");
}
