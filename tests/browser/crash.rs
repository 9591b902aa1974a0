//! The supervisor outside the module: panics, traps and failed loads become a message and a way back.

use std::fs;

use whole::browser::{Page, ServerOptions, Setting};
use xtask::server::Server;

use crate::shown;

#[test]
fn a_panic_becomes_a_message_and_restarts_at_the_same_link() {
    let page = Page::open("?rows=8&cols=8&m=8&k=8&n=8&df=ws&dt=int8&t=20&chaos=panic");
    page.wait_for("#supervisor:not([hidden]) button");
    assert!(page.text("#supervisor").contains("Your settings are safe"));
    page.click("#supervisor .actions button");
    page.wait_until("the page is back without the drill", || !page.url().contains("chaos"));
    shown(&page);
    assert!(page.text(".headline").contains("8×8"), "{}", page.text(".headline"));
    assert!(page.text("#clock").starts_with("20 "));
}

#[test]
fn a_trap_that_runs_no_panic_hook_is_noticed_too() {
    let page = Page::open("?rows=5&chaos=trap");
    page.wait_for("#supervisor:not([hidden]) button");
    assert!(page.text("#supervisor").contains("stopped"));
    page.click("#supervisor .actions button");
    page.wait_until("the message is gone", || page.count("#supervisor:not([hidden])") == 0);
    shown(&page);
    assert!(page.text(".headline").contains("5×4"));
}

#[test]
fn starting_anew_stays_in_the_room_that_the_page_took_from_the_link() {
    for (ui, target) in [
        ("ui=embed", "?ui=embed"),
        ("ui=embed&ui=full", ""),
        ("ui=embed&ui=workbench", ""),
        ("ui=embed&ui=desk", ""),
        ("ui=full&ui=embed&ui=nonsense&ui=Full", "?ui=embed"),
        ("ui=full", ""),
    ] {
        let page = Page::open(&format!("?{ui}&chaos=panic"));
        page.wait_for("#supervisor:not([hidden]) button");
        // What the module made of the same parameters; its parts may not have come before it failed.
        assert_eq!(page.count(".page.embed") == 1, target == "?ui=embed", "{ui}");
        page.click("#supervisor .actions button:nth-child(2)");
        page.wait_until("the page starts anew", || page.js("return location.search").as_str() == Some(target));
    }
}

#[test]
fn a_module_that_does_not_arrive_is_explained() {
    let folder = std::env::temp_dir().join(format!("playground-without-module-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    for entry in fs::read_dir(xtask::page::dist(&xtask::root())).expect("a built page") {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_file() && !name.contains(".wasm") {
            fs::copy(&path, folder.join(name)).expect("copied");
        }
    }
    let server = Server::start(&folder, ServerOptions::default()).expect("serves");
    let page = Page::new(Setting::default());
    page.visit(&server.url());
    page.wait_for("#supervisor:not([hidden]) button");
    assert!(page.text("#supervisor").contains("could not be loaded"), "{}", page.text("#supervisor"));
    fs::remove_dir_all(&folder).expect("cleaned up");
}

#[test]
fn without_scripts_the_page_says_what_it_needs() {
    let page = Page::new(Setting::default());
    page.cdp("Emulation.setScriptExecutionDisabled", serde_json::json!({ "value": true }));
    page.goto("");
    page.wait_until("the words are there", || page.text("body").contains("JavaScript and WebAssembly"));
}
