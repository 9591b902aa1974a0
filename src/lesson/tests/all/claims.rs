//! Every claim is read: what shows it holds in its state, and the three answers are judged.

use lesson::course::Set;
use lesson::{Answer, Ask, Card, Paragraph, Piece, RightChoice, Verdict, words};

use crate::cards::{self, Placed};

fn claims() -> Vec<Placed> {
    cards::of(Set::Claims)
}

/// The place of the right answer.
fn right(card: &Card) -> Option<usize> {
    match card.question.as_ref()?.ask {
        Ask::Choose { right: RightChoice::Claimed(right), .. } => Some(right),
        _ => None,
    }
}

#[test]
fn ninety_claims_are_shown_to_be_true_or_wrong_or_true_at_times() {
    let claims = claims();
    assert!(claims.len() >= 90, "{}", claims.len());
    let count = |verdict: usize| claims.iter().filter(|(_, card)| right(card) == Some(verdict)).count();
    let [n_true, n_wrong, n_depends] = [0, 1, 2].map(count);
    assert_eq!(n_true + n_wrong + n_depends, claims.len(), "every card is a claim");
    assert!(n_wrong >= 60 && n_true >= 19 && n_depends >= 13, "{n_true} true, {n_wrong} wrong, {n_depends} at times");
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
        let names_source = |one: &Paragraph| one.shown(&card.scene()).is_ok_and(|text| text.contains("Source: "));
        if card.why.iter().map(n_values).sum::<usize>() == 0 {
            assert!(card.why.iter().any(names_source), "{place} shows no number and names no source");
            without.push(place);
        }
    }
    assert!(without.len() <= 13, "{without:?} show no number");
}
