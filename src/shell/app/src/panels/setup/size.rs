//! The setting of a size: a field for any value, between two buttons that change the value by 1.

use core::time::Duration;
use std::rc::Rc;

use leptos::prelude::*;
use studio::slider::{place_of, value_at};
use studio::{Action, Edit, Field, FieldValue};
use words::label;

use super::Number;
use crate::browser::timer::Timer;
use crate::ctx::{Ctx, use_ctx};

/// Time after which a button that is held down repeats its step, and time between two repeated steps.
const HOLD: [Duration; 2] = [Duration::from_millis(450), Duration::from_millis(90)];

/// A label, a field and two buttons that set the same number.
#[component]
pub(super) fn Size(field: Field) -> impl IntoView {
    view! {
        <div class="size">
            <span class="caption" title=label::field_help(field)>{label::field(field)}</span>
            <Step field is_up=false />
            <Number field />
            <Step field is_up=true />
        </div>
    }
}

/// A button that changes a size by 1. While a person holds the button down, larger sizes change in larger steps.
#[component]
fn Step(field: Field, is_up: bool) -> impl IntoView {
    let ctx = use_ctx();
    let held = StoredValue::new(false);
    let repeat = Rc::<std::cell::OnceCell<Timer>>::default();
    let again = Rc::downgrade(&repeat);
    let _ = repeat.set(Timer::new(Box::new(move || {
        held.try_set_value(true);
        let place = place_of(number(ctx, field));
        let next = if is_up { (place + 1).min(place_of(field.most())) } else { place.saturating_sub(1) };
        ctx.dispatch(&Action::Edit(Edit::Drag(field, value_at(next))));
        let timer = again.upgrade();
        if let Some(timer) = timer.as_ref().and_then(|timer| timer.get()) {
            timer.after(HOLD[1]);
        }
    })));
    let press = Rc::clone(&repeat);
    let set = move |value: u64| ctx.dispatch(&Action::Edit(Edit::Set(field, FieldValue::Count(value))));
    // When a hold ends, the history gets one step. The click after a hold adds no step.
    let release = move |_| {
        if let Some(timer) = repeat.get() {
            timer.clear();
        }
        if held.get_value() {
            set(number(ctx, field));
        }
    };
    let leave = release.clone();
    let name = label::step(field, is_up);
    view! {
        <button
            type="button"
            class="step"
            id=format!("{}-{}", field.id(), if is_up { "more" } else { "less" })
            aria-label=name
            on:pointerdown=move |event| {
                held.set_value(false);
                // Only the main button starts a hold. Other buttons open a menu.
                if event.button() == 0
                    && let Some(timer) = press.get()
                {
                    timer.after(HOLD[0]);
                }
            }
            on:pointerup=release
            on:pointerleave=leave
            on:click=move |event| {
                // A click by a key has no count.
                if held.get_value() && event.detail() != 0 {
                    return;
                }
                let now = number(ctx, field);
                set(if is_up { (now + 1).min(field.most()) } else { now.saturating_sub(1).max(1) });
            }
        >
            {if is_up { "+" } else { "\u{2212}" }}
        </button>
    }
}

fn number(ctx: Ctx, field: Field) -> u64 {
    ctx.session().with_untracked(|session| session.scenario.number(field))
}
