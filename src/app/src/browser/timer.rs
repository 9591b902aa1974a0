//! One function that a browser calls later, again and again.
//!
//! A function that is made for a single call stays in the module's memory where that call never comes, and no call comes
//! once its timer is cleared. What is set anew at every step of a run would fill the memory of a page that plays for days.

use core::cell::Cell;
use core::time::Duration;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// The function, and the call that it waits for.
pub(crate) struct Timer {
    due: Closure<dyn FnMut()>,
    waits: Cell<Option<Wait>>,
}

#[derive(Clone, Copy)]
enum Wait {
    Time(i32),
    Frame(i32),
}

impl Timer {
    pub(crate) fn new(work: Box<dyn FnMut()>) -> Self {
        Self { due: Closure::wrap(work), waits: Cell::new(None) }
    }

    /// Calls it once so much time has passed, and not before.
    pub(crate) fn after(&self, wait: Duration) {
        self.clear();
        let ms = i32::try_from(wait.as_millis()).unwrap_or(i32::MAX);
        let due = self.due.as_ref().unchecked_ref();
        let set = |window: web_sys::Window| window.set_timeout_with_callback_and_timeout_and_arguments_0(due, ms).ok();
        self.waits.set(super::window().and_then(set).map(Wait::Time));
    }

    /// Calls it before the next frame of the screen, and not before.
    pub(crate) fn next_frame(&self) {
        self.clear();
        let set = |window: web_sys::Window| window.request_animation_frame(self.due.as_ref().unchecked_ref()).ok();
        self.waits.set(super::window().and_then(set).map(Wait::Frame));
    }

    /// Calls it no more, unless it is set again.
    pub(crate) fn clear(&self) {
        let Some((waits, window)) = self.waits.take().zip(super::window()) else { return };
        match waits {
            Wait::Time(id) => window.clear_timeout_with_handle(id),
            // Fails only without a window.
            Wait::Frame(id) => _ = window.cancel_animation_frame(id),
        }
    }
}

impl Drop for Timer {
    /// What waits goes with whatever has made it.
    fn drop(&mut self) {
        self.clear();
    }
}
