//! Reports of the module to the watchdog outside it, `public/boot.js`.
//!
//! A panic is reported by the panic hook. A trap runs no hook, because a dead module cannot report, so the watchdog
//! sees traps as errors. `?chaos=panic`, `?chaos=trap` and `?chaos=memory` inject these faults. Their
//! code comes with the side panels, not with the first load.

use super::emit;
use super::timer::later;

/// Installs a panic hook that sends the message of a panic to the watchdog. The watchdog then treats the page as dead.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| emit("playground:panic", &info.to_string())));
}

/// Reports to the watchdog that the page is ready.
pub(crate) fn report_ready() {
    emit("playground:ready", "");
}

/// Reports a link that worked to the watchdog, which keeps the last one.
pub(crate) fn report_link(link: &str) {
    emit("playground:link", link);
}

/// Injects the fault that a link asks for, to test the watchdog. The side panels contain this function, so that the
/// first load does not.
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

/// Causes a trap, which runs no panic hook.
fn drill_trap() {
    #[cfg(target_arch = "wasm32")]
    core::arch::wasm32::unreachable();
}

/// Allocates memory until none is left, which ends in a trap too.
fn drill_memory() {
    #[cfg(target_arch = "wasm32")]
    loop {
        core::mem::forget(core::hint::black_box(Vec::<u8>::with_capacity(1 << 26)));
    }
}
