//! Tests of recovery from a panic, a trap and missing memory in each kind of frame, and from a hang in the element. The
//! run resumes where it was, and the host is never reloaded.

use serde_json::{Value, json};
use studio::{Link, Plan};
use systolic::Cycle;
use whole::browser::Page;

use super::messages::{self, ask, enter};
use super::{ELEMENT, Hosted, MODULE, host_page, hosted};
use crate::shown;

const RUN: &str = "?rows=5&cols=4&m=9&k=4&n=3&df=os&dt=int8&t=7&ui=embed";

/// Marks the host with a state that a reload would lose.
fn marked(host: Hosted) -> Hosted {
    host.page.js("window.isMine = true");
    host
}

fn is_never_reloaded(page: &Page) {
    assert_eq!(page.js("return window.isMine"), json!(true), "the host was loaded anew");
}

/// Opens a frame of another origin. Its link injects a fault (`drill`) into the page.
fn framed(attributes: &str, drill: &str) -> Hosted {
    let frame = format!("<iframe id=sim {attributes} width=900 height=560 src='BASE{RUN}&chaos={drill}'></iframe>");
    marked(hosted(&[("/course.html", host_page("", &frame))], messages::setting()))
}

/// Waits until the frame shows the run at a cycle, without an error message over the run.
fn goes_on(page: &Page, css: &str, cycle: u64) {
    let plan = Plan::new(&Link::parse(RUN, "").scenario).expect("a run");
    let clock = words::caption::clock(&plan, Cycle(cycle));
    let is_back = || {
        enter(page, css);
        let said = page.js("return [document.querySelector('#clock')?.textContent ?? '', \
                            document.querySelector('#supervisor').hidden, name]");
        page.leave_frame();
        // The name of the frame records an earlier failure.
        said[0] == *clock && said[1] == json!(true) && said[2] != ""
    };
    page.wait_until(&format!("the run goes on at {clock}"), is_back);
    enter(page, css);
    shown(page);
    page.leave_frame();
}

#[test]
fn what_fails_again_soon_leaves_it_to_a_person() {
    let host = framed("sandbox='allow-scripts'", "trap");
    let page = &host.page;
    goes_on(page, "#sim", 7);
    enter(page, "#sim");
    trap(page);
    page.wait_for("#supervisor:not([hidden]) button");
    page.click("#supervisor .actions button");
    page.wait_until("it is back", || page.count("#supervisor:not([hidden])") == 0);
    page.leave_frame();
    goes_on(page, "#sim", 7);
    is_never_reloaded(page);
}

/// Dispatches the error event of a trap in a page that has run for a while.
fn trap(page: &Page) {
    page.js("dispatchEvent(new ErrorEvent('error', { error: new WebAssembly.RuntimeError('unreachable') }))");
}

/// Opens an element that shows the run.
fn element() -> Hosted {
    let element = ELEMENT.replace("id=sim", &format!("id=sim link='{RUN}'"));
    let host = marked(hosted(&[("/course.html", host_page(MODULE, &element))], messages::setting()));
    host.page.js("window.readies = 0; document.querySelector('#sim').addEventListener('ready', () => readies++)");
    messages::use_element(&host.page);
    host.page.js_async("await document.querySelector('#sim').ready");
    host
}

#[test]
fn an_element_greets_the_page_that_comes_after_one_that_failed() {
    let host = element();
    let page = &host.page;
    assert_eq!(ask(page, "seek", &json!({ "cycle": 11 }))["ok"]["cycle"], json!(11));
    page.js("window.frame = document.querySelector('#sim').shadowRoot.querySelector('iframe')");
    enter(page, "#sim");
    page.js_async("await new Promise((done) => setTimeout(done, 800))");
    trap(page);
    page.leave_frame();
    page.wait_until("it is greeted again", || page.js("return readies").as_u64() >= Some(2));
    let state = ask(page, "getState", &json!({}));
    assert_eq!((&state["ok"]["cycle"], &state["ok"]["settings"]["m"]), (&json!(11), &json!(9)), "{state}");
    let is_same = page.js("return frame === document.querySelector('#sim').shadowRoot.querySelector('iframe')");
    assert_eq!(is_same, json!(true), "the frame helps itself, and is not taken away");
    is_never_reloaded(page);
}

#[test]
fn nothing_in_a_frame_listens_for_its_end() {
    // If a frame listens for its end, Chromium keeps its process for half a second after the frame is gone. If this
    // process hangs, the next frame hangs too.
    let page = Page::new(messages::setting());
    let watch = "window.names = []; const add = EventTarget.prototype.addEventListener; \
                 EventTarget.prototype.addEventListener = function (name, ...more) { names.push(name); \
                 return add.call(this, name, ...more); };";
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": watch }));
    page.goto(&format!("{RUN}&tool=heat"));
    shown(&page);
    let before = page.text("#clock");
    page.click("#play");
    page.wait_until("it plays", || page.text("#clock") != before);
    let names = page.js("return names");
    let names: Vec<&str> = names.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(names.contains(&"playground:ready"), "it hears all: {names:?}");
    for end in ["pagehide", "visibilitychange", "unload", "beforeunload"] {
        assert!(!names.contains(&end), "{end}");
    }
}

#[test]
fn an_element_takes_a_frame_that_hangs_away_and_goes_on_where_it_was() {
    let host = element();
    let page = &host.page;
    assert_eq!(ask(page, "setState", &json!({ "settings": { "m": 12 } }))["ok"]["settings"]["m"], json!(12));
    assert_eq!(ask(page, "seek", &json!({ "cycle": 11 }))["ok"]["cycle"], json!(11));
    page.js("const from = performance.now(); document.querySelector('#sim').addEventListener('ready', () => \
         fetch(`http://elsewhere.example/greeted/${Math.round(performance.now() - from)}`).catch(() => {}))");
    enter(page, "#sim");
    // A sandboxed frame has its own process, so the host does not hang with it.
    page.js("setTimeout(() => { for (;;) ; }, 0)");
    page.leave_frame();
    // The browser gets no command meanwhile, because its driver would wait for the frame that hangs.
    page.wait_until("another frame is greeted", || page.asked_elsewhere().iter().any(|line| line.contains("/greeted")));
    let state = ask(page, "getState", &json!({}));
    assert_eq!((&state["ok"]["cycle"], &state["ok"]["settings"]["m"]), (&json!(11), &json!(12)), "{state}");
    is_never_reloaded(page);
    // A busy frame may be silent for a while without being replaced.
    let busy = "const at = performance.now(); while (performance.now() - at < 2500) ;";
    enter(page, "#sim");
    page.js(&format!("setTimeout(() => {{ {busy} }}, 200)"));
    page.leave_frame();
    let before = page.js("return readies");
    page.js_async("await new Promise((done) => setTimeout(done, 250))");
    assert_eq!(ask(page, "step", &json!({}))["ok"]["cycle"], json!(12));
    assert_eq!(page.js("return readies"), before, "the same frame answers");
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn what_fails_in_a_frame_goes_on_by_itself_where_it_was() {
        for attributes in ["", "sandbox='allow-scripts'"] {
            for drill in ["panic", "trap", "memory"] {
                let host = framed(attributes, drill);
                goes_on(&host.page, "#sim", 7);
                is_never_reloaded(&host.page);
            }
        }
    }

    #[test]
    fn the_text_of_a_frame_goes_on_at_its_last_link() {
        let frame = "<iframe id=sim sandbox='allow-scripts' width=900 height=560></iframe>";
        let host = marked(hosted(&[("/course.html", host_page("", frame))], messages::setting()));
        let page = &host.page;
        let text = Value::from(crate::single::file());
        for (drill, cycle) in [("&chaos=panic", 7), ("&chaos=memory", 7), ("", 9)] {
            page.js(&format!(
                "const old = document.querySelector('#sim'); const frame = old.cloneNode(); frame.name = '{RUN}{drill}'; \
                 frame.srcdoc = {text}; old.replaceWith(frame)"
            ));
            if drill.is_empty() {
                // The frame must resume at its latest state, not at the first link.
                enter(page, "#sim");
                shown(page);
                page.click("#forward");
                page.click("#forward");
                page.wait_until("it steps", || page.text("#clock").starts_with("9 "));
                // The page writes its link after a moment without changes.
                page.js_async("await new Promise((done) => setTimeout(done, 800))");
                trap(page);
                page.leave_frame();
            }
            goes_on(page, "#sim", cycle);
        }
        is_never_reloaded(page);
    }
}
