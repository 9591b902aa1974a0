//! The browsers that the tests can open: Chromium, and where ENGINE says so another engine.
//!
//! What is asked of a page by WebDriver alone works in each. What Chromium has of its own, as its DevTools, does not.

use std::path::PathBuf;

use serde_json::{Value, json};
use xtask::browser::Browser;
use xtask::engines::{self, Engine, Found};

use super::Setting;

/// A browser's driver, and what it is asked for.
pub(super) struct Start {
    pub(super) engine: Engine,
    pub(super) driver: PathBuf,
    pub(super) capabilities: Value,
}

impl Start {
    /// Of the engine that the variable ENGINE names, with all that leaves this machine sent to a port of it.
    ///
    /// # Panics
    /// It is not installed, or is no engine.
    pub(super) fn new(setting: &Setting, proxy: u16) -> Self {
        let engine = Engine::of_environment().unwrap_or_else(|error| panic!("{error}"));
        match engine {
            Engine::Chromium => chromium(setting, proxy),
            Engine::Firefox => firefox(proxy),
        }
    }
}

fn chromium(setting: &Setting, proxy: u16) -> Start {
    let browser = Browser::find().unwrap_or_else(|error| panic!("{error}"));
    let mut flags: Vec<String> = [
        "headless",
        "no-sandbox",
        "disable-gpu",
        "disable-dev-shm-usage",
        "disable-quic",
        "no-first-run",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
        "hide-scrollbars",
        "force-device-scale-factor=1",
    ]
    .map(str::to_owned)
    .into();
    let (width, height) = setting.window;
    flags.extend([format!("window-size={width},{height}"), format!("proxy-server=http://127.0.0.1:{proxy}")]);
    if browser.is_shell() {
        // As Chromium does by itself: frames of other sites have their own processes and their own caches.
        flags.extend(["site-per-process", "enable-features=SplitCacheByNetworkIsolationKey"].map(str::to_owned));
    }
    flags.extend(setting.flags.iter().cloned());
    let capabilities = json!({
        "goog:chromeOptions": { "binary": browser.chromium, "args": flags, "prefs": setting.prefs },
        "goog:loggingPrefs": { "browser": "ALL" },
    });
    Start { engine: Engine::Chromium, driver: browser.chromedriver, capabilities }
}

fn firefox(proxy: u16) -> Start {
    let Found { driver, program } = engines::firefox().unwrap_or_else(|reason| panic!("{reason}"));
    let proxy = format!("127.0.0.1:{proxy}");
    let capabilities = json!({
        "moz:firefoxOptions": {
            "binary": program,
            "args": ["-headless"],
            "prefs": {
                // What the console says goes to the output of the driver.
                "devtools.console.stdout.content": true,
                // Its own messages would be among them.
                "browser.chrome.site_icons": false,
                // It asks for nothing by itself.
                "services.settings.server": "data:,#remote-settings-dummy/v1",
                "layout.css.devPixelsPerPx": "1.0",
                "widget.non-native-theme.scrollbar.size.override": 0,
            },
        },
        "proxy": { "proxyType": "manual", "httpProxy": proxy, "sslProxy": proxy },
    });
    Start { engine: Engine::Firefox, driver, capabilities }
}

/// A line of Firefox's output as Chromium's log has it: `SEVERE: text`; nothing where it is none of the page's.
pub(super) fn of_console(line: &str) -> Option<String> {
    let after = |mark: &str| line.split_once(mark).map(|(_, rest)| rest.trim());
    // What it says of itself has an address of its own, or no quotes.
    let error = after("JavaScript error: ").filter(|text| text.starts_with("http") || text.starts_with("file:"));
    let severe = error.or_else(|| after("console.error: \"")).map(|text| format!("SEVERE: {text}"));
    severe.or_else(|| after("console.warn: \"").map(|text| format!("WARNING: {text}")))
}
