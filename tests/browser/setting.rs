//! Settings of a test: the kind of browser, the place of the page, and all cases or only some.

use serde_json::{Value, json};
use xtask::server::Options as ServerOptions;

/// True if tests run all their cases. `cargo xtask long` sets the variable LONG for this.
#[must_use]
pub fn is_long() -> bool {
    std::env::var_os("LONG").is_some()
}

/// Returns all cases in a long run. Otherwise returns `few` cases: the first, the last, and evenly spaced cases
/// between.
pub fn some<T: Clone>(all: &[T], few: usize) -> Vec<T> {
    if is_long() || all.len() <= few {
        return all.to_vec();
    }
    (0..few).map(|nth| all[nth * (all.len() - 1) / (few - 1)].clone()).collect()
}

/// Settings of the browser, and the place of the page on its host.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Width and height of the view in CSS pixels.
    pub window: (u32, u32),
    /// Options of the server, such as the folder of the page on its host.
    pub server: ServerOptions,
    /// Further browser flags, without dashes.
    pub flags: Vec<String>,
    /// Preferences of the browser, by the browser's own names.
    pub prefs: Value,
    /// True if the browser is started only for this page, for example to measure its memory.
    pub is_alone: bool,
}

impl Default for Setting {
    fn default() -> Self {
        let server = ServerOptions::default();
        Self { window: (1280, 800), server, flags: Vec::new(), prefs: json!({}), is_alone: false }
    }
}

impl Setting {
    /// Setting with a view of `width` by `height`.
    #[must_use]
    pub fn window(width: u32, height: u32) -> Self {
        Self { window: (width, height), ..Self::default() }
    }

    /// Setting with the page in a folder of the host, such as `/some/sub-path/`.
    #[must_use]
    pub fn mount(path: &str) -> Self {
        let server = ServerOptions { mount: path.to_owned(), ..ServerOptions::default() };
        Self { server, ..Self::default() }
    }
}
