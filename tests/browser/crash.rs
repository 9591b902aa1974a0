//! Tests of the supervisor outside of the module. After a panic, a trap or a failed load, the supervisor shows a
//! message and a way to continue.

use std::fs;
use std::path::PathBuf;

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
fn a_trap_runs_no_panic_hook_and_is_noticed_too() {
    let page = Page::open("?rows=5&cols=4&m=9&k=4&n=3&df=os&dt=int8&t=7&chaos=trap");
    page.wait_for("#supervisor:not([hidden]) button");
    assert!(page.text("#supervisor").contains("stopped"));
    page.click("#supervisor .actions button");
    page.wait_until("the message is gone", || page.count("#supervisor:not([hidden])") == 0);
    shown(&page);
    assert!(page.text(".headline").contains("5×4"));
    assert!(page.text("#clock").starts_with("7 "));
}

#[test]
fn the_message_lies_over_open_dialogs_and_popovers_and_has_the_focus() {
    for open in ["#to-share", "button.term"] {
        let page = Page::new(Setting::window(1280, 800));
        page.goto("?rows=5&cols=4&m=9&k=4&n=3&df=os&dt=int8&t=7");
        shown(&page);
        page.click(open);
        page.wait_until("it is open", || page.count(":is(dialog[open], :popover-open)") > 0);
        page.js("document.dispatchEvent(new CustomEvent('playground:panic', { detail: 'a test' }))");
        page.wait_for("#supervisor:not([hidden]) button");
        let is_on_top = page.js(
            "const button = document.querySelector('#supervisor .actions button'); const at = button.getBoundingClientRect(); \
             return document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2) === button \
             && document.activeElement === button",
        );
        assert_eq!(is_on_top, true, "{open}");
    }
}

/// Published page with altered files. The function `change` returns the new content of each file, or `None` to leave
/// the file out.
struct Altered {
    folder: PathBuf,
    server: Server,
}

impl Altered {
    fn new(name: &str, change: impl Fn(&str, Vec<u8>) -> Option<Vec<u8>>) -> Self {
        let folder = std::env::temp_dir().join(format!("playground-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        for entry in fs::read_dir(publish::page::dist(&publish::root())).expect("a built page") {
            let path = entry.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let is_packed = name.ends_with(".br") || name.ends_with(".gz");
            if let Some(bytes) =
                Some(&path).filter(|path| path.is_file() && !is_packed).and_then(|path| fs::read(path).ok())
                && let Some(bytes) = change(&name, bytes)
            {
                fs::write(folder.join(name), bytes).expect("written");
            }
        }
        let server = Server::start(&folder, ServerOptions::default()).expect("serves");
        Self { folder, server }
    }

    /// Serves the page with another script for its module, and without the digests that would refuse the script.
    fn with_script(name: &str, script: &str) -> Self {
        Self::new(name, |file, bytes| match file {
            "index.html" => {
                let html = String::from_utf8(bytes).expect("text");
                let digests = html.split(" integrity=\"").skip(1).filter_map(|rest| rest.split('"').next());
                let without = |html: String, digest: &str| html.replace(&format!(" integrity=\"{digest}\""), "");
                Some(digests.fold(html.clone(), without).into_bytes())
            }
            _ if is_script(file) => Some(script.as_bytes().to_vec()),
            _ => Some(bytes),
        })
    }

    fn open(&self) -> Page {
        let page = Page::new(Setting::default());
        page.visit(&format!("{}?rows=5", self.server.url()));
        page
    }
}

impl Drop for Altered {
    fn drop(&mut self) {
        // Files that remain in a temporary folder do no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn is_script(file: &str) -> bool {
    file.starts_with("page-") && file.ends_with(".js")
}

fn is_module(file: &str) -> bool {
    file.starts_with("page-") && file.ends_with(".wasm")
}

/// Text of the supervisor's message.
fn message(page: &Page) -> String {
    page.wait_for("#supervisor:not([hidden]) button");
    page.text("#supervisor")
}

#[test]
fn a_module_that_does_not_arrive_is_explained() {
    for is_gone in [is_module, is_script] {
        let altered = Altered::new("without-module", |file, bytes| (!is_gone(file)).then_some(bytes));
        let said = message(&altered.open());
        assert!(said.contains("could not be loaded") && said.contains("Restart here"), "{said}");
    }
}

/// Change of a file of the page in transit.
type Change = fn(&str, Vec<u8>) -> Vec<u8>;

#[test]
fn a_lesson_that_was_changed_on_the_way_is_not_shown() {
    let is_text = |file: &str| file.starts_with("pe-cycles-") && file.ends_with(".txt");
    let changed = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace("PE-cycles", "PE cycles").into_bytes();
    let altered = Altered::new("lesson", |file, bytes| Some(if is_text(file) { changed(bytes) } else { bytes }));
    let page = Page::new(Setting::default());
    page.visit(&format!("{}?learn=why-array.7", altered.server.url()));
    page.wait_for("#card-next");
    page.click("#card-next");
    page.wait_until("it says what could not be loaded", || {
        page.count("#lesson-said") == 1 && page.text("#lesson-said").contains("could not be loaded")
    });
}

#[test]
fn a_page_whose_style_sheet_does_not_come_says_so() {
    let altered = Altered::new("without-style", |file, bytes| (!file.starts_with("style-")).then_some(bytes));
    let page = altered.open();
    page.wait_until("it says what is missing", || {
        page.text("body").contains("How the page should look did not arrive")
    });
}

#[test]
fn without_scripts_the_page_says_what_it_needs() {
    let page = Page::new(Setting::default());
    page.cdp("Emulation.setScriptExecutionDisabled", serde_json::json!({ "value": true }));
    page.goto("");
    page.wait_until("the words are there", || page.text("body").contains("JavaScript and WebAssembly"));
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn a_module_or_script_that_was_changed_on_the_way_is_called_damaged() {
        let broken = |file: &str, bytes: Vec<u8>| if is_module(file) { b"\0asm".to_vec() } else { bytes };
        let tampered =
            |file: &str, bytes: Vec<u8>| if is_script(file) { [bytes, b"\n;".to_vec()].concat() } else { bytes };
        // A browser would also run this module.
        let longer =
            |file: &str, bytes: Vec<u8>| if is_module(file) { [bytes, vec![0, 2, 1, b'x']].concat() } else { bytes };
        // A browser that may keep nothing fetches the script twice.
        let unkept = |file: &str, bytes: Vec<u8>| match file {
            "_headers" => [bytes, b"\n/*.js\n  Cache-Control: no-store\n".to_vec()].concat(),
            _ if is_script(file) => [bytes, b"\n;".to_vec()].concat(),
            _ => bytes,
        };
        for change in [broken as Change, tampered, longer, unkept] {
            let altered = Altered::new("damaged", |file, bytes| Some(change(file, bytes)));
            let said = message(&altered.open());
            assert!(said.contains("arrived corrupted") && !said.contains("connection"), "{said}");
        }
    }

    #[test]
    fn starting_again_stays_in_the_room_that_the_page_took_from_the_link() {
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
            // The module reads the same parameters. Its other parts may not have arrived before it failed.
            assert_eq!(page.count(".page.embed") == 1, target == "?ui=embed", "{ui}");
            page.click("#supervisor .actions button:nth-child(2)");
            page.wait_until("the page starts again", || page.js("return location.search").as_str() == Some(target));
        }
    }

    #[test]
    fn what_fails_while_it_starts_is_not_offered_again() {
        for (error, browser) in [
            ("new WebAssembly.RuntimeError('unreachable')", "a trap"),
            ("new RangeError('WebAssembly.Memory(): could not allocate memory')", "no memory"),
            ("Object.assign(new Error('too much recursion'), { name: 'InternalError' })", "Firefox's full stack"),
        ] {
            let altered = Altered::with_script("failing", &format!("playground.bound(() => {{ throw {error}; }});"));
            let page = altered.open();
            let said = message(&page);
            assert!(said.contains("failed to start") && !said.contains("Restart here"), "{browser}: {said}");
            assert!(said.contains("Start from the first screen"), "{browser}: {said}");
        }
    }

    #[test]
    fn a_page_whose_loader_does_not_come_says_what_to_do() {
        let altered = Altered::new("without-loader", |file, bytes| (!file.starts_with("boot-")).then_some(bytes));
        let page = altered.open();
        assert_eq!(page.text("#late"), "", "it says nothing before its time");
        page.wait_until("it says what to do", || page.text("#late").contains("Reload the page"));
    }
}
