//! Tests of repeated cards in the shipped page: versions with other numbers, help that fades, and cards to do again.

use lesson::Lesson;
use lesson::course;
use serde_json::json;
use whole::browser::{Page, Setting};

fn open(page: &Page, query: &str) {
    page.goto(query);
    page.wait_until("a card or the list", || page.count("#card-title") == 1);
}

fn is_at(page: &Page, title: &str) {
    page.wait_until(&format!("the card {title:?}"), || page.text("#card-title") == title);
}

/// Chooses wrong choices until the answer is locked.
fn miss(page: &Page, lesson: &Lesson, number: usize) {
    let card = lesson.card(number).expect("a card");
    let question = card.question.as_ref().expect("it asks");
    for nth in (0..question.choices().len()).filter(|&nth| question.choices()[nth].reason.is_some()).take(2) {
        page.click(&format!("#choice-{nth}"));
        page.wait_until("an answer is chosen", || page.js("return !document.querySelector('#lock').disabled") == true);
        page.click("#lock");
    }
    page.wait_until("it can be repeated", || {
        page.js("return document.querySelector('#other-numbers')?.getClientRects().length > 0") == true
    });
    let right = question.right(&card.scene()).expect("an answer");
    let lesson::Answer::Choice(right) = right else { panic!("a choice") };
    page.wait_for(&format!(".choice.right:has(#choice-{right}) .mark"));
}

fn lesson(id: &str) -> Lesson {
    course::text(id).map(Lesson::read).expect("a text").expect("no mistake")
}

#[test]
fn a_missed_card_comes_back_with_other_numbers_and_less_help_each_time() {
    // This card has three numbers to choose from.
    let (tiles, nth) = (lesson("tiles"), 8);
    let written = tiles.card(nth).expect("a card");
    let title = written.title.text(&written.scene());
    let page = Page::new(Setting::window(1366, 768));
    open(&page, &format!("?learn=tiles.{nth}"));
    is_at(&page, &title);
    assert_eq!(page.text(".card-help"), "", "a card as written gives no help");
    miss(&page, &tiles, nth);
    let at = |version: u32| studio::LessonPlace {
        version,
        ..studio::LessonPlace::parse(&format!("tiles.{nth}")).expect("a place")
    };
    let shown = |card: &lesson::Card| {
        let (question, scene) = (card.question.as_ref().expect("it asks"), card.scene());
        question.shown(&scene, &question.right(&scene).expect("an answer"))
    };
    let (mut seen, mut version) = (written.clone(), 0);
    for (round, help) in [(1, "Worked example, with other numbers"), (2, "One wrong answer less"), (3, "")] {
        page.click("#other-numbers");
        is_at(&page, &format!("{title}, with other numbers"));
        // The repetition has another right answer than the card before.
        let (next, card) = written.version_unlike(&at(version), version + 1, &seen).expect("another question");
        version = next;
        page.wait_until("the link names the version", || page.url().contains(&format!("learn=tiles.{nth}.v{version}")));
        assert_ne!(shown(&card), shown(&seen));
        let question = card.question.as_ref().expect("it asks");
        assert_eq!(page.js("return document.querySelector('.choice input:checked')"), json!(null), "it is open");
        // The help has the core's text, with the numbers of the example.
        if round == 1 {
            page.click(".card-help summary");
        }
        let said = page.text(".card-help");
        assert!(said.starts_with(help), "{said}");
        let right = question.right(&card.scene()).expect("an answer");
        let example = written.example(&at(version), &card).expect("an example");
        assert_ne!(shown(&example), shown(&card));
        assert!(round > 1 || said.contains(&shown(&example)), "{said}");
        assert_eq!(page.count(".choice.struck input:disabled"), usize::from(round == 2));
        assert_eq!(said.is_empty(), help.is_empty());
        // The array shows the run of the version.
        let link = studio::Link::parse(page.url().split('?').nth(1).unwrap_or_default(), "");
        assert_eq!((link.scenario.m, link.scenario.k), (card.state.scenario.m, card.state.scenario.k));
        let lesson::Answer::Choice(index) = right else { panic!("a choice") };
        // A reader scrolls past the example.
        page.js(&format!("document.querySelector('#choice-{index}').scrollIntoView({{ block: 'center' }})"));
        page.click(&format!("#choice-{index}"));
        page.wait_until("an answer is chosen", || page.js("return !document.querySelector('#lock').disabled") == true);
        page.click("#lock");
        page.wait_until("it is right", || {
            page.text("#verdict").contains("Right") || page.text("#verdict").contains("right")
        });
        page.wait_until("it can be repeated", || {
            page.js("return document.querySelector('#other-numbers')?.getClientRects().length > 0") == true
        });
        seen = card;
    }
    // The list has the missed card, which is due tomorrow.
    let answered = page.url();
    page.click("#all-lessons");
    page.wait_until("the list", || page.count("#do-again") == 1);
    assert!(
        page.text(".again").contains("1 card to do again. The first one is due tomorrow."),
        "{}",
        page.text(".again")
    );
    assert_ne!(page.js("return document.querySelector('#do-again').getClientRects().length"), 0, "to practice today");
    // In practice, the card is open in a version that the reader has not seen.
    page.click("#do-again");
    page.wait_until("the card is open in another version", || {
        page.url().contains(&format!("learn=tiles.{nth}.v")) && page.url() != answered
    });
    page.wait_for("#lock");
    assert_eq!(page.js("return document.querySelector('.choice input:checked')"), json!(null));
    assert_eq!((page.text("#verdict"), page.count(".card-dots i")), (String::new(), 1));
    page.click("#all-lessons");
    page.wait_until("the list", || page.count("#do-again") == 1);
    // After a reload on the next day, the card is due, and the deck has one card.
    let stored = page.js("return localStorage.getItem('systolic-playground-again')");
    let due = stored.as_str().expect("stored").lines().nth(1).expect("a card").split(' ').nth(1).map(str::to_owned);
    let day: u64 = due.expect("a day").parse().expect("a number");
    page.js(&format!(
        "localStorage.setItem('systolic-playground-again', \
         localStorage.getItem('systolic-playground-again').replace(' {day} ', ' {} '))",
        day - 1
    ));
    open(&page, "?learn=contents");
    page.wait_until("it is due", || page.text(".again").contains("1 card due today."));
    page.click("#do-again");
    page.wait_until("the card is open", || page.url().contains(&format!("learn=tiles.{nth}.v")));
    assert!(page.text(".card-help").starts_with("Worked example"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_mixed_deck_has_ten_cards_of_several_lessons_and_ends_at_the_list() {
    let page = Page::new(Setting::window(1366, 768));
    open(&page, "?learn=contents");
    // The cards depend on the clock, so the test sets the clock.
    page.js("Date.prototype.getTime = () => 1796000000000");
    page.click("#mixed");
    let mut lessons = std::collections::BTreeSet::new();
    let mut before = String::new();
    for nth in 1..=10 {
        page.wait_until("another version is open", || page.url().contains(".v") && page.url() != before);
        before = page.url();
        let place = before.split("learn=").nth(1).and_then(|text| text.split('.').next()).expect("a lesson").to_owned();
        lessons.insert(place);
        page.wait_for("#card-next");
        page.wait_until("the card has no help", || page.text(".card-help").is_empty());
        let title = page.text("#card-title");
        assert!(!title.contains("version"), "{title}");
        // The dashes are those of the deck.
        assert_eq!((page.count(".card-dots i"), page.count(".card-dots .done")), (10, nth - 1), "{title}");
        page.click("#card-next");
    }
    page.wait_until("the list", || page.count("#mixed") == 1);
    assert!(lessons.len() > 2, "{lessons:?}");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_version_that_a_card_lacks_and_a_file_of_another_kind_are_refused_in_a_sentence() {
    let page = Page::new(Setting::window(1366, 768));
    let multiply = lesson("multiply");
    let fixed = (1..=multiply.cards.len()).find(|&nth| !multiply.card(nth).expect("a card").can_vary()).expect("one");
    page.goto(&format!("?learn=multiply.{fixed}.v3"));
    page.wait_until("the message", || {
        page.text("[role=status]").contains("has no version 3") || page.count(".card-say") > 0
    });
    let said = page.text(".card-say");
    assert!(said.contains(&format!("Card {fixed} of")) && said.contains("has no version 3"), "{said}");
    page.click(".card-say .strong");
    page.wait_until("the card as written", || page.count("#card-title") == 1);
    open(&page, "?learn=contents");
    let give = |text: &str| {
        page.js_asking(
            "const [text, done] = arguments; const input = document.querySelector('#open-again'); \
             const files = new DataTransfer(); files.items.add(new File([text], 'cards.txt')); \
             input.files = files.files; input.dispatchEvent(new Event('change', { bubbles: true })); done(true);",
            json!(text),
        );
    };
    give("hello");
    page.wait_until("the reason", || page.text(".again .problem").contains("not with “to-do-again 1”"));
    give("to-do-again 1\nmultiply.2 20787 3 2\n");
    page.wait_until("the card is in the list", || page.text(".again").contains("1 card"));
    assert_eq!(page.text(".again .problem"), "");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_version_of_a_test_stays_the_version_from_card_to_card() {
    let page = Page::new(Setting::window(1366, 768));
    open(&page, "?learn=form-a.1");
    page.click(".card-print summary");
    page.enter("#version", "7");
    page.click("#open-version");
    page.wait_until("the version", || {
        page.url().contains("learn=form-a.1.v7") || page.url().contains("learn=form-a.2.v7")
    });
    assert!(page.text("#card-title").ends_with(", version 7"), "{}", page.text("#card-title"));
    page.click("#card-next");
    page.wait_until("the next card of the version", || page.url().contains("learn=form-a.2.v7"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}
