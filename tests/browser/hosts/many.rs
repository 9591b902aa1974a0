//! Tests of twenty arrays on a page: only the arrays in view are loaded, the page never jumps, and each array resumes.

use serde_json::{Value, json};

use super::{Hosted, MODULE, host_page, hosted, is_clean, messages};
use crate::shown;

/// Style that reserves the space of an element before its script loads. `npm/README.md` contains this line.
const ROOM: &str =
    "<style>systolic-playground:not([hidden]) { display: block; aspect-ratio: 8 / 5; min-height: 440px }</style>";

/// Opens a page of twenty elements, each above a paragraph, with empty space at the end.
fn twenty() -> Hosted {
    let one = |nth: usize| {
        format!(
            "<systolic-playground id=a{nth} rows=4 cols=4 m={} k=4 n=3 df=ws dt=int8 t=7 style='width:800px'></systolic-playground>\
             <p>Array {nth}</p>",
            nth + 4
        )
    };
    let body = (0..20).map(one).collect::<String>() + "<div style='height:4000px'></div>";
    let readme = std::fs::read_to_string(publish::root().join("npm").join("README.md")).expect("a text");
    assert!(readme.contains(ROOM), "the line is one that hosts are told of");
    hosted(&[("/course.html", host_page(&[ROOM, MODULE].concat(), &body))], messages::setting())
}

/// Script that lists the elements with a frame, and the elements in the window.
const ALIVE: &str = "const all = [...document.querySelectorAll('systolic-playground')]; \
    const alive = all.filter((one) => one.shadowRoot.querySelector('iframe')).map((one) => one.id); \
    const seen = all.filter((one) => { const box = one.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight }) \
      .map((one) => one.id); return [alive, seen]";

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn of_twenty_arrays_those_in_sight_are_alive_and_the_page_never_jumps() {
        let host = twenty();
        let page = &host.page;
        page.js("window.shifts = []; new PerformanceObserver((list) => shifts.push(...list.getEntries().map((one) => one.value))) \
                   .observe({ type: 'layout-shift', buffered: true })");
        let names = |value: &Value| -> Vec<String> {
            value.as_array().expect("a list").iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
        };
        // Elements up to two hundred pixels outside the window count as visible, so one more element above and one
        // below may be alive.
        let settles = || {
            let now = page.js(ALIVE);
            let (alive, seen) = (names(&now[0]), names(&now[1]));
            alive.len() <= seen.len() + 2 && seen.iter().all(|one| alive.contains(one))
        };
        let height = page.js("return document.documentElement.scrollHeight").as_u64().expect("a height");
        for nth in [0, 4, 9, 14, 19, 2] {
            page.js(&format!("document.querySelector('#a{nth}').scrollIntoView()"));
            page.wait_until(&format!("around array {nth} those in sight are alive, and no others"), settles);
            messages::enter(page, &format!("#a{nth}"));
            shown(page);
            page.leave_frame();
        }
        // The element restores its latest state, not the state of its attributes.
        let ask = |method: &str, params: Value| {
            page.js_async(&format!("return await document.querySelector('#a2').{method}({params})"))
        };
        assert_eq!(ask("setState", json!({ "settings": { "n": 2 } }))["settings"]["n"], json!(2));
        assert_eq!(ask("seek", json!({ "cycle": 11 }))["cycle"], json!(11));
        page.js("scrollTo(0, document.documentElement.scrollHeight)");
        page.wait_until("none is alive where none is seen", || page.js(ALIVE) == json!([[], []]));
        page.js("document.querySelector('#a2').scrollIntoView()");
        let state = ask("getState", json!({}));
        assert_eq!((&state["cycle"], &state["settings"]["n"]), (&json!(11), &json!(2)), "{state}");
        assert_eq!(page.js("return shifts"), json!([]), "nothing jumps");
        assert_eq!(page.js("return document.documentElement.scrollHeight").as_u64(), Some(height));
        is_clean(page);
    }

    #[test]
    fn an_array_with_a_card_or_with_the_focus_stays_out_of_sight() {
        let card = "<systolic-playground id=sim link='?learn=multiply.2&ui=embed' style='width:800px'></systolic-playground>\
                    <systolic-playground id=used rows=4 style='width:800px'></systolic-playground>\
                    <systolic-playground id=rests rows=4 style='width:800px'></systolic-playground><div style='height:4000px'></div>";
        let host = hosted(&[("/course.html", host_page(MODULE, card))], messages::setting());
        let page = &host.page;
        page.js("document.querySelector('#used').scrollIntoView()");
        for css in ["#sim", "#used", "#rests"] {
            page.js_async(&format!("await document.querySelector('{css}').ready"));
        }
        page.js("document.querySelector('#used').shadowRoot.querySelector('iframe').focus(); scrollTo(0, 4500)");
        page.wait_until("the one that is not in use rests", || page.js(ALIVE) == json!([["sim", "used"], []]));
        page.js_async("await new Promise((done) => setTimeout(done, 2600))");
        assert_eq!(page.js(ALIVE), json!([["sim", "used"], []]));
    }
}

#[test]
fn the_element_is_as_small_as_a_picture() {
    let path = publish::root().join("npm").join("systolic-playground.mjs");
    let script = publish::markup::without_comments(&std::fs::read_to_string(path).expect("the element"));
    let packed = publish::encoding::gzip(script.as_bytes(), 9).expect("memory");
    assert!(packed.len() <= 7 * 1024, "{} bytes", packed.len());
}
