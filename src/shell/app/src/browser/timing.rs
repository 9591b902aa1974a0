//! Delayed work, which runs when changes stop, or when a minimum time has passed since the last run.

use core::time::Duration;
use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;

use super::timer::{Timer, later, next_frame};

/// A delay after which only the last of several calls runs.
#[derive(Clone)]
pub(crate) struct Debounce {
    wait: Duration,
    latest: Rc<Cell<Option<Work>>>,
    timer: Rc<Timer>,
}

/// A delayed call. The call is dropped with its `Debounce`, because the input field that made the call may no longer be
/// on the page.
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

    /// Runs the last of all calls that are made during one wait. Unlike [`call`](Self::call), further calls do not
    /// extend the wait.
    pub(crate) fn throttle(&self, work: impl FnOnce() + 'static) {
        if self.latest.replace(Some(Box::new(work))).is_none() {
            self.timer.after(self.wait);
        }
    }

    /// Drops the delayed call.
    pub(crate) fn cancel(&self) {
        self.timer.clear();
        self.latest.take();
    }
}

/// Time without a change after which plots are drawn. During a drag, the page updates figures at once, and plots only
/// after this time.
const RESTED: Duration = Duration::from_millis(90);

/// Returns a signal that is set to `value` when `value` has not changed for [`RESTED`].
pub(crate) fn debounced<T: Clone + PartialEq + Send + Sync + 'static>(value: Memo<T>) -> ReadSignal<T> {
    let (rested, set_rested) = signal(value.get_untracked());
    let debounce = Debounce::new(RESTED);
    super::effect(move || {
        let now = value.get();
        debounce.call(move || {
            set_rested.try_set(now);
        });
    });
    rested
}

/// Minimum time between updates of tables and cost breakdowns. Their computation and layout take most of the time of an
/// update, and nobody can read forty rows in a sixtieth of a second.
const PACE: Duration = Duration::from_millis(150);

/// Returns a signal that updates a few times per second. After `changed` has changed, `latest` computes the new value
/// when the update is due.
pub(crate) fn throttled<T: Send + Sync + 'static>(
    changed: Memo<impl PartialEq + Send + Sync + 'static>,
    latest: impl Fn() -> Option<T> + Clone + 'static,
) -> ReadSignal<Option<T>> {
    let (shown, set_shown) = signal(untrack(&latest));
    let waits: Rc<Cell<bool>> = Rc::default();
    let mut first = true;
    super::effect(move || {
        changed.track();
        // The first value is already computed.
        if core::mem::take(&mut first) || waits.replace(true) {
            return;
        }
        let (waits, latest) = (Rc::clone(&waits), latest.clone());
        let show = move || {
            waits.set(false);
            set_shown.try_set(untrack(latest));
        };
        later(show, PACE);
    });
    shown
}

/// Returns a signal that becomes true when the next animation frame has been drawn.
pub(crate) fn after_a_frame() -> ReadSignal<bool> {
    let (is_drawn, set_is_drawn) = signal(false);
    // The browser draws a frame after the functions that run before the frame, and before any timer that these
    // functions start.
    let drawn = move || {
        set_is_drawn.try_set(true);
    };
    next_frame(move || later(drawn, Duration::ZERO));
    is_drawn
}
