//! Compares the numbers of every card with a list, so that the effect of a changed formula or chip table is visible.

use std::fmt::Write as _;

use lesson::Card;

use crate::cards;

/// Describes a card in a line: its right answer or its best known solution, and all numbers that it computes.
fn line(place: &str, card: &Card) -> String {
    let scene = card.scene();
    let shown = |expression: &&lesson::Expression| match expression.value(&scene) {
        Ok(value) => value.shown(),
        Err(why) => panic!("{place}: {expression:?} {why:?}"),
    };
    let numbers: Vec<String> = cards::expressions(card).iter().map(shown).collect();
    let answer = card.question.as_ref().map_or_else(String::new, |question| {
        question.right(&scene).map_or_else(|_| String::new(), |right| question.shown(&scene, &right))
    });
    let best = card.change.as_ref().and_then(|change| change.best_known(card)).map(lesson::Value::shown);
    let mut line = place.to_owned();
    for (name, text) in [("answer", answer), ("best", best.unwrap_or_default()), ("numbers", numbers.join(" | "))] {
        if !text.is_empty() {
            _ = write!(line, "\n  {name}: {text}");
        }
    }
    line
}

#[test]
fn every_number_of_every_card_is_the_one_written_down() {
    let now: Vec<String> = cards::all().iter().map(|(place, card)| line(place, card)).collect();
    let now = now.join("\n") + "\n";
    let path = std::path::PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests"))
        .join("tests/all/answers.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &now).expect("it can be written");
    }
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let differing: Vec<String> = before
        .lines()
        .zip(now.lines())
        .filter(|(before, now)| before != now)
        .map(|(before, now)| format!("- {before}\n+ {now}"))
        .take(20)
        .collect();
    assert!(
        before == now,
        "numbers have changed; if they should have, UPDATE=1 writes them down:\n{}",
        differing.join("\n")
    );
}
