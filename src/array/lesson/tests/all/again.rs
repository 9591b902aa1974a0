//! Tests of cards to do again: their gaps, their help, the stored text, and the mixed cards.

use std::collections::BTreeSet;

use lesson::again::{Again, Due, GAPS_DAYS, NotAgain, mixed};
use lesson::course::{self, Set};
use lesson::{Answer, Card, Help, LessonPlace, Shown, Verdict, words};

use crate::cards;

fn place(text: &str) -> LessonPlace {
    LessonPlace::parse(text).expect("a place")
}

/// Returns a pseudorandom number below `n`.
fn below(state: &mut u64, n: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % n
}

#[test]
fn a_missed_card_returns_after_growing_gaps_with_less_help_and_then_leaves() {
    let (card, mut again) = (place("multiply.5"), Again::default());
    again.miss(&card, 1, 100);
    let mut days = Vec::new();
    for today in 100..200 {
        for due in again.due(today) {
            days.push((today, due.version, due.help));
            again.pass(&due.place, due.version + 1, today);
        }
    }
    assert_eq!(
        days,
        [
            (101, 1, Help::Worked),
            (104, 2, Help::Half),
            (111, 3, Help::Alone),
            (125, 4, Help::Alone),
            (155, 5, Help::Alone)
        ]
    );
    assert_eq!((again.n_cards(), again.next_day()), (0, None));
}

#[test]
fn a_miss_begins_again_with_new_numbers_and_a_right_answer_before_its_day_changes_nothing() {
    let (card, mut again) = (place("multiply.5"), Again::default());
    again.miss(&card, 1, 10);
    again.pass(&card, 2, 11);
    // A version that a person answers before its day is seen, so it does not return.
    again.pass(&card, 5, 12);
    assert_eq!((again.due(13), again.next_day()), (Vec::new(), Some(14)));
    assert_eq!(again.due(14)[0].version, 5);
    assert_eq!([0, 3, 9].map(|version| again.unseen(&LessonPlace { version, ..card.clone() })), [5, 5, 10]);
    again.miss(&card, 8, 14);
    let due = Due { place: card.clone(), version: 8, help: Help::Worked };
    assert_eq!((again.due(14), again.due(15)), (Vec::new(), vec![due]));
    // A card that cannot vary returns as written, and an unknown card changes nothing.
    again.miss(&place("why-array.6"), 1, 14);
    again.pass(&place("tiles.1"), 1, 20);
    assert_eq!(again.due(15).iter().map(|due| due.version).collect::<Vec<_>>(), [8, 0]);
}

#[test]
fn any_list_is_read_back_and_each_card_in_it_is_due_at_the_latest_after_the_longest_gap() {
    let all: Vec<LessonPlace> =
        course::ids().flat_map(|id| (1..=course::n_cards(id)).map(move |nth| place(&format!("{id}.{nth}")))).collect();
    let mut n_left = 0;
    for seed in 1..=200 {
        let (mut state, mut again, mut today) = (seed, Again::default(), 20_000);
        let mut missed = BTreeSet::new();
        for _ in 0..100 {
            today += u32::try_from(below(&mut state, 9)).expect("small");
            let card = &all[usize::try_from(below(&mut state, all.len() as u64)).expect("small")];
            if below(&mut state, 2) == 0 {
                again.miss(card, again.unseen(card), today);
                missed.insert(card.card_text());
            } else {
                again.due(today).iter().for_each(|due| again.pass(&due.place, due.version + 1, today));
            }
            let text = again.to_text();
            assert_eq!(Again::parse(&text), Ok(again.clone()), "SEED={seed}: {text}");
            let due = again.due(today + GAPS_DAYS[4]);
            assert_eq!(due.len(), again.n_cards(), "SEED={seed}");
            assert!(due.iter().all(|due| missed.contains(&due.place.card_text())), "SEED={seed}");
        }
        n_left += again.n_cards();
        // Without a miss, each card leaves after at most five repetitions.
        for _ in GAPS_DAYS {
            today += GAPS_DAYS[4];
            again.due(today).iter().for_each(|due| again.pass(&due.place, due.version + 1, today));
        }
        assert_eq!(again.n_cards(), 0, "SEED={seed}");
    }
    assert!(n_left > 1000, "{n_left}");
}

#[test]
fn a_bad_file_is_answered_with_one_sentence() {
    let said = |text: &str| words::not_again(&Again::parse(text).expect_err("it is bad"));
    let first = "not with “to-do-again 1”: choose a file that this page exported.";
    assert_eq!(said("zebra\nmultiply.4"), format!("The file begins with “zebra”, {first}"));
    assert_eq!(said("to-do-again 2\n"), format!("The file begins with “to-do-again 2”, {first}"));
    for line in [
        "multiply.4",
        "multiply.4 9 3",
        "multiply.4 9 2 0",
        "multiply.4 -9 3 0",
        "multiply 9 3 0",
        "multiply.4 9 3 0 0",
        "multiply.4 99999999999 3 0",
    ] {
        let said = said(&format!("to-do-again 1\ntiles.3 9 1 0\n{line}\n"));
        assert!(said.starts_with(&format!("Line 3 is “{line}”: write a card")), "{said}");
        assert!(said.contains("1, 3, 7, 14, 30") && said.ends_with("“multiply.4 20787 3 2”."), "{said}");
    }
    let twice = Again::parse("to-do-again 1\ntiles.3 9 1 0\ntiles.3 9 1 0");
    assert_eq!(twice, Err(NotAgain::Line { line: 3, given: "tiles.3 9 1 0".to_owned() }));
    // Cards that are gone are left out, and cards that have moved are found.
    let moved = Again::parse("to-do-again 1\nzebra.1 9 1 0\ntiles.99 9 1 0\nwave.2 9 1 0\n").expect("a list");
    assert_eq!(moved.due(9).iter().map(|due| due.place.card_text()).collect::<Vec<_>>(), ["multiply.2"]);
}

#[test]
fn mixed_cards_come_from_all_lessons_and_none_comes_twice_before_all_came() {
    let can_vary: BTreeSet<String> = cards::of(Set::Course)
        .into_iter()
        .filter(|(_, card)| card.can_vary() && card.question.is_some())
        .map(|(name, _)| name)
        .collect();
    for seed in 0..50 {
        let drawn = mixed(seed, can_vary.len() + 5);
        assert_eq!(drawn, mixed(seed, can_vary.len() + 5), "SEED={seed}");
        let names: Vec<String> = drawn.iter().map(|(place, _)| place.card_text()).collect();
        assert_eq!(names[..can_vary.len()].iter().cloned().collect::<BTreeSet<_>>(), can_vary, "SEED={seed}");
        assert_eq!(names.len(), can_vary.len() + 5, "SEED={seed}");
        assert!(drawn.iter().all(|(_, version)| (1..=999).contains(version)), "SEED={seed}");
    }
    assert_ne!(mixed(1, 10), mixed(2, 10));
    let lessons: BTreeSet<&str> = can_vary.iter().filter_map(|name| name.split_once('.')).map(|(id, _)| id).collect();
    assert_eq!(lessons, course::ids().collect(), "each lesson has a card");
}

#[test]
fn a_worked_card_shows_its_right_answer_and_a_half_worked_card_a_misconception() {
    let (mut n_worked, mut n_struck, mut n_thoughts) = (0, 0, 0);
    for (name, card) in cards::all() {
        let scene = card.scene();
        assert_eq!(card.shown(Help::Alone), Shown::Nothing, "{name}");
        let Some(question) = &card.question else {
            assert_eq!(card.shown(Help::Worked), Shown::Nothing, "{name}");
            continue;
        };
        let Shown::Right { answer, why } = card.shown(Help::Worked) else { panic!("{name}") };
        assert_eq!((question.judge(&scene, &answer).verdict, why), (Verdict::Right, card.why.as_slice()), "{name}");
        n_worked += 1;
        match card.shown(Help::Half) {
            Shown::Struck { choice, reason } => {
                let judged = question.judge(&scene, &Answer::Choice(choice));
                assert_eq!((judged.verdict, judged.reason.as_ref()), (Verdict::Wrong, Some(reason)), "{name}");
                n_struck += 1;
            }
            // The reader gave no number, so none is struck out.
            Shown::Thought(reason) => {
                assert!(question.choices().is_empty() && question.reasons().any(|one| one == reason), "{name}");
                n_thoughts += 1;
            }
            _ => {}
        }
    }
    assert!(n_worked > 150 && n_struck >= 60 && n_thoughts >= 12, "{n_worked} {n_struck} {n_thoughts}");
}

/// Returns what a reader sees of a card before the answer: its texts, and the settings of a task.
fn question(card: &Card) -> String {
    let scene = card.scene();
    let mut all: Vec<String> = card.text.iter().map(|text| text.text(&scene)).collect();
    if let Some(question) = &card.question {
        all.push(question.text.text(&scene));
        all.extend(question.choices().iter().map(|choice| choice.text(&scene)));
    }
    if let Some(change) = &card.change {
        all.push(change.text.text(&scene) + &card.state.to_parts().0);
    }
    all.join("\n")
}

fn right(card: &Card) -> Option<String> {
    let (question, scene) = (card.question.as_ref()?, card.scene());
    Some(question.shown(&scene, &question.right(&scene).expect("a right answer")))
}

/// Repeats each card `n` times. Each repetition must ask another question than the one before, and in most of them the
/// right answer must differ. Each example must have another right answer than its card.
fn assert_repetitions(n: usize) {
    let (mut n_asked, mut n_equal, mut n_examples) = (0, 0, 0);
    let mut fixed = BTreeSet::new();
    for (name, written) in cards::of(Set::Course).into_iter().filter(|(_, card)| card.can_vary()) {
        let (mut seen, mut at) = (written.clone(), place(&name));
        for _ in 0..n {
            let next = written.version_unlike(&at, at.version + 1, &seen);
            let (version, card) = next.unwrap_or_else(|| panic!("{name}: no repetition after {}", at.version));
            assert!(version > at.version, "{name} {version}");
            assert_eq!(written.version(&at, version).as_ref(), Some(&card), "{name}");
            at.version = version;
            assert_ne!((question(&card), right(&card)), (question(&seen), right(&seen)), "{name} {version}");
            if card.question.is_some() {
                n_asked += 1;
                if right(&card) == right(&seen) {
                    n_equal += 1;
                    fixed.insert(name.clone());
                }
            }
            if let Some(example) = written.example(&at, &card) {
                assert_ne!(right(&example), right(&card), "{name} {version}");
                n_examples += 1;
            } else if card.question.is_some() {
                fixed.insert(name.clone());
            }
            seen = card;
        }
    }
    assert!(n_asked > 35 * n && n_equal * 4 < n_asked, "{n_equal} of {n_asked}: {fixed:?}");
    assert!(n_examples * 4 > n_asked * 3, "{n_examples} of {n_asked}: {fixed:?}");
}

#[test]
fn a_repetition_asks_another_question_and_its_example_has_another_right_answer() {
    assert_repetitions(3);
}

mod long {
    #[test]
    fn thirty_repetitions_each_ask_another_question() {
        super::assert_repetitions(30);
    }
}
