//! Tests of the search in the shipped page: a person opens it with a key, the mouse or a finger, asks, and opens an
//! answer.

use serde_json::json;
use studio::Link;
use systolic::Dtype;
use whole::browser::{Page, Setting};

use crate::shown;
use crate::tasks::press;

const RUN: &str = "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7&pe=3.0";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

fn opened(width: u32, height: u32, query: &str) -> Page {
    let page = Page::new(Setting::window(width, height));
    page.goto(query);
    shown(&page);
    page
}

fn focus(page: &Page) -> String {
    page.js("return document.activeElement.id").as_str().unwrap_or_default().to_owned()
}

/// Waits until the search is open and its field has the focus.
fn wait_for_search(page: &Page) {
    page.wait_until("the field has the focus", || focus(page) == "search-text");
    assert_eq!(page.count("#search[open]"), 1);
}

fn wait_until_closed(page: &Page) {
    page.wait_until("the search is closed", || page.count("#search[open]") == 0);
}

/// Enters a question all at once, as a paste does, and waits until the search has read the question.
fn paste(page: &Page, text: &str) {
    page.js_asking(
        "const [text, done] = arguments; const field = document.querySelector('#search-text'); field.value = text; \
         field.dispatchEvent(new Event('input', { bubbles: true })); setTimeout(done, 400)",
        json!(text),
    );
    page.wait_until("the index is there", || !page.text("#search").contains(words::ask::LOADING));
}

/// Link in the address bar.
fn link(page: &Page) -> Link {
    let url = page.url();
    let (_, rest) = url.split_once('?').unwrap_or_default();
    let (query, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    Link::parse(query, fragment)
}

/// Rows, columns, M, K and N of the run in the address bar.
fn sizes(page: &Page) -> [u64; 5] {
    let scenario = link(page).scenario;
    [scenario.rows, scenario.cols, scenario.m, scenario.k, scenario.n]
}

#[test]
fn with_keys_alone_a_person_asks_for_a_run_opens_it_and_goes_back() {
    let page = opened(1366, 768, RUN);
    page.js("document.querySelector('#stage').focus()");
    press(&page, "/");
    wait_for_search(&page);
    assert_eq!(page.js("return document.querySelector('#search-text').value"), json!(""), "the key is not typed");
    // These letters are keys of the page outside the field.
    press(&page, "g []0+-? v");
    assert_eq!(page.text("#clock"), "7 of 15");
    assert_eq!(page.count("#help[open]"), 0);
    page.js("document.querySelector('#search-text').select()");
    page.keys("#search-text", "matmul 64 × 32 × 24 on an 8×8 array");
    // Without a pause after the last letter.
    press(&page, DOWN);
    page.wait_until("the first answer has the focus", || focus(&page) == "found-0");
    press(&page, RIGHT);
    assert_eq!(page.text("#clock"), "7 of 15", "an answer keeps the arrows from the run");
    press(&page, UP);
    page.wait_until("the field has the focus again", || focus(&page) == "search-text");
    press(&page, DOWN);
    press(&page, ENTER);
    wait_until_closed(&page);
    page.wait_until("the run", || sizes(&page) == [8, 8, 64, 32, 24]);
    page.wait_until("the array has the focus", || focus(&page) == "stage");
    page.js("history.back()");
    page.wait_until("Back returns", || sizes(&page) == [4, 4, 6, 4, 3]);
    assert_eq!(page.text("#clock"), "7 of 15");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn enter_in_the_field_opens_the_first_answer_and_escape_gives_the_focus_back() {
    let page = opened(1366, 768, RUN);
    page.js("document.querySelector('#stage').focus()");
    press(&page, "/");
    wait_for_search(&page);
    press(&page, ESCAPE);
    wait_until_closed(&page);
    assert_eq!(focus(&page), "stage");
    assert_eq!(link(&page).view.selected, Some(systolic::PeId::new(3, 0)), "Escape only closes the search");
    page.js("document.querySelector('#to-search').focus()");
    press(&page, ENTER);
    wait_for_search(&page);
    // Without a pause after the last letter.
    page.keys("#search-text", &format!("128×128 array, M = 7, K = 100, N = 128{ENTER}"));
    wait_until_closed(&page);
    page.wait_until("the run", || sizes(&page) == [128, 128, 7, 100, 128]);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn with_a_mouse_each_example_fills_the_field_and_opens_what_it_asks_for() {
    let page = opened(1366, 768, RUN);
    let is_open = |nth: usize| match nth {
        0 => {
            let scenario = link(&page).scenario;
            [scenario.m, scenario.k, scenario.n] == [4096; 3] && scenario.dtype == Dtype::Int8
        }
        1 => ["ui=desk", "llama3-70b", "h100"].iter().all(|part| page.url().contains(part)),
        _ => {
            let [rows, cols, _, k, _] = sizes(&page);
            [rows, cols, k] == [128, 128, 100]
        }
    };
    for (nth, example) in words::ask::EXAMPLES.iter().enumerate() {
        page.goto(RUN);
        shown(&page);
        page.click("#to-search");
        wait_for_search(&page);
        page.click(&format!(".search-examples li:nth-child({}) button", nth + 1));
        assert_eq!(page.js("return document.querySelector('#search-text').value"), json!(example));
        page.wait_until("answers", || page.count("#found-0") == 1);
        assert_eq!(page.count(".search-examples button"), 0, "the examples make room");
        assert!(page.count("#found > li") <= 5);
        // A press with another button opens this address in a tab.
        assert!(page.attribute("#found-0", "href").is_some_and(|address| address.starts_with('?')), "{example}");
        page.click("#found-0");
        wait_until_closed(&page);
        page.wait_until(&format!("{example:?} is open"), || is_open(nth));
    }
    page.click("#to-search");
    wait_for_search(&page);
    // The dark area around the dialog.
    page.js("document.querySelector('#search').click()");
    wait_until_closed(&page);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

/// Touches the middle of an element.
fn tap(page: &Page, css: &str) {
    page.wait_for(css);
    let place = page.js(&format!(
        "const one = document.querySelector('{css}'); one.scrollIntoView({{ block: 'nearest' }}); \
         const box = one.getBoundingClientRect(); return {{ x: box.x + box.width / 2, y: box.y + box.height / 2, id: 0 }}"
    ));
    page.cdp("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": [place] }));
    page.cdp("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
}

#[test]
fn on_a_phone_the_search_is_in_the_menu_and_an_answer_shows_the_array() {
    let page = opened(360, 740, RUN);
    page.cdp("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
    tap(&page, "#tab-more");
    tap(&page, "#to-search");
    wait_for_search(&page);
    paste(&page, "16×16 array, M = 40, K = 16, N = 16");
    let beside = page.js(
        "const edge = document.querySelector('#search').getBoundingClientRect(); \
         return [...document.querySelectorAll('#search *')].filter(one => one.checkVisibility() \
           && (one.getBoundingClientRect().right > edge.right + 1 || one.getBoundingClientRect().left < edge.left - 1)) \
           .map(one => one.id || one.tagName)",
    );
    assert_eq!(beside, json!([]));
    assert!(page.js("return document.querySelector('#search').getBoundingClientRect().right").as_f64() <= Some(360.0));
    tap(&page, "#found-0");
    wait_until_closed(&page);
    page.wait_until("the run", || sizes(&page) == [16, 16, 40, 16, 16]);
    assert_eq!(page.attribute("#tab-run", "aria-selected").as_deref(), Some("true"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_lesson_a_claim_and_a_term_open_with_the_focus_on_them() {
    let page = opened(1366, 768, RUN);
    let ask = |question: &str, kind: &str| {
        press(&page, "/");
        wait_for_search(&page);
        paste(&page, question);
        let nth = page.js_asking(
            "const [kind, done] = arguments; done([...document.querySelectorAll('#found a')] \
             .findIndex(one => one.querySelector('small').textContent === kind))",
            json!(kind),
        );
        assert!(nth.as_i64() >= Some(0), "{question:?} finds no {kind}: {}", page.text("#found"));
        let address = page.attribute(&format!("#found-{nth}"), "href").expect("an address");
        page.click(&format!("#found-{nth}"));
        wait_until_closed(&page);
        address
    };
    let address = ask("three dataflows", ::ask::words::kind(::ask::Kind::Lesson));
    assert!(address.contains("learn="), "{address}");
    page.wait_until("the card has the focus", || focus(&page) == "card-title");
    page.wait_until("the address", || page.url().contains("learn="));
    page.js("document.activeElement.blur()");
    ask("skew", ::ask::words::kind(::ask::Kind::Term));
    page.wait_until("the word has the focus", || {
        page.count("#help[open]") == 1 && page.js("return document.activeElement.matches('#help *')") == true
    });
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn any_pasted_text_gives_answers_or_a_sentence_and_the_page_goes_on() {
    let page = opened(1366, 768, RUN);
    page.click("#to-search");
    wait_for_search(&page);
    let texts = [
        "<script>document.title = 'gone'</script><img src=x onerror=alert(1)>".to_owned(),
        "🦆".repeat(50_000),
        format!("{0} × {0} × {0}", "9".repeat(30)),
        "1 2 3\n".repeat(40_000),
        "]]}}{{[[,;,;".to_owned(),
        "\u{202e}\u{0} \u{feff}".to_owned(),
        "zqxjkvbw".to_owned(),
    ];
    for text in texts {
        paste(&page, &text);
        let start: String = text.chars().take(20).collect();
        page.wait_until(&format!("{start:?} has an answer or a sentence"), || {
            page.count("#found > li") > 0 || !page.text("#search-note").is_empty()
        });
        assert!(page.count("#found > li") <= 5, "{start}");
        assert_eq!(page.count("#search script, #search img"), 0, "{start}");
        let fits = page.js("const box = document.querySelector('#search').getBoundingClientRect(); \
             return box.bottom <= innerHeight && box.right <= innerWidth && box.left >= 0");
        assert_eq!(fits, json!(true), "{start}");
    }
    // If no text has the words, a sentence says so, and the nearest answers follow.
    assert!(!page.text("#search-note").is_empty(), "it says what it searched");
    paste(&page, "");
    assert_eq!((page.count("#found > li"), page.count(".search-examples button")), (0, 3));
    press(&page, ESCAPE);
    wait_until_closed(&page);
    page.click("#forward");
    page.wait_until("the run goes on", || page.text("#clock") == "8 of 15");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn without_its_index_the_search_still_reads_runs_and_loads_the_index_when_tried_again() {
    let page = opened(1366, 768, RUN);
    page.js("const { fetch } = playground; window.isCut = true; \
         playground.fetch = (file, options) => window.isCut && /ask-.*txt$/.test(file) \
           ? Promise.reject(new TypeError('no network')) : fetch(file, options)");
    press(&page, "/");
    wait_for_search(&page);
    page.wait_until("it says so", || page.text("#search .problem").starts_with(words::ask::NOT_LOADED));
    paste(&page, "matmul 64 × 32 × 24 on an 8×8 array");
    page.wait_until("a run is read", || page.count("#found-0") == 1);
    page.js("window.isCut = false");
    page.click("#search-again");
    page.wait_until("the message is gone", || page.text("#search .problem").is_empty());
    assert_eq!(focus(&page), "search-text");
    paste(&page, "skew");
    page.wait_until("an answer of the index", || page.count("#found-0") == 1);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn help_learn_and_real_models_link_to_the_book_and_the_first_screen_to_the_story() {
    let page = opened(1366, 768, "");
    assert_eq!(page.text("#story"), words::book::STORY);
    let n_controls = page.js(
        "return [...document.querySelectorAll('button, a[href], input, select, textarea, summary')].filter(one => { \
           const box = one.getBoundingClientRect(); \
           return one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) \
             && box.width > 2 && box.height > 2 && box.top < innerHeight && box.bottom > 0 \
             && box.left < innerWidth && box.right > 0; }).length",
    );
    assert!(n_controls.as_u64() <= Some(57), "{n_controls} controls");
    let is_there = |css: &str| {
        page.wait_for(css);
        let found = page.js_async(&format!("return (await fetch(document.querySelector('{css}').href)).ok"));
        assert_eq!(found, json!(true), "{css}");
    };
    is_there("#story");
    page.click("#forward");
    page.wait_until("the caption needs its place", || page.count("#story") == 0);
    press(&page, "?");
    is_there("#help-book");
    page.click("#help-search");
    wait_for_search(&page);
    press(&page, ESCAPE);
    wait_until_closed(&page);
    assert_eq!((focus(&page).as_str(), page.count("#help[open]")), ("help-search", 1));
    page.click("#to-learn");
    is_there("#learn-story");
    page.click("#to-estimate");
    is_there("#models-book");
    page.click("#models-book");
    page.wait_until("the book", || page.url().ends_with("docs/models.html"));
    page.js("history.back()");
    page.wait_until("back at the models", || page.url().contains("ui=desk"));
}

#[test]
fn an_embed_and_a_presentation_keep_the_key_and_link_to_no_book() {
    let page = opened(1366, 768, &format!("{RUN}&ui=embed"));
    press(&page, "/");
    assert_eq!(page.count("#search, .search-button, .book-link"), 0);
    page.goto(&format!("{RUN}&ui=present"));
    shown(&page);
    press(&page, "/");
    press(&page, RIGHT);
    page.wait_until("the run moves", || page.url().contains("t=8"));
    assert_eq!(page.count("#search"), 0);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn the_checker_finds_nothing_in_the_search() {
    for theme in ["light", "dark"] {
        let page = opened(1366, 768, &format!("{RUN}&theme={theme}"));
        page.click("#to-search");
        wait_for_search(&page);
        for text in ["", "skew", "matmul 64 × 32 × 24 on an 8×8 array", "zqxjkvbw"] {
            paste(&page, text);
            // Without the checker this test checks nothing; `cargo xtask test` says so in its last lines.
            let told: Vec<String> = page.axe().unwrap_or_default().iter().map(ToString::to_string).collect();
            assert!(told.is_empty(), "{theme} {text:?}: {}", told.join("\n"));
        }
    }
}
