//! Execution of long work in short pieces, so that the page stays responsive.

use core::time::Duration;

use super::timer::later;

/// Time in milliseconds after which a task of the browser starts no further piece.
const TASK_MS: f64 = 12.0;

/// Calls `piece` until it returns false, in several tasks of the browser.
pub(crate) fn run(mut piece: Box<dyn FnMut() -> bool>) {
    later(
        move || {
            let end = super::now_ms() + TASK_MS;
            while piece() {
                if super::now_ms() >= end {
                    run(piece);
                    return;
                }
            }
        },
        Duration::ZERO,
    );
}
