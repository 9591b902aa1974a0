//! Reads the cards of the project from their folders.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use lesson::course::{self, Set};
use lesson::{Ask, Card, Expression, Lesson, Paragraph, Piece, RightChoice, words};

/// Card with its place, such as `wave.3`.
pub(crate) type Placed = (String, Card);

const fn folder(set: Set) -> &'static str {
    match set {
        Set::Course => "course/lessons",
        Set::Claims => "course/claims",
        Set::Challenges => "course/challenges",
        Set::Tests => "course/tests",
    }
}

/// Returns the text of a file in a folder of the project.
pub(crate) fn text(path: &str) -> String {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests")).join("../../..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn names(folder: &str) -> BTreeSet<String> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests")).join("../../..");
    let files = fs::read_dir(root.join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let names = files.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned());
    names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned)).collect()
}

/// Reads the files of a set in the order of its list. Each result is a lesson, or the mistake of its file. The list
/// must have exactly the files of the folder.
pub(crate) fn read(set: Set) -> Vec<Result<Lesson, String>> {
    let folder = folder(set);
    let listed: Vec<&str> = course::ids_of_set(set).collect();
    assert_eq!(listed.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<_>>(), names(folder), "{folder}");
    let read = |id: &str| {
        let name = format!("{folder}/{id}.md");
        let lesson = Lesson::read(&text(&name)).map_err(|mistake| format!("{name}:{}", words::mistake(&mistake)))?;
        assert_eq!(lesson.id, id, "a set of cards is named as its file");
        assert_eq!(lesson.title, course::title(id), "{id}");
        Ok(lesson)
    };
    listed.into_iter().map(read).collect()
}

/// Returns the cards of a set with their places. Each card is read without the others, so that a mistake is reported
/// with the place of its card.
pub(crate) fn one_by_one(set: Set) -> Vec<Result<Placed, String>> {
    let each = |id: &'static str| {
        let text = text(&format!("{}/{id}.md", folder(set)));
        let mut parts = text.split("\n## ");
        let head = parts.next().unwrap_or_default().to_owned();
        let mut state = String::new();
        let read = parts.zip(1..).map(move |(card, nth)| {
            // If a card has no state, the state of the card before it applies.
            let own = card.lines().find(|line| line.starts_with("state: "));
            let card = match own {
                Some(own) => {
                    own.clone_into(&mut state);
                    card.to_owned()
                }
                None => card.replacen("```card\n", &format!("```card\n{state}\n"), 1),
            };
            let place = format!("{id}.{nth}");
            match Lesson::read(&format!("{head}\n## {card}")) {
                Ok(mut lesson) => Ok((place, lesson.cards.remove(0))),
                Err(mistake) => Err(format!("{place}:{}", words::mistake(&mistake))),
            }
        });
        read.collect::<Vec<_>>()
    };
    course::ids_of_set(set).flat_map(each).collect()
}

/// Returns the lessons of a set. Panics if a file has a mistake.
pub(crate) fn lessons(set: Set) -> Vec<Lesson> {
    read(set).into_iter().map(|lesson| lesson.unwrap_or_else(|mistake| panic!("{mistake}"))).collect()
}

/// Returns the cards of a lesson with their places.
pub(crate) fn numbered(lesson: Lesson) -> impl Iterator<Item = Placed> {
    let id = lesson.id;
    lesson.cards.into_iter().zip(1..).map(move |(card, nth)| (format!("{id}.{nth}"), card))
}

/// Returns the cards of a set in their order.
pub(crate) fn of(set: Set) -> Vec<Placed> {
    lessons(set).into_iter().flat_map(numbered).collect()
}

/// Returns all cards of all sets.
pub(crate) fn all() -> Vec<Placed> {
    Set::ALL.into_iter().flat_map(of).collect()
}

/// Returns all texts of a card in their order: title, text, question or task, choices, misconceptions, hints, the end.
pub(crate) fn paragraphs(card: &Card) -> Vec<&Paragraph> {
    let mut all = vec![&card.title];
    all.extend(&card.text);
    if let Some(question) = &card.question {
        all.push(&question.text);
        if let Ask::Choose { choices, .. } | Ask::Order(choices) = &question.ask {
            all.extend(choices.iter().map(|choice| &choice.label));
        }
        all.extend(question.reasons().map(|reason| &reason.text));
    }
    if let Some(change) = &card.change {
        all.push(&change.text);
        all.extend(&change.hints);
    }
    all.extend(&card.why);
    all
}

/// Returns everything that is computed for a card: the numbers in its texts, its right and wrong answers, its goal.
pub(crate) fn expressions(card: &Card) -> Vec<&Expression> {
    let value = |piece: &'_ Piece| matches!(piece, Piece::Value { .. });
    let mut all = Vec::new();
    for piece in paragraphs(card).into_iter().flat_map(|one| &one.pieces).filter(|piece| value(piece)) {
        if let Piece::Value { value, .. } = piece {
            all.push(value);
        }
    }
    if let Some(question) = &card.question {
        match &question.ask {
            Ask::Choose { choices, right } => {
                all.extend(choices.iter().map(|choice| &choice.value));
                if let RightChoice::Equal(right) = right {
                    all.push(right);
                }
            }
            Ask::Order(choices) => all.extend(choices.iter().map(|choice| &choice.value)),
            Ask::Number { answer, .. } | Ask::Register(answer) | Ask::Cycle(answer) => all.push(answer),
            // These questions ask about each PE or about other shapes.
            Ask::Pe(_) | Ask::Pes(_) | Ask::Formula(_) => {}
        }
        if !matches!(question.ask, Ask::Pe(_) | Ask::Pes(_) | Ask::Formula(_)) {
            all.extend(question.named.iter().map(|named| &named.value));
        }
    }
    if let Some(change) = &card.change {
        all.push(&change.goal);
        all.extend(change.best.iter().map(|best| &best.of));
    }
    all
}

/// Number of cards of each lesson and of each set of claims of the first course.
const FIRST_COURSE: [(&str, usize); 16] = [
    ("wave", 9),
    ("waste", 9),
    ("dataflows", 9),
    ("folds", 9),
    ("formats", 8),
    ("mfu", 9),
    ("models", 9),
    ("claims-array", 10),
    ("claims-drawings", 10),
    ("claims-memory", 10),
    ("claims-chips", 10),
    ("claims-numbers", 10),
    ("claims-money", 10),
    ("claims-scale", 10),
    ("claims-clouds", 11),
    ("claims-software", 12),
];

#[test]
fn each_card_of_the_first_course_has_a_place_today() {
    use lesson::moved::{self, Moved};
    let places: BTreeSet<String> = all().into_iter().map(|(place, _)| place).collect();
    let moved: Vec<(String, Moved)> = moved::all().collect();
    let wanted = FIRST_COURSE.iter().flat_map(|(id, n)| (1..=*n).map(move |nth| format!("{id}.{nth}")));
    assert_eq!(moved.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
    let mut n_here = 0;
    for (name, to) in moved {
        let (Moved::Here(place) | Moved::Near(place)) = &to;
        assert!(places.contains(&place.card_text()), "{name} leads to {}", place.card_text());
        assert!(!places.contains(&name), "{name} is a card today");
        let of_today = lesson::LessonPlace::parse(&name).map(|old| moved::today(&old).card_text());
        let is_here = matches!(to, Moved::Here(_));
        n_here += usize::from(is_here);
        assert_eq!(of_today == Some(place.card_text()), is_here, "{name}");
    }
    assert!(n_here >= 45 + 77, "{n_here}");
    // Challenges keep their names.
    for (id, n) in [("challenges-first", 11), ("challenges-second", 11), ("challenges-chip", 11)] {
        assert!(course::n_cards(id) >= n, "{id}");
    }
}
