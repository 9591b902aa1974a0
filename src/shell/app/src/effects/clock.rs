//! The clock of the run. Time advances once per animation frame while the run plays. While the run is paused, the page
//! requests no frames.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use studio::Action;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use crate::ctx::Ctx;

type Tick = Closure<dyn FnMut(f64)>;

/// A loop of animation frames that ends by itself when the run is paused.
struct Loop {
    ctx: Ctx,
    last_ms: Option<f64>,
    running: bool,
    tick: Option<Tick>,
}

fn request(state: &Rc<RefCell<Loop>>) {
    let state = state.borrow();
    if let (Some(window), Some(tick)) = (crate::browser::window(), &state.tick) {
        // Fails only if the window is closing.
        let _ = window.request_animation_frame(tick.as_ref().unchecked_ref());
    }
}

fn frame(state: &Rc<RefCell<Loop>>, now_ms: f64) {
    let (ctx, seconds) = {
        let mut state = state.borrow_mut();
        let last = state.last_ms.replace(now_ms).unwrap_or(now_ms);
        (state.ctx, (now_ms - last) / 1000.0)
    };
    // The browser may call this function after the page is gone.
    if ctx.playing.try_get_untracked() != Some(true) {
        let mut state = state.borrow_mut();
        (state.running, state.last_ms) = (false, None);
        return;
    }
    ctx.dispatch(&Action::Elapse(seconds));
    request(state);
}

/// Lets time pass while the run plays. A hidden page gets no animation frames, so its run pauses until the page is
/// visible.
pub(crate) fn run(ctx: Ctx) {
    let state = Rc::new(RefCell::new(Loop { ctx, last_ms: None, running: false, tick: None }));
    let weak = Rc::downgrade(&state);
    let tick = Closure::new(move |now_ms| {
        if let Some(state) = weak.upgrade() {
            frame(&state, now_ms);
        }
    });
    state.borrow_mut().tick = Some(tick);
    crate::browser::effect(move || {
        if ctx.playing.get() {
            let start = !core::mem::replace(&mut state.borrow_mut().running, true);
            if start {
                request(&state);
            }
        }
    });
}
