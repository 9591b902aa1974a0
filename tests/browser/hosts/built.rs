//! Tests of the pages of `examples/hosts`: as files, and as their programs build them. `cargo xtask test` and `cargo
//! xtask hosts` build these pages, and list in their last lines what they could not build.

use std::fs;
use std::path::{Path, PathBuf};

use publish::encoding;
use serde_json::Value;
use whole::browser::{Page, ServerOptions, Setting, serve};
use xtask::hosts::{self, Host, PLAYGROUND};
use xtask::server::Server;

use super::messages::{self, by_messages, enter};
use super::{host_page, is_clean};
use crate::shown;

const PAGE_DOWN: char = '\u{e00f}';
const PAGE_UP: char = '\u{e00e}';

/// Built site, with the playground of this test instead of the one that the example names.
struct Built {
    page: Page,
    playground: Server,
    _site: Server,
    folder: PathBuf,
}

impl Built {
    /// Opens the page of a host, or returns `None` if the page was not built.
    fn open(host: Host) -> Option<Self> {
        let from = hosts::page(&publish::root(), host)?.parent()?.to_owned();
        Some(Self::of(&from, host.name()))
    }

    fn of(from: &Path, name: &str) -> Self {
        let playground = serve(ServerOptions::default());
        let folder = std::env::temp_dir().join(format!("host-{name}-{}", std::process::id()));
        for path in encoding::files(from).expect("a folder") {
            let to = folder.join(path.strip_prefix(from).expect("inside"));
            let bytes = fs::read(&path).expect("a file");
            let bytes = match String::from_utf8(bytes) {
                Ok(text) => text.replace(PLAYGROUND, &playground.url()).into_bytes(),
                Err(error) => error.into_bytes(),
            };
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::write(to, bytes).expect("written");
        }
        // A browser requests this icon from every site.
        fs::write(folder.join("favicon.ico"), "").expect("written");
        let site = Server::start(&folder, ServerOptions::default()).expect("serves");
        let page = Page::new(Setting { window: (1200, 900), ..Setting::default() });
        page.visit(&site.url());
        Self { page, playground, _site: site, folder }
    }

    /// Runs the script through the element of the page.
    fn passes_by_element(&self) {
        self.page.wait_for("#sim");
        self.page.js("document.querySelector('#sim').scrollIntoView()");
        messages::use_element(&self.page);
        by_messages(&self.page, &["#sim"]);
        is_clean(&self.page);
    }

    /// Runs the script through a message port to the frame of the page.
    fn passes_by_frame(&self, css: &str) {
        self.page.wait_for(css);
        enter(&self.page, css);
        shown(&self.page);
        assert!(self.page.text("#clock").starts_with("7 "), "the example shows its own link");
        self.page.leave_frame();
        messages::greet_frame(&self.page, css, &self.playground.origin());
        by_messages(&self.page, &[css]);
        is_clean(&self.page);
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        // Files that remain in a temporary folder do no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Id of the current slide, and the number of visible fragments.
fn place(page: &Page) -> Value {
    page.js(
        "return [document.querySelector('section.present').id, document.querySelectorAll('.fragment.visible').length]",
    )
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn in_slides_fragments_are_cycles_and_the_keys_of_a_clicker_move_the_deck() {
        let Some(built) = Built::open(Host::Reveal) else { return };
        let page = &built.page;
        let clock = |wanted: &str| {
            enter(page, "#sim");
            shown(page);
            page.wait_until(&format!("the clock is at {wanted}"), || {
                page.text("#clock").starts_with(&format!("{wanted} "))
            });
            page.leave_frame();
        };
        let is_at = |wanted: Value| page.wait_until(&format!("the deck is at {wanted}"), || place(page) == wanted);
        page.wait_for("section.present");
        page.press(PAGE_DOWN, false);
        is_at(serde_json::json!(["run", 0]));
        clock("0");
        for (nth, cycle) in ["4", "7", "15"].iter().enumerate() {
            page.press(PAGE_DOWN, false);
            is_at(serde_json::json!(["run", nth + 1]));
            clock(cycle);
        }
        // If the focus is in the array, the deck still gets these keys, and the array gets all others.
        enter(page, "#sim");
        page.click("#back");
        page.wait_until("the array steps", || page.text("#clock").starts_with("14 "));
        page.press(PAGE_UP, false);
        page.leave_frame();
        is_at(serde_json::json!(["run", 2]));
        clock("7");
        enter(page, "#sim");
        page.press(PAGE_DOWN, false);
        page.press(PAGE_DOWN, false);
        page.leave_frame();
        is_at(serde_json::json!(["", 3]));
        page.press(PAGE_UP, false);
        is_at(serde_json::json!(["run", 3]));
        clock("15");
        is_clean(page);
    }

    #[test]
    fn slides() {
        let Some(built) = Built::open(Host::Reveal) else { return };
        built.page.wait_for("section.present");
        built.page.press(PAGE_DOWN, false);
        built.passes_by_element();
    }

    #[test]
    fn what_quarto_hands_to_pandoc() {
        let Some(built) = Built::open(Host::Quarto) else { return };
        built.passes_by_element();
    }

    #[test]
    fn a_notebook_as_a_page() {
        let Some(built) = Built::open(Host::Jupyter) else { return };
        built.passes_by_frame("iframe");
    }

    #[test]
    fn a_site_of_mkdocs() {
        let Some(built) = Built::open(Host::MkDocs) else { return };
        built.passes_by_element();
    }

    #[test]
    fn a_site_of_docusaurus() {
        let Some(built) = Built::open(Host::Docusaurus) else { return };
        built.passes_by_element();
    }

    #[test]
    fn slides_of_slidev() {
        let Some(built) = Built::open(Host::Slidev) else { return };
        built.passes_by_frame("#sim");
    }

    #[test]
    fn a_site_of_sphinx() {
        let Some(built) = Built::open(Host::Sphinx) else { return };
        built.passes_by_element();
    }

    #[test]
    fn a_site_of_observable_reads_the_element_as_a_view() {
        let Some(built) = Built::open(Host::Observable) else { return };
        let page = &built.page;
        page.wait_until("it shows the value", || page.text("#cycle") == "cycle 7 of 15");
        // By hand: 2·4 + 4 + M − 2 cycles, counted from 0.
        page.js("const slider = document.querySelector('#m'); slider.value = 12; \
                 slider.dispatchEvent(new Event('input', { bubbles: true }))");
        page.wait_until("the slider sets M", || page.text("#cycle") == "cycle 7 of 21");
        page.js("document.querySelector('#sim').step()");
        page.wait_until("the cell follows the array", || page.text("#cycle") == "cycle 8 of 21");
        built.passes_by_element();
    }

    #[test]
    fn a_notebook_of_observable_has_the_element_as_viewof() {
        let Some(built) = Built::open(Host::ObservableNotebook) else { return };
        let page = &built.page;
        page.wait_until("it shows the value", || page.text("#cell-3").contains("cycle 7 of 15"));
        enter(page, "#sim");
        shown(page);
        page.click("#forward");
        page.leave_frame();
        page.wait_until("the cell follows the array", || page.text("#cell-3").contains("cycle 8 of 15"));
        built.passes_by_element();
    }

    #[test]
    fn an_application_of_react_in_strict_mode() {
        let Some(built) = Built::open(Host::React) else { return };
        let page = &built.page;
        page.wait_for("#sim");
        let state = |name: &str| {
            let script = format!("const state = await document.querySelector('#sim').getState(); return state{name}");
            page.js_async(&script)
        };
        page.wait_until("the array has M = 6", || state(".settings.m") == 6);
        let frames = "return document.querySelector('#sim').shadowRoot.querySelector('iframe').src";
        let frame = page.js(frames);
        // A slider changes an attribute many times: one array follows, and the host hears its cycle.
        page.js(
            "const slider = document.querySelector('#m'); \
             const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set; \
             for (let m = 7; m <= 12; m += 1) { set.call(slider, m); slider.dispatchEvent(new Event('input', { bubbles: true })); }",
        );
        page.wait_until("the array has M = 12", || state(".settings.m") == 12);
        assert_eq!(page.js(frames), frame, "the frame stays");
        assert_eq!(state(".cycle"), 7);
        page.js("document.querySelector('#sim').step()");
        page.wait_until("the host hears the step", || page.text("#cycle") == "cycle 8");
        built.passes_by_element();
    }

    #[test]
    fn python_in_the_browser_computes_what_the_frame_shows() {
        let Some(built) = Built::open(Host::Pyodide) else { return };
        let page = &built.page;
        page.wait_until("Python has run", || page.text("#output").contains("useful"));
        assert!(page.text("#output").contains("[[1, 2, 8], [3, 4, 18], [5, 6, 28]]"), "{}", page.text("#output"));
        // The frame answers with every register at every cycle.
        let python = "const python = window.python; \
            python.runPython(`import json\nplanes = [run.state(cycle) for cycle in range(run.cycles)]`); \
            const planes = JSON.parse(python.runPython('json.dumps(planes)')); \
            const sim = document.querySelector('#sim'); await sim.ready; const wrong = []; \
            for (const [cycle, plane] of planes.entries()) { \
              const all = await sim.ask('registers', { cycle }); \
              if (all.length !== 16) wrong.push(`${cycle}: ${all.length} PEs`); \
              for (const pe of all) for (const [name, rows] of Object.entries(plane)) { \
                const told = { held: pe.b, east: pe.a, sum: pe.psum }[name]; \
                if ((told ?? null) !== rows[pe.row][pe.col]) wrong.push(`${cycle} ${pe.row},${pe.col} ${name} ${told}`); } } \
            return [planes.length, wrong, Object.keys(planes[0])]";
        assert_eq!(page.js_async(python), serde_json::json!([13, [], ["held", "east", "sum"]]));
        // The page can ask for a table, a model, a drawing and a refusal.
        let said = |program: &str| page.js(&format!("return window.python.runPython(`{program}`)"));
        let counted = "from systolic_playground import count, model, time\n\
            count({'M': [128, 512], 'K': [1024, 1024], 'N': [1024, 4096]}, rows=128, cols=128, dataflow='ws')['cycles'][1]";
        assert_eq!(said(counted), 228_864);
        assert_eq!(said("time({'M': [128], 'K': [1024], 'N': [1024]}, 'tpu-v4')['bound'][0]"), "memory");
        assert_eq!(said("model('llama3-70b', chip='tpu-v5p', chips=512, seq=8192)['model']"), "LLaMA 3 70B");
        assert_eq!(said("run.svg().startswith('<svg ')"), true);
        let refused = "try:\n    run.state(99)\nexcept ValueError as error:\n    said = str(error)\nsaid";
        assert_eq!(said(refused), "cycle = 99: use a cycle from 0 to 12.");
        built.passes_by_element();
    }

    #[test]
    fn a_notebook_of_marimo_has_the_frame_in_what_it_exports() {
        // The page requests its scripts from another host, so this test only reads the page.
        let Some(page) = hosts::page(&publish::root(), Host::Marimo) else { return };
        let html = fs::read_to_string(page).expect("a page");
        let link = format!("{PLAYGROUND}?ui=embed&rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7");
        assert!(html.replace("\\u0026", "&").replace("&amp;", "&").contains(&link), "the frame is not in the page");
    }

    #[test]
    fn the_plain_page_and_the_code_for_course_systems_work_as_they_stand() {
        let examples = publish::root().join("examples").join("hosts");
        let folder = std::env::temp_dir().join(format!("plain-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        for (file, is_element) in [("plain.html", true), ("lms/moodle.html", false), ("lms/canvas.html", false)] {
            let text = fs::read_to_string(examples.join(file)).expect("an example");
            let text = if is_element { text } else { host_page("", &text.replace("id=\"sim\"", "id=\"lms\"")) };
            fs::write(folder.join("index.html"), text).expect("written");
            let built = Built::of(&folder, "plain");
            if is_element {
                let said = || built.page.text("#cycle");
                built.page.wait_until("it says the cycle", || said() == "cycle 7 of 15");
                built.page.click("#on");
                built.page.wait_until("its button steps", || said() == "cycle 8 of 15");
                built.passes_by_element();
            } else {
                built.passes_by_frame("#lms");
            }
        }
        fs::remove_dir_all(folder).expect("removed");
    }
}
