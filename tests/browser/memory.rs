//! Tests that a page that plays, steps and changes for a long time uses no more memory than at the beginning.

use serde_json::json;
use whole::browser::{Page, Setting, is_long};

use crate::shown;

/// Script that records the modules of the page, so that a test can read the size of their memory.
const WATCH: &str = "const { instantiate } = WebAssembly; window.modules = []; \
    WebAssembly.instantiate = async (...all) => { const made = await instantiate.apply(WebAssembly, all); \
    window.modules.push(made.instance ?? made); return made; };";

/// Smallest growth of a module's memory, in bytes: one page of WebAssembly.
const STEP: u64 = 65_536;

/// Size of the memory of all modules, in bytes. The script does not run through the driver, because the page keeps each
/// answer to the driver in memory.
fn module_bytes(page: &Page) -> u64 {
    let all = "window.modules.reduce((all, { exports }) => all + (exports.memory?.buffer.byteLength ?? 0), 0)";
    page.cdp("Runtime.evaluate", json!({ "expression": all }))["result"]["value"].as_u64().expect("bytes")
}

/// Runs a script `times` times, with a pause for the page after every twenty runs.
fn repeat(page: &Page, times: u32, script: &str) {
    let expression = format!(
        "(async () => {{ for (let n = 0; n < {times}; n++) {{ {script}; \
         if (n % 20 === 19) await new Promise((done) => setTimeout(done, 0)); }} }})()"
    );
    let answer = page.cdp("Runtime.evaluate", json!({ "expression": expression, "awaitPromise": true }));
    assert!(answer["exceptionDetails"].is_null(), "{answer:#}");
}

/// Checks that a script leaks no memory. The first runs create everything that the page keeps, and four times as many
/// runs must add nothing.
fn leaves_nothing(page: &Page, what: &str, script: &str) {
    let times = if is_long() { 400 } else { 100 };
    repeat(page, times, script);
    let before = module_bytes(page);
    // The runs are split into parts, because a driver waits for an answer for at most two minutes.
    (0..4).for_each(|_| repeat(page, times, script));
    let grown = module_bytes(page) - before;
    assert!(grown <= STEP, "{} {what} left {grown} bytes", 4 * times);
}

#[test]
fn steps_edits_and_other_links_leave_nothing_in_memory() {
    let page = Page::new(Setting { is_alone: true, ..Setting::default() });
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH }));
    page.goto("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7");
    shown(&page);
    page.wait_until("the sides are there", || page.count("#why-line") == 1);
    for (what, script) in [
        ("steps", "document.querySelector(n % 2 ? '#back' : '#forward').click()"),
        (
            "edits",
            "const field = document.querySelector('#m'); field.value = 6 + n % 3; \
             for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }))",
        ),
        (
            "links",
            "history.replaceState(null, '', n % 2 ? '?rows=4&cols=4&m=6&k=4&n=3&t=3' : '?rows=8&cols=8&m=10&k=13&n=11&t=9'); \
             dispatchEvent(new PopStateEvent('popstate'))",
        ),
    ] {
        leaves_nothing(&page, what, script);
    }
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn slides_with_a_second_run_and_with_a_tool_leave_nothing_in_memory() {
        let page = Page::new(Setting { is_alone: true, ..Setting::default() });
        page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH }));
        let slides = [
            "rows=4&cols=4&m=6&k=4&n=3",
            "rows=8&cols=8&m=10&k=13&n=11&cmp=df%3Dos",
            "rows=8&cols=8&m=32&tool=heat&show=useful",
        ];
        let slides = slides.map(|slide| slide.replace('%', "%25").replace('=', "%3D").replace('&', "%26")).join("%0A");
        page.goto(&format!("?rows=4&cols=4&m=6&k=4&n=3&ui=present&slide=1#slides={slides}"));
        page.wait_for("#slide-number");
        let press = |key: &str| {
            format!("document.dispatchEvent(new KeyboardEvent('keydown', {{ key: {key}, bubbles: true }}))")
        };
        page.js(&press("'PageDown'"));
        page.wait_for("#other");
        // Each slide is drawn before the next slide, so views are created and removed.
        let drawn = "await new Promise((done) => setTimeout(done, 0))";
        leaves_nothing(&page, "slides", &format!("{}; {drawn}", press("n % 4 < 2 ? 'PageUp' : 'PageDown'")));
        assert_eq!(page.console_errors(), Vec::<String>::new());
    }
}
