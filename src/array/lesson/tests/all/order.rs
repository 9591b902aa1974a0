//! Tests that the order of the choices does not reveal the answer.

use std::collections::BTreeMap;

use lesson::course::Set;
use lesson::{Answer, Ask, RightChoice, Unit};

use crate::cards;

/// Number of questions, and how often each position is right, by number of choices.
fn positions() -> BTreeMap<usize, Vec<usize>> {
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, card) in cards::of(Set::Course) {
        let Some(question) = &card.question else { continue };
        let scene = card.scene();
        let (Ask::Choose { choices, .. }, Ok(Answer::Choice(right))) = (&question.ask, question.right(&scene)) else {
            continue;
        };
        let listed = question.listed(&scene);
        let at = listed.iter().position(|&nth| nth == right).unwrap_or_else(|| panic!("{place}: {listed:?}"));
        found.entry(choices.len()).or_insert_with(|| vec![0; choices.len()])[at] += 1;
    }
    found
}

#[test]
fn no_position_is_right_too_often_or_too_seldom() {
    let found = positions();
    let mut n_groups = 0;
    for (n_choices, right) in &found {
        let n: usize = right.iter().sum();
        if n < 10 {
            continue;
        }
        n_groups += 1;
        for (at, &times) in right.iter().enumerate() {
            assert!(
                5 * times >= n && 2 * times <= n,
                "{n_choices} choices: position {at} is right {times} of {n} times: {right:?}"
            );
        }
    }
    assert!(n_groups >= 1, "{found:?}");
    // A reader who always chooses the first, the second … or the last choice is right in at most half of the questions.
    let n: usize = found.values().flatten().sum();
    let most = found.keys().max().copied().unwrap_or(0);
    for at in 0..most {
        let first: usize = found.values().filter_map(|right| right.get(at)).sum();
        let last: usize = found.values().filter_map(|right| right.iter().rev().nth(at)).sum();
        assert!(2 * first <= n && 2 * last <= n, "position {at}: {first} or {last} of {n}");
    }
}

#[test]
fn numbers_rise_and_items_begin_out_of_order() {
    let (mut n_rising, mut n_orders) = (0, 0);
    for (place, card) in cards::all() {
        let Some(question) = &card.question else { continue };
        let (scene, listed) = (card.scene(), question.listed(&card.scene()));
        match &question.ask {
            Ask::Choose { choices, right } if !matches!(right, RightChoice::Claimed(_)) => {
                let mut sorted = listed.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..choices.len()).collect::<Vec<_>>(), "{place}");
                if choices.iter().all(|choice| choice.is_shown) {
                    let numbers = listed.iter().map(|&nth| choices[nth].value.value(&scene).expect("a value").number);
                    assert!(numbers.is_sorted(), "{place}");
                    n_rising += 1;
                }
            }
            Ask::Order(_) => {
                assert_ne!(question.right(&scene), Ok(Answer::Order(listed)), "{place}");
                n_orders += 1;
            }
            _ => {}
        }
    }
    assert!(n_rising > 5 && n_orders > 0, "{n_rising} {n_orders}");
}

#[test]
fn a_reader_who_always_takes_the_middle_number_is_right_in_a_third_of_the_questions() {
    let mut right = [0; 3];
    for (place, card) in cards::of(Set::Course) {
        let Some(question) = &card.question else { continue };
        let scene = card.scene();
        let (Ask::Choose { choices, .. }, Ok(Answer::Choice(nth))) = (&question.ask, question.right(&scene)) else {
            continue;
        };
        if choices.len() != right.len() || !choices.iter().all(|choice| choice.is_shown) {
            continue;
        }
        let number =
            |choice: &lesson::Choice| choice.value.value(&scene).unwrap_or_else(|why| panic!("{place}: {why:?}"));
        let n_less = choices.iter().filter(|choice| number(choice).number < number(&choices[nth]).number).count();
        right[n_less] += 1;
    }
    let n: usize = right.iter().sum();
    assert!(n >= 20, "{right:?}");
    assert!(right.iter().all(|&times| 4 * times >= n && 5 * times <= 2 * n), "{right:?} of {n}");
}

#[test]
fn no_number_to_choose_has_a_unit_that_the_others_lack() {
    let mut n_questions = 0;
    for (place, card) in cards::all() {
        let (Some(question), scene) = (&card.question, card.scene()) else { continue };
        let shown = question.choices().iter().filter(|choice| choice.is_shown);
        let units: Vec<Unit> = shown.map(|choice| choice.value.value(&scene).expect("a value").unit).collect();
        let has = |unit: Unit| units.contains(&unit);
        let is_mixed = [Unit::Share, Unit::Seconds, Unit::Dollars].into_iter().any(has);
        assert!(!is_mixed || units.iter().all(|unit| *unit == units[0]), "{place}: {units:?}");
        n_questions += u32::from(is_mixed);
    }
    assert!(n_questions >= 10, "{n_questions}");
}
