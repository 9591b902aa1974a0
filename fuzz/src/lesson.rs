//! Entry point of lessons: Markdown that a teacher writes.

use lesson::{Ask, Card, Lesson, Paragraph, Verdict, evaluate, words};

use super::text;

/// Checks that a mistake has a position in the text. In a valid lesson, every card must have a run, every placeholder a
/// value, every question a right answer, and every task a solution.
pub(super) fn lesson(bytes: &[u8]) {
    let text = text(bytes);
    match Lesson::read(&text) {
        Err(mistake) => {
            let line = text.split('\n').nth(mistake.at.line.wrapping_sub(1));
            let chars = line.unwrap_or_else(|| panic!("there is no line {}", mistake.at.line)).chars().count();
            assert!((1..=chars + 1).contains(&mistake.at.col), "{:?} in a line of {chars}", mistake.at);
            let said = words::mistake(&mistake);
            assert!(said.len() < 2_000 && !said.contains(plain::is_control_or_bidi), "{said:?}");
        }
        Ok(lesson) => lesson.cards.iter().for_each(works),
    }
}

fn works(card: &Card) {
    let scene = card.scene();
    let mut texts: Vec<&Paragraph> = [&card.title].into_iter().chain(&card.text).chain(&card.why).collect();
    if let Some(question) = &card.question {
        texts.push(&question.text);
        if let Ask::Choose { choices, .. } | Ask::Order(choices) = &question.ask {
            texts.extend(choices.iter().map(|choice| &choice.label));
        }
        texts.extend(question.reasons().map(|reason| &reason.text));
        let right = question.right(&scene).expect("a question has an answer");
        assert_eq!(question.judge(&scene, &right).verdict, Verdict::Right, "{right:?}");
    }
    if let Some(change) = &card.change {
        texts.push(&change.text);
        texts.extend(&change.hints);
        let solved = evaluate::plan_with(&card.plan, &change.solution).expect("a solution runs");
        assert!(change.is_met(&change.solved(card, &solved)), "the solution meets no goal");
    }
    for text in texts {
        assert!(text.shown(&scene).is_ok(), "{:?}", text.shown(&scene));
    }
}
