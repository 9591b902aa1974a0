//! Inside somebody else's page: another origin, a sandbox without an origin of its own.

use std::collections::BTreeMap;

use whole::browser::{Page, ServerOptions, Setting, serve};

use crate::shown;

/// Opens a page of another origin with the playground in a frame.
fn framed(attributes: &str, width: u32, height: u32) -> Page {
    let playground = serve(ServerOptions::default());
    let link = format!("{}?ui=embed&rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7", playground.url());
    let html = format!(
        "<!doctype html><title>A course</title><link rel=icon href='data:,'><h1>A course page</h1><input id=mine autofocus>\
         <iframe src='{link}' title='Systolic array' width={width} height={height} {attributes}></iframe>"
    );
    let server =
        ServerOptions { pages: BTreeMap::from([("/course.html".to_owned(), html)]), ..ServerOptions::default() };
    let page = Page::new(Setting { window: (1000, 760), server, ..Setting::default() });
    assert_ne!(page.server().origin(), playground.origin());
    page.visit(&format!("{}/course.html", page.server().origin()));
    // The frame is fetched while this server lives; it stays for the rest of the test.
    std::mem::forget(playground);
    page
}

fn behaves(page: &Page) {
    let focused = page.js("return document.activeElement.id");
    page.enter_frame("iframe");
    shown(page);
    let link = page.js("return location.href");
    assert_eq!(page.text("#clock"), "7 / 16");
    page.js_async("await new Promise(done => setTimeout(done, 1200))");
    assert_eq!(page.text("#clock"), "7 / 16", "nothing plays by itself");
    page.leave_frame();
    assert_eq!(page.js("return document.activeElement.id"), focused, "the host keeps the focus");
    page.enter_frame("iframe");
    page.click("#forward");
    page.wait_until("the run steps", || page.text("#clock") == "8 / 16");
    page.js_async("await new Promise(done => setTimeout(done, 900))");
    assert_eq!(page.js("return location.href"), link, "an embed never writes its address");
    for part in ["#stage canvas", "#play", "#scrub", "#figure-utilization", ".bar", "#caption"] {
        let hidden = page.js(&format!(
            "const box = document.querySelector('{part}').getBoundingClientRect(); \
             const inside = box.width > 0 && box.height > 0 && box.left >= -0.5 && box.right <= innerWidth + 0.5 \
               && box.top >= -0.5 && box.bottom <= innerHeight + 0.5; \
             return inside ? null : [box.left, box.top, box.right, box.bottom, innerWidth, innerHeight]"
        ));
        assert!(hidden.is_null(), "{part} is not in sight: {hidden}");
    }
    page.leave_frame();
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn an_embed_works_in_a_frame_of_another_origin() {
    behaves(&framed("", 800, 500));
}

#[test]
fn an_embed_works_in_a_sandbox_without_an_origin() {
    let page = framed("sandbox='allow-scripts'", 640, 480);
    page.enter_frame("iframe");
    shown(&page);
    let denied = page.js("try { localStorage.length; return false } catch { return true }");
    assert_eq!(denied.as_bool(), Some(true), "storage throws in this sandbox");
    page.leave_frame();
    behaves(&page);
}
