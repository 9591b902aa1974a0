//! Tests without a network: a page that was opened once opens again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;
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

/// Copies the built page into a temporary folder.
fn copied(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
    publish::files::copied(&publish::page::dist(&publish::root()), &folder).expect("a built page");
    folder
}

/// Serves a folder at an address that was served before.
fn again(folder: &Path, url: &str) -> Server {
    let port = url::Url::parse(url).ok().and_then(|url| url.port()).expect("a port");
    Server::start(folder, ServerOptions { port, ..ServerOptions::default() }).expect("a server")
}

/// Damages a kept file, given by the first and the last letters of its name, in one of the ways of [`DAMAGES`].
const DAMAGE: &str = "const [[start, end, how], done] = arguments; (async () => { let n = 0; \
    for (const key of await caches.keys()) { const cache = await caches.open(key); \
      for (const request of await cache.keys()) { \
        const name = request.url.split('/').pop(); if (!name.startsWith(start) || !name.endsWith(end)) continue; \
        const kept = await cache.match(request); const bytes = new Uint8Array(await kept.arrayBuffer()); n += 1; \
        const put = (body, changed = {}) => cache.put(request, new Response(body, { headers: kept.headers, ...changed })); \
        await { cut: () => put(bytes.slice(0, bytes.length / 2)), flipped: () => put(bytes.map((byte, at) => at === 99 ? ~byte : byte)), \
          replaced: () => put('document.title = 1'), empty: () => put(''), status: () => put(bytes, { status: 404 }), \
          type: () => put(bytes, { headers: { 'content-type': 'text/plain' } }), gone: () => cache.delete(request) }[how](); \
      } } done(n); })()";
const DAMAGES: [&str; 7] = ["cut", "flipped", "replaced", "empty", "status", "type", "gone"];

/// Starts and ends of the names of files: the module, the script that binds it, and a part that is loaded later.
const FILES: [(&str, &str); 3] = [("page-", ".wasm"), ("page-", ".js"), ("learn-", ".wasm")];

/// Damages one kept file.
fn damage(page: &Page, (start, end): (&str, &str), how: &str) {
    assert_eq!(page.js_asking(DAMAGE, json!([start, end, how])), json!(1), "{start}*{end} is kept once");
}

/// True if each store has the file with the content that the digest in its name promises.
fn is_whole(page: &Page, (start, end): (&str, &str)) -> bool {
    const WHOLE: &str = "const [[start, end], done] = arguments; (async () => { const found = []; \
        for (const key of await caches.keys()) { const cache = await caches.open(key); \
          for (const request of await cache.keys()) { \
            const name = request.url.split('/').pop(); if (!name.startsWith(start) || !name.endsWith(end)) continue; \
            const kept = await cache.match(request); \
            const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await kept.arrayBuffer())); \
            const hash = [...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(''); \
            found.push(kept.ok && name === `${start}${hash}${end}`); \
          } } done(found.length > 0 && found.every(Boolean)); })()";
    page.js_asking(WHOLE, json!([start, end])) == true
}

/// Opens a lesson, for which the page needs all of [`FILES`].
fn open_lesson(page: &Page, url: &str) {
    page.visit(&format!("{url}?learn=multiply.1"));
    page.wait_until("the lesson opens", || page.count("#card-title") > 0);
}

#[test]
fn a_damaged_file_is_fetched_again_and_without_a_server_the_page_says_that_it_is_missing() {
    let site = serve(ServerOptions::default());
    let url = site.url();
    let page = Page::new(Setting::default());
    kept(&page, &url);
    damage(&page, FILES[0], "cut");
    open_lesson(&page, &url);
    page.wait_until("the module is kept again", || is_whole(&page, FILES[0]));
    damage(&page, FILES[0], "flipped");
    drop(site);
    // The test clears the browser's own copies, and waits until earlier connections to the server are closed.
    page.cdp("Network.clearBrowserCache", json!({}));
    let gone = "return fetch('./absent', { cache: 'no-store' }).then(() => false, () => true)";
    page.wait_until("the server is gone", || page.js_async(gone) == true);
    page.visit(&url);
    page.wait_for("#supervisor:not([hidden]) button");
    let said = page.text("#supervisor");
    assert!(said.contains("Check the connection") && !said.contains("corrupted"), "{said}");
    let _site = again(&publish::page::dist(&publish::root()), &url);
    page.click("#supervisor .actions button");
    shown(&page);
    page.wait_until("the module is kept again", || is_whole(&page, FILES[0]));
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
    page.wait_until("the run steps", || page.text("#clock") == "8 of 15");
    page.wait_until("the link follows", || page.url().contains("&t=8"));
    page.reload();
    shown(&page);
    assert_eq!(page.text("#clock"), "8 of 15", "the link it was at");
    page.visit(&format!("{url}?tool=compare"));
    shown(&page);
    page.wait_until("a tool opens", || page.count("#compare") > 0);
    page.visit(&format!("{url}index.html?learn=multiply.1"));
    page.wait_until("a lesson opens", || page.count("#card-title") > 0);
    page.visit(&format!("{url}?ui=desk"));
    page.wait_until("the models open", || page.count("#ask-title") > 0 && !page.text("#ask-title").is_empty());
    page.visit(&format!("{url}?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7"));
    shown(&page);
    page.press('/', false);
    page.wait_until("the search opens", || page.js("return document.activeElement.id") == "search-text");
    page.keys("#search-text", "skew");
    page.wait_until("the index answers", || page.count("#found-0") == 1);
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
    let folder = copied("two-builds");
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

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn no_damaged_file_keeps_a_page_of_this_or_the_next_build_from_opening() {
        let folder = copied("damaged");
        let script = fs::read_to_string(folder.join("offline-worker.mjs")).expect("the worker");
        let script = script.split_once(";\n").expect("its build").1;
        let mut site = Server::start(&folder, ServerOptions::default()).expect("a server");
        let url = site.url();
        let page = Page::new(Setting::default());
        kept(&page, &url);
        // Otherwise the browser takes a script from its memory and does not ask the worker.
        page.cdp("Network.enable", json!({}));
        page.cdp("Network.setCacheDisabled", json!({ "cacheDisabled": true }));
        for file in FILES {
            for how in DAMAGES {
                damage(&page, file, how);
                open_lesson(&page, &url);
                page.wait_until(&format!("{file:?}, {how}, is kept again"), || is_whole(&page, file));
                // The next build has these files, too, and takes them from the store of the build before.
                damage(&page, file, how);
                let build = format!("{}{how}{}", file.0, file.1);
                fs::write(folder.join("offline-worker.mjs"), format!("const BUILD = '{build}';\n{script}"))
                    .expect("written");
                for ending in ["br", "gz"] {
                    let _ = fs::remove_file(folder.join(format!("offline-worker.mjs.{ending}")));
                }
                drop(site);
                site = again(&folder, &url);
                // A connection from before can still lead to the old server, so the page asks again.
                let waiting = "const registration = await navigator.serviceWorker.getRegistration(); \
                               await registration.update(); return registration.waiting !== null";
                page.wait_until("the next build is kept", || page.js_async(waiting) == true);
                let builds = format!("return (await caches.keys()).join() === 'systolic-playground {build}'");
                page.wait_until("only the next build is kept", || {
                    // The next build begins some time after the last page of the build before is closed.
                    page.visit("about:blank");
                    sleep(Duration::from_millis(500));
                    page.visit(&url);
                    page.js_async(&builds) == true
                });
                open_lesson(&page, &url);
                assert!(is_whole(&page, file), "{file:?}, {how}: the next build");
            }
        }
        let _ = fs::remove_dir_all(&folder);
    }
}
