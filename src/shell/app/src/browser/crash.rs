//! Messages from the WebAssembly module to the watchdog. The watchdog is the script `public/boot.js` outside the
//! module.
//!
//! The panic hook reports a panic. After a trap, the module cannot run a hook, so the watchdog detects a trap by the
//! browser's `error` event. To test the watchdog, a link with `chaos=panic`, `chaos=trap` or `chaos=memory` injects a
//! fault. The code that injects faults is loaded with the side panels, not with the first module.

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

/// Reports to the watchdog that a link worked. The watchdog keeps the last link that worked.
pub(crate) fn report_link(link: &str) {
    emit("playground:link", link);
}

/// Injects the fault that a link asks for, to test the watchdog. Only the code of the side panels calls this function,
/// so the first module does not contain the function.
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

/// Allocates memory until none is left, which also ends in a trap.
fn drill_memory() {
    #[cfg(target_arch = "wasm32")]
    loop {
        core::mem::forget(core::hint::black_box(Vec::<u8>::with_capacity(1 << 26)));
    }
}
