//! Time until a run continues after its page has failed. Each kind of frame recovers automatically, a tab after a press
//! of the button.
//!
//! Run after `cargo xtask build` with `cargo bench -p benches --features browser --bench recovery`.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::collections::BTreeMap;

use serde_json::{Value, json};
use whole::browser::{Page, ServerOptions, Setting, serve};

/// Number of failures of each kind. The median and the worst time are printed.
const ROUNDS: usize = 5;
const RUN: &str = "?rows=5&cols=4&m=9&k=4&n=3&df=os&dt=int8&t=7&ui=embed";

/// Script that reports a panic, as the page's panic handler does.
const PANIC: &str = "document.dispatchEvent(new CustomEvent('playground:panic', { detail: 'a bench' }))";
/// Script that reports a trap: an error of the module, for example if memory is exhausted.
const TRAP: &str = "dispatchEvent(new ErrorEvent('error', { error: new WebAssembly.RuntimeError('unreachable') }))";
/// Script that never ends.
const HANG: &str = "for (;;) ;";

/// Script of the host page. It requests `/back/N` when the new frame answers with the state, N milliseconds after the
/// failure.
const HOST: &str = "let from, heard; const frame = document.querySelector('#sim'); \
    addEventListener('message', ({ data }) => { from = data.failed ?? from; }); \
    const answered = ({ cycle }) => { if (cycle === 7) fetch(`http://elsewhere.example/back/${Date.now() - from}`).catch(() => {}); }; \
    frame.addEventListener('ready', () => { if (from) frame.getState().then(answered); }); \
    const ask = () => { if (heard || !from) return; const { port1, port2 } = new MessageChannel(); \
      port1.onmessage = ({ data }) => { \
        if (data.type === 'welcome') { heard = true; port1.postMessage({ sap: 1, id: 1, method: 'getState' }); } \
        else if (data.id === 1) answered(data.result); }; \
      frame.contentWindow.postMessage({ sap: 1, type: 'hello', nonce: 1 }, '*', [port2]); setTimeout(ask, 10); }; \
    frame.addEventListener('load', ask);";

/// Opens a host page that contains the playground at `address`.
fn host(address: &str, body: &str) -> Page {
    let body = body.replace("BASE", address);
    let html = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>A host</title><link rel=icon href='data:,'>{body}<script>{HOST}</script></html>"
    );
    let pages = BTreeMap::from([("/course.html".to_owned(), html)]);
    let server = ServerOptions { pages, ..ServerOptions::default() };
    let page = Page::new(Setting { window: (1200, 900), server, ..Setting::default() });
    page.visit(&format!("{}/course.html", page.server().origin()));
    page
}

/// Returns the milliseconds from a failure in the frame to an answer with the state.
fn recovers(body: &str, failure: &str) -> f64 {
    let playground = serve(ServerOptions::default());
    let page = host(&playground.url(), body);
    let enter = || {
        if body.contains("<systolic-playground") { page.enter_shadow_frame("#sim") } else { page.enter_frame("#sim") }
    };
    let is_there = || {
        enter();
        let told = page.js("return document.querySelector('#live') !== null");
        page.leave_frame();
        told == true
    };
    page.wait_until("it is there", is_there);
    // The frame sends its link only after a short time without changes.
    page.js_async("await new Promise((done) => setTimeout(done, 1500))");
    enter();
    // A frame that hangs cannot send messages, so it sends the time of its failure before it hangs.
    page.js(&format!(
        "parent.postMessage({{ failed: Date.now() + 100 }}, '*'); setTimeout(() => {{ {failure} }}, 100)"
    ));
    page.leave_frame();
    // Until then, this test sends no request to the browser, because the driver would wait for the frame.
    let told = || page.asked_elsewhere().iter().find_map(|line| first_number(line.split("/back/").nth(1)?));
    page.wait_until("it is back", || told().is_some());
    told().unwrap_or(f64::NAN)
}

fn first_number(text: &str) -> Option<f64> {
    text.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

/// Returns the milliseconds from the press of the button to a page that is ready, in a tab.
fn restarts() -> f64 {
    let page = Page::new(Setting::window(1280, 800));
    let seen = "document.addEventListener('playground:ready', () => requestAnimationFrame(() => setTimeout(() => { \
                window.readyAt = Date.now(); })))";
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": seen }));
    page.goto(RUN);
    page.wait_for("#live");
    page.js(TRAP);
    page.wait_for("#supervisor .actions button");
    let pressed = page.js("return Date.now()").as_f64().unwrap_or(f64::NAN);
    page.click("#supervisor .actions button");
    page.wait_until("it is back", || page.js("return window.readyAt ?? 0").as_f64() > Some(pressed));
    page.js("return window.readyAt").as_f64().unwrap_or(f64::NAN) - pressed
}

fn print(what: &str, measure: impl Fn() -> f64) {
    let mut all: Vec<f64> = (0..ROUNDS).map(|_| measure()).collect();
    all.sort_by(f64::total_cmp);
    println!("{what:<44}{:>6.0}{:>7.0} ms", all[ROUNDS / 2], all[ROUNDS - 1]);
}

fn main() {
    let frame = |attributes: &str| format!("<iframe id=sim {attributes} width=900 height=560></iframe>");
    let single = publish::single::page(&publish::page::dist(&publish::root())).expect("a built page");
    let text = Value::from(single).to_string().replace("</", "<\\/");
    let of_text = frame(&format!("sandbox=allow-scripts name='{RUN}'"))
        + &format!("<script>document.querySelector('#sim').srcdoc = {text}</script>");
    let element = format!(
        "<script type=module src='BASEsystolic-playground.mjs'></script>\
         <systolic-playground id=sim style='width:900px' link='{RUN}'></systolic-playground>"
    );
    let kinds = [
        ("a frame of another origin", frame(&format!("src='BASE{RUN}'"))),
        ("a frame in a sandbox", frame(&format!("sandbox=allow-scripts src='BASE{RUN}'"))),
        ("the single file as text in a sandbox", of_text),
        ("the element", element.clone()),
    ];
    println!("{:<44}{:>6}{:>7}    of {ROUNDS}", "", "median", "worst");
    for (name, body) in &kinds {
        print(&format!("{name}, panic"), || recovers(body, PANIC));
        print(&format!("{name}, trap"), || recovers(body, TRAP));
    }
    print("the element, hang", || recovers(&element, HANG));
    print("a tab, from the press", restarts);
}
