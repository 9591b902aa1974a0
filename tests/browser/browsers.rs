//! Browsers that tests share one after another, because starting a browser takes longer than testing most pages. Each
//! test has its own view and its own origin. A browser stores data by origin, so tests do not share data.

use std::sync::Mutex;
use std::time::Duration;
use std::{mem, thread};

use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use xtask::engines::Engine;

use super::command::{Cdp, Log};
use super::driver::Driver;
use super::elsewhere::Elsewhere;
use super::engine::Start;
use super::{PATIENCE, Setting};

/// Browsers that wait for a test, and the number of tests that may return a browser.
static POOL: Mutex<Pool> = Mutex::new(Pool { idle: Vec::new(), n_tests: 0 });

struct Pool {
    idle: Vec<Running>,
    n_tests: usize,
}

/// Thread of a test that uses browsers. The last such thread ends the browsers, because nothing runs after the last
/// test.
struct Test;

thread_local! {
    static TEST: Test = {
        POOL.lock().expect("no thread panics here").n_tests += 1;
        Test
    };
}

impl Drop for Test {
    fn drop(&mut self) {
        let mut pool = POOL.lock().expect("no thread panics here");
        pool.n_tests -= 1;
        if pool.n_tests == 0 {
            let idle = mem::take(&mut pool.idle);
            drop(pool);
            // A thread that ends has no runtime, so another thread ends the browsers.
            let _ = thread::spawn(move || drop(idle)).join();
        }
    }
}

/// Browser with its driver, and the proxy that records its requests.
struct Running {
    engine: Engine,
    client: Client,
    runtime: Runtime,
    // Fields are dropped in this order: the browser before its driver and its proxy.
    driver: Driver,
    elsewhere: Elsewhere,
}

/// Browser of one test. A test that passes gives the browser back.
pub(super) struct Browser {
    running: Option<Running>,
    is_shared: bool,
}

impl Browser {
    /// Takes a browser that waits for a test, or starts a new one.
    ///
    /// # Panics
    /// Panics if the browser does not start.
    pub(super) fn of(setting: &Setting) -> Self {
        let of_all = Setting::default();
        let is_like_others = setting.flags == of_all.flags && setting.prefs == of_all.prefs && !setting.is_alone;
        // On the main thread nothing can run after the test, so its browser is not shared.
        let has_end = thread::current().name() != Some("main");
        let mut is_shared = is_like_others && has_end;
        let idle = || POOL.lock().expect("no thread panics here").idle.pop();
        if is_shared {
            TEST.with(|_| ());
        }
        let running = is_shared.then(idle).flatten().unwrap_or_else(|| Running::start(setting));
        is_shared &= running.engine == Engine::Chromium;
        Self { running: Some(running), is_shared }
    }

    fn running(&self) -> &Running {
        self.running.as_ref().expect("it is there until it is dropped")
    }

    pub(super) fn client(&self) -> &Client {
        &self.running().client
    }

    pub(super) fn engine(&self) -> Engine {
        self.running().engine
    }

    /// Lines that the browser and its driver wrote since the last call.
    pub(super) fn said(&self) -> Vec<String> {
        self.running().driver.said()
    }

    /// Requests to other machines.
    pub(super) fn asked_elsewhere(&self) -> Vec<String> {
        self.running().elsewhere.asked()
    }

    /// Waits for the result of the work. Returns `None` if the work takes longer than `most`.
    pub(super) fn wait_on<T>(&self, most: Duration, work: impl Future<Output = T>) -> Option<T> {
        self.running().wait_on(most, work)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let Some(running) = self.running.take() else { return };
        // After a failure the state of the browser is unknown.
        if self.is_shared && !thread::panicking() && running.renew().is_some() {
            POOL.lock().expect("no thread panics here").idle.push(running);
        }
    }
}

impl Running {
    fn start(setting: &Setting) -> Self {
        let elsewhere = Elsewhere::new();
        let start = Start::new(setting, elsewhere.port());
        let engine = start.engine;
        let driver = Driver::start(&start.driver);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        let Value::Object(capabilities) = start.capabilities else { unreachable!("braces make an object") };
        let client = runtime
            .block_on(ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(driver.url()))
            .unwrap_or_else(|error| panic!("{engine} does not start: {error}"));
        Self { engine, client, runtime, driver, elsewhere }
    }

    fn wait_on<T>(&self, most: Duration, work: impl Future<Output = T>) -> Option<T> {
        self.runtime.block_on(async { tokio::time::timeout(most, work).await.ok() })
    }

    /// Replaces all views with an empty view, as in a browser that has just started. Returns `None` if this fails.
    fn renew(&self) -> Option<()> {
        let client = &self.client;
        let renewed = async {
            let before = client.windows().await?;
            let view = client.new_window(false).await?.handle;
            for window in before {
                client.switch_to_window(window).await?;
                client.close_window().await?;
            }
            client.switch_to_window(view).await?;
            for command in ["Browser.resetPermissions", "Page.bringToFront"] {
                let body = json!({ "cmd": command, "params": {} }).to_string();
                client.issue_cmd(Cdp { body }).await?;
            }
            client.issue_cmd(Log).await?;
            Ok::<_, CmdError>(())
        };
        self.wait_on(PATIENCE, renewed)?.ok()?;
        let _forgotten = self.driver.said();
        self.elsewhere.forget();
        Some(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The driver ends a browser at once when its session ends. Without this call, it waits for a long time.
        let _ = self.wait_on(PATIENCE, self.client.clone().close());
        self.driver.stop();
    }
}
