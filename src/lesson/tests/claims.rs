//! Every claim is read: what shows it holds in its state, and the three answers are judged.

use std::fs;
use std::path::PathBuf;

use lesson::{Answer, Ask, Card, Lesson, Paragraph, Piece, RightChoice, Verdict, words};

fn claims() -> Vec<(String, Card)> {
    let folder =
        PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests")).join("../../claims");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the claims are there").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let mut all = Vec::new();
    for path in files {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let text = fs::read_to_string(&path).expect("a file can be read");
        assert_eq!(lesson::course::text(&name), Some(text.as_str()), "{name} is not in the list");
        let read =
            Lesson::read(&text).unwrap_or_else(|mistake| panic!("claims/{name}.md:{}", words::mistake(&mistake)));
        assert_eq!(read.id, name, "a set of claims is named as its file");
        all.extend(read.cards.into_iter().zip(1..).map(|(card, nth)| (format!("{name}.{nth}"), card)));
    }
    all
}

/// The place of the right answer.
fn right(card: &Card) -> Option<usize> {
    match card.question.as_ref()?.ask {
        Ask::Choose { right: RightChoice::Claimed(right), .. } => Some(right),
        _ => None,
    }
}

#[test]
fn sixty_claims_are_shown_to_be_true_or_wrong_or_true_at_times() {
    let claims = claims();
    assert!(claims.len() >= 60, "{}", claims.len());
    let count = |verdict: usize| claims.iter().filter(|(_, card)| right(card) == Some(verdict)).count();
    let [n_true, n_wrong, n_depends] = [0, 1, 2].map(count);
    assert_eq!(n_true + n_wrong + n_depends, claims.len(), "every card is a claim");
    assert!(n_wrong >= 20 && n_true >= 15 && n_depends >= 8, "{n_true} true, {n_wrong} wrong, {n_depends} at times");
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
fn what_is_said_of_a_claim_has_numbers_that_are_worked_out() {
    let n_values = |one: &Paragraph| one.pieces.iter().filter(|piece| matches!(piece, Piece::Value { .. })).count();
    let mut without = Vec::new();
    for (place, card) in claims() {
        assert!(!card.why.is_empty(), "{place} says nothing in the end");
        if card.why.iter().map(n_values).sum::<usize>() == 0 {
            without.push(place);
        }
    }
    assert!(without.len() <= 1, "{without:?} show no number");
}
