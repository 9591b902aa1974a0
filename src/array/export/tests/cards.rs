//! Tests that the picture of a card does not show the answer while the card asks.

use std::collections::BTreeMap;

use display::Picture;
use display::picture::Mark;
use export::card::{self, Moment};
use lesson::course::{self, Set};
use lesson::{Answer, Ask, Card, Expression, Lesson, Measure, Piece, RightChoice};
use studio::Drawing;

/// Returns all lessons, claims and challenges as written.
fn cards() -> Vec<(String, Lesson)> {
    cards_of_version(0)
}

/// Returns a version of all lessons, claims and challenges. Each card becomes its own lesson, so that it has a picture.
fn cards_of_version(version: u32) -> Vec<(String, Lesson)> {
    let of = |id: &'static str| {
        let lesson = course::text(id).map(Lesson::read).expect("a text").expect("no mistake").version(version);
        let alone = move |nth: usize| Lesson { cards: vec![lesson.cards[nth - 1].clone()], ..lesson.clone() };
        (1..=course::n_cards(id)).map(move |nth| (format!("{id}.{nth}"), alone(nth)))
    };
    [Set::Course, Set::Claims, Set::Challenges].into_iter().flat_map(course::ids_of_set).flat_map(of).collect()
}

/// Returns the texts in the picture of a card, and its title.
fn texts(lesson: &Lesson, moment: Moment) -> Vec<String> {
    let pictures = card::pictures(lesson, moment);
    let svgs = pictures.iter().flatten().map(|drawn| drawn.svg.as_str());
    svgs.flat_map(|svg| {
        let document = roxmltree::Document::parse(svg).expect("an XML document");
        let texts = document.descendants().filter(|node| node.has_tag_name("text") || node.has_tag_name("title"));
        texts.filter_map(|node| node.text().map(str::to_owned)).collect::<Vec<_>>()
    })
    .collect()
}

/// True if the page shows a drawing in place of the array.
fn has_drawing(card: &Card) -> bool {
    card.state.tools.picture != Drawing::Array
}

/// Returns the texts that a picture must not show: the right answer as the page shows it, and the values that decide a
/// choice.
fn answers(card: &Card) -> Vec<String> {
    let (Some(question), scene) = (&card.question, card.scene()) else { return Vec::new() };
    let Ok(right) = question.right(&scene) else { return Vec::new() };
    let value = |expression: &Expression| expression.value(&scene).map(lesson::Value::shown).ok();
    match (&question.ask, &right) {
        // The numbers in the conclusion decide a claim.
        (Ask::Choose { right: RightChoice::Claimed(_), .. }, _) if has_drawing(card) => {
            let pieces = card.why.iter().flat_map(|paragraph| &paragraph.pieces);
            let values = pieces.filter_map(|piece| match piece {
                // A literal number and a size of the state decide nothing.
                Piece::Value {
                    value: Expression::Number(_) | Expression::Measure { measure: Measure::Size(_), .. },
                    ..
                } => None,
                Piece::Value { value: number, .. } => value(number),
                _ => None,
            });
            values.filter(|shown| shown.len() > 1).collect()
        }
        (Ask::Choose { right: RightChoice::Claimed(_) | RightChoice::Holds, .. }, _) => Vec::new(),
        (Ask::Choose { choices, .. }, Answer::Choice(nth)) => value(&choices[*nth].value).into_iter().collect(),
        (Ask::Order(items), _) => items.iter().filter_map(|item| value(&item.value)).collect(),
        (Ask::Number { .. } | Ask::Register(_) | Ask::Cycle(_), _) => vec![question.shown(&scene, &right)],
        _ => Vec::new(),
    }
}

/// True if a text contains the answer as a whole number. Part of an index, a size or a longer number does not count.
fn says(text: &str, answer: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || "[],=.×−\u{202f}".contains(c);
    text.match_indices(answer).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        !before.ends_with(joins) && !after.trim_start_matches(['.', '?', ',']).starts_with(joins)
    })
}

/// Returns the answers that the card itself does not show.
fn untold(card: &Card) -> Vec<String> {
    let (scene, question) = (card.scene(), card.question.as_ref());
    let told = [&card.title].into_iter().chain(&card.text).chain(question.map(|question| &question.text));
    let told: Vec<String> = told.map(|paragraph| paragraph.text(&scene)).collect();
    answers(card).into_iter().filter(|answer| !told.iter().any(|told| says(told, answer))).collect()
}

/// Returns the texts in a card's picture that show its answer, unless the card itself shows this number.
fn leaks(place: &str, lesson: &Lesson, moment: Moment) -> Vec<String> {
    let card = &lesson.cards[0];
    let (question, answers) = (card.question.as_ref(), untold(card));
    if answers.is_empty() {
        return Vec::new();
    }
    // The array and the matrices show the numbers of all registers. Some of these numbers equal a count by chance.
    let has_registers = matches!(card.state.tools.picture, Drawing::Array | Drawing::Cube)
        && !question.is_some_and(|question| matches!(question.ask, Ask::Register(_)));
    // The axis of a run shows numbers of cycles. Some of them equal a number in the conclusion by chance.
    let has_cycles = card.state.tools.picture == Drawing::PeCycles && question.is_some_and(lesson::Question::is_claim);
    let is_register = |text: &str| (has_registers || has_cycles) && text.replace('−', "-").parse::<f64>().is_ok();
    // The number of a row or of a column only names it.
    let is_name = |text: &str| ["row ", "col "].iter().any(|line| text.starts_with(line));
    texts(lesson, moment)
        .into_iter()
        .filter(|text| !is_register(text) && !is_name(text) && answers.iter().any(|answer| says(text, answer)))
        .map(|text| format!("{place}: {answers:?} in “{text}”"))
        .collect()
}

#[test]
fn no_picture_says_what_its_card_asks_before_the_answer() {
    let cards = cards();
    let of = |moment| cards.iter().flat_map(|(place, lesson)| leaks(place, lesson, moment)).collect::<Vec<_>>();
    let (asked, answered) = (of(Moment::Asked), of(Moment::Answered));
    assert!(asked.is_empty(), "{asked:#?}");
    // After the answer, many pictures show it. So this test can detect a picture that shows its answer.
    assert!(answered.len() >= 10, "{answered:#?}");
    for place in ["array-size.5", "tiles.8", "layers.2", "to-mfu.2", "to-mfu.5", "tiles.9"] {
        assert!(answered.iter().any(|leak| leak.starts_with(place)), "{place}: {answered:#?}");
    }
}

#[test]
fn no_picture_says_how_long_rows_wait_before_the_answer() {
    let cards = cards();
    let of = |moment| -> Vec<&str> {
        let says = |(_, lesson): &&(String, Lesson)| {
            texts(lesson, moment).iter().any(|text| text.contains("waits r") || text.contains("waits c"))
        };
        cards
            .iter()
            .filter(|(_, lesson)| lesson.cards[0].hides_run())
            .filter(says)
            .map(|(place, _)| place.as_str())
            .collect()
    };
    assert_eq!(of(Moment::Asked), Vec::<&str>::new());
    assert!(of(Moment::Answered).len() >= 10);
}

#[test]
fn no_picture_says_what_the_versions_of_its_card_ask() {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for version in 1..=3 {
        for (place, lesson) in cards_of_version(version).into_iter().filter(|(_, lesson)| lesson.cards[0].can_vary()) {
            let leaks = leaks(&format!("{place}, version {version}"), &lesson, Moment::Asked);
            versions.entry(place).or_default().extend(leaks.into_iter().next());
        }
    }
    // One version may have an element or a cycle that equals its answer by chance. Two such versions count as a leak.
    let leaks: Vec<_> = versions.values().filter(|leaks| leaks.len() >= 2).collect();
    assert!(versions.len() >= 40 && leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn no_timeline_says_what_its_card_asks() {
    let (width, height) = (900.0, 60.0);
    let mut leaks = Vec::new();
    for (place, lesson) in cards() {
        let card = &lesson.cards[0];
        let mut timeline = Picture::default();
        stage::timeline::draw(&card.plan, card.state.cycle, width, height, &mut timeline);
        // The page covers the cycles after this one if the card plays on to its answer.
        let cycles = card.plan.schedule().cycles().as_f64();
        let answers = untold(card);
        let open = if card.run.is_some() { (card.state.cycle.get() + 1) as f64 / cycles } else { 1.0 };
        for mark in &timeline.marks {
            let Mark::Text { at, text, .. } = mark else { continue };
            // The number of a fold only names it.
            let is_name = text.starts_with("fold ");
            if !is_name && f64::from(at.0) <= open * f64::from(width) && answers.iter().any(|answer| says(text, answer))
            {
                leaks.push(format!("{place}: {answers:?} in “{text}”"));
            }
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn a_picture_is_another_one_after_the_answer() {
    let mut n_differ = 0;
    for (place, lesson) in cards() {
        let card = &lesson.cards[0];
        if !has_drawing(card) || answers(card).is_empty() {
            continue;
        }
        let [asked, answered] = [Moment::Asked, Moment::Answered].map(|moment| card::pictures(&lesson, moment));
        assert_ne!(asked, answered, "{place}");
        n_differ += 1;
    }
    assert!(n_differ >= 15, "{n_differ}");
}

#[test]
fn most_claims_have_a_drawing_and_each_card_about_a_chip_has_its_roofline() {
    let mut n_drawn = 0;
    for (place, lesson) in cards() {
        let card = &lesson.cards[0];
        let (picture, is_claim) = (card.state.tools.picture, place.contains("-claims."));
        n_drawn += usize::from(is_claim && has_drawing(card));
        if ["chip-claims", "price-claims", "run-claims", "challenges-chip"].iter().any(|set| place.starts_with(set)) {
            assert_eq!(picture, Drawing::Roofline, "{place}");
        }
        // A chip without published rates has no roofline, so no card has such a chip.
        for moment in [Moment::Asked, Moment::Answered] {
            assert!(!texts(&lesson, moment).iter().any(|text| text == words::drawing::UNKNOWN), "{place}");
        }
    }
    assert!(n_drawn >= 80, "{n_drawn}");
}

#[test]
fn a_picture_that_the_card_before_has_is_not_repeated_and_a_test_has_none() {
    for id in [Set::Course, Set::Tests].into_iter().flat_map(course::ids_of_set) {
        let lesson = course::text(id).map(Lesson::read).expect("a text").expect("no mistake");
        let pictures = card::pictures(&lesson, Moment::Asked);
        assert_eq!(pictures.len(), lesson.cards.len(), "{id}");
        assert_eq!(pictures.iter().all(Vec::is_empty), lesson.is_test, "{id}");
        let shown: Vec<_> = pictures.iter().filter(|drawn| !drawn.is_empty()).collect();
        assert!(shown.windows(2).all(|pair| pair[0] != pair[1]), "{id}");
    }
}
