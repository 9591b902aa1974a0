//! Functions that the browser calls later: once or repeatedly.
//!
//! A function for a single call stays in memory if the browser never calls it, for example because its timer was
//! cleared. A run that sets such timers at every step would fill the memory in days. So a `Timer` uses one function for
//! all its calls.

use core::cell::Cell;
use core::time::Duration;

use js_sys::Function;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::MessageChannel;

/// Calls a function once after a time, even if the view that scheduled the call is no longer on the page. For example,
/// a list that is drawn again restores the focus in this way. Without a window, does nothing.
pub(crate) fn later(work: impl FnOnce() + 'static, wait: Duration) {
    let _ = super::window().map(|window| {
        window.set_timeout_with_callback_and_timeout_and_arguments_0(&once(Box::new(work)), milliseconds(wait))
    });
}

/// Calls a function once, in its own task. Unlike a timer, the task also runs soon if the page is hidden.
pub(crate) fn soon(work: impl FnOnce() + 'static) {
    let Ok(channel) = MessageChannel::new() else { return work() };
    let port = channel.port1();
    let arrived = port.clone();
    port.set_onmessage(Some(&once(Box::new(move || {
        // An open port would stay in memory.
        arrived.close();
        work();
    }))));
    // Null can always be sent.
    let _ = channel.port2().post_message(&JsValue::NULL);
}

/// Calls a function once, before the next animation frame. Without a window, does nothing.
pub(crate) fn next_frame(work: impl FnOnce() + 'static) {
    let _ = super::window().map(|window| window.request_animation_frame(&once(Box::new(work))));
}

/// Makes a function that is freed after its call.
fn once(work: Box<dyn FnOnce()>) -> Function {
    Closure::once_into_js(work).unchecked_into()
}

fn milliseconds(wait: Duration) -> i32 {
    i32::try_from(wait.as_millis()).unwrap_or(i32::MAX)
}

/// A function with at most one scheduled call.
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

    /// Schedules the call after a time, and cancels an earlier schedule.
    pub(crate) fn after(&self, wait: Duration) {
        self.clear();
        let ms = milliseconds(wait);
        let due = self.due.as_ref().unchecked_ref();
        let set = |window: web_sys::Window| window.set_timeout_with_callback_and_timeout_and_arguments_0(due, ms).ok();
        self.waits.set(super::window().and_then(set).map(Wait::Time));
    }

    /// Schedules the call before the next animation frame, and cancels an earlier schedule.
    pub(crate) fn next_frame(&self) {
        self.clear();
        let set = |window: web_sys::Window| window.request_animation_frame(self.due.as_ref().unchecked_ref()).ok();
        self.waits.set(super::window().and_then(set).map(Wait::Frame));
    }

    /// Cancels the scheduled call.
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
    /// Cancels the scheduled call.
    fn drop(&mut self) {
        self.clear();
    }
}
