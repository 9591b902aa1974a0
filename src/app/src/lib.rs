//! The browser shell: it paints what the studio draws, says what the studio says, and passes on what a person does.

#![expect(clippy::needless_pass_by_value, reason = "the props of a component are values")]
#![expect(unreachable_pub, reason = "the component macro writes public items whatever the visibility asked for")]

pub mod app;
mod browser;
pub mod ctx;
mod panels;
mod parts;
mod tab;
mod ui;

use wasm_bindgen::prelude::wasm_bindgen;

/// Starts the page. Called once by the loader when the module is ready.
#[wasm_bindgen(start)]
pub fn start() {
    if cfg!(test) {
        return;
    }
    browser::crash::report_panics();
    if let Some(root) = browser::root() {
        // The loading text gives way to the page.
        root.set_text_content(None);
        leptos::mount::mount_to(root, app::App).forget();
        browser::crash::report_ready();
    }
}
