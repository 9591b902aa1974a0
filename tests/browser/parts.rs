//! Tests of parts that load when they are opened: at top level, in a frame without an origin, and when they do not
//! arrive.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::json;
use whole::browser::{Page, ServerOptions, Setting, serve};
use xtask::server::Server;

use crate::shown;

/// Answer to a request for a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Arrives,
    /// Error 404, as after another version of the page was put on the host.
    IsGone,
    /// Wrong file, as behind a portal that answers every request with its own page.
    IsAnotherFile,
    /// Closed connection, as without a network.
    IsCutOff,
    /// Missing answer, as behind a proxy that accepts the request and sends nothing.
    Hangs,
}

const CUTS: [Fate; 4] = [Fate::IsGone, Fate::IsAnotherFile, Fate::IsCutOff, Fate::Hangs];

/// Proxy between the browser and the page's server: it decides the answers to requests for parts.
struct Relay {
    address: SocketAddr,
    fate: Arc<Mutex<Fate>>,
    _server: Server,
}

impl Relay {
    fn start() -> Self {
        let server = serve(ServerOptions::default());
        let behind = server.origin().trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let fate = Arc::new(Mutex::new(Fate::Arrives));
        let decided = Arc::clone(&fate);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (behind, decided) = (behind.clone(), Arc::clone(&decided));
                // An error here only means that the browser has closed the connection.
                thread::spawn(move || drop(pass(stream, &behind, &decided)));
            }
        });
        Self { address, fate, _server: server }
    }

    fn url(&self, query: &str) -> String {
        format!("http://{}/{query}", self.address)
    }

    fn decide(&self, fate: Fate) {
        *self.fate.lock().expect("nobody panics") = fate;
    }
}

fn pass(mut browser: TcpStream, behind: &str, decided: &Mutex<Fate>) -> io::Result<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && browser.read(&mut byte)? > 0 {
        head.push(byte[0]);
    }
    let is_part = ["/sides-", "/workbench-", "/estimate-", "/shared-", "/pe-cycles-", "/ask-"]
        .iter()
        .any(|part| head.starts_with(format!("GET {part}").as_bytes()));
    let allowed =
        "Access-Control-Allow-Origin: *\r\nCross-Origin-Resource-Policy: cross-origin\r\nConnection: close\r\n\r\n";
    // The answer is decided only now, because a browser connects before it knows what to ask for.
    let fate = *decided.lock().expect("nobody panics");
    match fate {
        _ if !is_part => {}
        Fate::Arrives => {}
        Fate::IsGone => return write!(browser, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n{allowed}"),
        Fate::IsAnotherFile => {
            return write!(
                browser,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n{allowed}hello"
            );
        }
        Fate::IsCutOff => return Ok(()),
        Fate::Hangs => {
            // The relay waits until the browser gives up.
            return browser.read(&mut byte).map(drop);
        }
    }
    let mut server = TcpStream::connect(behind)?;
    server.write_all(&head)?;
    io::copy(&mut server, &mut browser).map(drop)
}

const RUN: &str = "rows=8&cols=8&m=8&k=8&n=8&df=ws&dt=int8&t=9";

/// Opens both parts when they do not arrive, and again when they do. The driver must be in the frame or window of the
/// page.
fn survives(page: &Page, relay: &Relay, fate: Fate) {
    let here = || page.js("return location.href").as_str().unwrap_or_default().to_owned();
    shown(page);
    for (button, name, room) in [("#to-estimate", "Real models", "#ask-title"), ("#tool-compare", "tools", "#compare")]
    {
        relay.decide(fate);
        let moment = page.text("#clock");
        page.click(button);
        page.wait_until("it says what did not arrive", || {
            let said = page.text("#arrival");
            said.contains(name) && said.contains("could not be loaded")
        });
        assert_eq!(page.attribute("#supervisor", "hidden").as_deref(), Some("true"), "{fate:?}");
        // The address follows a change when nothing else has changed for a while.
        page.wait_until("the address is that of the array", || !here().contains("ui=") && !here().contains("tool="));
        page.click("#forward");
        page.wait_until("the array goes on working", || page.text("#clock") != moment);
        relay.decide(Fate::Arrives);
        let moment = page.text("#clock");
        page.click("#try-again");
        page.wait_until("it is there", || page.count(room) > 0 && !page.text(room).is_empty());
        assert_eq!(page.text("#arrival"), "", "{fate:?}");
        if button == "#to-estimate" {
            page.click("#to-array");
        }
        page.wait_until("the moment is the same", || page.text("#clock") == moment);
    }
}

#[test]
fn a_part_that_does_not_arrive_leaves_the_page_working_and_is_asked_for_again() {
    let relay = Relay::start();
    let page = Page::new(Setting::default());
    // This browser keeps no page for offline use, because parts that are kept always arrive.
    let keeps_none = "Object.defineProperty(navigator, 'serviceWorker', { value: undefined })";
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": keeps_none }));
    for fate in CUTS {
        relay.decide(Fate::Arrives);
        // A part in the cache would not be requested again.
        page.cdp("Network.clearBrowserCache", json!({}));
        page.visit(&relay.url(&format!("?{RUN}")));
        survives(&page, &relay, fate);
    }
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn so_it_does_in_a_frame_without_an_origin() {
        let relay = Relay::start();
        let html = format!(
            "<!doctype html><title>A course</title><link rel=icon href='data:,'>\
             <iframe src='{}' width=1180 height=700 sandbox='allow-scripts'></iframe>",
            relay.url(&format!("?{RUN}"))
        );
        let server =
            ServerOptions { pages: BTreeMap::from([("/course.html".to_owned(), html)]), ..ServerOptions::default() };
        let page = Page::new(Setting { server, ..Setting::default() });
        for fate in CUTS {
            relay.decide(Fate::Arrives);
            page.visit(&format!("{}/course.html", page.server().origin()));
            page.enter_frame("iframe");
            survives(&page, &relay, fate);
            page.leave_frame();
        }
    }
}

#[test]
fn a_link_to_a_part_that_does_not_arrive_shows_the_array() {
    let relay = Relay::start();
    let page = Page::new(Setting::default());
    relay.decide(Fate::IsGone);
    for (query, room) in [("ui=desk", "#ask-title"), ("ui=workbench&break=no-skew", "#breaker")] {
        page.visit(&relay.url(&format!("?{RUN}&{query}")));
        page.wait_until("it says so", || page.text("#arrival").contains("could not be loaded"));
        page.wait_until("the array is there", || page.count("#clock") > 0 && page.text("#clock").starts_with("9 "));
        relay.decide(Fate::Arrives);
        page.click("#try-again");
        page.wait_until("it is there", || page.count(room) > 0 && !page.text(room).is_empty());
        assert!(page.url().contains(query.split('&').next().unwrap_or_default()), "{}", page.url());
        relay.decide(Fate::IsGone);
    }
}

#[test]
fn without_what_stands_around_the_stage_the_array_plays_and_it_comes_when_tried_again() {
    let relay = Relay::start();
    let page = Page::new(Setting::default());
    relay.decide(Fate::IsGone);
    page.visit(&relay.url(&format!("?{RUN}")));
    page.wait_until("it says so", || page.text("#arrival").contains("the array keeps playing"));
    let moment = page.text("#clock");
    page.click("#forward");
    page.wait_until("time passes", || page.text("#clock") != moment);
    assert_eq!(page.count("#live"), 0);
    relay.decide(Fate::Arrives);
    page.click("#try-sides");
    page.wait_until("it is there", || page.count("#live") == 1 && page.count("#setup") == 1);
    page.wait_until("and nothing more is said", || page.text("#arrival").is_empty());
}

#[test]
fn a_lesson_that_does_not_arrive_says_so_and_comes_when_tried_again() {
    let relay = Relay::start();
    let page = Page::new(Setting::default());
    // A cleared cache can still take in a file that has just arrived.
    page.cdp("Network.enable", json!({}));
    page.cdp("Network.setCacheDisabled", json!({ "cacheDisabled": true }));
    // The worker keeps all files a few seconds after the start, and would answer in place of the relay.
    page.cdp("Network.setBypassServiceWorker", json!({ "bypass": true }));
    for fate in CUTS {
        relay.decide(Fate::Arrives);
        page.visit(&relay.url("?learn=why-array.7"));
        page.wait_for("#card-next");
        relay.decide(fate);
        page.click("#card-next");
        page.wait_until("it says what did not arrive", || {
            page.count("#lesson-said") == 1 && page.text("#lesson-said").contains("could not be loaded")
        });
        assert_eq!(page.text("#card-title"), "Where the PE-cycles go", "{fate:?}");
        page.js("document.activeElement.blur()");
        relay.decide(Fate::Arrives);
        page.click("#try-lesson");
        page.wait_until("it is there", || page.text("#card-title") == "Where the PE-cycles go: utilization once more");
        let at = page.js("return document.activeElement.id");
        assert_eq!(at, "card-title", "{fate:?}: who asked again is at the card");
    }
}

#[test]
fn a_search_that_does_not_arrive_says_so_and_comes_when_tried_again() {
    let relay = Relay::start();
    let page = Page::new(Setting::default());
    page.cdp("Network.enable", json!({}));
    page.cdp("Network.setCacheDisabled", json!({ "cacheDisabled": true }));
    page.cdp("Network.setBypassServiceWorker", json!({ "bypass": true }));
    for fate in [Fate::IsGone, Fate::IsAnotherFile, Fate::IsCutOff] {
        relay.decide(Fate::Arrives);
        page.visit(&relay.url(&format!("?{RUN}")));
        shown(&page);
        relay.decide(fate);
        page.click("#to-search");
        page.wait_until("it says what did not arrive", || {
            page.text("#arrival").starts_with(words::label::not_loaded(studio::LazyPart::Ask))
        });
        page.click("#forward");
        relay.decide(Fate::Arrives);
        page.click("#try-again");
        page.wait_until("the field has the focus", || page.js("return document.activeElement.id") == "search-text");
        page.keys("#search-text", "matmul 64 × 32 × 24");
        page.wait_until("it answers", || page.count("#found-0") == 1);
    }
}

#[test]
fn rooms_open_in_place_and_the_history_goes_between_them() {
    let page = Page::open(&format!("?{RUN}"));
    shown(&page);
    page.js("window.same = 1");
    page.click("#tool-compare");
    page.wait_for("#compare");
    page.wait_until("the address follows", || {
        page.url().contains("tool=compare") && page.url().contains("cmp=df%3Dos")
    });
    page.click("#cmp-more summary");
    // The field changes at once, because an emptied field that waits would add another step.
    page.js("const field = document.querySelector('#cmp'); field.value = 'df=is'; \
         for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }))");
    page.wait_for("#other");
    page.wait_until("the second run is a step", || page.url().contains("cmp=df%3Dis"));
    page.click("#to-estimate");
    page.wait_until("the questions are there", || page.count("#ask-title") > 0 && !page.text("#ask-title").is_empty());
    page.wait_until("the address follows", || page.url().contains("ui=desk"));
    let height =
        |css: &str| page.js(&format!("return document.querySelector('{css}').getBoundingClientRect().height")).as_f64();
    assert_eq!(height("#stage"), Some(0.0), "one room is in sight");
    page.click("#more-settings > summary");
    page.enter("#ask-batch", "8");
    page.wait_until("an entry is a step", || page.url().contains("batch%3D8"));
    page.click("#to-array");
    page.wait_until("the array is as it was", || height("#other").is_some_and(|height| height > 50.0));
    page.wait_until("the address follows", || !page.url().contains("ui=desk") && page.url().contains("tool=compare"));
    for at_models in [true, true, false] {
        page.js("history.back()");
        page.wait_until("a step back", || page.url().contains("ui=desk") == at_models);
        let in_sight = if at_models { "#estimate" } else { "#stage" };
        page.wait_until("its room is shown", || height(in_sight).is_some_and(|height| height > 50.0));
        page.js_async("await new Promise(done => setTimeout(done, 600))");
    }
    page.js("history.go(-2)");
    page.wait_until("the first screen again", || !page.url().contains("tool="));
    page.wait_until("without a tool", || page.count("#compare") == 0);
    page.js("history.forward()");
    page.wait_until("and forward", || page.count("#compare") == 1);
    page.click("#to-start");
    page.wait_until("the name leads home", || page.text("#clock").starts_with("7 ") && page.count("#compare") == 0);
    page.wait_until("the address follows", || page.url().contains("rows=4") && !page.url().contains("tool="));
    assert_eq!(page.attribute("#to-array", "aria-current").as_deref(), Some("page"));
    assert_eq!(page.js("return window.same").as_u64(), Some(1), "the page was never left");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_part_is_fetched_when_somebody_comes_near() {
    let page = Page::open(&format!("?{RUN}"));
    shown(&page);
    let fetched = || {
        let names = page.js("return performance.getEntriesByType('resource').map(entry => entry.name).join(' ')");
        names.as_str().is_some_and(|names| names.contains("/workbench-"))
    };
    assert!(!fetched(), "not before");
    page.js("document.querySelector('#tool-compare').focus()");
    page.wait_until("it is fetched", fetched);
    assert_eq!(page.count("#compare"), 0, "and not opened");
}
