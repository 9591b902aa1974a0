//! Tests of the page in front of an audience: slides made by hand, and shown with the keys of a clicker.

use serde_json::json;
use stage::Scene;
use studio::{Deck, Link, PartTexts, Plan};
use whole::browser::{Page, Setting};

use crate::share::{keep_files, saved};
use crate::shown;

const PAGE_DOWN: char = '\u{e00f}';
const PAGE_UP: char = '\u{e00e}';
const ESCAPE: char = '\u{e00c}';

/// Twelve views, each with a different clock or array.
fn views() -> Vec<String> {
    let clocks = (3..10).map(|cycle| format!("rows=4&cols=4&m=6&k=4&n=3&t={cycle}"));
    let others = ["df=os&t=4", "rows=8&cols=8&t=9", "break=no-skew&t=8", "rows=64&cols=64&m=64&k=64&n=64&t=90"];
    let own = ["fill=custom&rows=2&cols=2&t=3#a=1,2;3,4&b=5,6;7,8"];
    clocks.chain(others.into_iter().chain(own).map(str::to_owned)).collect()
}

fn deck() -> Deck {
    let mut deck = Deck::default();
    for view in views() {
        let (query, fragment) = view.split_once('#').unwrap_or((&view, ""));
        assert!(deck.push(&Link::parse(query, fragment)));
    }
    deck
}

fn link_of(page: &Page) -> Link {
    let url = page.url();
    let (query, fragment) = url.split_once('#').unwrap_or((&url, ""));
    Link::parse(query.split_once('?').map_or("", |(_, query)| query), fragment)
}

fn waits_for(page: &Page, number: usize) {
    let words = format!("{number} of 12");
    page.wait_until(&words, || page.text("#slide-number") == words);
    let expected = deck().shown(number - 1, &PartTexts::default()).expect("a slide");
    page.wait_until("the address has the slide and its view", || {
        let link = link_of(page);
        Deck::of(&link.texts).at() == Some(number - 1)
            && (link.scenario, link.cycle, link.tools)
                == (expected.scenario.clone(), expected.cycle, expected.tools.clone())
    });
}

#[test]
fn twelve_slides_are_shown_by_a_clicker_from_a_cold_start() {
    let page = Page::new(Setting::window(1920, 1080));
    let link = deck().shown(0, &PartTexts::default()).expect("the first");
    let (query, fragment) = link.to_parts();
    // The place is left out, so that the link begins with the first slide.
    page.goto(&format!("?ui=present&{}#{fragment}", query.replace("&slide=1", "")));
    shown(&page);
    waits_for(&page, 1);
    // Without the checker this test skips the check; `cargo xtask test` says so in its last lines.
    let told: Vec<String> = page.axe().unwrap_or_default().iter().map(ToString::to_string).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    for number in 2..=12 {
        page.press(PAGE_DOWN, false);
        waits_for(&page, number);
    }
    // The end is a black screen, and the next key shows the slide again.
    page.press(PAGE_DOWN, false);
    page.wait_for("#blank");
    page.press(PAGE_UP, false);
    waits_for(&page, 12);
    assert!(
        page.text("#caption").contains("cycle 3") || page.text("#numbers").contains('3'),
        "{}",
        page.text("#numbers")
    );
    page.press(PAGE_UP, false);
    waits_for(&page, 11);
    // A clicker has a button for a black screen, and a digit selects a slide.
    page.press('b', false);
    page.wait_for("#blank");
    page.press('.', false);
    page.wait_until("the screen is back", || page.count("#blank") == 0);
    page.press('9', false);
    waits_for(&page, 9);
    page.reload();
    shown(&page);
    waits_for(&page, 9);
    // The buttons do the work of the keys.
    page.click("#slides [aria-label=\"next slide\"]");
    waits_for(&page, 10);
    page.click("#slides [aria-label=\"previous slide\"]");
    waits_for(&page, 9);
    // Arrows still step through the cycles of a slide.
    page.press('\u{e014}', false);
    page.wait_until("one cycle on", || link_of(&page).cycle.get() == 10);
    assert_eq!(page.text("#slide-number"), "9 of 12, changed");
    page.press(PAGE_DOWN, false);
    waits_for(&page, 10);
    page.press(ESCAPE, false);
    page.wait_until("one Escape is a question", || page.text("#slide-number") == "Esc again: end");
    page.press(ESCAPE, false);
    page.wait_until("the whole page", || page.count("#numbers") == 0 && !page.url().contains("ui=present"));
    page.press(PAGE_DOWN, false);
    page.wait_until("outside the hall it goes one cycle on", || link_of(&page).cycle.get() == 9);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn slides_are_collected_put_in_order_and_handed_on_as_a_link() {
    let page = Page::new(Setting::window(1440, 900));
    page.goto("?rows=4&cols=4&m=6&k=4&n=3&t=7");
    shown(&page);
    page.click("#to-share");
    page.wait_for("#slide-add");
    page.click("#slide-add");
    page.wait_until("one slide", || page.count(".slides li") == 1);
    page.click("#share-close");
    page.enter("#rows", "8");
    page.wait_until("eight rows", || page.url().contains("rows=8"));
    page.click("#to-share");
    page.wait_for("#slide-add");
    page.click("#slide-add");
    page.wait_until("two slides", || page.count(".slides li") == 2);
    let names = || {
        page.js("return [...document.querySelectorAll('.slides li > span')].map(one => one.textContent)").to_string()
    };
    assert!(names().starts_with("[\"Weight-stationary 4×4 · 6×4×3"), "{}", names());
    page.click("#slide-up-1");
    page.wait_until("the second is the first", || names().starts_with("[\"Weight-stationary 8×4 · 6×4×3"));
    let focused = || page.js("return document.activeElement.id").as_str().unwrap_or_default().to_owned();
    page.wait_until("the focus is not lost", || focused() == "slide-add");
    let address = page.js("return document.querySelector('#slides-address').value");
    let address = address.as_str().expect("an address").to_owned();
    page.click(".slides li:last-child button:last-of-type");
    page.wait_until("one slide again", || page.count(".slides li") == 1);
    page.click("#slides-present");
    page.wait_until("it is shown", || page.text("#slide-number") == "1 of 1");
    page.press('k', false);
    page.wait_for(".controls");
    page.press('k', false);
    page.wait_until("the numbers", || page.text("#numbers").contains("of 32"));
    page.visit(&address);
    shown(&page);
    page.wait_until("the link begins with the first", || page.text("#slide-number") == "1 of 2");
    assert_eq!(link_of(&page).scenario.rows, 8);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn slides_go_into_a_file_and_come_back_from_one_that_somebody_edited() {
    let page = Page::new(Setting::window(1440, 900));
    page.goto("?rows=4&cols=4&m=6&k=4&n=3&t=7");
    shown(&page);
    page.click("#to-share");
    page.wait_for("#slide-add");
    page.click("#slide-add");
    page.wait_until("one slide", || page.count(".slides li") == 1);
    keep_files(&page);
    let file = String::from_utf8(saved(&page, "#slides-save")).expect("text");
    let address = page.js("return location.origin + location.pathname");
    assert!(file.starts_with(&format!("{}?v=1&rows=4", address.as_str().expect("an address"))), "{file}");
    let said = || page.text("#share-slides-title ~ .share-row [role=status]");
    assert_eq!(said(), words::share::saved(words::share::SLIDES_FILE));
    let path = std::env::temp_dir().join(format!("playground-slides-{}.txt", std::process::id()));
    let open = |text: &str| {
        std::fs::write(&path, text).expect("written");
        page.keys("#slides-open", &path.to_string_lossy());
    };
    open(&format!("{file}\nrows=8&cols=8&t=3\tSay why.\n"));
    page.wait_until("two slides", || page.count(".slides li") == 2 && said().is_empty());
    assert_eq!(page.js("return document.querySelectorAll('.slides textarea')[1].value"), "Say why.");
    for (text, words) in [
        ("rows=4\nMy lecture", "Line 2 of the file is not a playground link: My lecture"),
        ("", "The file has no slides: write one link per line."),
        ("\u{0}\u{1}\u{ff}", "Line 1 of the file is not a playground link"),
    ] {
        open(text);
        page.wait_until(words, || said().starts_with(words));
        assert_eq!(page.count(".slides li"), 2, "what was there stays");
    }
    open(&format!("{}{}", "t=1\n".repeat(3), "x".repeat(200_000)));
    page.wait_until("no link", || said().starts_with("Line 4 of the file is not a playground link"));
    // A file that remains in a temporary folder does no harm.
    let _ = std::fs::remove_file(path);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_speaker_reads_notes_in_a_second_window_and_both_take_the_keys() {
    let page = Page::new(Setting::window(1440, 900));
    let mut deck = Deck::default();
    for view in ["rows=4&cols=4&m=6&k=4&n=3&t=7", "rows=8&cols=8&m=8&k=8&n=8&t=9"] {
        assert!(deck.push(&Link::parse(view, "")));
    }
    let link = deck.shown(0, &PartTexts::default()).expect("a slide");
    let (query, fragment) = link.to_parts();
    page.goto(&format!("?{}#{fragment}", query.replace("&slide=1", "")));
    shown(&page);
    page.click("#to-share");
    page.wait_for("#slides-speaker");
    page.fill(".slides li:first-of-type .number", "40");
    page.fill(".slides li:last-of-type textarea", "Ask: which PE waits?");
    page.wait_until("the notes are in the link", || page.url().contains("which"));
    assert_eq!(
        page.js("return document.activeElement.value").as_str(),
        Some("Ask: which PE waits?"),
        "it keeps the focus"
    );
    // The test can read the window that the page opens, because the page also draws it.
    page.js("const open = window.open; window.open = (...how) => window.speaker = open.apply(window, how)");
    page.click("#slides-speaker");
    let there = |script: &str| page.js(&format!("return window.speaker.document.querySelector({script}")).to_string();
    page.wait_until("the first slide", || page.text("#slide-number") == "1 of 2");
    page.wait_until("the speaker sees it", || there("'h1').textContent").contains("1 of 2"));
    assert!(there("'.notes').textContent").contains("No notes on this slide."));
    assert!(there("'.next').textContent").contains("8×8") && there("'.next img').naturalWidth").parse() == Ok(1920));
    let wall = there("'.wall').src");
    assert!(there("'.now').textContent").contains("cycle 7 of 0–15"));
    page.js("window.speaker.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown', cancelable: true }))");
    page.wait_until("the second slide", || page.text("#slide-number") == "2 of 2");
    page.wait_until("its notes", || there("'.notes').textContent").contains("Ask: which PE waits?"));
    assert!(there("'.next').textContent").contains("This is the last slide."));
    assert_ne!(there("'.wall').src"), wall, "the picture shows the slide of the audience");
    assert!(there("'footer').textContent").contains("planned: 0:40 at the end of this slide, 0:40 in all"));
    page.js("window.speaker.document.querySelector('.keys button').click()");
    page.wait_until("the first one again", || page.text("#slide-number") == "1 of 2");
    // A key of the slide show turns on a pointer for the last row.
    page.press('l', false);
    page.wait_for("#laser");
    page.press(ESCAPE, false);
    page.press(ESCAPE, false);
    page.wait_until("the window goes with the show", || {
        page.js("return window.speaker.closed").as_bool() == Some(true)
    });
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_slide_shows_what_its_tool_says_and_both_of_two_runs() {
    let page = Page::new(Setting::window(1280, 720));
    let slide = "rows%3D4%26cols%3D4%26m%3D6%26k%3D4%26n%3D3%26t%3D12%26tool%3Dheat%26show%3Dwasted";
    page.goto(&format!("?rows=4&cols=4&m=6&k=4&n=3&ui=present#slides={slide}"));
    page.wait_for("#channels .legend li");
    page.wait_until("its place stays in sight", || page.text("#slide-number") == "1 of 1");
    let boxes = |css: &str| {
        page.js(&format!(
            "const box = document.querySelector('{css}').getBoundingClientRect(); \
             return [box.left, box.top, box.right, box.bottom].map(Math.round)"
        ))
    };
    let number = |value: &serde_json::Value, index: usize| value[index].as_i64().expect("a number");
    let (stage, key) = (boxes("#stage"), boxes("#channels .legend"));
    assert!(number(&key, 0) >= number(&stage, 2) && number(&key, 2) <= 1280 && number(&key, 3) <= 720, "{key}");
    page.goto("?rows=4&cols=4&m=6&k=4&n=3&t=12&ui=present&tool=compare&cmp=df%3Dos");
    page.wait_for("#other canvas");
    let (stage, other) = (boxes("#stage"), boxes("#other"));
    assert_eq!(number(&other, 0), number(&stage, 2), "one beside the other");
    assert!(number(&other, 2) - number(&other, 0) > 300 && number(&other, 3) <= 720, "{other}");
    for (name, picture) in [("#first-name", "#stage canvas"), ("#other .banner", "#other canvas")] {
        assert!(number(&boxes(name), 3) <= number(&boxes(picture), 1), "{name} is above its array");
    }
    // Each run has its name, its MFU and the directions in which its values move.
    for (css, words) in [
        ("#first-name", ["Weight-stationary", "MFU 28.1 %", "a moves right · b stays · sum goes down"]),
        ("#other .banner", ["Output-stationary", "MFU 22.5 %", "a moves right · b moves down · sum stays"]),
    ] {
        let said = page.text(css);
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    }
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

/// Script that lists the texts of a wall that are smaller than 24 px at 1280×720, cut off, or over one another.
const UNREADABLE: &str = "const found = [], seen = []; \
    const texts = [...document.querySelectorAll('#numbers b, #numbers span, .so-far, .of-pe, .signs li, .tries p, .matrix td, .banner strong, .banner span, #caption strong, #slide-title strong, #slide-number')]; \
    for (const text of texts.filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.textContent)) { \
      const box = text.getBoundingClientRect(), size = parseFloat(getComputedStyle(text).fontSize); \
      if (size < 24) found.push(`${text.textContent}: ${size} px`); \
      if (box.right > innerWidth + 1 || box.bottom > innerHeight + 1) found.push(`${text.textContent} sticks out`); \
      if (text.scrollWidth > text.clientWidth + 1 && text.clientWidth > 0) found.push(`${text.textContent} is cut`); \
      for (const [words, other] of seen) \
        if (box.left < other.right - 1 && other.left < box.right - 1 && box.top < other.bottom - 8 && other.top < box.bottom - 8) \
          found.push(`${text.textContent} over ${words}`); \
      seen.push([text.textContent, box]); } \
    return found";

#[test]
fn the_array_fills_the_wall_and_every_text_is_read_from_afar() {
    let page = Page::new(Setting::window(1280, 720));
    // Each entry has rows and columns of the array, and the smallest distance from one PE to the next in pixels.
    for (side, least) in [(4, 138.0), (8, 70.0), (16, 35.0), (32, 17.0), (64, 0.0)] {
        let query = format!("rows={side}&cols={side}&m={side}&k={side}&n={side}&t={side}");
        let plan = Plan::new(&Link::parse(&query, "").scenario).expect("a run");
        let mut before = 0.0;
        for (width, height) in [(1280, 720), (1366, 768), (1920, 1080)] {
            page.resize(width, height);
            page.goto(&format!("?ui=present&{query}"));
            shown(&page);
            page.wait_for("#slide-number");
            let size = page.js("const box = document.querySelector('#stage canvas').getBoundingClientRect(); return [box.width, box.height]");
            let scale = f32::min(width as f32 / 1280.0, height as f32 / 720.0) * 24.0 / 11.0;
            let [w, h] = [0, 1].map(|nth| size[nth].to_string().parse::<f32>().expect("a length") / scale);
            let pitch = Scene::view(&plan, None, (w, h), true).layout.pitch * scale;
            assert!(pitch >= least, "{side}×{side} at {width}×{height}: {pitch} px");
            assert!(pitch >= before, "{side}×{side} at {width}×{height}: {pitch} px after {before} px");
            before = pitch;
            assert_eq!(page.js(UNREADABLE), json!([]), "{side}×{side} at {width}×{height}");
        }
    }
}

#[test]
fn a_speaker_answers_a_question_and_returns_to_the_slide() {
    let page = Page::new(Setting::window(1280, 720));
    page.goto("?ui=present&slide=2#slides=rows%3D4%0Arows%3D8%26cols%3D8%09%23 Eight rows");
    shown(&page);
    page.press('2', false);
    page.wait_until("its sentence", || page.count("#slide-title") == 1 && page.text("#slide-title") == "Eight rows");
    page.wait_until("the address of the slide", || page.url().contains("rows=8&cols=8"));
    page.press('s', false);
    page.wait_for("#wall-settings");
    page.enter("#rows", "3");
    page.wait_until("three rows", || page.url().contains("rows=3"));
    page.wait_until("another view has no sentence", || page.count("#slide-title") == 0);
    page.js("document.activeElement.blur()");
    page.press('u', false);
    page.wait_until("eight rows again", || page.url().contains("rows=8"));
    page.enter("#rows", "3");
    page.wait_until("three rows", || page.url().contains("rows=3"));
    page.click("#wall-settings .primary");
    page.wait_until("the slide as it was", || page.url().contains("rows=8") && page.count("#wall-settings") == 0);
    // The changed run can have the whole wall.
    page.press('s', false);
    page.wait_for("#wall-settings");
    page.enter("#rows", "3");
    page.wait_until("three rows", || page.url().contains("rows=3"));
    page.press('s', false);
    page.wait_until("three rows on the wall", || {
        page.count("#wall-settings") == 0 && page.text("#slide-number") == "2 of 2, changed"
    });
    assert!(page.url().contains("rows=3"));
    page.press(ESCAPE, false);
    page.wait_until("the slide again", || page.url().contains("rows=8"));
    // After the last slide the screen is black, and the next key shows the slide again.
    page.press(PAGE_DOWN, false);
    page.wait_for("#blank");
    page.press(PAGE_UP, false);
    page.wait_until("the last slide", || page.count("#blank") == 0 && page.text("#slide-number") == "2 of 2");
    // Another slide is shown without what was opened on the one before.
    page.press('s', false);
    page.wait_for("#wall-settings");
    page.js("document.querySelector('#df input:checked').focus()");
    page.press('i', false);
    page.wait_for("canvas.inside");
    page.press(PAGE_UP, false);
    page.wait_until("the first slide alone", || {
        page.text("#slide-number") == "1 of 2" && page.count("canvas.inside") + page.count("#wall-settings") == 0
    });
    page.press(PAGE_DOWN, false);
    page.wait_until("the second again", || page.text("#slide-number") == "2 of 2");
    page.press('i', false);
    page.wait_for("canvas.inside");
    // Escape closes what was opened last, and only then the presentation.
    page.press('k', false);
    page.wait_for("#numbers .controls");
    page.press(ESCAPE, false);
    page.wait_for("canvas.inside");
    page.press(ESCAPE, false);
    page.wait_for(".signs");
    page.press('b', false);
    page.wait_for("#blank");
    page.press(PAGE_UP, false);
    page.wait_until("nothing happens unseen", || page.count("#blank") == 0 && page.text("#slide-number") == "2 of 2");
    page.press('w', false);
    page.wait_for("#blank.white");
    page.press('w', false);
    page.wait_until("the wall", || page.count("#blank") == 0);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn an_added_slide_is_undone_after_its_changed_setting() {
    let page = Page::new(Setting::window(1280, 720));
    page.goto("?ui=present&slide=2#slides=rows%3D4%0Arows%3D8%26cols%3D8");
    shown(&page);
    page.wait_until("the second slide", || page.text("#slide-number").starts_with("2 of 2"));
    page.press('a', false);
    page.wait_until("its number", || page.text("#slide-number") == "3 of 3");
    page.press('s', false);
    page.wait_for("#wall-settings");
    page.enter("#rows", "3");
    page.wait_until("three rows", || page.url().contains("rows=3"));
    page.js("document.activeElement.blur()");
    page.press('u', false);
    page.wait_until("eight rows again", || page.url().contains("rows=8"));
    page.press('s', false);
    page.press('u', false);
    page.wait_until("two slides", || page.text("#slide-number") == "2 of 2");
    page.press('a', false);
    page.wait_until("a third slide again", || page.text("#slide-number") == "3 of 3");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_speaker_goes_over_the_slides_by_keys() {
    let page = Page::new(Setting::window(1280, 720));
    page.goto("?ui=present&slide=3#slides=rows%3D4%0Arows%3D8%26cols%3D8%0Arows%3D2");
    shown(&page);
    page.wait_until("the third slide", || page.text("#slide-number").starts_with("3 of 3"));
    page.press('i', false);
    page.wait_for("canvas.inside");
    let pe = || page.url().split_once("pe=").map(|(_, rest)| rest.split(['&', '#']).next().unwrap_or("").to_owned());
    page.wait_until("a PE", || pe().is_some());
    let above = pe();
    // This is the down arrow.
    page.press('\u{e015}', false);
    page.wait_until("the PE below", || pe() != above);
    // The list of keys keeps the chosen PE. The slide itself is not a change that can be undone.
    let below = pe();
    page.press('k', false);
    page.wait_for("#numbers .keys");
    page.press(ESCAPE, false);
    page.wait_until("the PE again", || page.count("#numbers .keys") == 0 && pe() == below);
    page.press(ESCAPE, false);
    page.press('1', false);
    page.wait_until("the first", || page.text("#slide-number") == "1 of 3");
    page.press('o', false);
    page.wait_for(".slides.overview .thumb[aria-current=true]:focus img");
    assert_eq!(
        page.js("return document.querySelector('.slides textarea').checkVisibility()"),
        json!(false),
        "no notes"
    );
    page.press(ESCAPE, false);
    page.wait_until("only the overview is closed", || page.count(".slides") == 0 && page.count("#numbers") == 1);
    page.press('o', false);
    page.wait_for(".slides.overview .thumb[aria-current=true]:focus img");
    page.press('\u{e014}', false);
    page.press('\u{e007}', false);
    page.wait_until("the second", || page.text("#slide-number") == "2 of 3");
    // A clicker that steps by cycles goes on to the next slide at the end of the run.
    page.press('c', false);
    page.press('c', false);
    page.press('\u{e010}', false);
    page.press(PAGE_DOWN, false);
    page.wait_until("the third", || page.text("#slide-number") == "3 of 3");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn a_tablet_and_an_old_projector_show_all_of_a_slide() {
        let page = Page::new(Setting::default());
        for (width, height) in [(810, 1080), (768, 1024), (360, 740), (740, 360), (1024, 768), (800, 600), (1280, 720)]
        {
            page.resize(width, height);
            page.goto("?ui=present&slide=2&rows=8&m=64&k=32#slides=rows%3D4%0Arows%3D8%26cols%3D8");
            shown(&page);
            page.wait_until("the second slide", || page.text("#slide-number") == "2 of 2, changed");
            assert!(page.js("return document.querySelector('.folds').checkVisibility()") == json!(false));
            let out = "return [...document.querySelectorAll('#stage, #caption, #slides button, #scrub, .numbers p, .signs li')] \
                .filter(one => { const box = one.getBoundingClientRect(); \
                    return one.checkVisibility() && (box.right > innerWidth + 1 || box.bottom > innerHeight + 1); }) \
                .map(one => one.id || one.textContent)";
            assert_eq!(page.js(out), serde_json::json!([]), "{width}×{height}");
        }
    }

    #[test]
    fn every_slide_of_the_ready_talks_is_read_from_afar() {
        let page = Page::new(Setting::window(1280, 720));
        for talk in words::talks::Talk::ALL {
            let (query, fragment) = talk.link().expect("slides").to_parts();
            // A stand does not go on by itself here.
            page.goto(&format!("?{}#{fragment}", query.replace("&kiosk=60", "")));
            shown(&page);
            let n_slides = talk.deck().len();
            for number in 1..=n_slides {
                page.wait_until(talk.title, || page.text("#slide-number") == format!("{number} of {n_slides}"));
                assert_eq!(page.js(UNREADABLE), json!([]), "{}: slide {number}", talk.title);
                page.press(PAGE_DOWN, false);
            }
        }
        assert_eq!(page.console_errors(), Vec::<String>::new());
    }

    #[test]
    fn a_page_that_nobody_minds_plays_lets_somebody_take_over_and_begins_again() {
        let page = Page::open("?rows=4&cols=4&m=6&k=4&n=3&t=0&kiosk=10&ui=present");
        page.wait_until("it says what it is", || page.text("#slide-title").starts_with("A TPU multiplies"));
        assert_eq!(page.js("return document.querySelector('#present-controls').hidden"), json!(true));
        page.wait_until("the first result", || page.text("#numbers").contains("−26"));
        assert!(!page.text("#numbers").contains("MFU"));
        page.press('b', false);
        page.wait_for("#blank");
        page.press('b', false);
        page.wait_for(".tries");
        page.js("document.querySelectorAll('.tries button')[1].click()");
        page.wait_until("a larger array", || page.text("#numbers").contains("of 64 squares"));
        page.press('s', false);
        page.wait_for("#wall-settings");
        page.wait_until("the restart closes all", || page.count("#blank") + page.count("#wall-settings") == 0);
        page.goto("?rows=4&cols=4&m=6&k=4&n=3&t=0&kiosk=10");
        shown(&page);
        page.wait_until("it plays for nobody", || page.text("#clock") != "0" && page.count("#kiosk") == 1);
        page.enter("#rows", "8");
        page.wait_until("eight rows", || page.text(".headline").contains("8×4"));
        page.wait_until("it says what is to come", || page.text("#kiosk").starts_with("Restarting in"));
        page.wait_until("it begins again", || page.text(".headline").contains("4×4") && page.text("#kiosk").is_empty());
        page.goto("?kiosk=soon");
        shown(&page);
        page.wait_until("what is allowed", || {
            page.text("#kiosk").contains("kiosk = soon: use a whole number of seconds from 10 to 3600")
        });
        assert_eq!(page.console_errors(), Vec::<String>::new());
    }
}
