//! Tests of the lessons in the shipped page: with the mouse, with keys, with a finger, by link, and in small views.

use lesson::course::{self, Set};
use lesson::{Ask, Card, Lesson};
use serde_json::json;
use stage::Scene;
use studio::Drawing;
use systolic::PeId;
use whole::browser::{Page, Setting};

use crate::{lock_guess, shown};

const SPACE: char = '\u{e00d}';

/// Opens a link and waits for the card with this title.
fn card(page: &Page, query: &str, title: &str) {
    page.goto(query);
    page.wait_for("#clock");
    is_at(page, title);
}

fn is_at(page: &Page, title: &str) {
    page.wait_until(&format!("the card {title:?}"), || {
        page.count("#card-title") == 1 && page.text("#card-title") == title
    });
}

fn clock(page: &Page, cycle: &str) {
    page.wait_until(&format!("cycle {cycle}"), || page.text("#clock").starts_with(&format!("{cycle} ")));
}

fn has_focus(page: &Page, css: &str) -> bool {
    page.js(&format!("return document.activeElement === document.querySelector('{css}')")).as_bool() == Some(true)
}

#[test]
fn a_first_visit_is_offered_the_lesson_and_a_link_is_not() {
    let page = Page::new(Setting::window(1280, 900));
    page.goto("");
    shown(&page);
    page.wait_for("#offer");
    page.click("#offer");
    is_at(&page, "A grid that multiplies");
    clock(&page, "0");
    page.wait_until("the caption describes the array", || page.text("#caption").contains("PE"));
    page.wait_until("the link names the card", || page.url().contains("learn=multiply.1"));
    assert!(has_focus(&page, "#card-title"), "the card's title has the focus");
    page.goto("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7");
    shown(&page);
    let width = page.js("return document.querySelector('#offer').getBoundingClientRect().width");
    assert_eq!(width.as_f64(), Some(0.0), "whoever follows a link has come for something else");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_prediction_is_locked_before_the_array_runs_and_then_says_why_it_differs() {
    let page = Page::new(Setting::window(1440, 900));
    card(&page, "?learn=multiply.4", "The wavefront");
    clock(&page, "6");
    assert_eq!(page.text("#card-next"), "Skip", "a question is not clicked through");
    assert_eq!(page.js("return document.querySelector('#lock').disabled").as_bool(), Some(true));
    page.click("#choice-3");
    page.wait_until("the button names the answer", || page.text("#lock").contains("16"));
    clock(&page, "6");
    // While the card asks, nothing around the array says the answer.
    let hidden = [".caption-line", "#status", ".headline", ".shapes"]
        .map(|css| page.js(&format!("return getComputedStyle(document.querySelector('{css}')).visibility")));
    assert!(hidden.iter().all(|one| one == "hidden"), "{hidden:?}");
    page.click("#lock");
    // The first wrong answer has its misconception and a second try. The run waits.
    page.wait_until("the misconception is there", || page.text("#verdict").contains("All PEs with a weight multiply."));
    assert!(page.text("#verdict").starts_with("Not 16. Try once more."), "{}", page.text("#verdict"));
    clock(&page, "6");
    page.click("#choice-0");
    page.wait_until("the button names the answer", || page.text("#lock").contains('7'));
    page.click("#lock");
    clock(&page, "7");
    page.wait_until("the verdict is there", || page.text("#verdict").contains("the right answer"));
    let said = page.text("#verdict");
    assert!(
        said.contains("You answered 7; the right answer is 10.") && said.contains("Only one PE starts in each cycle."),
        "{said}"
    );
    assert_eq!(page.js("return getComputedStyle(document.querySelector('.headline')).visibility"), "visible");
    assert_eq!(page.text("#card-next"), "Next");
    // A locked answer stays locked, and is not confused with the answer of another card.
    page.click("#card-back");
    is_at(&page, "Why the skew");
    assert_eq!(page.text("#card-next"), "Skip");
    page.click("#card-next");
    is_at(&page, "The wavefront");
    page.wait_until("it is remembered", || page.text("#verdict").contains("the right answer is 10"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn the_back_button_of_the_browser_goes_back_a_card_and_explore_takes_the_state_along() {
    let page = Page::new(Setting::window(1440, 900));
    card(&page, "?learn=multiply.1", "A grid that multiplies");
    page.click("#card-next");
    is_at(&page, "One PE");
    clock(&page, "4");
    page.wait_until("a step of the history", || page.url().contains("learn=multiply.2"));
    page.js("history.back()");
    is_at(&page, "A grid that multiplies");
    clock(&page, "0");
    page.click("#to-array");
    page.wait_until("the settings are back", || {
        page.js("return document.querySelector('#setup').getBoundingClientRect().width > 50").as_bool() == Some(true)
    });
    clock(&page, "0");
    page.wait_until("the link is that of the array", || !page.url().contains("learn="));
    page.click("#to-learn");
    is_at(&page, "Learn");
    page.wait_until("the link is that of the list", || page.url().contains("learn=contents"));
    page.click("#continue");
    is_at(&page, "A grid that multiplies");
}

#[test]
fn whoever_touches_the_stage_has_the_way_back_to_the_lesson() {
    let page = Page::new(Setting::window(1440, 900));
    card(&page, "?learn=multiply.1", "A grid that multiplies");
    let is_shown = || page.js("return document.querySelector('#back-to-lesson').getBoundingClientRect().width > 0");
    clock(&page, "0");
    page.wait_until("nothing is touched", || is_shown().as_bool() == Some(false));
    page.click("#forward");
    clock(&page, "1");
    page.wait_until("the way back is in view", || is_shown().as_bool() == Some(true));
    page.click("#back-to-lesson");
    clock(&page, "0");
    page.wait_until("and gone", || is_shown().as_bool() == Some(false));
}

#[test]
fn a_number_a_cycle_and_a_goal_are_answered_with_keys_alone() {
    let page = Page::new(Setting::window(1440, 900));
    card(&page, "?learn=multiply.2", "One PE");
    page.enter("#answer", "-47");
    page.keys("#answer", "\u{e007}");
    page.wait_until("it is right", || page.text("#verdict").contains("Right: \u{2212}47."));
    page.js("document.querySelector('#card-next').focus()");
    page.press(SPACE, false);
    is_at(&page, "Why the skew");
    card(&page, "?learn=multiply.3", "Why the skew");
    page.enter("#answer", "6");
    page.keys("#answer", "\u{e007}");
    page.wait_until("the misconception has a name", || {
        page.text("#verdict").contains("The sum reaches the fourth row")
    });
    page.enter("#answer", "7");
    page.keys("#answer", "\u{e007}");
    page.wait_until("the second try is right", || page.text("#verdict").contains("Right: 7."));
    clock(&page, "7");
    card(&page, "?learn=multiply.5", "PE-cycles");
    for answer in ["100", "75"] {
        page.enter("#answer", answer);
        page.keys("#answer", "\u{e007}");
        page.wait_until("it is judged", || page.text("#verdict").contains(answer));
    }
    page.wait_until("how far off", || page.text("#verdict").contains("Your number is 2.7 times as large."));
    card(&page, "?learn=multiply.6", "More rows");
    assert_eq!(page.text("#verdict"), "", "nothing is judged before anything was tried");
    let is_offered = || page.js("return document.querySelector('#change-m').checkVisibility()");
    assert_eq!(is_offered(), false, "a guess comes first");
    lock_guess(&page);
    assert_eq!(is_offered(), true);
    page.enter("#change-m", "7");
    page.wait_until("it is judged", || page.text("#verdict").contains("Not yet"));
    page.enter("#change-m", "32");
    page.wait_until("the goal is met", || page.text("#verdict").contains("Done"));
    assert!(
        page.text(".card-ask").contains("You guessed M = 40, and this meets the goal."),
        "{}",
        page.text(".card-ask")
    );
    assert_eq!(page.text("#card-next"), "Next");
}

#[test]
fn a_lesson_fits_a_phone_a_small_laptop_and_an_embed_and_answers_a_finger() {
    let page = Page::new(Setting::default());
    for (width, height) in [(360, 740), (800, 500), (1366, 768)] {
        page.resize(width, height);
        page.cdp("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        card(&page, "?learn=multiply.4", "The wavefront");
        shown(&page);
        let box_of = |css: &str| {
            page.js(&format!(
                "const box = document.querySelector('{css}').getBoundingClientRect(); return [box.width, box.height]"
            ))
        };
        let over = page.js("return document.documentElement.scrollWidth - innerWidth").as_i64().unwrap_or_default();
        assert!(over <= 0, "{width}x{height}: {over} pixels too wide");
        let stage = box_of("#stage canvas")[1].as_f64().unwrap_or_default();
        // On a phone the question needs space too, and both must be visible at once.
        let least = if width < 720 { 0.33 } else { 0.4 };
        assert!(stage >= f64::from(height) * least, "{width}x{height}: the stage has {stage}");
        let place = page.js("const choice = document.querySelector('#choice-1').closest('label'); \
             choice.scrollIntoView({ block: 'center' }); const box = choice.getBoundingClientRect(); \
             return [box.x + 40, box.y + box.height / 2, box.height]");
        assert!(place[2].as_f64().unwrap_or_default() >= 44.0, "{width}x{height}: a finger needs 44 pixels");
        let point = json!([{ "x": place[0], "y": place[1] }]);
        page.cdp("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": point }));
        page.cdp("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
        page.wait_until("a finger chooses", || page.text("#lock").contains("10"));
        page.js("document.querySelector('#lock').click()");
        page.wait_until("the answer is judged", || page.text("#verdict").contains("Right: 10."));
    }
    let page = Page::new(Setting::window(800, 500));
    card(&page, "?learn=multiply.4&ui=embed", "The wavefront");
    assert_eq!(page.count(".head"), 0);
    assert!(!has_focus(&page, "#card-title"), "an embed takes no focus");
}

#[test]
fn a_card_that_is_not_there_is_said_and_leads_to_the_first() {
    let page = Page::new(Setting::window(1280, 900));
    page.goto("?learn=zebra.9");
    page.wait_until("it is said", || page.count(".card-side") == 1 && page.text(".card-side").contains("zebra.9"));
    page.click(".card-side button");
    is_at(&page, "A grid that multiplies");
}

#[test]
fn a_card_of_the_first_course_opens_the_card_that_took_its_place_or_the_nearest() {
    let page = Page::new(Setting::window(1280, 900));
    card(&page, "?learn=wave.5", "The wavefront");
    card(&page, "?learn=dataflows.8", "The formula");
    page.goto("?learn=models.9");
    page.wait_until("the message names the card", || {
        page.count(".card-side") == 1 && page.text(".card-side").contains("models.9")
    });
    assert!(page.text(".card-side").contains("no longer in the course"), "{}", page.text(".card-side"));
    page.click(".card-side button");
    is_at(&page, "In one sentence");
    // The list reads stored progress.
    page.js("localStorage.setItem('systolic-playground-cards', 'wave.2 wave.5 wave.9 claims-array.1')");
    page.goto("?learn=contents");
    page.wait_until("two cards of the first lesson are done", || {
        page.count("#open-multiply") == 1 && page.text("#open-multiply small:last-child") == "2 of 7"
    });
}

#[test]
fn a_card_has_no_accessibility_violation() {
    let page = Page::new(Setting::window(1280, 900));
    for query in ["?learn=contents", "?learn=multiply.4", "?learn=multiply.6", "?learn=contents&theme=dark"] {
        page.goto(query);
        page.wait_for("#card-title");
        page.wait_until("the page", || page.count("#open-multiply .drawing svg") + page.count("#card-next") == 1);
        let told: Vec<String> = page.axe().unwrap_or_default().iter().map(ToString::to_string).collect();
        assert!(told.is_empty(), "{query}: {}", told.join("\n"));
    }
}

/// Keeps the pixels of the array view in the page.
const KEEP: &str = "const canvas = document.querySelector('#stage canvas'); window.kept = canvas.getContext('2d') \
    .getImageData(0, 0, canvas.width, canvas.height); const box = canvas.getBoundingClientRect(); return [box.width, box.height]";
/// Returns the share of the pixels of the array view that have changed.
const CHANGED: &str = "const canvas = document.querySelector('#stage canvas'); const { data } = canvas.getContext('2d') \
    .getImageData(0, 0, canvas.width, canvas.height); let n = 0; for (let at = 0; at < data.length; at += 4) \
    n += [0, 1, 2, 3].some(part => Math.abs(data[at + part] - window.kept.data[at + part]) > 24); return n * 4 / data.length";

/// Gives an answer that may be wrong. The second try gives another answer.
fn answer(page: &Page, card: &Card, try_nth: usize) {
    let Some(question) = &card.question else { return };
    match &question.ask {
        Ask::Choose { .. } => page.click(&format!("#choice-{try_nth}")),
        Ask::Number { .. } | Ask::Register(_) | Ask::Cycle(_) => page.enter("#answer", &(try_nth + 1).to_string()),
        Ask::Formula(_) => page.enter("#answer", if try_nth == 0 { "k" } else { "m" }),
        Ask::Order(_) => page.click(".order li:first-child button[id^=down]"),
        Ask::Pe(_) | Ask::Pes(_) => {
            page.enter("#answer-row", "0");
            page.enter("#answer-col", &try_nth.to_string());
            page.click("#answer-pe");
        }
    }
    page.wait_until("it can be locked", || {
        page.js("return document.querySelector('#lock').disabled").as_bool() == Some(false)
    });
    page.click("#lock");
}

/// Share of the array view that the array or the drawing of a card covers.
fn covered(card: &Card, width: f32, height: f32) -> f64 {
    if card.state.tools.picture != Drawing::Array {
        return 1.0;
    }
    let layout = Scene::new(&card.plan, width, height).layout;
    let (first, last) = (layout.cell_of(PeId::new(0, 0)), layout.cell_of(PeId::new(layout.rows - 1, layout.cols - 1)));
    let area = (last.x + last.w - first.x) * (last.y + last.h - first.y);
    f64::from(area / (width * height))
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn every_question_of_the_course_is_answered_by_the_stage() {
        let page = Page::new(Setting::window(1280, 800));
        page.cdp(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] }),
        );
        let mut silent = Vec::new();
        let mut n_questions = 0;
        for id in course::ids_of_set(Set::Course) {
            let lesson = course::text(id).and_then(|text| Lesson::read(text).ok()).expect("a lesson");
            for (card, nth) in lesson.cards.iter().zip(1..).filter(|(card, _)| card.question.is_some()) {
                page.goto(&format!("?learn={id}.{nth}"));
                page.wait_until("the question", || page.count("#lock") == 1 && page.count("#setup") == 1);
                page.js_async("await new Promise(done => setTimeout(done, 900))");
                let size = page.js(KEEP);
                for try_nth in 0..2 {
                    if page.attribute("#lock", "hidden").is_none() {
                        answer(&page, card, try_nth);
                        page.wait_until("it is judged", || !page.text("#verdict").is_empty());
                    }
                }
                page.wait_until("it is locked", || page.attribute("#lock", "hidden").is_some());
                page.js_async("await new Promise(done => setTimeout(done, 700))");
                #[expect(clippy::cast_possible_truncation, reason = "pixels")]
                let [width, height] = [0, 1].map(|side| size[side].as_f64().unwrap_or(1.0) as f32);
                let share = page.js(CHANGED).as_f64().unwrap_or_default() / covered(card, width, height);
                if share < 0.02 {
                    silent.push(format!("{id}.{nth}: {:.2} %", share * 100.0));
                }
                n_questions += 1;
            }
        }
        assert!(n_questions >= 60, "{n_questions}");
        assert!(silent.is_empty(), "the stage does not answer: {silent:#?}");
    }
}

#[test]
fn a_setting_that_a_task_does_not_offer_is_not_shown_and_solves_nothing() {
    let page = Page::new(Setting::window(1366, 768));
    let task = "?learn=challenges-first.11";
    for (width, height) in [(1366, 768), (1280, 720), (1920, 1080)] {
        page.resize(width, height);
        page.goto(task);
        page.wait_for("#hint");
        shown(&page);
        let is_seen =
            page.js("return [...document.querySelectorAll('.setup')].some(one => one.getClientRects().length > 0)");
        assert_eq!(is_seen.as_bool(), Some(false), "{width}×{height}: the settings are shown");
        let over = page.js("return document.querySelector('.card-side').getBoundingClientRect().right - innerWidth");
        assert!(over.as_f64().is_some_and(|over| over.abs() < 1.0), "{width}×{height}: {over} beside the card");
    }
    // With K = 1, no row has to wait. A script or a program for people with disabilities can reach a hidden field.
    page.js("const k = document.querySelector('#k'); k.value = '1'; for (const kind of ['input', 'change']) \
             k.dispatchEvent(new Event(kind, { bubbles: true }));");
    page.wait_until("it does not count", || page.text("#verdict").contains("does not count"));
    assert_eq!(page.count(".card-parts .met"), 1, "{}", page.text(".card-parts"));
    page.click("#back-to-lesson");
    page.wait_until("the task is back", || page.count(".card-parts .met") == 0);
    assert!(!page.text("#verdict").contains("Done"), "{}", page.text("#verdict"));
    // A link with this setting does not count either.
    page.goto(&format!("{task}.result&m=6&k=1&n=3&tool=break&break=skew-0.0.0.0&t=6"));
    page.wait_until("the link is refused", || page.text("#sent").contains("does not count"));
    assert!(!page.text("#verdict").contains("Done"), "{}", page.text("#verdict"));
}

#[test]
fn two_presses_in_the_list_show_the_digits_of_a_tpu_and_of_an_h100() {
    let page = Page::new(Setting::window(390, 844));
    page.goto("?learn=contents");
    page.wait_for("#to-prints");
    page.click("#to-prints");
    page.wait_until("the list of prints has the focus", || has_focus(&page, "#prints"));
    page.click("#gpu-table-H100-bf16 summary");
    page.wait_until("the adders are there", || page.count("#gpu-table-H100-bf16 table") == 2);
    let text = page.text("#gpu-table-H100-bf16 table:last-of-type");
    assert!(text.contains("0.737378836") && text.contains("0.737378895"), "{text}");
    let low = "return [...document.querySelectorAll('.print[open] a')].filter(a => a.getBoundingClientRect().height < 24).length";
    assert_eq!(page.js(low).as_u64(), Some(0), "each link is high enough for a finger");
    page.click("#gpu-table-H100-bf16 table a[href*=h100]");
    page.wait_until("the caption has the printed digits", || {
        page.count("#caption") == 1 && page.text("#caption").contains("0.7373789")
    });
}
