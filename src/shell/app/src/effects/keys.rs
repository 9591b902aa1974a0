//! Actions that keys cause. Keys act everywhere on the page except in text fields. A control that has the focus keeps
//! the keys that it needs.

use plain::OrEmpty;
use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use studio::{Action, Drawing, Edit, Tool, Transport};
use systolic::PeId;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, KeyboardEvent};

use super::pointer::Pointer;
use crate::browser::focus::is_within;
use crate::browser::timer::later;
use crate::ctx::Ctx;
use crate::navigation;
use crate::part_state::Goal;
use crate::tab::Tab;
use crate::telling;

/// True if the key is Enter in an input field.
pub(crate) fn is_entry(event: &KeyboardEvent) -> bool {
    event.key() == "Enter" && event.target().is_some_and(|target| target.has_type::<HtmlInputElement>())
}

/// Opens the help at the element with this id, if the page has a help.
pub(crate) fn open_help_at(ctx: Ctx, place: &str) {
    ctx.view.tab.set(Tab::More);
    if let Some(help) = crate::browser::document().and_then(|document| document.get_element_by_id("help")) {
        // The element accepts any attribute.
        let _ = help.set_attribute("open", "");
    }
    let place = place.to_owned();
    // If the help is behind a tab, the help is visible only after this task.
    later(move || crate::browser::focus::focus(&place), core::time::Duration::ZERO);
}

/// Closes the help or the examples. If `with_focus` is true, gives the focus back to the control that opens the closed
/// panel. Returns true if the help or the examples were open.
pub(crate) fn close_help(with_focus: bool) -> bool {
    let open = crate::browser::document().and_then(|document| document.query_selector(".help[open]").ok().flatten());
    let Some(open) = open else { return false };
    // The element has the attribute.
    let _ = open.remove_attribute("open");
    if let Some(summary) = open.first_element_child().filter(|_| with_focus) {
        let _ = summary.dyn_into::<HtmlElement>().map(|summary| summary.focus());
    }
    true
}

/// Closes the help or the examples when a person presses outside of them. The panel closes before the click is handled.
/// Otherwise, a panel that the click opens would close again.
pub(crate) fn close_help_elsewhere() {
    let pressed = window_event_listener(leptos::ev::pointerdown, |event| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if target.is_some_and(|target| target.closest(".help[open]").ok().flatten().is_none()) {
            close_help(false);
        }
    });
    on_cleanup(move || pressed.remove());
}

/// True if an element needs a key for itself.
fn is_its_own(element: &Element, key: &str) -> bool {
    let kind = element.get_attribute("type").or_empty();
    match (element.tag_name().as_str(), kind.as_str()) {
        ("INPUT", "checkbox") => key == " ",
        // Space chooses a radio button that is not chosen.
        ("INPUT", "radio") if key == " " => element.dyn_ref::<HtmlInputElement>().is_some_and(|radio| !radio.checked()),
        ("INPUT", "range" | "radio") => !matches!(key, "[" | "]" | "?" | "g" | " "),
        ("TEXTAREA" | "SELECT" | "INPUT", _) => true,
        ("BUTTON" | "SUMMARY" | "A", _) => matches!(key, " " | "Enter"),
        // Keys scroll these panels.
        _ => ["dialog", ".help"].iter().any(|around| element.closest(around).ok().flatten().is_some()),
    }
}

/// Handles keys on the whole page. The array view handles its own keys first, and marks them as handled.
pub(crate) fn follow(ctx: Ctx, pointer: Pointer) {
    // A control that a pointer pressed keeps the focus. Space presses only a control that was reached by keys;
    // otherwise Space plays or pauses the run.
    let by_hand: Rc<RefCell<Option<Element>>> = Rc::default();
    let noted = Rc::clone(&by_hand);
    let hand = window_event_listener(leptos::ev::pointerdown, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        *noted.borrow_mut() = target.and_then(|target| target.closest("button, summary, a").ok().flatten());
    });
    on_cleanup(move || hand.remove());
    let pressed = window_event_listener(leptos::ev::keydown, move |event| {
        if event.default_prevented() || ctx.playing.try_get_untracked().is_none() {
            return;
        }
        let is_closed = event.key() == "Escape" && close_help(true);
        if is_closed || !is_shown("stage") {
            return;
        }
        if event.key() == "Tab" {
            by_hand.borrow_mut().take();
        }
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let is_by_hand = event.key() == " " && target.is_some() && target == *by_hand.borrow();
        if !is_by_hand && target.is_some_and(|target| is_its_own(&target, &event.key())) {
            return;
        }
        if event.key() == "z" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            super::address::undo(ctx);
        } else if event.key() == "?" {
            open_help_at(ctx, "help-title");
        } else if let Some((left, up)) = turn(ctx, &event) {
            event.prevent_default();
            let zoom = ctx.view.zoom.get_untracked();
            ctx.view.zoom.set(stage::Zoom { turn: zoom.turn.by(left, up), ..zoom });
        } else if let Some(factor) = zoom_factor(&event) {
            event.prevent_default();
            pointer.zoom(factor);
        } else if event.key() != "Enter"
            && let Some(action) = action(ctx, &event)
        {
            event.prevent_default();
            ctx.dispatch(&action);
        }
    });
    on_cleanup(move || pressed.remove());
}

/// Makes Escape close the figure that has the focus, or clear the chosen class and PE if no figure is open. In a
/// presentation, Escape closes what the speaker opened.
pub(crate) fn follow_escape(ctx: Ctx) {
    let pressed = window_event_listener(leptos::ev::keydown, move |event| {
        let is_gone = ctx.playing.try_get_untracked().is_none();
        if event.key() != "Escape" || event.default_prevented() || is_gone || ctx.presents_untracked() {
            return;
        }
        let document = crate::browser::document();
        let figure = document.and_then(|all| all.query_selector("details.figure[open]:focus-within").ok().flatten());
        let Some(figure) = figure else {
            ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Class, String::new())));
            return ctx.dispatch(&Action::Edit(Edit::Select(None)));
        };
        // The element has the attribute.
        let _ = figure.remove_attribute("open");
        if let Some(summary) = figure.first_element_child() {
            let _ = summary.dyn_into::<HtmlElement>().map(|summary| summary.focus());
        }
    });
    on_cleanup(move || pressed.remove());
}

/// Makes `/` open the search, unless the key belongs to a text field, a dialog, a presentation or a host page.
pub(crate) fn follow_ask(ctx: Ctx) {
    const OWNERS: [&str; 4] =
        ["textarea", "select", "dialog", "input:not([type=checkbox]):not([type=radio]):not([type=range])"];
    let pressed = window_event_listener(leptos::ev::keydown, move |event| {
        let is_gone = ctx.playing.try_get_untracked().is_none();
        let has_modifier = event.ctrl_key() || event.alt_key() || event.meta_key();
        if event.key() != "/" || has_modifier || event.default_prevented() || is_gone {
            return;
        }
        if !ctx.embedded() && !ctx.presents_untracked() && !OWNERS.into_iter().any(is_within) {
            // Otherwise the browser types the key into the field of the search.
            event.prevent_default();
            navigation::open(ctx, Goal::Ask);
        }
    });
    on_cleanup(move || pressed.remove());
}

/// True if an element is on the screen.
fn is_shown(id: &str) -> bool {
    let element = crate::browser::document().and_then(|document| document.get_element_by_id(id));
    element.is_some_and(|element| element.get_bounding_client_rect().width() > 0.0)
}

/// Returns the degrees by which a key turns the cube, to the left and upward, if a cube is shown.
fn turn(ctx: Ctx, event: &KeyboardEvent) -> Option<(f32, f32)> {
    const STEP: f32 = 5.0;
    let is_cube = |session: &studio::Session| matches!(session.tools.picture, Drawing::Cube | Drawing::Cubes);
    if ctx.presents_untracked() || !ctx.session().with_untracked(is_cube) {
        return None;
    }
    match event.key().as_str() {
        "," => Some((STEP, 0.0)),
        "." => Some((-STEP, 0.0)),
        "<" => Some((0.0, -STEP)),
        ">" => Some((0.0, STEP)),
        _ => None,
    }
}

/// Returns the action of a key in the array view.
pub(crate) fn action(ctx: Ctx, event: &KeyboardEvent) -> Option<Action> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let selected = ctx.session().with_untracked(|session| session.view.selected);
    let step = if event.shift_key() { 10 } else { 1 };
    let key = event.key();
    // In a presentation, the arrows move the run, even if a PE is chosen.
    if let Some(pe) = selected.filter(|_| !ctx.presents_untracked())
        && let Some(next) = neighbor(ctx, pe, &key, u32::try_from(step).unwrap_or(1))
    {
        return Some(Action::Edit(Edit::Select(Some(next))));
    }
    if event.repeat() && matches!(key.as_str(), " " | "g" | "v" | "Enter") {
        // A key that toggles something acts once, however long a person holds it.
        event.prevent_default();
        return None;
    }
    let request = match key.as_str() {
        " " => Transport::Toggle,
        "ArrowRight" => Transport::Forward(step),
        "ArrowLeft" => Transport::Back(step),
        "PageDown" => Transport::Forward(1),
        "PageUp" => Transport::Back(1),
        "Home" => Transport::Home,
        "End" => Transport::End,
        "[" => Transport::PreviousEvent,
        "]" => Transport::NextEvent,
        "g" | "Enter" if selected.is_none() => {
            let pe = untrack(|| telling::default_caption_pe(ctx));
            return Some(Action::Edit(Edit::Select(Some(pe.unwrap_or(PeId::new(0, 0))))));
        }
        "v" if selected.is_some() => {
            ctx.hover(None);
            ctx.point(None);
            ctx.pin_next();
            // Marks the key as handled, because an outer listener would handle the key again.
            event.prevent_default();
            return None;
        }
        "g" => return Some(Action::Edit(Edit::Select(None))),
        _ => return None,
    };
    Some(Action::Move(request))
}

/// Returns the PE to which an arrow key leads from `pe`.
fn neighbor(ctx: Ctx, pe: PeId, key: &str, step: u32) -> Option<PeId> {
    let array = ctx.plan.with_untracked(|plan| plan.schedule().array());
    let (row, col) = match key {
        "ArrowUp" => (pe.row.saturating_sub(step), pe.col),
        "ArrowDown" => (pe.row + step, pe.col),
        "ArrowLeft" => (pe.row, pe.col.saturating_sub(step)),
        "ArrowRight" => (pe.row, pe.col + step),
        _ => return None,
    };
    Some(PeId::new(row.min(array.rows() - 1), col.min(array.cols() - 1)))
}

/// Returns the zoom factor of a key. A factor of 0 shows the whole array. With Control, Alt or Command, the browser
/// handles the key.
fn zoom_factor(event: &KeyboardEvent) -> Option<f32> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    match event.key().as_str() {
        "+" | "=" => Some(1.25),
        "-" => Some(0.8),
        "0" => Some(0.0),
        _ => None,
    }
}
