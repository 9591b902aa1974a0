//! Tests of cards in small views, of their stored progress, and of what they pass on: a state, an answer, a card in a
//! frame.

use std::collections::BTreeMap;

use lesson::course;
use serde_json::Value;
use whole::browser::{Page, ServerOptions, Setting, serve, some};

use crate::{lock_guess, shown};

/// Opens a link and waits for the card and the panels around it.
fn open(page: &Page, query: &str, title: &str) {
    page.goto(query);
    is_at(page, title);
    shown(page);
}

fn is_at(page: &Page, title: &str) {
    page.wait_until(&format!("the card {title:?}"), || {
        page.count("#card-title") == 1 && page.text("#card-title") == title && page.count("#card-next") == 1
    });
}

/// Script that lists the visible parts of the page that overlap, and `sideways` if the page is too wide.
const OVERLAPS: &str = "const names = ['.head', '#stage canvas', '.caption-line', '.timeline', '#clock', '.buttons', '.zoom', \
      '.card-say', '.card-ask', '.card-steps']; \
    const clip = one => { let box = one.getBoundingClientRect(), found = [box.left, box.top, box.right, box.bottom]; \
      for (let up = one.parentElement; up; up = up.parentElement) { const around = up.getBoundingClientRect(); \
        if (getComputedStyle(up).overflowY !== 'visible' && around.width) found = [Math.max(found[0], around.left), \
          Math.max(found[1], around.top), Math.min(found[2], around.right), Math.min(found[3], around.bottom)]; } return found; }; \
    const seen = names.map(name => [name, document.querySelector(name)]).filter(([, one]) => one && \
      one.getBoundingClientRect().width > 2 && getComputedStyle(one).visibility === 'visible').map(([name, one]) => [name, clip(one)]) \
      .filter(([, box]) => box[2] > box[0] && box[3] > box[1]); const found = []; \
    for (const [one, a] of seen) for (const [other, b] of seen) if (one < other && \
      Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 1 && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 1) \
      found.push(`${one} ${a} and ${other} ${b}`); \
    if (document.documentElement.scrollWidth > innerWidth) found.push('sideways'); return found;";

/// Cards of the first lesson, a claim and a challenge.
const CARDS: [&str; 9] = [
    "multiply.1",
    "multiply.2",
    "multiply.3",
    "multiply.4",
    "multiply.5",
    "multiply.6",
    "multiply.7",
    "array-claims.1",
    "challenges-first.1",
];

fn is_there(page: &Page) {
    page.wait_for("#card-title");
    page.wait_for("#card-next");
    shown(page);
}

#[test]
fn a_card_covers_nothing_and_its_question_needs_no_scrolling() {
    let page = Page::new(Setting::default());
    let sizes = [(360, 740, ""), (800, 500, ""), (1366, 768, ""), (1440, 900, ""), (1280, 720, "&theme=projector")];
    for (width, height, theme) in some(&sizes, 3) {
        page.resize(width, height);
        page.goto(&format!("?learn=contents{theme}"));
        page.wait_for("#open-multiply");
        assert_eq!(page.js(OVERLAPS), Value::Array(Vec::new()), "{width}×{height} list");
        for card in some(&CARDS, 6) {
            page.goto(&format!("?learn={card}{theme}"));
            is_there(&page);
            let what = format!("{width}×{height} {card}");
            let found = page.js(OVERLAPS);
            assert_eq!(found.as_array().map(Vec::len), Some(0), "{what}: {found}");
            let bottom = page
                .js("const last = document.querySelector('#lock') ?? document.querySelector('#card-next'); \
                 return last.getBoundingClientRect().bottom - innerHeight");
            assert!(bottom.as_f64().is_some_and(|over| over <= 0.5), "{what}: {bottom} below the fold");
            let least = match (width, height) {
                (360, 740) => 0.33,
                (1366, 768) | (1440, 900) => 0.6,
                _ => 0.0,
            };
            let share =
                page.js("return document.querySelector('#stage canvas').getBoundingClientRect().height / innerHeight");
            assert!(share.as_f64().is_some_and(|share| share >= least), "{what}: the figure has {share} of the height");
        }
    }
}

#[test]
fn what_cannot_be_an_answer_is_said_with_what_can() {
    let page = Page::new(Setting::window(1280, 900));
    let said = |card: &str, title: &str, entries: &[(&str, &str)]| {
        open(&page, &format!("?learn={card}"), title);
        for (typed, what) in entries {
            page.enter("#answer", typed);
            page.wait_until(&format!("{typed}: {what}"), || page.text("#answer-said") == *what);
            assert_eq!(page.js("return document.querySelector('#lock').disabled").as_bool(), Some(true), "{typed}");
        }
    };
    let cycle = |given: &str| format!("“{given}” is not a whole number from 0 to 15.");
    let (half, many, word) = (cycle("4.5"), cycle("1e9"), cycle("soon"));
    said("multiply.3", "Why the skew", &[("4.5", &half), ("1e9", &many), ("soon", &word)]);
    said("multiply.5", "PE-cycles", &[("150", "“150” is not a number from 0 to 100.")]);
    open(&page, "?learn=pe-cycles.4", "Filling");
    page.enter("#answer-row", "7");
    page.enter("#answer-col", "0");
    page.click("#answer-pe");
    page.wait_until("the rows and columns there are", || {
        page.text(".card-ask").contains("There is no PE in row “7”, column “0”: rows are 0 to 3, columns 0 to 3.")
    });
}

#[test]
fn an_answer_that_was_locked_stands_in_its_field_when_somebody_comes_back() {
    let page = Page::new(Setting::window(1280, 900));
    open(&page, "?learn=multiply.2", "One PE");
    page.enter("#answer", "-47");
    page.click("#lock");
    page.wait_until("it is judged", || page.text("#verdict").contains("Right"));
    page.click("#card-next");
    is_at(&page, "Why the skew");
    page.click("#card-back");
    is_at(&page, "One PE");
    page.wait_until("the answer is there", || {
        page.js("return document.querySelector('#answer').value").as_str() == Some("-47")
    });
}

#[test]
fn back_leads_from_the_last_card_to_the_one_before_and_on_to_the_one_before_that() {
    let page = Page::new(Setting::window(1280, 900));
    open(&page, "?learn=why-array.6", "The least traffic");
    page.click("#card-next");
    is_at(&page, "In one sentence");
    page.wait_until("a step of the history", || page.url().contains("learn=why-array.7"));
    page.click("#choice-0");
    page.wait_until("the button names the answer", || page.text("#lock").starts_with("Lock in"));
    page.click("#lock");
    page.wait_until("the array is a square", || page.url().contains("rows=8&cols=8"));
    page.click("#card-next");
    is_at(&page, "Where the PE-cycles go: utilization once more");
    page.wait_until("a step of the history", || page.url().contains("learn=pe-cycles.1"));
    for title in ["In one sentence", "The least traffic"] {
        page.js("history.back()");
        is_at(&page, title);
        page.js_async("await new Promise(done => setTimeout(done, 900))");
        is_at(&page, title);
    }
}

/// Cards that are done: the filled dots of the open lesson, or of the whole list.
fn n_done(page: &Page) -> u64 {
    page.wait_for(".card-dots");
    page.js("return document.querySelectorAll('.card-dots .done').length").as_u64().expect("a number")
}

#[test]
fn each_card_of_the_list_opens_its_lesson_and_the_run_waits() {
    let page = Page::new(Setting::window(1280, 900));
    page.goto("?t=3");
    page.wait_until("the page", || page.count("#to-learn") == 1 && page.count("#setup") == 1);
    page.click("#play");
    page.click("#to-learn");
    page.wait_until("the list", || page.text("#card-title") == "Learn");
    let all = || {
        page.js("return [...document.querySelectorAll('.set-cards button')].map(card => [card.id, card.querySelector('b').textContent].join())")
    };
    let cards: Vec<String> =
        all().as_array().expect("cards").iter().filter_map(|card| card.as_str().map(str::to_owned)).collect();
    assert_eq!(cards.len(), 24, "{cards:?}");
    for (nth, card) in some(&cards, 6).into_iter().enumerate() {
        let (id, title) = card.split_once(',').expect("a name and a title");
        let lesson = id.strip_prefix("open-").expect("a lesson");
        assert_eq!(Some(title), course::entry(lesson).map(|entry| entry.title));
        page.click(&format!("#{id}"));
        page.wait_until("the card", || page.count("#card-next") == 1);
        if nth == 0 {
            let clock = page.text("#clock");
            page.js_async("await new Promise(done => setTimeout(done, 700))");
            assert_eq!(page.text("#clock"), clock, "the run does not play");
        }
        page.wait_until("the address", || page.url().contains(&format!("learn={lesson}.1")));
        page.click("#all-lessons");
        page.wait_until("the list", || page.text("#card-title") == "Learn");
    }
    page.click("#to-array");
    page.wait_until("the array", || {
        page.count(".contents") == 0
            && page.js("return document.querySelector('#stage').getBoundingClientRect().width > 100").as_bool()
                == Some(true)
    });
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn what_was_answered_is_kept_where_there_is_storage_until_it_is_cleared() {
    let page = Page::new(Setting::window(1280, 900));
    open(&page, "?learn=multiply.1", "A grid that multiplies");
    assert_eq!(n_done(&page), 0);
    page.click("#card-next");
    is_at(&page, "One PE");
    // A question that is skipped is not answered.
    page.click("#card-next");
    is_at(&page, "Why the skew");
    page.click("#card-back");
    is_at(&page, "One PE");
    page.enter("#answer", "-47");
    page.click("#lock");
    page.wait_until("two cards are done", || n_done(&page) == 2);
    // The address follows when the visitor pauses.
    page.wait_until("the address has the card", || page.url().contains("learn=multiply.2"));
    page.reload();
    is_at(&page, "One PE");
    page.wait_until("they are done still", || n_done(&page) == 2);
    page.click("#all-lessons");
    page.wait_until("the list", || page.text("#card-title") == "Learn");
    assert_eq!((n_done(&page), page.text("#open-multiply small:last-child")), (2, "2 of 7".to_owned()));
    page.click("#clear-progress");
    page.wait_until("it is cleared", || n_done(&page) == 0);
    page.wait_until("the address has the list", || page.url().contains("learn=contents"));
    page.reload();
    page.wait_until("the list", || page.text("#card-title") == "Learn");
    assert_eq!(n_done(&page), 0);
    assert_eq!(page.js("return localStorage.length").as_u64(), Some(0), "nothing is left");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn the_link_to_an_answer_is_judged_again_by_whoever_opens_it() {
    let page = Page::new(Setting::window(1280, 900));
    open(&page, "?learn=challenges-first.1", "Half utilized");
    page.enter("#change-m", "20");
    page.wait_until("the goal is met", || page.text("#verdict").contains("Done"));
    let value =
        || page.js("return document.querySelector('#result-link').value").as_str().unwrap_or_default().to_owned();
    page.wait_until("the link is there", || value().contains("learn=challenges-first.1.result"));
    let link = value();
    let other = Page::new(Setting::window(1280, 900));
    let query = &link[link.find('?').expect("a query")..];
    open(&other, query, "Half utilized");
    other.wait_until("it is judged", || {
        other.text("#sent").contains("M = 20") && other.text("#verdict").contains("Done")
    });
    assert!(other.text("#sent").ends_with("it meets the goal."), "{}", other.text("#sent"));
    assert_eq!(n_done(&other), 0, "the page does not count the answer of another person");
    // The first link has a wrong answer. The second link changes the array.
    open(&other, &query.replace("m=20", "m=7"), "Half utilized");
    other.wait_until("it is judged", || other.text("#sent").ends_with("it does not meet the goal."));
    open(&other, &query.replace("rows=4", "rows=2"), "Half utilized");
    other.wait_until("it does not count", || other.text("#sent").contains("more than the task allows"));
    // This link has a faulty array.
    open(&other, &format!("{query}&break=stuck-1.1"), "Half utilized");
    other.wait_until("nor does it", || other.text("#sent").contains("more than the task allows"));
    assert!(other.text("#verdict").contains("Not yet"), "{}", other.text("#verdict"));
}

#[test]
fn what_a_card_has_set_is_explored_as_it_is() {
    let page = Page::new(Setting::window(1280, 900));
    open(&page, "?learn=multiply.6", "More rows");
    lock_guess(&page);
    page.enter("#change-m", "32");
    page.wait_until("the goal is met", || page.text("#verdict").contains("Done"));
    page.click("#try-it");
    page.wait_until("the link is that of the array", || page.url().contains("m=32") && !page.url().contains("learn="));
    assert_eq!(page.js("return document.querySelector('#m').value").as_str(), Some("32"));
}

/// Ids of the lessons whose texts were fetched.
fn texts(page: &Page) -> Vec<String> {
    let names = page.js("return performance.getEntriesByType('resource').map(entry => entry.name.split('/').pop())");
    let names: Vec<&str> = names.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let text =
        |name: &&str| name.strip_suffix(".txt").and_then(|name| name.rsplit_once('-')).map(|(id, _)| id.to_owned());
    names.iter().filter_map(text).collect()
}

#[test]
fn each_lesson_is_fetched_when_it_is_opened_and_no_other() {
    let page = Page::new(Setting::window(1280, 900));
    page.goto("");
    shown(&page);
    assert_eq!(texts(&page), Vec::<String>::new());
    page.click("#offer");
    is_at(&page, "A grid that multiplies");
    assert_eq!(texts(&page), ["multiply"]);
    open(&page, "?learn=multiply.7", "In one sentence");
    page.click("#card-next");
    is_at(&page, "Why an array: one sum once more");
    assert_eq!(texts(&page), ["multiply", "why-array"]);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_frame_without_an_origin_shows_one_card_and_takes_nothing() {
    let playground = serve(ServerOptions::default());
    for (query, title) in [
        ("learn=multiply.4", "The wavefront"),
        ("learn=multiply.2", "One PE"),
        ("learn=multiply", "A grid that multiplies"),
    ] {
        let html = format!(
            "<!doctype html><title>A course</title><link rel=icon href='data:,'><input id=mine autofocus>\
             <iframe src='{}?ui=embed&{query}' width=800 height=500 sandbox='allow-scripts'></iframe>",
            playground.url()
        );
        let server =
            ServerOptions { pages: BTreeMap::from([("/course.html".to_owned(), html)]), ..ServerOptions::default() };
        let page = Page::new(Setting { window: (1000, 760), server, ..Setting::default() });
        page.visit(&format!("{}/course.html", page.server().origin()));
        page.enter_frame("iframe");
        is_at(&page, title);
        page.leave_frame();
        assert_eq!(page.js("return document.activeElement.id"), "mine", "the host keeps the focus");
        page.enter_frame("iframe");
        // A sandbox blocks forms, both by their button and by Enter.
        match title {
            "The wavefront" => {
                page.click("#choice-1");
                page.wait_until("the button names the answer", || page.text("#lock").contains("10"));
                page.click("#lock");
                page.wait_until("it is judged", || page.text("#verdict").contains("Right: 10."));
            }
            "One PE" => {
                page.keys("#answer", "-47\u{e007}");
                page.wait_until("it is judged", || page.text("#verdict").contains("Right"));
            }
            _ => {
                page.click("#card-next");
                is_at(&page, "One PE");
            }
        }
        page.leave_frame();
        assert_eq!(page.console_errors(), Vec::<String>::new());
    }
}

#[test]
fn the_rows_are_scheduled_by_hand_beside_the_array() {
    const RIGHT: &str = "\u{e014}";
    let page = Page::new(Setting::window(1280, 900));
    let place = "challenges-first.11";
    // The visit begins at the previous card, so that the first link does not have the tool.
    page.goto("?learn=challenges-first.10");
    is_there(&page);
    page.click("#card-next");
    page.wait_until("the card is there", || page.url().contains(place) && page.count(".card-side #card-lane-3") == 1);
    for row in 1..4 {
        page.keys(&format!(".card-side #card-lane-{row}"), &RIGHT.repeat(row));
    }
    page.wait_until("every element is right", || page.text("#verdict").contains("Done"));
    let twice = page.js("const ids = [...document.querySelectorAll('[id]')].map(one => one.id); \
         return ids.filter((id, nth) => ids.indexOf(id) !== nth)");
    assert_eq!(twice.as_array().map(Vec::len), Some(0), "ids that stand twice: {twice}");
    let link = page.js("return document.querySelector('#result-link').value");
    let link = link.as_str().unwrap_or_default().to_owned();
    page.goto(&link[link.find('?').expect("a query")..]);
    page.wait_until("it is judged again", || {
        page.count("#sent") == 1 && page.text("#sent").ends_with("it meets the goal.")
    });
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn once_it_is_answered_a_wrong_drawing_has_the_array_as_it_is_beside_it() {
    let page = Page::new(Setting::window(1440, 900));
    open(&page, "?learn=mixed-claims.12", "Elements of A begin to enter all rows of PEs at the same time.");
    assert!(page.url().contains("learn=mixed-claims.12"));
    let width =
        || page.js("return document.querySelector('.card-beside canvas')?.getBoundingClientRect().width ?? 0").as_f64();
    assert_eq!(width(), Some(0.0), "it would answer the question");
    // The array view does not answer the question either.
    let said = || [page.text("#caption"), page.text("#status")].concat();
    page.wait_until("what a PE does is said", || said().contains("Right or wrong?") && said().contains("multiplies"));
    assert!(!said().contains("wrong sum") && !said().contains("Broken"), "{}", said());
    page.click("#choice-2");
    page.click("#lock");
    page.wait_until("the verdict is there", || !page.text("#verdict").is_empty());
    page.wait_until("the break has its name", || said().contains("Broken on purpose: 9 of 16 PEs hold a wrong sum"));
    page.wait_until("it is in sight", || width().is_some_and(|width| width > 200.0));
    let label = page.attribute(".card-beside canvas", "aria-label").unwrap_or_default();
    assert!(label.starts_with("Cycle 7 of 15."), "{label}");
    assert!(page.text(".card-beside figcaption").ends_with("at cycle 7"));
    let painted = || {
        page.js("const canvas = document.querySelector('.card-beside canvas'); if (!canvas.width) return 0; \
             const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height); \
             let n = 0; for (let at = 3; at < data.length; at += 4) n += data[at] > 0; return n")
    };
    page.wait_until("it is painted", || painted().as_u64().is_some_and(|n| n > 1_000));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}
