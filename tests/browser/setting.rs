//! What a test asks for: a kind of browser, a place of the page, all cases or some.

use serde_json::{Value, json};
use xtask::server::Options as ServerOptions;

/// Whether tests take all the cases that they have: `cargo xtask long` sets LONG.
#[must_use]
pub fn is_long() -> bool {
    std::env::var_os("LONG").is_some()
}

/// All cases in a long run, else so many of them: the first, the last and what lies evenly between.
pub fn some<T: Clone>(all: &[T], few: usize) -> Vec<T> {
    if is_long() || all.len() <= few {
        return all.to_vec();
    }
    (0..few).map(|nth| all[nth * (all.len() - 1) / (few - 1)].clone()).collect()
}

/// What the browser is like and where the page lies.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Width and height of the view in CSS pixels.
    pub window: (u32, u32),
    /// Where the page lies on its host.
    pub server: ServerOptions,
    /// Further browser flags, without dashes.
    pub flags: Vec<String>,
    /// What its settings are, by the browser's own names.
    pub prefs: Value,
    /// Whether it is started for this page alone, as where its memory is measured.
    pub is_alone: bool,
}

impl Default for Setting {
    fn default() -> Self {
        let server = ServerOptions::default();
        Self { window: (1280, 800), server, flags: Vec::new(), prefs: json!({}), is_alone: false }
    }
}

impl Setting {
    /// A view of `width` by `height`.
    #[must_use]
    pub fn window(width: u32, height: u32) -> Self {
        Self { window: (width, height), ..Self::default() }
    }

    /// The page in a folder of the host, as `/some/sub-path/`.
    #[must_use]
    pub fn mount(path: &str) -> Self {
        let server = ServerOptions { mount: path.to_owned(), ..ServerOptions::default() };
        Self { server, ..Self::default() }
    }
}
