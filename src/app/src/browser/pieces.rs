//! Long work in short pieces, so that the page goes on between them.

use core::time::Duration;

use super::timer::later;

/// How long the pieces of one task take together, in milliseconds.
const TASK_MS: f64 = 12.0;

/// Does pieces for as long as there are more of them.
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
