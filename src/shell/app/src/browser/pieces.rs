//! Execution of long work in short pieces, so that the page stays responsive.

use core::time::Duration;

use super::timer::{later, soon};

/// Time in milliseconds after which a task of the browser starts no further piece.
const TASK_MS: f64 = 12.0;

/// Calls `piece` until it returns false, in several tasks of the browser.
pub(crate) fn run(mut piece: Box<dyn FnMut() -> bool>) {
    let task = move || {
        if has_more(&mut piece) {
            run(piece);
        }
    };
    later(task, Duration::ZERO);
}

/// Calls `piece` like [`run`], but without delay even if the page is hidden.
pub(crate) fn run_soon(mut piece: Box<dyn FnMut() -> bool>) {
    soon(move || {
        if has_more(&mut piece) {
            run_soon(piece);
        }
    });
}

/// Calls `piece` until the task has taken long enough. Returns true if work is left.
fn has_more(piece: &mut dyn FnMut() -> bool) -> bool {
    let end = super::now_ms() + TASK_MS;
    while piece() {
        if super::now_ms() >= end {
            return true;
        }
    }
    false
}
