//! What the module reports to the supervisor outside it. Traps the supervisor sees by itself: a dead module cannot
//! report.

use super::emit;

/// A panic's message goes to the supervisor; the page then counts as dead.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| emit("playground:panic", &info.to_string())));
}

/// The page is there.
pub(crate) fn report_ready() {
    emit("playground:ready", "");
    // Drills of the supervisor, which a link can demand. A trap runs no panic hook.
    match super::address::drill().as_deref() {
        Some("panic") => leptos::prelude::set_timeout(drill_panic, core::time::Duration::ZERO),
        Some("trap") => leptos::prelude::set_timeout(drill_trap, core::time::Duration::ZERO),
        _ => {}
    }
}

/// The supervisor keeps the last link that worked.
pub(crate) fn report_link(link: &str) {
    emit("playground:link", link);
}

#[expect(clippy::panic, reason = "a drill of the supervisor, which a link can demand")]
fn drill_panic() {
    panic!("drill: the link asked for a panic");
}

fn drill_trap() {
    #[cfg(target_arch = "wasm32")]
    core::arch::wasm32::unreachable();
}
