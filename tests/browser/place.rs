//! Tests of `host.html`: its checks of the page, the frame and the browser around it.

use std::collections::BTreeMap;

use whole::browser::{Page, ServerOptions, Setting, serve};

const CHECKS: [&str; 8] = ["module", "files", "size", "height", "steering", "screen", "storage", "offline"];

/// Result of each check, by its name in the source of the page.
fn found(page: &Page) -> BTreeMap<&'static str, String> {
    page.wait_until("all is tried", || page.count("td > [data-if=open]:not([hidden])") == 0);
    let of = |id: &str| page.js(&format!("return document.querySelector('#{id} [data-if]:not([hidden])').dataset.if"));
    CHECKS.into_iter().map(|id| (id, of(id).as_str().expect("a name").to_owned())).collect()
}

fn expected(differs: &[(&'static str, &str)]) -> BTreeMap<&'static str, String> {
    let all = CHECKS.into_iter().map(|id| (id, "yes".to_owned()));
    all.chain(differs.iter().map(|(id, found)| (*id, (*found).to_owned()))).collect()
}

/// Opens a page of another origin with this body; `BASE` in the body becomes the folder of the playground.
fn around(body: &str) -> Page {
    let playground = serve(ServerOptions::default());
    let html = format!(
        "<!doctype html><html lang=en><title>A course</title><link rel=icon href='data:,'>{}</html>",
        body.replace("BASE", &playground.url())
    );
    let server =
        ServerOptions { pages: BTreeMap::from([("/course.html".to_owned(), html)]), ..ServerOptions::default() };
    let page = Page::new(Setting { window: (1000, 760), server, ..Setting::default() });
    page.visit(&format!("{}/course.html", page.server().origin()));
    std::mem::forget(playground);
    page
}

#[test]
fn alone_it_finds_nothing_missing_and_gives_the_frame_to_put_elsewhere() {
    let page = Page::new(Setting::default());
    let address = format!("{}host.html", page.server().url());
    page.visit(&address);
    assert_eq!(found(&page), expected(&[("height", "alone"), ("steering", "alone")]));
    assert_eq!(page.text("#verdict"), words::host::Effect::Works.verdict());
    let code = page.js("return document.querySelector('#code').value");
    assert!(code.as_str().is_some_and(|code| code.contains(&format!("src=\"{address}\""))), "{code}");
    let report = page.js("return document.querySelector('#report').value");
    let report = report.as_str().expect("a text");
    assert!(words::host::CHECKS.iter().all(|check| report.contains(check.name)), "{report}");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_small_sandbox_that_forbids_most_is_told_so_and_still_works() {
    let page = around("<iframe id=sim src='BASEhost.html' width=300 height=300 sandbox='allow-scripts'></iframe>");
    page.enter_frame("#sim");
    let differs = [("size", "narrow"), ("height", "no"), ("steering", "no"), ("screen", "no"), ("storage", "no")];
    let differs: Vec<_> = differs.into_iter().chain([("offline", "frame")]).collect();
    assert_eq!(found(&page), expected(&differs));
    assert_eq!(page.text("#verdict"), words::host::Effect::Less.verdict());
    assert!(page.text("#screen").contains("allow=\"fullscreen\""));
}

#[test]
fn a_page_that_follows_the_height_and_greets_is_heard() {
    let page = around(
        "<iframe id=sim src='BASEhost.html' width=700 height=500 allow=fullscreen></iframe><script>\
         const sim = document.querySelector('#sim');\
         addEventListener('message', ({ data }) => { if (data.subject === 'lti.frameResize') sim.height = data.height; });\
         setInterval(() => sim.contentWindow.postMessage({ sap: 1, type: 'hello', nonce: 1 }, '*', \
         [new MessageChannel().port2]), 250);</script>",
    );
    page.enter_frame("#sim");
    assert_eq!(found(&page), expected(&[("offline", "frame")]));
    assert_eq!(page.text("#verdict"), words::host::Effect::Works.verdict());
    page.leave_frame();
    assert_eq!(page.js("return document.querySelector('#sim').height"), "500", "it is as it was");
}
