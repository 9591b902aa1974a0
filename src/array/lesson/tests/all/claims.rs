//! Reads every claim. Its state must show the evidence, and the three answers must be judged right.

use lesson::course::{self, Set};
use lesson::{Answer, Ask, Card, Paragraph, Piece, RightChoice, Verdict, words};

use crate::cards::{self, Placed};

fn claims() -> Vec<Placed> {
    cards::of(Set::Claims)
}

/// Returns the position of the right answer.
fn right(card: &Card) -> Option<usize> {
    match card.question.as_ref()?.ask {
        Ask::Choose { right: RightChoice::Claimed(right), .. } => Some(right),
        _ => None,
    }
}

#[test]
fn a_hundred_claims_are_shown_to_be_true_or_wrong_or_true_at_times() {
    let claims = claims();
    assert!(claims.len() >= 100, "{}", claims.len());
    let count = |verdict: usize| claims.iter().filter(|(_, card)| right(card) == Some(verdict)).count();
    let [n_true, n_wrong, n_depends] = [0, 1, 2].map(count);
    assert_eq!(n_true + n_wrong + n_depends, claims.len(), "every card is a claim");
    // A person who gives one answer to all claims is mostly wrong.
    assert!([n_true, n_wrong, n_depends].into_iter().all(|n| 2 * n < claims.len()), "{n_true} {n_wrong} {n_depends}");
    assert!(n_true >= 37 && n_depends >= 20, "{n_true} true, {n_wrong} wrong, {n_depends} at times");
}

#[test]
fn verdicts_alternate_in_each_set_of_claims_and_subjects_in_the_mixed_set() {
    let verdicts = |id: &str| -> Vec<Option<usize>> {
        let of_set = |(place, _): &&Placed| place.rsplit_once('.').is_some_and(|(set, _)| set == id);
        claims().iter().filter(of_set).map(|(_, card)| right(card)).collect()
    };
    for id in course::ids_of_set(Set::Claims) {
        let verdicts = verdicts(id);
        assert!(verdicts.len() >= 9, "{id}");
        assert!(!verdicts.windows(4).any(|four| four.iter().all(|one| *one == four[0])), "{id}: {verdicts:?}");
    }
    let mixed = verdicts("mixed-claims");
    assert!(mixed.windows(2).all(|two| two[0] != two[1]), "{mixed:?}");
    // These are the subjects of the claims in the mixed set. Each subject is the name of the set that has more claims
    // about it.
    let subjects =
        ["array", "chip", "price", "format", "array", "memory", "layer", "format", "chip", "run", "layer", "drawing"];
    assert_eq!(subjects.len(), mixed.len());
    assert!(subjects.windows(2).all(|two| two[0] != two[1]));
    for subject in subjects {
        assert!(course::set(&format!("{subject}-claims")).is_some(), "{subject}");
    }
}

#[test]
fn a_claim_about_all_cases_never_depends() {
    for (place, card) in claims() {
        let title = card.title.text(&card.scene()).to_lowercase();
        let says_all = title
            .split(|sign: char| !sign.is_alphabetic())
            .any(|word| ["all", "always", "any", "each", "every", "everything", "never", "no", "only"].contains(&word));
        assert!(!says_all || right(&card) != Some(2), "{place}: {title}");
    }
}

#[test]
fn one_answer_to_a_claim_is_right_and_the_others_are_told_so() {
    for (place, card) in claims() {
        let (question, scene) = (card.question.as_ref().expect("a claim asks"), card.scene());
        for choice in 0..words::CLAIMED.len() {
            let judged = question.judge(&scene, &Answer::Choice(choice));
            let is_right = right(&card) == Some(choice);
            assert_eq!(judged.verdict == Verdict::Right, is_right, "{place}: {choice}");
            let said = words::verdict(&judged);
            assert!(said.contains(words::CLAIMED[choice]) && said.ends_with('.'), "{place}: {said}");
        }
    }
}

#[test]
fn what_is_said_of_a_claim_has_numbers_that_are_worked_out_or_a_source() {
    let n_values = |one: &Paragraph| one.pieces.iter().filter(|piece| matches!(piece, Piece::Value { .. })).count();
    let mut without = Vec::new();
    for (place, card) in claims() {
        assert!(!card.why.is_empty(), "{place} says nothing in the end");
        if card.why.iter().map(n_values).sum::<usize>() == 0 {
            assert!(card.source.is_some(), "{place} shows no number and names no source");
            without.push(place);
        }
    }
    assert!(without.len() <= 3, "{without:?} show no number");
}
