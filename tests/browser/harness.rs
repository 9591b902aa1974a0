//! Headless browser that opens the shipped page and does what a visitor does.
//!
//! Each call waits until it is done, and panics with one sentence if it cannot be done. A test therefore reads as a
//! list of what a visitor does and sees.

mod axe;
mod browsers;
mod command;
mod driver;
mod elsewhere;
mod engine;
mod setting;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use xtask::engines::Engine;
use xtask::server::Server;

pub use axe::Violation;
pub use fantoccini::key::Key;
pub use setting::{Setting, is_long, some};
pub use xtask::server::Options as ServerOptions;

use browsers::Browser;
use command::{Cdp, Log};

/// Longest time for anything that a page does by itself.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Serves the built page from `dist`, or from the folder that the variable DIST names. Each call has a new origin,
/// because a browser stores the data of a page by origin.
///
/// # Panics
/// Panics if the page is not built.
#[must_use]
pub fn serve(options: ServerOptions) -> Server {
    static SERVED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let dist = std::env::var_os("DIST").map_or_else(|| publish::page::dist(&publish::root()), Into::into);
    assert!(dist.join("index.html").is_file(), "{} has no page: run `cargo xtask build`", dist.display());
    let server = Server::start(&dist, options.clone())
        .unwrap_or_else(|error| panic!("{} cannot be served: {error}", dist.display()));
    let is_new = SERVED.lock().expect("no thread panics here").insert(server.origin());
    // The old server keeps its port until the new server has another port.
    if is_new { server } else { serve(options) }
}

/// View of a browser. A drop ends the view and the server, and after a failed test also the browser.
pub struct Page {
    log: RefCell<Vec<String>>,
    // Fields are dropped in this order: the view before its server.
    browser: Browser,
    server: Server,
}

impl Page {
    /// Starts a server and opens an empty view in a browser that no other test uses at the same time.
    ///
    /// # Panics
    /// Panics if the server or the browser does not start.
    #[must_use]
    pub fn new(setting: Setting) -> Self {
        let browser = Browser::of(&setting);
        let page = Self { log: RefCell::default(), browser, server: serve(setting.server) };
        page.set_view(setting.window);
        page
    }

    fn client(&self) -> &Client {
        self.browser.client()
    }

    /// Sets the size of the view. The window is larger than the view, because the window includes its frame.
    pub fn set_view(&self, (width, height): (u32, u32)) {
        if self.engine() == Engine::Chromium {
            let view = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
            self.cdp("Emulation.setDeviceMetricsOverride", view);
            return;
        }
        let inner = || {
            let size = self.js("return [innerWidth, innerHeight]");
            [0, 1].map(|axis| size[axis].as_u64().and_then(|pixels| u32::try_from(pixels).ok()).unwrap_or(0))
        };
        self.wait_on("the window takes no size", self.client().set_window_size(width, height));
        let [seen_width, seen_height] = inner();
        let (wider, higher) = (width.saturating_sub(seen_width), height.saturating_sub(seen_height));
        self.wait_on("the window takes no size", self.client().set_window_size(width + wider, height + higher));
        self.wait_until("the view has its size", || inner() == [width, height]);
    }

    /// Replaces the page with an empty view of another size.
    #[track_caller]
    pub fn resize(&self, width: u32, height: u32) {
        self.visit("about:blank");
        self.set_view((width, height));
    }

    /// Counts the pending timers of the page, from the next load on.
    #[track_caller]
    pub fn count_timers(&self) {
        let source = "const { setTimeout: set, clearTimeout: clear } = window; window.timers = new Set(); \
            window.setTimeout = (work, ...rest) => { \
              const timer = set((...given) => { window.timers.delete(timer); work(...given); }, ...rest); \
              window.timers.add(timer); return timer; }; \
            window.clearTimeout = (timer) => { window.timers.delete(timer); clear(timer); };";
        self.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source }));
    }

    /// Waits until the page or frame has no pending timers. Call [`Page::count_timers`] before.
    #[track_caller]
    pub fn wait_for_timers(&self) {
        self.wait_until("nothing is put off", || {
            let frame = "await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";
            self.js_async(&format!("{frame}; return window.timers.size")).as_u64() == Some(0)
        });
    }

    /// Engine of the browser.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.browser.engine()
    }

    /// Opens the shipped page in a view of the default size.
    ///
    /// # Panics
    /// Panics if the page does not load.
    #[must_use]
    pub fn open(query: &str) -> Self {
        let page = Self::new(Setting::default());
        page.goto(query);
        page
    }

    /// Goes to the page with `query`, which is empty or starts with `?` or `#`.
    #[track_caller]
    pub fn goto(&self, query: &str) {
        self.visit(&format!("{}{query}", self.server.url()));
    }

    /// Goes to any address.
    #[track_caller]
    pub fn visit(&self, url: &str) {
        self.wait_on(&format!("{url} does not load"), self.client().goto(url));
    }

    /// Loads the current address again.
    #[track_caller]
    pub fn reload(&self) {
        self.wait_on("the page does not reload", self.client().refresh());
    }

    /// Address in the address bar.
    #[must_use]
    #[track_caller]
    pub fn url(&self) -> String {
        self.wait_on("there is no address", self.client().current_url()).into()
    }

    /// Server of the page.
    #[must_use]
    pub const fn server(&self) -> &Server {
        &self.server
    }

    /// Waits until an element matches `css`.
    #[track_caller]
    pub fn wait_for(&self, css: &str) {
        self.wait_until(&format!("there is an element {css}"), || self.count(css) > 0);
    }

    /// Waits until `holds` returns true; `what` completes the sentence "after 20 s it is not so that …".
    ///
    /// # Panics
    /// Panics after [`PATIENCE`]. The message has the address of the page and the messages of its console.
    #[track_caller]
    pub fn wait_until(&self, what: &str, holds: impl Fn() -> bool) {
        let begun = Instant::now();
        while !holds() {
            assert!(
                begun.elapsed() < PATIENCE,
                "after {PATIENCE:?} it is not so that {what}\n  address: {}\n  console: {:#?}",
                self.url(),
                self.console()
            );
            sleep(Duration::from_millis(30));
        }
    }

    /// Number of elements that match `css`.
    #[must_use]
    #[track_caller]
    pub fn count(&self, css: &str) -> usize {
        self.wait_on(&format!("{css} is no selector"), self.client().find_all(Locator::Css(css))).len()
    }

    /// Visible text of the first element that matches `css`.
    #[must_use]
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        loop {
            let element = self.find(css);
            // The page may replace the element before its text is read. The loop then reads the new element.
            let text = async {
                element
                    .text()
                    .await
                    .map(Some)
                    .or_else(|error| if error.is_stale_element_reference() { Ok(None) } else { Err(error) })
            };
            if let Some(text) = self.wait_on(&format!("{css} has no text"), text) {
                return text;
            }
        }
    }

    /// Attribute `name` of the first element that matches `css`.
    #[must_use]
    #[track_caller]
    pub fn attribute(&self, css: &str, name: &str) -> Option<String> {
        let element = self.find(css);
        self.wait_on(&format!("{css} has no attributes"), element.attr(name))
    }

    /// Clicks the middle of the first element that matches `css`.
    #[track_caller]
    pub fn click(&self, css: &str) {
        let element = self.find(css);
        self.wait_on(&format!("{css} cannot be clicked"), element.click());
    }

    /// Types `keys` into the first element that matches `css`; [`Key`] gives the characters of the special keys.
    #[track_caller]
    pub fn keys(&self, css: &str, keys: &str) {
        let element = self.find(css);
        self.wait_on(&format!("{css} takes no keys"), element.send_keys(keys));
    }

    /// Presses and releases a key in the focused element, with or without Shift.
    #[track_caller]
    pub fn press(&self, key: char, shift: bool) {
        let mut keys = KeyActions::new("keys".to_owned());
        let shift = Some('\u{e008}').filter(|_| shift);
        if let Some(value) = shift {
            keys = keys.then(KeyAction::Down { value });
        }
        keys = keys.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
        if let Some(value) = shift {
            keys = keys.then(KeyAction::Up { value });
        }
        self.wait_on("the key is not taken", self.client().perform_actions(keys));
    }

    /// Empties the field that matches `css` and types `text`.
    #[track_caller]
    pub fn fill(&self, css: &str, text: &str) {
        let element = self.find(css);
        self.wait_on(&format!("{css} cannot be emptied"), element.clear());
        self.keys(css, text);
    }

    /// Replaces the text of the field that matches `css`, as a person does, and leaves the field.
    #[track_caller]
    pub fn enter(&self, css: &str, text: &str) {
        let typed = if text.is_empty() { "\u{e017}" } else { text };
        if self.engine() == Engine::Chromium {
            return self.keys(css, &format!("\u{e009}a\u{e000}{typed}\u{e004}"));
        }
        // Other browsers release Control later, or lose the focus if a Tab is sent to an element.
        self.wait_for(css);
        self.js(&format!("const field = document.querySelector('{css}'); field.focus(); field.select()"));
        self.keys(css, typed);
        self.press('\u{e004}', false);
    }

    /// Runs the body of a function in the page and returns the result. The page's policy does not apply to the script.
    #[track_caller]
    pub fn js(&self, script: &str) -> Value {
        self.wait_on(&format!("this script fails: {script}"), self.client().execute(script, Vec::new()))
    }

    /// Runs the body of an asynchronous function, which may use `await`, and returns the result.
    #[track_caller]
    pub fn js_async(&self, script: &str) -> Value {
        let wrapped = format!(
            "const done = arguments[0]; (async () => {{ {script} }})().then(done, error => done({{ failed: `${{error}}` }}))"
        );
        let answer = self.wait_on(&format!("this fails: {script}"), self.client().execute_async(&wrapped, Vec::new()));
        if let Some(reason) = answer.get("failed") {
            panic!("this script fails: {script}: {reason}");
        }
        answer
    }

    /// Runs the body of a function with the argument `given`. The function passes its result to its last argument.
    #[track_caller]
    pub fn js_asking(&self, script: &str, given: Value) -> Value {
        self.wait_on("a script fails", self.client().execute_async(script, vec![given]))
    }

    /// Switches to the frame that matches `css`, until [`Page::leave_frame`].
    #[track_caller]
    pub fn enter_frame(&self, css: &str) {
        let frame = self.find(css);
        self.wait_on(&format!("{css} is no frame"), frame.enter_frame());
    }

    /// Switches to the frame in the shadow root of the element that matches `css`, until [`Page::leave_frame`].
    #[track_caller]
    pub fn enter_shadow_frame(&self, css: &str) {
        self.wait_until(&format!("{css} has a frame"), || {
            self.js(&format!("return !!document.querySelector('{css}')?.shadowRoot?.querySelector('iframe')")) == true
        });
        let element = self.find(css);
        let enter = async {
            let frame = element.shadow_root().await?.find(Locator::Css("iframe")).await?;
            frame.enter_frame().await
        };
        self.wait_on(&format!("{css} has no frame"), enter);
    }

    /// Switches back to the page that contains the frame.
    #[track_caller]
    pub fn leave_frame(&self) {
        self.wait_on("there is no outer frame", self.client().enter_parent_frame());
    }

    /// Screenshot of the view, as PNG.
    #[must_use]
    #[track_caller]
    pub fn screenshot(&self) -> Vec<u8> {
        self.wait_on("there is no picture", self.client().screenshot())
    }

    /// Writes a screenshot of the view to `path`.
    ///
    /// # Panics
    /// Panics if the file cannot be written.
    #[track_caller]
    pub fn screenshot_png(&self, path: &Path) {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{} cannot be made: {error}", folder.display()));
        }
        fs::write(path, self.screenshot()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Messages in the console since the view was opened, one line each, as `SEVERE: text`.
    #[must_use]
    #[track_caller]
    pub fn console(&self) -> Vec<String> {
        if self.engine() != Engine::Chromium {
            let lines = self.browser.said().into_iter().filter_map(|line| engine::of_console(&line));
            self.log.borrow_mut().extend(lines);
            return self.log.borrow().clone();
        }
        let lines = self.wait_on("there is no log", self.client().issue_cmd(Log));
        let line = |entry: &Value| {
            format!("{}: {}", entry["level"].as_str().unwrap_or("?"), entry["message"].as_str().unwrap_or_default())
        };
        // The driver returns each message only once.
        self.log.borrow_mut().extend(lines.as_array().into_iter().flatten().map(line));
        self.log.borrow().clone()
    }

    /// Errors in [`Page::console`]: uncaught exceptions, failed loads, and everything that the policy refused.
    #[must_use]
    #[track_caller]
    pub fn console_errors(&self) -> Vec<String> {
        self.console().into_iter().filter(|line| line.starts_with("SEVERE")).collect()
    }

    /// Requests to other machines, from any page, frame or worker of the browser.
    #[must_use]
    pub fn asked_elsewhere(&self) -> Vec<String> {
        self.browser.asked_elsewhere()
    }

    /// Sends a command of the DevTools protocol, such as `Emulation.setEmulatedMedia`.
    #[expect(clippy::needless_pass_by_value, reason = "callers write the parameters in place")]
    #[track_caller]
    pub fn cdp(&self, command: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters }).to_string();
        self.wait_on(&format!("{command} is refused"), self.client().issue_cmd(Cdp { body }))
    }

    #[track_caller]
    fn find(&self, css: &str) -> Element {
        self.wait_for(css);
        self.wait_on(&format!("{css} is gone"), self.client().find(Locator::Css(css)))
    }

    #[track_caller]
    fn wait_on<T>(&self, otherwise: &str, work: impl Future<Output = Result<T, CmdError>>) -> T {
        match self.browser.wait_on(PATIENCE * 3, work) {
            Some(Ok(value)) => value,
            Some(Err(error)) => panic!("{otherwise}: {error}"),
            None => panic!("{otherwise}: the browser does not answer"),
        }
    }
}
