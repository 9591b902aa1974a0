//! Work that waits: until changes rest, or until a moment has passed since the last time.

use core::time::Duration;
use std::cell::Cell;
use std::rc::Rc;

use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle};
use leptos::prelude::*;

/// Runs the last of several calls, once no further one has come for a while.
#[derive(Clone)]
pub(crate) struct Debounce {
    wait: Duration,
    pending: Rc<Cell<Option<TimeoutHandle>>>,
    latest: Rc<Cell<Option<Work>>>,
}

/// A call that waits.
type Work = Box<dyn FnOnce()>;

impl Debounce {
    pub(crate) fn new(wait: Duration) -> Self {
        Self { wait, pending: Rc::default(), latest: Rc::default() }
    }

    /// Runs `work` after the wait, unless another call or [`cancel`](Self::cancel) comes first.
    pub(crate) fn call(&self, work: impl FnOnce() + 'static) {
        self.cancel();
        self.wait(work);
    }

    /// Runs `work` after the wait at the latest: of the calls that come meanwhile, the last one counts.
    pub(crate) fn call_at_latest(&self, work: impl FnOnce() + 'static) {
        let slot = Rc::clone(&self.latest);
        let is_waiting = slot.replace(Some(Box::new(work))).is_some();
        if !is_waiting {
            let due = move || {
                if let Some(work) = slot.take() {
                    work();
                }
            };
            self.wait(due);
        }
    }

    /// What waits goes with whatever has made it: its field may be gone from the page by then.
    fn wait(&self, work: impl FnOnce() + 'static) {
        let alive = Rc::downgrade(&self.pending);
        let due = move || {
            if alive.strong_count() > 0 {
                work();
            }
        };
        self.pending.set(set_timeout_with_handle(due, self.wait).ok());
    }

    /// Drops the call that waits.
    pub(crate) fn cancel(&self) {
        if let Some(handle) = self.pending.take() {
            handle.clear();
        }
    }
}

/// How long a value rests before plots are drawn of it: figures follow a hand that drags, plots wait for it.
const RESTED: Duration = Duration::from_millis(90);

/// A value once it has not changed for a while.
pub(crate) fn debounced<T: Clone + PartialEq + Send + Sync + 'static>(value: Memo<T>) -> ReadSignal<T> {
    let (rested, set_rested) = signal(value.get_untracked());
    let debounce = Debounce::new(RESTED);
    super::effect(Box::new(move || {
        let now = value.get();
        debounce.call(move || {
            set_rested.try_set(now);
        });
    }));
    rested
}

/// How often tables and bills follow. Most of the work of an answer, and of laying the page out, is in them, and nobody
/// reads forty rows in a sixtieth of a second.
const PACE: Duration = Duration::from_millis(150);

/// A value a few times a second: `latest` works it out when it is due after `changed` has changed.
pub(crate) fn throttled<T: Send + Sync + 'static>(
    changed: Memo<impl PartialEq + Send + Sync + 'static>,
    latest: impl Fn() -> Option<T> + Clone + 'static,
) -> ReadSignal<Option<T>> {
    let (shown, set_shown) = signal(untrack(&latest));
    let waits: Rc<Cell<bool>> = Rc::default();
    let mut first = true;
    super::effect(Box::new(move || {
        changed.track();
        // What is there already is not worked out again.
        if core::mem::take(&mut first) || waits.replace(true) {
            return;
        }
        let (waits, latest) = (Rc::clone(&waits), latest.clone());
        let show = move || {
            waits.set(false);
            set_shown.try_set(untrack(latest));
        };
        set_timeout(show, PACE);
    }));
    shown
}

/// Whether a frame of the screen was drawn since now.
pub(crate) fn after_a_frame() -> ReadSignal<bool> {
    let (is_drawn, set_is_drawn) = signal(false);
    // A frame is drawn when the functions that run before it are done, and before a timer that one of them starts.
    let drawn = move || {
        set_is_drawn.try_set(true);
    };
    request_animation_frame(move || set_timeout(drawn, Duration::ZERO));
    is_drawn
}
