//! What the supervisor outside the module is told. It watches for traps on its own: a dead module cannot report.

use super::tell;

/// A panic's message goes to the supervisor; the page then counts as dead.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| tell("playground:panic", &info.to_string())));
}

/// The page is there.
pub(crate) fn say_ready() {
    tell("playground:ready", "");
    // Drills of the supervisor, asked for by the link. A trap runs no panic hook.
    match super::address::drill().as_deref() {
        Some("panic") => leptos::prelude::set_timeout(drill_panic, core::time::Duration::ZERO),
        Some("trap") => leptos::prelude::set_timeout(drill_trap, core::time::Duration::ZERO),
        _ => {}
    }
}

/// The supervisor keeps the last link that worked.
pub(crate) fn say_link(link: &str) {
    tell("playground:link", link);
}

#[expect(clippy::panic, reason = "a drill of the supervisor, asked for by the link")]
fn drill_panic() {
    panic!("drill: the link asked for a panic");
}

fn drill_trap() {
    #[cfg(target_arch = "wasm32")]
    core::arch::wasm32::unreachable();
}
