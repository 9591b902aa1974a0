//! One question of each kind, answered in the shipped page: with a mouse, with a finger, with keys, and with only what
//! a screen reader gets. The right answers come from the lesson and the core.

use lesson::{Answer, Ask, Card, Lesson, LessonPlace, Question, course, words};
use studio::Field;

use crate::visitor::{Hand, Visitor, thing};

/// One card for each of the eight kinds of questions; [`TASK`] is a card with a task.
const CARDS: [&str; 8] =
    ["multiply.2", "multiply.3", "multiply.4", "multiply.5", "pe-cycles.4", "pe-cycles.5", "dataflow.9", "dataflow.7"];
const TASK: &str = "multiply.6";

fn card(place: &str) -> Card {
    let place = LessonPlace::parse(place).expect("a place");
    let lesson = course::text(&place.lesson).and_then(|text| Lesson::read(text).ok()).expect("a lesson");
    lesson.card(place.card).and_then(|card| card.version(&place, place.version)).expect("a card")
}

fn asked(card: &Card) -> &Question {
    card.question.as_ref().expect("a question")
}

#[test]
fn the_cards_are_of_eight_kinds() {
    let kinds: std::collections::BTreeSet<&str> = CARDS
        .iter()
        .map(|place| match asked(&card(place)).ask {
            Ask::Choose { .. } => "choose",
            Ask::Number { .. } => "number",
            Ask::Register(_) => "register",
            Ask::Cycle(_) => "cycle",
            Ask::Pe(_) => "pe",
            Ask::Pes(_) => "pes",
            Ask::Order(_) => "order",
            Ask::Formula(_) => "formula",
        })
        .collect();
    assert_eq!(kinds.len(), 8, "{kinds:?}");
}

/// Answers a question with the controls of the question.
fn give(visitor: &Visitor, card: &Card, answer: &Answer) {
    let scene = card.scene();
    let field = thing("#answer", "textbox", words::NUMBER);
    match answer {
        Answer::Choice(nth) => {
            let label = format!("#choice-{nth}");
            let name = visitor.page.js(&format!(
                "return document.querySelector('{label}').labels[0].textContent.replace(/\\s+/g, ' ').trim()"
            ));
            let Ask::Choose { choices, .. } = &asked(card).ask else { panic!("choices") };
            let value = choices[*nth].value.value(&scene).expect("a value").shown();
            let spoken = choices[*nth].label.shown(&scene).expect("a label");
            let spoken =
                if choices[*nth].is_shown { format!("{value} {spoken}").trim_end().to_owned() } else { spoken };
            assert!(name.as_str().is_some_and(|name| spoken.replace(' ', "") == name.replace(' ', "")), "{name}");
            visitor.press(&thing(&label, "radio", &spoken));
        }
        Answer::Number(number) => visitor.write(&field, &display::number::significant(*number, 9)),
        Answer::Cycle(cycle) => visitor.write(&field, &cycle.get().to_string()),
        Answer::Formula(_) => visitor.write(&thing("#answer", "textbox", words::FORMULA), "k + rows + cols - 2"),
        Answer::Pes(pes) => {
            for &pe in pes {
                if matches!(visitor.hand, Hand::Mouse | Hand::Finger) {
                    visitor.press_pe(&card.plan, pe);
                } else {
                    visitor.write(&thing("#answer-row", "textbox", words::ROW), &pe.row.to_string());
                    visitor.write(&thing("#answer-col", "textbox", words::COL), &pe.col.to_string());
                    visitor.press(&thing("#answer-pe", "button", words::CHOOSE));
                }
                let name = ::words::caption::pe_name(pe);
                visitor.wait_for_text("#chosen", &name);
            }
        }
        Answer::Order(order) => {
            let Ask::Order(choices) = &asked(card).ask else { panic!("an order") };
            let mut now = asked(card).listed(&scene);
            for (place, wanted) in order.iter().enumerate() {
                let name = choices[*wanted].label.shown(&scene).expect("a label");
                while now[place] != *wanted {
                    let at = now.iter().position(|one| one == wanted).expect("it is among them");
                    let spoken = format!("{} {name}", words::EARLIER);
                    visitor.press(&thing(&format!("#up-{wanted}"), "button", &spoken));
                    now.swap(at - 1, at);
                    let nth = at;
                    visitor.wait("it is one place earlier", |page| {
                        page.text(&format!(".order li:nth-child({nth}) span")).contains(&name)
                    });
                }
            }
        }
    }
}

/// Opens a card, and answers its question right.
fn answer(visitor: &Visitor, place: &str) {
    let card = card(place);
    let question = asked(&card);
    let right = question.right(&card.scene()).expect("it has an answer");
    visitor.page.goto(&format!("?learn={place}"));
    visitor.wait(&format!("{place} is there"), |page| page.count("#question") == 1 && page.count("#lock") == 1);
    give(visitor, &card, &right);
    visitor.wait(&format!("{place} can be locked"), |page| {
        page.js("return document.querySelector('#lock').disabled").as_bool() == Some(false)
    });
    let name = words::lock(&question.shown(&card.scene(), &right));
    assert_eq!(visitor.page.text("#lock"), name, "{place}");
    visitor.press(&thing("#lock", "button", &name));
    visitor.wait("the next step has the focus", |page| {
        page.js("return document.activeElement.id").as_str() == Some("card-next")
    });
    visitor.wait(&format!("{place} is judged"), |page| page.text("#verdict").starts_with("Right"));
}

fn eight_questions(hand: Hand) {
    let visitor = Visitor::new(hand, "?learn=multiply.1");
    for place in CARDS {
        answer(&visitor, place);
    }
    // The task is to change a setting until a goal is met.
    visitor.page.goto(&format!("?learn={TASK}"));
    visitor.wait("the task is there", |page| page.count("#change-m") == 1);
    visitor.write(&thing("#guess", "textbox", &words::guess(Field::M)), "40");
    visitor.press(&thing("#lock-guess", "button", words::LOCK_GUESS));
    visitor.write(&thing("#change-m", "textbox", words::field(Field::M)), "32");
    visitor.wait_for_text("#verdict", words::goal(true));
    assert_eq!(visitor.page.console_errors(), Vec::<String>::new());
}

#[test]
fn each_kind_of_question_is_answered_with_keys_alone() {
    eight_questions(Hand::Keys);
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;
    use lesson::course::Set;

    #[test]
    fn three_versions_of_each_card_are_answered_right_and_the_array_shows_their_runs() {
        let visitor = Visitor::new(Hand::Mouse, "?learn=multiply.1");
        for entry in course::of_set(Set::Course) {
            for nth in (1..=entry.n_cards).filter(|&nth| entry.can_vary(nth)) {
                for version in 1..=3 {
                    let place = format!("{}.{nth}.v{version}", entry.id);
                    let card = card(&place);
                    // One card asks for a formula, which is right in every version. So the test skips this card.
                    if card.question.is_none() {
                        continue;
                    }
                    answer(&visitor, &place);
                    let wanted = card.revealed();
                    visitor.wait(&format!("the run of {place}"), |page| {
                        let link = studio::Link::parse(page.url().split_once('?').map_or("", |(_, query)| query), "");
                        link.scenario == *wanted.scenario()
                    });
                }
            }
        }
        assert_eq!(visitor.page.console_errors(), Vec::<String>::new());
    }

    #[test]
    fn each_kind_of_question_is_answered_with_roles_and_names_alone() {
        eight_questions(Hand::Tree);
    }

    #[test]
    fn each_kind_of_question_is_answered_with_a_mouse_alone() {
        eight_questions(Hand::Mouse);
    }

    #[test]
    fn each_kind_of_question_is_answered_with_a_finger_alone() {
        eight_questions(Hand::Finger);
    }
}
