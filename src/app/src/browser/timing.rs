//! Work that waits: until changes rest, or until a moment has passed since the last time.

use core::time::Duration;
use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;

use super::timer::{Timer, later, next_frame};

/// Runs the last of several calls, once no further one has come for a while.
#[derive(Clone)]
pub(crate) struct Debounce {
    wait: Duration,
    latest: Rc<Cell<Option<Work>>>,
    timer: Rc<Timer>,
}

/// A call that waits. It goes with whatever has made it: its field may be gone from the page by then.
type Work = Box<dyn FnOnce()>;

impl Debounce {
    pub(crate) fn new(wait: Duration) -> Self {
        let latest = Rc::<Cell<Option<Work>>>::default();
        let due = Rc::clone(&latest);
        let run = move || {
            if let Some(work) = due.take() {
                work();
            }
        };
        Self { wait, latest, timer: Rc::new(Timer::new(Box::new(run))) }
    }

    /// Runs `work` after the wait, unless another call or [`cancel`](Self::cancel) comes first.
    pub(crate) fn call(&self, work: impl FnOnce() + 'static) {
        self.latest.set(Some(Box::new(work)));
        self.timer.after(self.wait);
    }

    /// Runs `work` after the wait at the latest: of the calls that come meanwhile, the last one counts.
    pub(crate) fn throttle(&self, work: impl FnOnce() + 'static) {
        if self.latest.replace(Some(Box::new(work))).is_none() {
            self.timer.after(self.wait);
        }
    }

    /// Drops the call that waits.
    pub(crate) fn cancel(&self) {
        self.timer.clear();
        self.latest.take();
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
        later(show, PACE);
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
    next_frame(move || later(drawn, Duration::ZERO));
    is_drawn
}
