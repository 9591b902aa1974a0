//! Tests of the page in a foreign page: from another origin, and in a sandbox without its own origin.

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
    // The server must live for the rest of the test, because the frame loads from it.
    std::mem::forget(playground);
    page
}

fn behaves(page: &Page) {
    let focused = page.js("return document.activeElement.id");
    page.enter_frame("iframe");
    shown(page);
    let link = page.js("return location.href");
    assert_eq!(page.text("#clock"), "7 of 15");
    page.js_async("await new Promise(done => setTimeout(done, 1200))");
    assert_eq!(page.text("#clock"), "7 of 15", "nothing plays by itself");
    page.leave_frame();
    assert_eq!(page.js("return document.activeElement.id"), focused, "the host keeps the focus");
    page.enter_frame("iframe");
    page.click("#forward");
    page.wait_until("the run steps", || page.text("#clock") == "8 of 15");
    page.js_async("await new Promise(done => setTimeout(done, 900))");
    assert_eq!(page.js("return location.href"), link, "an embed never writes its address");
    for part in ["#stage canvas", "#play", "#scrub", "#why-line"] {
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

const EMBED: &str = "?ui=embed&rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7";

fn is_shown(page: &Page) {
    shown(page);
    assert_eq!(page.text("#clock"), "7 of 15");
    page.click("#forward");
    page.wait_until("the run steps", || page.text("#clock") == "8 of 15");
}

#[test]
fn slides_opened_from_a_disk_show_it() {
    let page = Page::new(Setting::default());
    let link = format!("{}{EMBED}", page.server().url());
    let slides = std::env::temp_dir().join(format!("slides-{}.html", std::process::id()));
    let html = format!(
        "<!doctype html><title>Slides</title><iframe src='{link}' width=800 height=500 sandbox='allow-scripts'></iframe>"
    );
    std::fs::write(&slides, html).expect("written");
    page.visit(&format!("file://{}", slides.display()));
    page.enter_frame("iframe");
    is_shown(&page);
    std::fs::remove_file(slides).expect("cleaned up");
}

#[test]
fn a_notebook_that_puts_its_output_in_a_sandbox_shows_it() {
    let playground = serve(ServerOptions::default());
    let html = format!(
        "<!doctype html><title>A notebook</title><link rel=icon href='data:,'><iframe id=output sandbox='allow-scripts' width=900 \
         height=600 srcdoc=\"<iframe src='{}{}' width=800 height=500></iframe>\"></iframe>",
        playground.url(),
        EMBED.replace('&', "&amp;")
    );
    let server =
        ServerOptions { pages: BTreeMap::from([("/notebook.html".to_owned(), html)]), ..ServerOptions::default() };
    let page = Page::new(Setting { window: (1000, 760), server, ..Setting::default() });
    page.visit(&format!("{}/notebook.html", page.server().origin()));
    page.enter_frame("#output");
    page.enter_frame("iframe");
    is_shown(&page);
}

#[test]
fn a_host_that_is_isolated_from_other_origins_shows_it() {
    let playground = serve(ServerOptions::default());
    let folder = std::env::temp_dir().join(format!("isolated-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let page = Page::new(Setting::default());
    for policy in ["require-corp", "credentialless"] {
        let headers =
            format!("/*\n  Cross-Origin-Embedder-Policy: {policy}\n  Cross-Origin-Opener-Policy: same-origin\n");
        let html = format!(
            "<!doctype html><title>Isolated</title><link rel=icon href='data:,'><iframe src='{}{EMBED}' width=800 height=500></iframe>",
            playground.url()
        );
        std::fs::write(folder.join("_headers"), headers).expect("written");
        std::fs::write(folder.join("index.html"), html).expect("written");
        let host = xtask::server::Server::start(&folder, ServerOptions::default()).expect("serves");
        page.visit(&host.url());
        assert_eq!(page.js("return crossOriginIsolated").as_bool(), Some(true), "{policy}");
        page.enter_frame("iframe");
        is_shown(&page);
        page.leave_frame();
    }
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Height of an element in pixels; 0 if the element is missing or hidden.
fn height(page: &Page, css: &str) -> f64 {
    let read = format!("return document.querySelector('{css}')?.getBoundingClientRect().height ?? 0");
    page.js(&read).as_f64().expect("a number")
}

/// Selectors of the parts around the array in an embed.
const AROUND: [&str; 4] = [".timeline", ".transport", ".live", ".shapes"];

#[test]
fn a_poster_is_a_still_picture_until_somebody_plays_it() {
    let page = Page::new(Setting::default());
    for (width, height_of_view) in [(800, 500), (500, 300)] {
        page.resize(width, height_of_view);
        page.goto("?ui=poster&rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7");
        shown(&page);
        page.wait_for("#poster-play");
        assert_eq!(AROUND.map(|part| height(&page, part)), [0.0; 4]);
        let seen = ["#stage canvas", "#caption", "#poster-play"].map(|part| height(&page, part));
        assert!(seen[0] > 150.0 && seen[2] >= 44.0 && (height_of_view < 400 || seen[1] > 20.0), "{seen:?}");
        assert_eq!(page.axe().unwrap_or_default().iter().map(ToString::to_string).collect::<Vec<_>>(), [""; 0]);
        let link = page.url();
        // A click anywhere on the picture plays it, as in a video player.
        assert_eq!(page.js("return document.elementFromPoint(innerWidth / 2, innerHeight / 3).id"), "poster-play");
        assert_eq!(
            page.js("const a = document.querySelector('.open-full a'); const box = a.getBoundingClientRect(); \
                            return !box.height || document.elementFromPoint(box.left + 9, box.top + 5) === a"),
            true
        );
        page.click("#poster-play");
        page.wait_until("it is an embed", || page.count("#poster-play") == 0 && height(&page, "#play") > 0.0);
        page.wait_until("that plays", || page.text("#clock") != "7 of 15");
        assert_eq!(page.js("return document.activeElement.id"), "play", "hands find what stops it");
        assert_eq!(page.url(), link, "an embed never writes its address");
        assert_eq!(page.console_errors(), Vec::<String>::new());
    }
}

/// Script that lists the visible parts of an embed that overlap or stick out of the view. The script also lists the
/// visible ones of two parts: the cycle, and the link to the full page.
const PARTS: &str = "const names = ['.why-line > span:nth-of-type(1)', '.why-line > span:nth-of-type(3)', '.why-line > span:nth-of-type(4)', \
      '#stage', '.setup', '.shapes ul', '.caption-line', '.timeline', '#clock', '.buttons', '.open-full a']; \
    const boxes = names.flatMap(name => { const one = document.querySelector(name); if (!one) return []; \
      const { left, top, right, bottom } = one.getBoundingClientRect(); \
      return right - left > 1 && bottom - top > 1 && getComputedStyle(one).position !== 'fixed' && \
        !getComputedStyle(one).clipPath.startsWith('inset') ? [[name, left, top, right, bottom]] : []; }); \
    const found = []; for (const [nth, a] of boxes.entries()) { \
      if (a[1] < -1 || a[3] > innerWidth + 1 || a[4] > innerHeight + 1) found.push(`${a} sticks out`); \
      for (const b of boxes.slice(nth + 1)) if (Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 1 && \
        Math.min(a[4], b[4]) - Math.max(a[2], b[2]) > 1) found.push(`${a} and ${b}`); } \
    return [found, ['#clock', '.open-full a'].filter(name => boxes.some(box => box[0] === name))]";

#[test]
fn the_parts_of_an_embed_never_overlap_and_the_cycle_and_the_way_out_are_always_there() {
    let page = Page::new(Setting::default());
    for query in ["rows=6&cols=6&df=os&t=7", "rows=8&cols=8&m=16&k=8&n=8&t=17&lock=array"] {
        page.goto(&format!("?ui=embed&{query}"));
        shown(&page);
        for part in [".shapes li", ".open-full a", "#clock"] {
            page.wait_for(part);
        }
        for (width, tall) in [
            (359, 224),
            (359, 440),
            (400, 320),
            (480, 320),
            (560, 350),
            (600, 500),
            (700, 437),
            (720, 450),
            (760, 475),
            (800, 500),
            (860, 540),
            (900, 562),
            (2000, 720),
        ] {
            page.set_view((width, tall));
            page.wait_until("it is drawn at this size", || {
                page.js("return [innerWidth, innerHeight]") == serde_json::json!([width, tall])
            });
            let seen = page.js(PARTS);
            assert_eq!(seen, serde_json::json!([[], ["#clock", ".open-full a"]]), "{query} at {width}×{tall}");
        }
    }
}

#[test]
fn a_bare_stage_has_the_whole_view_whatever_the_link_opens() {
    let page = Page::new(Setting::default());
    for query in ["t=7", "t=7&tool=heat&show=useful&lock=none", "t=7&break=no-skew&tool=break"] {
        page.resize(640, 400);
        page.goto(&format!("?ui=bare&rows=4&cols=4&m=6&k=4&n=3&{query}"));
        shown(&page);
        page.wait_until("the sides are there", || page.count("#why-line") == 1);
        page.wait_until("the stage is all there is", || height(&page, "#stage") >= 399.0);
        let others = [".foot", ".panel", ".setup", ".timeline", ".live"].map(|part| height(&page, part));
        assert_eq!(others, [0.0; 5], "{query}");
        let width = page.js("return document.querySelector('#stage').getBoundingClientRect().width");
        assert!(width.as_f64() >= Some(639.0), "{query}: {width}");
        assert_eq!(page.console_errors(), Vec::<String>::new());
    }
}

#[test]
fn a_model_is_answered_in_a_frame_with_its_entries_or_without() {
    let ask = "ask=model%3Dllama3-8b%26chip%3Dtpu-v5e%26chips%3D64";
    let page = Page::new(Setting::window(800, 500));
    page.goto(&format!("?ui=desk&{ask}"));
    page.wait_for("#comparison td[data-figure=mfu] .cell");
    let first = page.text("#comparison td[data-figure=mfu] .cell");
    for (query, entries) in [(ask.to_owned(), true), (format!("{ask}&hide=controls"), false)] {
        page.goto(&format!("?ui=answer&{query}"));
        page.wait_for("#comparison td[data-figure=mfu] .cell");
        assert_eq!(page.text("#comparison td[data-figure=mfu] .cell"), first, "the number of the whole page");
        assert_eq!(page.count(".head"), 0, "no way leads out of the frame but a link");
        assert_eq!(page.count(".topic"), 1, "what the link asks");
        assert_eq!(height(&page, "#estimate-ask .entries") > 100.0, entries);
        assert_eq!(page.js("return document.activeElement === document.body"), true, "it takes no focus");
        let targets = page.js("return [...document.querySelectorAll('#estimate a[href]')].map((one) => one.target)");
        let targets = targets.as_array().expect("a list");
        assert!(targets.len() > 1 && targets.iter().all(|target| target == "_blank"), "{targets:?}");
        assert_eq!(page.axe().unwrap_or_default().iter().map(ToString::to_string).collect::<Vec<_>>(), [""; 0]);
        if entries {
            let (link, before) = (page.url(), page.js("return history.length"));
            page.js("const list = document.querySelector('#ask-chip'); list.value = 'tpu-v6e'; \
                     list.dispatchEvent(new Event('change', { bubbles: true }))");
            page.wait_until("another answer", || page.text("#comparison td[data-figure=mfu] .cell") != first);
            page.js_async("await new Promise((done) => setTimeout(done, 900))");
            assert_eq!((page.url(), page.js("return history.length")), (link, before), "the host's history is its own");
        }
        assert_eq!(page.console_errors(), Vec::<String>::new());
    }
    page.goto("?ui=answer&failures=chips%3D16384");
    page.wait_for("#estimate-failures .figure .value");
    assert_eq!(page.count(".topic"), 1);
}
