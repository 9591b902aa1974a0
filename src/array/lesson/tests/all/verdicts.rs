//! Tests of verdicts: the sentence says by how much an answer is wrong.

use lesson::course::Set;
use lesson::{Answer, Ask, Judged, Unit, Value, Verdict, words};

use crate::cards;

fn said(given: f64, right: f64, unit: Unit) -> String {
    let value = |number| Value { number, unit };
    let (given, right) = (value(given), value(right));
    words::verdict(&Judged {
        verdict: Verdict::Wrong,
        reason: None,
        given: given.shown(),
        right: right.shown(),
        numbers: Some((given, right)),
        differs: None,
    })
}

#[test]
fn a_near_miss_has_its_difference_and_a_far_one_its_factor() {
    let ends = |given, right, unit, end: &str| {
        let said = said(given, right, unit);
        assert!(said.ends_with(end), "{said}");
    };
    ends(11.0, 12.0, Unit::Count, "You answered 11; the right answer is 12. That is 1 too few.");
    ends(16.0, 12.0, Unit::Count, "That is 4 too many.");
    // A quotient of counts is a share, so it is too low or too high.
    ends(0.25, 0.4, Unit::Count, "That is 0.15 too low.");
    ends(0.4, 0.25, Unit::Count, "That is 0.15 too high.");
    ends(901.0, 894.0, Unit::Count, "That is 7 too many.");
    ends(894.0, 1788.0, Unit::Count, "The right number is twice as large.");
    ends(72.0, 256.0, Unit::Count, "The right number is 3.6 times as large.");
    ends(0.75, 0.28, Unit::Share, "Your number is 2.7 times as large.");
    ends(
        0.25,
        0.28125,
        Unit::Share,
        "You answered 25.0 %; the right answer is 28.1 %. That is 3.1 percentage points too low.",
    );
    ends(0.28, 0.2812, Unit::Share, "the right answer is 28.1 %.");
    ends(11.0, 10.0, Unit::Dollars, "That is 10 % too high.");
    ends(9.0, 10.0, Unit::Seconds, "That is 10 % too low.");
    // No number is a multiple of zero.
    ends(0.0, 12.0, Unit::Count, "the right answer is 12.");
}

#[test]
fn a_right_verdict_has_the_exact_number_and_not_the_typed_one() {
    let mut n_rounded = 0;
    for (place, card) in cards::all() {
        let scene = card.scene();
        let Some(question) = card.question.as_ref().filter(|one| matches!(one.ask, Ask::Number { .. })) else {
            continue;
        };
        let Ok(Answer::Number(right)) = question.right(&scene) else { panic!("{place}") };
        let exact = question.shown(&scene, &Answer::Number(right));
        for typed in [right, right.round(), (right * 10.0).floor() / 10.0] {
            let judged = question.judge(&scene, &Answer::Number(typed));
            if judged.verdict == Verdict::Right {
                assert_eq!(words::verdict(&judged), format!("Right: {exact}."), "{place}: {typed}");
                n_rounded += u32::from(typed.to_bits() != right.to_bits());
            }
        }
    }
    assert!(n_rounded > 0, "a number with decimals may be typed without them");
    let (_, card) = cards::all().into_iter().find(|(place, _)| place == "multiply.5").expect("the card");
    let judged = card.question.as_ref().expect("a question").judge(&card.scene(), &Answer::Number(28.0));
    assert_eq!(words::verdict(&judged), "Right: 28.1 %.");
}

#[test]
fn a_missed_goal_does_not_read_as_if_it_were_met() {
    for (place, card) in cards::all() {
        let Some(change) = &card.change else { continue };
        for part in change.parts(&card.scene()) {
            let [mark, now, goal] = words::part(&part);
            assert!(goal.contains("; goal: ") && !now.contains(' '), "{place}: {mark} {now} {goal}");
        }
    }
    let (_, card) = cards::all().into_iter().find(|(place, _)| place == "multiply.6").expect("the card");
    let part = card.change.as_ref().expect("a task").parts(&card.scene()).remove(0);
    assert_eq!(words::part(&part), ["…", "28.1\u{a0}%", "utilization; goal: more than 50.0\u{a0}%"]);
}

#[test]
fn no_line_breaks_between_a_number_and_its_percent_sign() {
    let mut n_shares = 0;
    for (place, card) in cards::all() {
        for paragraph in cards::paragraphs(&card) {
            let text = paragraph.text(&card.scene());
            assert!(!text.contains(" %"), "{place}: {text}");
            n_shares += text.matches("\u{a0}%").count();
        }
    }
    assert!(n_shares > 50, "{n_shares}");
}

#[test]
fn the_dots_before_an_ending_are_no_part_of_a_verdict() {
    for (place, card) in cards::all() {
        let Some(question) = &card.question else { continue };
        let Ask::Choose { choices, .. } = &question.ask else { continue };
        for nth in 0..choices.len() {
            let judged = question.judge(&card.scene(), &Answer::Choice(nth));
            for said in [words::verdict(&judged), words::first_try(&judged)] {
                assert!(!said.contains('…'), "{place}: {said}");
            }
        }
    }
}

#[test]
fn an_answer_in_words_is_quoted_and_a_name_is_not() {
    let said = |place: &str, wrong: usize| {
        let (_, card) = cards::all().into_iter().find(|(one, _)| one == place).expect("the card");
        let question = card.question.as_ref().expect("a question");
        let judged = question.judge(&card.scene(), &Answer::Choice(wrong));
        [words::first_try(&judged), words::verdict(&judged)]
    };
    let [first, verdict] = said("layers.8", 2);
    let wrong = "has N = 784, so some folds leave 112 columns of PEs without weights";
    let right = "has K = 1152, so each fold gives all PEs a weight";
    assert_eq!(first, format!("Not “{wrong}”. Try once more."));
    assert_eq!(verdict, format!("You answered “{wrong}”; the right answer is “{right}”."));
    assert_eq!(said("dataflow.5", 0)[0], "Not A, the inputs. Try once more.");
}

#[test]
fn an_item_that_is_ordered_too_early_has_its_misconception() {
    let (_, card) = cards::all().into_iter().find(|(place, _)| place == "pe-cycles.5").expect("the card");
    let (question, scene) = (card.question.as_ref().expect("a question"), card.scene());
    // The list is: padding 64, draining 42, loading 48, filling 30.
    let reason = |order: [usize; 4]| {
        let judged = question.judge(&scene, &Answer::Order(order.into()));
        judged.reason.map(|reason| reason.text.text(&scene))
    };
    let begins = |order: [usize; 4], words: &str| reason(order).is_some_and(|text| text.starts_with(words));
    assert!(begins([0, 3, 1, 2], "Padding costs less than each cause after it in your order."));
    assert!(begins([1, 3, 2, 0], "Draining costs less than each cause after it in your order."));
    assert!(begins([3, 2, 1, 0], "Loading costs less than each cause after it in your order."));
    assert_eq!(reason([3, 1, 2, 0]), None);
}

#[test]
fn every_best_result_has_a_unit_or_the_name_of_a_size() {
    for (place, card) in cards::of(Set::Challenges) {
        let Some((change, best)) = card.change.as_ref().and_then(|change| Some((change, change.best.as_ref()?))) else {
            continue;
        };
        let known = change.best_known(&card).expect("known");
        let said = words::best(best, known, known);
        let amount = said.strip_suffix(": the best known result.").expect("as good");
        let has_unit = amount.contains(|sign: char| sign.is_alphabetic() || "$%".contains(sign));
        assert!(has_unit, "{place}: {amount}");
    }
}

#[test]
fn a_best_result_has_its_unit() {
    let said = |place: &str| {
        let (_, card) = cards::all().into_iter().find(|(one, _)| one == place).expect("the card");
        let change = card.change.as_ref().expect("a task");
        let known = change.best_known(&card).expect("known");
        let worse = Value { number: known.number + 4.0, ..known };
        let best = change.best.as_ref().expect("compared");
        [words::best(best, known, known), words::best(best, known, worse)]
    };
    let [best, worse] = said("challenges-first.1");
    assert!(best.starts_with("M = ") && worse.starts_with("Yours: M = "), "{best} {worse}");
    assert!(said("challenges-first.3")[0].contains(" PEs:"));
    assert!(said("challenges-first.4")[0].contains(" cycles:"));
    assert_eq!(said("challenges-first.11")[0], "0 wrong elements: the best known result.");
}
