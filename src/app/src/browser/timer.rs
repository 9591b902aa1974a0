//! What a browser calls later: a function once, or one again and again.
//!
//! A function that is made for a single call stays in the module's memory where that call never comes, and no call comes
//! once its timer is cleared. What is set anew at every step of a run would fill the memory of a page that plays for days.

use core::cell::Cell;
use core::time::Duration;

use js_sys::Function;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// Calls a function once, so much later, also where whoever asked for it is not on the page any more: a list that is drawn
/// anew gives the focus back afterwards. It fails only without a window, where nobody waits.
pub(crate) fn later(work: impl FnOnce() + 'static, wait: Duration) {
    let _ = super::window().map(|window| {
        window.set_timeout_with_callback_and_timeout_and_arguments_0(&once(Box::new(work)), milliseconds(wait))
    });
}

/// Calls a function once, before the next frame of the screen. It fails as [`later`] does.
pub(crate) fn next_frame(work: impl FnOnce() + 'static) {
    let _ = super::window().map(|window| window.request_animation_frame(&once(Box::new(work))));
}

/// A function that goes once it was called.
fn once(work: Box<dyn FnOnce()>) -> Function {
    Closure::once_into_js(work).unchecked_into()
}

fn milliseconds(wait: Duration) -> i32 {
    i32::try_from(wait.as_millis()).unwrap_or(i32::MAX)
}

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
        let ms = milliseconds(wait);
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
