//! Tests without a network: a page that was opened once opens again.

use std::collections::BTreeMap;
use std::fs;

use whole::browser::{Page, ServerOptions, Setting, serve};
use xtask::server::Server;

use crate::shown;

const IS_KEPT: &str = "return navigator.serviceWorker.controller !== null";

/// Opens a page and waits until the browser keeps it for offline use.
pub(crate) fn kept(page: &Page, url: &str) {
    page.visit(url);
    shown(page);
    page.wait_until("the page is kept", || page.js(IS_KEPT).as_bool() == Some(true));
}

#[test]
fn a_page_that_was_open_once_opens_with_all_its_parts_where_there_is_no_server() {
    let site = serve(ServerOptions { mount: "/some/place/".to_owned(), ..ServerOptions::default() });
    let url = site.url();
    let page = Page::new(Setting::default());
    kept(&page, &url);
    drop(site);
    page.visit(&format!("{url}?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7"));
    shown(&page);
    page.click("#forward");
    page.wait_until("the run steps", || page.text("#clock") == "8 (9 of 16)");
    page.wait_until("the link follows", || page.url().contains("&t=8"));
    page.reload();
    shown(&page);
    assert_eq!(page.text("#clock"), "8 (9 of 16)", "the link it was at");
    page.visit(&format!("{url}?tool=compare"));
    shown(&page);
    page.wait_until("a tool opens", || page.count("#compare") > 0);
    page.visit(&format!("{url}index.html?learn=multiply.1"));
    page.wait_until("a lesson opens", || page.count("#card-title") > 0);
    page.visit(&format!("{url}?ui=desk"));
    page.wait_until("the models open", || page.count("#ask-title") > 0 && !page.text("#ask-title").is_empty());
    page.visit(&format!("{url}links.html"));
    page.wait_until("the list of parameters opens", || page.text("h1").contains("Link parameters"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
    // This page opens, too, and finds that the server is gone.
    page.visit(&format!("{url}host.html"));
    page.wait_until("the check of a host opens", || page.text("h1").contains("Host check"));
}

#[test]
fn inside_another_page_nothing_is_kept() {
    let html =
        "<!doctype html><html lang=en><title>A course</title><link rel=icon href='data:,'><iframe src='/'></iframe>";
    let server =
        ServerOptions { pages: BTreeMap::from([("/course.html".to_owned(), html.to_owned())]), ..Default::default() };
    let page = Page::new(Setting { server, ..Setting::default() });
    page.count_timers();
    page.visit(&format!("{}/course.html", page.server().origin()));
    page.enter_frame("iframe");
    shown(&page);
    // A page that is not in a frame would start a timer to register the worker.
    page.wait_for_timers();
    let registered = page.js_async("return (await navigator.serviceWorker.getRegistrations()).length");
    assert_eq!(registered.as_u64(), Some(0));
}

#[test]
fn files_of_two_builds_are_not_kept_together() {
    // This host has the worker of one build and the page of another build.
    let folder = std::env::temp_dir().join(format!("two-builds-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    for entry in fs::read_dir(xtask::page::dist(&xtask::root())).expect("a built page").flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name())).expect("copied");
    }
    let index = fs::read_to_string(folder.join("index.html")).expect("the page");
    fs::write(folder.join("index.html"), index.replace("</title>", " 2</title>")).expect("written");
    for ending in ["br", "gz"] {
        let _ = fs::remove_file(folder.join(format!("index.html.{ending}")));
    }
    let site = Server::start(&folder, ServerOptions::default()).expect("a server");
    let page = Page::new(Setting::default());
    page.visit(&site.url());
    shown(&page);
    let _ = fs::remove_dir_all(&folder);
    let refused = "const registration = (await navigator.serviceWorker.getRegistration()); \
                   return [registration?.installing, registration?.active].map(one => one?.state ?? null)";
    page.wait_until("the worker was asked for", || page.js("return performance.now() > 4500").as_bool() == Some(true));
    page.wait_until("the worker gives up", || page.js_async(refused) == serde_json::json!([null, null]));
    assert_eq!(page.js(IS_KEPT).as_bool(), Some(false));
}
