//! Script of 40 steps in every host: the page alone, a frame, a sandbox, a srcdoc, a disk, slides, the output of
//! publishing tools, a browser without storage, no network.
//!
//! A host takes the steps by messages. On a page without a host, a visitor takes the steps by hand. In both cases
//! nothing fails, no request goes to another machine, and every number equals that of the twin without a browser.

mod built;
mod hands;
mod many;
mod messages;
mod recovery;
mod scorm;
mod script;

use std::collections::BTreeMap;

use whole::browser::{Page, ServerOptions, Setting, serve};

use hands::by_hand;
use messages::by_messages;

/// HTML of a host page.
fn host_page(head: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>A host</title><link rel=icon href='data:,'>{head}{body}</html>"
    )
}

/// Opens the first of these pages of a host. The origin of the host differs from the playground's. The pages are given
/// by path; `BASE` in a page becomes the folder of the playground.
fn hosted(pages: &[(&str, String)], setting: Setting) -> Hosted {
    let playground = serve(ServerOptions::default());
    let base = playground.url();
    let pages: BTreeMap<String, String> =
        pages.iter().map(|(path, html)| ((*path).to_owned(), html.replace("BASE", &base))).collect();
    let first = pages.keys().next().cloned().expect("a page");
    let page = Page::new(Setting { server: ServerOptions { pages, ..ServerOptions::default() }, ..setting });
    assert_ne!(page.server().origin(), playground.origin());
    page.visit(&format!("{}{first}", page.server().origin()));
    Hosted { page, playground }
}

/// Page of a host, and the server of the playground in it.
struct Hosted {
    page: Page,
    playground: xtask::server::Server,
}

/// Checks that the console has no errors, and that no request went to another machine.
fn is_clean(page: &Page) {
    assert_eq!(page.asked_elsewhere(), Vec::<String>::new());
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn what_is_asked_of_somebody_else_is_noticed_in_a_sandbox_too() {
    let frame = "<iframe sandbox='allow-scripts' srcdoc=\"<img src='http://elsewhere.example/pixel.png'>\"></iframe>";
    let host = hosted(&[("/course.html", host_page("", frame))], messages::setting());
    host.page.wait_until("it is noticed", || {
        host.page.asked_elsewhere().iter().any(|line| line.contains("elsewhere.example/pixel"))
    });
}

#[test]
fn the_page_alone() {
    let page = Page::new(messages::setting());
    let url = page.server().url();
    by_hand(&page, &url);
    is_clean(&page);
}

#[test]
fn a_frame_of_another_origin() {
    let frame = "<iframe id=sim width=900 height=560></iframe>";
    let host = hosted(&[("/course.html", host_page("", frame))], messages::setting());
    messages::greet_frame(&host.page, "#sim", &host.playground.origin());
    by_messages(&host.page, &["#sim"]);
    is_clean(&host.page);
}

const MODULE: &str = "<script type=module src='BASEsystolic-playground.mjs'></script>";
const ELEMENT: &str = "<systolic-playground id=sim loading=eager style='width:900px'></systolic-playground>";

#[test]
fn the_value_of_an_element_has_the_answer_of_a_reader() {
    let element = ELEMENT.replace("id=sim", &format!("id=sim link='{}'", script::QUESTION));
    let host = hosted(&[("/course.html", host_page(MODULE, &element))], messages::setting());
    let page = &host.page;
    page.wait_for("#sim");
    let answer = || page.js("return document.querySelector('#sim').value?.answer");
    messages::enter(page, "#sim");
    crate::shown(page);
    page.wait_for("#question");
    page.leave_frame();
    assert!(answer().is_null());
    messages::enter(page, "#sim");
    page.keys("#answer", &script::right_answer());
    page.click("#lock");
    page.leave_frame();
    page.wait_until("the answer", || answer() == serde_json::json!({ "card": "multiply.2", "right": true }));
    is_clean(page);
}

#[test]
fn a_sandbox_within_a_sandbox() {
    // A course system or a notebook makes the outer sandbox, and the element makes the inner sandbox.
    let outer =
        host_page("", "<iframe id=outer sandbox='allow-scripts' src='lesson.html' width=960 height=640></iframe>");
    let lesson = host_page(MODULE, ELEMENT);
    let host = hosted(&[("/course.html", outer), ("/lesson.html", lesson)], messages::setting());
    host.page.enter_frame("#outer");
    let denied = host.page.js("try { localStorage.length; return false } catch { return true }");
    assert_eq!(denied.as_bool(), Some(true), "storage throws in this sandbox");
    messages::use_element(&host.page);
    by_messages(&host.page, &["#sim"]);
    host.page.leave_frame();
    is_clean(&host.page);
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn the_single_file_from_a_disk() {
        let stick = crate::single::Stick::with("hosts", &crate::single::file());
        let page = Page::new(messages::setting());
        by_hand(&page, &stick.url());
        is_clean(&page);
    }

    #[test]
    fn the_single_file_as_the_text_of_a_frame() {
        let frame = "<iframe id=sim sandbox='allow-scripts' width=900 height=560></iframe>";
        let host = hosted(&[("/course.html", host_page("", frame))], messages::setting());
        messages::greet_text(&host.page, "#sim", &crate::single::file());
        by_messages(&host.page, &["#sim"]);
        is_clean(&host.page);
    }

    #[test]
    fn a_browser_that_stores_nothing() {
        let host = hosted(&[("/course.html", host_page(MODULE, ELEMENT))], messages::without_storage());
        let denied = host.page.js("try { localStorage.length; return false } catch { return true }");
        assert_eq!(denied.as_bool(), Some(true), "this browser lets no page store anything");
        messages::use_element(&host.page);
        by_messages(&host.page, &["#sim"]);
        is_clean(&host.page);
    }

    /// Runs the script in the element of `body`. The page runs the script `open` first.
    fn in_place(head: &str, body: &str, open: &str) {
        let host = hosted(&[("/course.html", host_page(&format!("{MODULE}{head}"), body))], messages::setting());
        host.page.js(open);
        messages::use_element(&host.page);
        by_messages(&host.page, &["#sim"]);
        is_clean(&host.page);
    }

    #[test]
    fn details_that_are_opened_later() {
        let lazy = "<systolic-playground id=sim style='width:900px'></systolic-playground>";
        let body = format!("<details id=more><summary>More</summary>{lazy}</details>");
        in_place("", &body, "document.querySelector('#more').open = true");
    }

    #[test]
    fn a_page_that_is_written_from_right_to_left_in_large_text() {
        let head = "<style>html { direction: rtl; font-size: 24px }</style>";
        in_place(head, &format!("<p>א</p>{ELEMENT}"), "");
    }

    #[test]
    fn a_zoomed_page() {
        in_place("<style>body { zoom: 1.5 }</style>", ELEMENT, "");
    }

    #[test]
    fn an_object() {
        let object = "<object id=sim width=900 height=560></object>";
        let host = hosted(&[("/course.html", host_page("", object))], messages::setting());
        messages::greet_object(&host.page, "#sim", &host.playground.origin());
        by_messages(&host.page, &["#sim"]);
        is_clean(&host.page);
    }

    #[test]
    fn a_page_without_a_network() {
        let site = serve(ServerOptions { mount: "/kept/".to_owned(), ..ServerOptions::default() });
        let url = site.url();
        let page = Page::new(messages::setting());
        crate::offline::kept(&page, &url);
        drop(site);
        by_hand(&page, &url);
        is_clean(&page);
    }
}
