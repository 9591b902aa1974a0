//! Prints lessons as plain text, with all values computed and all right answers. Usage:
//! `cargo run -p lesson --example read course/lessons/wave.md`.

use lesson::{Ask, Choice, Lesson, Paragraph, Scene, words};

fn shown(paragraph: &Paragraph, scene: &Scene<'_>) -> String {
    paragraph.text(scene)
}

fn choice(choice: &Choice, scene: &Scene<'_>) -> String {
    let value = choice.value.value(scene).map_or_else(|_| String::new(), lesson::Value::shown);
    let reason = choice.reason.as_ref().map_or_else(|| "right".to_owned(), |reason| shown(&reason.text, scene));
    format!("  ( ) [{value}] {}\n        {reason}\n", shown(&choice.label, scene))
}

fn main() {
    for name in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&name).expect("a lesson can be read");
        let lesson = match Lesson::read(&text) {
            Ok(lesson) => lesson,
            Err(mistake) => panic!("{name}:{}", words::mistake(&mistake)),
        };
        let mut page = format!("# {}, {} minutes\n", lesson.title, lesson.minutes);
        for (card, nth) in lesson.cards.iter().zip(1..) {
            let scene = card.scene();
            page += &format!("\n## {nth} {} ({:?}, {:?})\n", shown(&card.title, &scene), card.kind, card.lit);
            card.text.iter().for_each(|one| page += &(shown(one, &scene) + "\n"));
            if let Some(question) = &card.question {
                page += &format!("? {}\n", shown(&question.text, &scene));
                if let Ask::Choose { choices, .. } | Ask::Order(choices) = &question.ask {
                    choices.iter().for_each(|one| page += &choice(one, &scene));
                }
                for named in &question.named {
                    let value = named.value.value(&scene).map_or_else(|_| String::new(), lesson::Value::shown);
                    page += &format!("  wrong: {value}: {}\n", shown(&named.reason.text, &scene));
                }
                page += &format!(
                    "  right: {}\n",
                    question.right(&scene).map_or_else(|_| String::new(), |right| question.shown(&scene, &right))
                );
            }
            if let Some(change) = &card.change {
                page += &format!("! {}\n", shown(&change.text, &scene));
            }
            card.why.iter().for_each(|one| page += &format!("> {}\n", shown(one, &scene)));
        }
        std::io::Write::write_all(&mut std::io::stdout(), page.as_bytes()).expect("the page can be printed");
    }
}
