//! The story of the book: each picture plays while a reader sees it, and is a still picture otherwise.

use std::sync::Once;

use serde_json::{Value, json};
use whole::browser::{Page, Setting};

/// Opens the story in a view of this height, with the drawings of its runs.
fn story(height: u32, media: &[(&str, &str)]) -> Page {
    static DRAWN: Once = Once::new();
    DRAWN.call_once(|| {
        let root = publish::root();
        let is_drawn = publish::page::dist(&root).join("docs/pictures").is_dir();
        if !is_drawn && std::env::var_os("DIST").is_none() {
            xtask::book::run(&root).expect("the book");
        }
    });
    let page = Page::new(Setting::window(1280, height));
    let features: Vec<Value> = media.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    page.cdp("Emulation.setEmulatedMedia", json!({ "features": features }));
    page.visit(&format!("{}docs/story.html", page.server().url()));
    page.js_async("await customElements.whenDefined('systolic-playground')");
    // The largest number of frames at a time, and the cycles of each picture.
    page.js(
        "window.most = 0; window.steps = []; const all = [...document.querySelectorAll('systolic-playground')]; \
         const count = () => { window.most = Math.max(window.most, all.filter(one => one.hasAttribute('started')).length); }; \
         new MutationObserver(count).observe(document.body, { subtree: true, attributeFilter: ['started'] }); count(); \
         all.forEach((one, nth) => { steps[nth] = []; one.addEventListener('step', event => steps[nth].push(event.detail.cycle)); })",
    );
    page
}

/// Scrolls a picture into the middle of the view.
fn scroll_to(page: &Page, nth: usize) {
    page.js(&format!("document.querySelectorAll('systolic-playground')[{nth}].scrollIntoView({{ block: 'center' }})"));
}

/// True if a picture has a frame.
fn is_live(page: &Page, nth: usize) -> bool {
    page.js(&format!("return document.querySelectorAll('systolic-playground')[{nth}].hasAttribute('started')")) == true
}

/// The cycles that a picture has shown since the page was opened.
fn steps(page: &Page, nth: usize) -> Vec<u64> {
    let steps = page.js(&format!("return steps[{nth}]"));
    steps.as_array().expect("cycles").iter().filter_map(Value::as_u64).collect()
}

/// Script that counts the pictures that are as wide as the text and show a drawing.
const DRAWN: &str = "return [...document.querySelectorAll('systolic-playground img')].filter(still => \
     still.naturalWidth === 800 && still.getBoundingClientRect().height > 100 && getComputedStyle(still).visibility === 'visible').length";

#[test]
fn a_picture_plays_in_sight_and_is_still_again_out_of_sight() {
    let page = story(800, &[]);
    let height = || page.js("return document.documentElement.scrollHeight");
    let before = height();
    scroll_to(&page, 4);
    page.wait_until("the picture in sight plays", || steps(&page, 4).len() > 3);
    let cycles = steps(&page, 4);
    assert!(cycles[0] <= 1 && cycles.is_sorted(), "it begins at the start: {cycles:?}");
    assert_eq!(height(), before, "nothing moves");
    assert_eq!(page.js("return document.activeElement === document.body"), json!(true), "the focus stays here");
    scroll_to(&page, 9);
    page.wait_until("the picture out of sight has no frame", || !is_live(&page, 4));
    page.wait_until("the next picture plays", || !steps(&page, 9).is_empty());
    scroll_to(&page, 4);
    let n_before = steps(&page, 4).len();
    page.wait_until("it plays again", || steps(&page, 4).len() > n_before + 1);
    assert!(steps(&page, 4)[n_before] <= 1, "from the start");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn at_most_two_pictures_play_at_a_time() {
    let page = story(4000, &[]);
    page.wait_until("two play", || page.js("return document.querySelectorAll('[started]').length") == json!(2));
    let in_view = "return [...document.querySelectorAll('systolic-playground')].filter(one => one.getBoundingClientRect().bottom < innerHeight).length";
    assert!(page.js(in_view).as_u64() > Some(2), "more are in sight");
    for nth in [6, 10, 14] {
        scroll_to(&page, nth);
        page.wait_until("a picture plays", || page.js("return steps.flat().length > 0") == json!(true));
    }
    assert_eq!(page.js("return window.most"), json!(2));
}

#[test]
fn with_less_motion_a_picture_waits_for_its_button() {
    let page = story(800, &[("prefers-reduced-motion", "reduce")]);
    scroll_to(&page, 0);
    page.js_async("await new Promise(done => setTimeout(done, 2000))");
    assert_eq!(page.js("return window.most"), json!(0));
    page.js("document.querySelector('systolic-playground').shadowRoot.querySelector('button').click()");
    page.wait_until("it plays", || !steps(&page, 0).is_empty());
}

#[test]
fn a_run_that_a_reader_changed_stays_changed() {
    let page = story(800, &[]);
    scroll_to(&page, 4);
    page.wait_until("it plays", || !steps(&page, 4).is_empty());
    page.js_async(
        "const one = document.querySelectorAll('systolic-playground')[4]; await one.setState({ settings: { m: 9 } }); \
         one.shadowRoot.querySelector('iframe').focus()",
    );
    scroll_to(&page, 12);
    page.wait_until("it has no frame", || !is_live(&page, 4));
    let link = "return document.querySelectorAll('systolic-playground')[4].address";
    assert!(page.js(link).as_str().is_some_and(|link| link.contains("m=9")));
}

#[test]
fn without_a_script_and_on_paper_the_story_is_an_article_with_pictures() {
    let page = story(800, &[]);
    let all = page.count("systolic-playground");
    assert_eq!(all, 15);
    scroll_to(&page, 4);
    page.wait_until("it plays", || !steps(&page, 4).is_empty());
    page.cdp("Page.printToPDF", json!({}));
    page.wait_until("its still picture is back, and all others are there", || page.js(DRAWN) == json!(all));
    page.cdp("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    let story = std::fs::read_to_string(publish::root().join("docs/story.md")).expect("the story");
    let is_text = |part: &&str| part.starts_with(char::is_alphabetic);
    let paragraphs = story.split("\n\n").filter(is_text).count();
    let shown = "return [...document.querySelectorAll('main > p')].filter(one => one.getBoundingClientRect().height > 10).length";
    assert_eq!(page.js(shown), json!(paragraphs));
    assert_eq!(page.js("return getComputedStyle(document.querySelector('nav')).display"), json!("none"));

    page.cdp("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.reload();
    let still = page.count("systolic-playground > a[href] > img[alt]");
    page.cdp("Emulation.setScriptExecutionDisabled", json!({ "value": false }));
    assert_eq!(still, all);
    page.wait_until("all drawings are there without a script", || page.js(DRAWN) == json!(all));
}
