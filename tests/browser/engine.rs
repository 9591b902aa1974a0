//! Browsers that the tests can open: Chromium, or the engine that the variable ENGINE names.
//!
//! Tests that use only WebDriver work in every engine. Tests that use a feature of Chromium, such as DevTools, do not.

use std::path::PathBuf;

use serde_json::{Value, json};
use xtask::engines::{Engine, Found};

use super::Setting;

/// Driver of a browser, and the capabilities to request.
pub(super) struct Start {
    pub(super) engine: Engine,
    pub(super) driver: PathBuf,
    pub(super) capabilities: Value,
}

impl Start {
    /// Prepares a browser of the engine that the variable ENGINE names. Requests to other machines go to the local port
    /// `proxy`.
    ///
    /// # Panics
    /// Panics if the engine is unknown or not installed.
    pub(super) fn new(setting: &Setting, proxy: u16) -> Self {
        let engine = Engine::of_environment().unwrap_or_else(|error| panic!("{error}"));
        match engine {
            Engine::Chromium => chromium(setting, proxy),
            Engine::Firefox => firefox(proxy),
        }
    }
}

fn chromium(setting: &Setting, proxy: u16) -> Start {
    let browser = Engine::Chromium.find().unwrap_or_else(|error| panic!("{error}"));
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
        // The full Chromium has these defaults: frames of other sites have their own processes and their own caches.
        flags.extend(["site-per-process", "enable-features=SplitCacheByNetworkIsolationKey"].map(str::to_owned));
    }
    flags.extend(setting.flags.iter().cloned());
    let capabilities = json!({
        "goog:chromeOptions": { "binary": browser.program, "args": flags, "prefs": setting.prefs },
        "goog:loggingPrefs": { "browser": "ALL" },
    });
    Start { engine: Engine::Chromium, driver: browser.driver, capabilities }
}

fn firefox(proxy: u16) -> Start {
    let Found { driver, program } = Engine::Firefox.find().unwrap_or_else(|error| panic!("{error}"));
    let proxy = format!("127.0.0.1:{proxy}");
    let capabilities = json!({
        "moz:firefoxOptions": {
            "binary": program,
            "args": ["-headless"],
            "prefs": {
                // Messages of the console go to the output of the driver.
                "devtools.console.stdout.content": true,
                // Otherwise the output would also have Firefox's own messages.
                "browser.chrome.site_icons": false,
                // Otherwise Firefox would make requests by itself.
                "services.settings.server": "data:,#remote-settings-dummy/v1",
                "layout.css.devPixelsPerPx": "1.0",
                "widget.non-native-theme.scrollbar.size.override": 0,
            },
        },
        "proxy": { "proxyType": "manual", "httpProxy": proxy, "sslProxy": proxy },
    });
    Start { engine: Engine::Firefox, driver, capabilities }
}

/// Converts a line of Firefox's output to the form of Chromium's log, `SEVERE: text`. Returns `None` for a line that is
/// not from the page.
pub(super) fn of_console(line: &str) -> Option<String> {
    let after = |mark: &str| line.split_once(mark).map(|(_, rest)| rest.trim());
    // Firefox's messages about itself have internal addresses, or no quotes.
    let error = after("JavaScript error: ").filter(|text| text.starts_with("http") || text.starts_with("file:"));
    let severe = error.or_else(|| after("console.error: \"")).map(|text| format!("SEVERE: {text}"));
    severe.or_else(|| after("console.warn: \"").map(|text| format!("WARNING: {text}")))
}
