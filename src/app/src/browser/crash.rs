//! Reports of the module to the watchdog outside it, `public/boot.js`.
//!
//! A panic is reported by the panic hook. A trap runs no hook, because a dead module cannot report, so the watchdog
//! sees traps as errors. `?chaos=panic`, `?chaos=trap` and `?chaos=memory` inject these faults. Their
//! code comes with the side panels, not with the first load.

use super::emit;
use super::timer::later;

/// A panic's message goes to the supervisor; the page then counts as dead.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| emit("playground:panic", &info.to_string())));
}

/// The page is there.
pub(crate) fn report_ready() {
    emit("playground:ready", "");
}

/// The supervisor keeps the last link that worked.
pub(crate) fn report_link(link: &str) {
    emit("playground:link", link);
}

/// Drills of the supervisor, which a link can demand. They come with the sides: the first load is not to carry them.
pub(crate) fn drill() {
    let fail = match super::location::chaos_parameter().as_deref() {
        Some("panic") => drill_panic,
        Some("trap") => drill_trap,
        Some("memory") => drill_memory,
        _ => return,
    };
    later(fail, core::time::Duration::ZERO);
}

#[expect(clippy::panic, reason = "a drill of the supervisor, which a link can demand")]
fn drill_panic() {
    panic!("drill: the link asked for a panic");
}

/// A trap runs no panic hook.
fn drill_trap() {
    #[cfg(target_arch = "wasm32")]
    core::arch::wasm32::unreachable();
}

/// Asks for memory until there is none, which ends in a trap too.
fn drill_memory() {
    #[cfg(target_arch = "wasm32")]
    loop {
        core::mem::forget(core::hint::black_box(Vec::<u8>::with_capacity(1 << 26)));
    }
}
