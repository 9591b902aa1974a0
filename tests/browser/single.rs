//! Tests of the page in one file: opened from a disk, or as the srcdoc of a frame, without a server.

use std::path::PathBuf;

use whole::browser::{Page, Setting};

use crate::{shown, wait_for_face};

const LINK: &str = "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7";

pub(crate) fn file() -> String {
    publish::single::page(&publish::page::dist(&publish::root())).expect("a built page")
}

/// Temporary file that is removed when the test ends.
pub(crate) struct Stick(PathBuf);

impl Stick {
    pub(crate) fn with(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("{name}-{}.html", std::process::id()));
        std::fs::write(&path, text).expect("written");
        Self(path)
    }

    pub(crate) fn url(&self) -> String {
        format!("file://{}", self.0.display())
    }
}

impl Drop for Stick {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Addresses of everything that was fetched from outside of the file.
fn fetched(page: &Page) -> String {
    page.js("return performance.getEntriesByType('resource').map(one => one.name) \
           .filter(name => !name.startsWith('data:') && !name.startsWith('blob:')).join()")
        .as_str()
        .expect("a text")
        .to_owned()
}

#[test]
fn from_a_disk_it_plays_opens_its_parts_and_fetches_nothing() {
    let stick = Stick::with("single", &file());
    let page = Page::new(Setting::default());
    page.visit(&stick.url());
    shown(&page);
    assert_eq!(page.text("#clock"), "7 of 15", "the first screen");
    wait_for_face(&page);
    page.visit(&format!("{}{LINK}", stick.url()));
    shown(&page);
    page.click("#forward");
    page.wait_until("the run steps", || page.text("#clock") == "8 of 15");
    page.wait_until("the link follows", || {
        page.js("return new URLSearchParams(location.search).get('t')").as_str() == Some("8")
    });
    page.click("#to-share");
    page.wait_for("#share-address");
    let address = page.js("return document.querySelector('#share-address').value");
    assert!(address.as_str().is_some_and(|address| address.starts_with("?v=1&")), "a path on a disk: {address}");
    assert!(page.text("#share-file").contains("a file on your disk"));
    assert!(page.text(".hint:has(#open-perfetto)").contains(words::share::PERFETTO_REFUSES));
    page.visit(&format!("{}{LINK}", stick.url()));
    shown(&page);
    page.press('/', false);
    page.wait_until("the search opens", || page.js("return document.activeElement.id").as_str() == Some("search-text"));
    page.keys("#search-text", "skew");
    page.wait_until("the index answers", || page.count("#found-0") == 1);
    assert_eq!(page.count(".book-link, #found a[href^=docs]"), 0, "one file has no book");
    page.visit(&format!("{}{LINK}&tool=compare", stick.url()));
    shown(&page);
    page.wait_until("a tool opens", || page.count("#compare") > 0);
    page.visit(&format!("{}?learn=multiply.1", stick.url()));
    page.wait_until("a lesson opens", || page.count("#card-title") > 0);
    page.visit(&format!("{}?ui=desk", stick.url()));
    page.wait_until("the models open", || page.count("#ask-title") > 0 && !page.text("#ask-title").is_empty());
    assert_eq!(fetched(&page), "");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn as_the_text_of_a_sandboxed_frame_it_plays_and_fetches_nothing() {
    let stick = Stick::with("host", "<!doctype html><title>A host</title><h1>A host</h1>");
    let page = Page::new(Setting::default());
    page.visit(&stick.url());
    let text = serde_json::Value::from(file());
    page.js(&format!(
        "const frame = document.createElement('iframe'); frame.width = 900; frame.height = 600; \
         frame.setAttribute('sandbox', 'allow-scripts'); frame.srcdoc = {text}; document.body.append(frame)"
    ));
    page.enter_frame("iframe");
    shown(&page);
    page.click("#forward");
    page.wait_until("the run steps", || page.text("#clock") == "8 of 15");
    assert_eq!(fetched(&page), "");
    page.leave_frame();
    assert_eq!(page.console_errors(), Vec::<String>::new());
}
