//! Tests of the state in the address bar: reload, Back, a bad link, custom matrices.

use whole::browser::Page;

use crate::shown;

#[test]
fn a_changed_setting_is_a_step_back_and_survives_a_reload() {
    let page = Page::open("");
    shown(&page);
    page.fill("#rows", "8");
    page.wait_until("the address has rows=8", || page.url().contains("rows=8"));
    page.reload();
    shown(&page);
    assert!(page.text(".headline").contains("8×4"), "{}", page.text(".headline"));
    page.js("history.back()");
    page.wait_until("Back shows the first screen again", || page.text(".headline").contains("4×4"));
    page.js("history.forward()");
    page.wait_until("Forward shows eight rows again", || page.text(".headline").contains("8×4"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn the_moment_is_in_the_address_when_time_rests() {
    let page = Page::open("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=3");
    shown(&page);
    let steps = page.js("return history.length");
    page.keys("#stage", "\u{e014}\u{e014}");
    page.wait_until("the address has t=5", || page.url().contains("t=5"));
    assert_eq!(page.js("return history.length"), steps, "moving in time is no step of the history");
    assert!(page.text("#clock").starts_with("5 "));
}

#[test]
fn a_link_with_matrices_opens_with_their_numbers() {
    let page = Page::open("?rows=2&cols=2&df=os&dt=int8&fill=custom&t=2#a=1,2;3,4&b=5,6;7,8");
    shown(&page);
    assert!(page.text("#caption").contains("3 × 6 = 18"), "{}", page.text("#caption"));
}

#[test]
fn a_wrong_link_shows_the_array_and_says_what_was_wrong() {
    let page = Page::open("?rows=9999&df=sideways&t=soon&lesson=4&%%%=%ff#a=1,2;3&zzz");
    shown(&page);
    page.wait_for("#notices li");
    let notices = page.text("#notices");
    for part in ["rows = 9999", "1 to 1024", "df = sideways", "t = soon", "a: row 1"] {
        assert!(notices.contains(part), "no {part} in {notices}");
    }
    page.click("#forward");
    page.wait_until("what is not known is kept", || page.url().contains("lesson=4"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn any_cycle_of_a_long_run_is_shown_by_the_next_frame() {
    let page = Page::open("?rows=128&cols=128&m=128&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4&t=0");
    shown(&page);
    assert!(page.text("#busy").starts_with("25.1 "));
    let late = page.js_async(
        "const scrub = document.querySelector('#scrub'), clock = document.querySelector('#clock'); let late = 0; \
         for (let i = 1; i <= 60; i++) { const cycle = (i * 7919 * 137) % 32640; \
           scrub.value = cycle; scrub.dispatchEvent(new Event('input', { bubbles: true })); \
           await new Promise(requestAnimationFrame); \
           const told = Number(clock.querySelector('span').textContent.replace(/[^0-9]/g, '')); \
           if (told !== cycle) late += 1; } return late;",
    );
    assert_eq!(late.as_u64(), Some(0), "cycles that the next frame did not show");
}

#[test]
fn skipping_to_the_controls_keeps_typed_matrices() {
    let page = Page::open("?rows=2&cols=2&df=os&dt=int8&fill=custom&t=2#a=1,2;3,4&b=5,6;7,8");
    shown(&page);
    page.js("document.querySelector('.skip').click()");
    page.js_async("await new Promise(done => setTimeout(done, 700))");
    assert_eq!(page.js("return document.activeElement.id").as_str(), Some("setup"));
    assert!(page.text("#caption").contains("3 × 6 = 18"), "{}", page.text("#caption"));
    assert!(page.url().contains("a=1,2;3,4"), "{}", page.url());
}

#[test]
fn going_back_while_the_run_plays_keeps_the_way_forward() {
    let page = Page::open("");
    shown(&page);
    page.fill("#rows", "8");
    page.wait_until("the address has rows=8", || page.url().contains("rows=8"));
    page.click("#play");
    page.fill("#cols", "6");
    page.js("history.back()");
    page.wait_until("Back shows the first screen", || page.text(".headline").contains("4×4"));
    page.js_async("await new Promise(done => setTimeout(done, 900))");
    page.js("history.forward()");
    page.wait_until("Forward is still there", || page.text(".headline").contains("8×4"));
}

#[test]
fn a_field_with_the_focus_that_going_back_takes_away_takes_nothing_else_along() {
    let page = Page::open("?rows=2&cols=2&m=2&k=2&n=2&df=os&dt=int8&t=2");
    shown(&page);
    page.js(
        "const fill = document.querySelector('#fill'); fill.value = 'custom'; fill.dispatchEvent(new Event('change'))",
    );
    page.wait_until("it is a step", || page.url().contains("fill=custom"));
    page.keys("#b-1-1", "9");
    page.js("history.back()");
    page.wait_until("the fields are gone", || page.count("#b-1-1") == 0);
    // The page applies typed text only after a short delay.
    page.js_async("await new Promise((done) => setTimeout(done, 300))");
    assert_eq!(page.text("#supervisor"), "");
    page.click("#forward");
    page.wait_until("the run steps", || page.text("#clock").starts_with("3 of "));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}
