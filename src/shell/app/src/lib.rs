//! The browser shell: it paints pictures, shows texts, and turns the input of a person into actions.
//!
//! ```text
//! address · keys · panels ─> Action::Edit ─> Session::applied ───────────┐  pure, total, tested natively
//!                            Action::Move ─> Playhead::moved ────────────┤
//! animation frame (dt) ────> Action::Elapse ─> Playhead::elapsed ────────┤
//!                                                                        v
//!      session, playhead (two signals) ─ Memo ─> Plan ─┬─> parts, figures ──> panels
//!                                                      ├─> caption, status ─> words, screen reader
//!                                                      └─> stage::draw, timeline::draw ─> Picture ─> canvas | SVG
//! ```
//!
//! # State and effects
//!
//! - Only `ctx.rs` can write the two signals. All other code calls `Ctx::dispatch` with an `Action`.
//! - The PE under the pointer and the zoom belong to the page, and no link contains them.
//! - Effects are only in `effects`, which lists them, and in `browser`.
//! - Canvases are painted before any text of the page changes (`Ctx::flush_before`), and only if something visible
//!   changes. Setting the font of a canvas makes the browser update all styles.
//! - Texts that only pointers and screen readers need are not updated while time passes.
//! - An object without an owner stays in memory as long as the page. So one function serves all calls of a timer
//!   (`browser/timer.rs`), and `Ctx` keeps the read-only versions of its signals (test `memory`).
//! - Leptos is pinned to a release candidate of 0.9. In 0.8, a value keeps an entry for each dropped reader, so a page
//!   that shows slides for days needs more and more memory.
//!
//! # Page
//!
//! - The WebAssembly code consists of a first module and six parts, see `parts.rs`.
//! - For a screen reader, the array is a grid that has only the cell of the chosen PE, with its position among all
//!   cells.
//! - An embed never writes its address, never takes the focus and never plays by itself.
//! - The watchdog outside the module is `public/boot.js`, see `browser/crash.rs`.

#![expect(clippy::needless_pass_by_value, reason = "the props of a component are values")]
#![expect(unreachable_pub, reason = "the component macro writes public items whatever the visibility asked for")]

pub mod app;
mod browser;
pub mod ctx;
mod effects;
mod navigation;
mod panels;
mod part_state;
mod parts;
mod tab;
mod telling;
mod ui;

use wasm_bindgen::prelude::wasm_bindgen;

/// Starts the page. The loader calls this function once, when the module is ready.
#[wasm_bindgen(start)]
pub fn start() {
    if cfg!(test) {
        return;
    }
    browser::crash::report_panics();
    if let Some(root) = browser::root() {
        // The page replaces the loading text.
        root.set_text_content(None);
        leptos::mount::mount_to(root, app::App).forget();
        browser::crash::report_ready();
    }
}
