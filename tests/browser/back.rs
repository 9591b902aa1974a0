//! Tests of Back: each change by a person is one step, with any control.

use whole::browser::{Page, Setting};

use crate::shown;

fn opened() -> Page {
    let page = Page::new(Setting::window(1440, 900));
    page.count_timers();
    // The link has the form that the page writes, so that the page does not change it after it opens.
    page.goto("?v=1&rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&pad=ragged&fill=small&seed=7&chip=tpu-v4&t=3");
    shown(&page);
    page.wait_for("#m-more");
    page.wait_for_timers();
    page.js("window.steps = 0; const push = history.pushState; \
             history.pushState = function (...given) { window.steps += 1; return push.apply(history, given); }");
    page
}

fn steps(page: &Page) -> u64 {
    page.wait_for_timers();
    page.js("return window.steps").as_u64().expect("a number")
}

#[test]
fn what_a_link_can_say_opens_from_share_and_its_examples_open_the_page() {
    let page = opened();
    page.click("#to-share");
    page.wait_for("#share-can-say");
    let href = page.js("return document.querySelector('#share-can-say').href");
    let href = href.as_str().expect("an address").to_owned();
    page.visit(&href);
    assert_eq!(page.text("h1"), "Link parameters");
    let n_rows = studio::Entry::all().count();
    assert_eq!(page.count("tbody tr"), n_rows);
    let wide = page.js("return document.documentElement.scrollWidth <= innerWidth").as_bool();
    assert_eq!(wide, Some(true), "the page itself does not scroll sideways");
    // Without the checker this test skips the check; `cargo xtask test` says so in its last lines.
    let told: Vec<String> = page.axe().unwrap_or_default().iter().map(ToString::to_string).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
    page.click("#dt td:last-child a");
    shown(&page);
    assert!(page.url().contains("dt=bf16"), "{}", page.url());
    assert_eq!(page.count(".notices li"), 0);
}

#[test]
fn the_curve_and_the_largest_gain_change_the_run_and_undo_takes_it_back() {
    let page = opened();
    page.wait_for("#curve-slider");
    page.wait_for("#largest-gain button");
    let gain = page.text("#largest-gain button");
    assert!(gain.starts_with("M = 64: "), "{gain}");
    page.click("#largest-gain button");
    page.wait_until("64 rows of A", || page.url().contains("m=64"));
    let mfu = gain.split_once(": ").map(|(_, mfu)| mfu.to_owned());
    assert_eq!(Some(page.text("#busy")), mfu, "the button said what it gives");
    page.click("#undo");
    page.wait_until("six rows again", || page.url().contains("m=6&"));
    // A press on a class does not change the settings, so there is nothing to undo.
    page.click(".classes button");
    page.wait_until("a class", || page.url().contains("class="));
    assert_eq!(page.js("return document.querySelector('#undo').hidden"), serde_json::json!(true));
    // The slider goes along the points of the curve, up to its end.
    page.js("const slider = document.querySelector('#curve-slider'); slider.value = slider.max; \
         slider.dispatchEvent(new Event('input', { bubbles: true }))");
    page.wait_until("the end of the curve", || page.url().contains("m=512"));
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn every_change_by_hand_is_one_step_and_back_undoes_it() {
        let page = opened();
        // The button steps several times while it is held, and a click follows.
        let hold = "const button = document.querySelector('#m-more'); \
                    const fire = (name) => button.dispatchEvent(new PointerEvent(name, { bubbles: true })); \
                    fire('pointerdown'); await new Promise((done) => setTimeout(done, 1000)); fire('pointerup'); \
                    button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));";
        type Act<'a> = &'a dyn Fn(&Page);
        let acts: [(&str, Act<'_>); 7] = [
            ("a field", &|page| page.fill("#rows", "8")),
            ("a button that is held", &|page| drop(page.js_async(hold))),
            ("another dataflow", &|page| drop(page.js("document.querySelector('#df-os').click()"))),
            ("a tool that opens", &|page| page.click("#tool-break")),
            ("an example", &|page| {
                page.js("document.querySelector('#examples').open = true");
                page.wait_for("#example-ragged");
                page.js("document.querySelector('#example-ragged').click()");
            }),
            ("a PE that is chosen by the keyboard", &|page| page.keys("#stage", "\u{e007}\u{e015}")),
            ("a format", &|page| {
                page.js("const field = document.querySelector('#dt'); field.value = 'bf16'; \
                     for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));");
            }),
        ];
        for (what, act) in acts {
            let (before, n_before) = (page.url(), steps(&page));
            act(&page);
            assert_eq!(steps(&page) - n_before, 1, "{what}: {}", page.url());
            let after = page.url();
            assert_ne!(before, after, "{what}");
            page.js("history.back()");
            page.wait_until(&format!("{what}: Back undoes it"), || page.url() == before);
            assert_eq!(steps(&page) - n_before, 1, "{what}: going back is no step forward");
            assert_eq!(page.url(), before, "{what}: what is shown is what the address says");
            page.js("history.forward()");
            page.wait_until(&format!("{what}: Forward does it again"), || page.url() == after);
            page.js("history.back()");
            page.wait_until(&format!("{what}: and Back"), || page.url() == before);
        }
        let n_before = steps(&page);
        page.keys("#stage", "\u{e014}\u{e014}");
        assert_eq!(steps(&page), n_before, "moving in time is no step");
        assert_eq!(page.console_errors(), Vec::<String>::new());
    }
}
