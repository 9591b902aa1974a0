//! The page on paper.
//!
//! Before the page is laid out for paper, the canvases are painted again, sharper and in light colors.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};
use std::rc::Rc;

use leptos::html::P;
use leptos::leptos_dom::helpers::window_event_listener_untyped;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;
use words::label;

use super::address;
use super::theme::ThemeEpoch;
use crate::browser::location;
use crate::ctx::Ctx;

/// True while the page is being printed.
static IS_PRINTING: AtomicBool = AtomicBool::new(false);

/// Returns the canvas pixels per CSS pixel: at least 3 while the page is printed, because paper is sharper than most
/// screens.
pub(crate) fn ratio(of_screen: f64) -> f64 {
    const PAPER: f64 = 3.0;
    if IS_PRINTING.load(Ordering::Relaxed) { of_screen.max(PAPER) } else { of_screen }
}

/// Paints the pictures of the array sharper and in light colors while the page is printed. Also writes the address of
/// the page and the version of the project into the foot of the page.
pub(crate) fn pictures(foot: NodeRef<P>, ctx: Ctx) {
    const THEME: &str = "data-theme";
    let epoch = use_context::<ThemeEpoch>();
    let paint = move |is_printing: bool, theme: &str| {
        IS_PRINTING.store(is_printing, Ordering::Relaxed);
        if let Some(root) = crate::browser::document().and_then(|document| document.document_element()) {
            // The root element accepts any attribute.
            let _ = root.set_attribute(THEME, theme);
        }
        // The effects that paint run after this listener, and before the page is laid out for paper.
        if let Some(epoch) = epoch {
            epoch.renew();
        }
    };
    let before = window_event_listener_untyped("beforeprint", move |_| {
        if let Some(foot) = foot.get_untracked() {
            let chrome = ctx.session().with_untracked(|session| session.view.chrome);
            let address = location::absolute_link(&untrack(|| address::link_in(ctx, chrome)));
            foot.set_text_content(Some(&label::printed(&address, env!("CARGO_PKG_VERSION"))));
        }
        paint(true, studio::Theme::Light.id());
    });
    let after = window_event_listener_untyped("afterprint", move |_| {
        paint(false, ctx.session().with_untracked(|session| session.view.theme.id()));
    });
    on_cleanup(move || {
        before.remove();
        after.remove();
    });
}

/// Opens the print dialog of the browser. Returns true if the dialog opened. A sandbox blocks the dialog without an
/// error and without the event `beforeprint`.
pub(crate) fn print() -> bool {
    let Some(window) = crate::browser::window() else { return false };
    let is_told = Rc::new(Cell::new(false));
    let told = window_event_listener_untyped("beforeprint", {
        let is_told = Rc::clone(&is_told);
        move |_| is_told.set(true)
    });
    let opened = window.print().is_ok();
    told.remove();
    opened && is_told.get()
}

/// Attribute of `details` elements that are open only while the page is printed.
const CLOSED: &str = "data-closed";

fn each(css: &str, act: impl Fn(&Element)) {
    let Some(found) = crate::browser::document().and_then(|document| document.query_selector_all(css).ok()) else {
        return;
    };
    for index in 0..found.length() {
        if let Some(element) = found.get(index).and_then(|node| node.dyn_into::<Element>().ok()) {
            act(&element);
        }
    }
}

/// True if the next print has all details of the estimate.
static PRINTS_DETAILS: AtomicBool = AtomicBool::new(false);

/// Prints the page with all details of the estimate. Returns false if the browser cannot print.
pub(crate) fn print_with_details() -> bool {
    PRINTS_DETAILS.store(true, Ordering::Relaxed);
    print()
}

/// Opens the closed details of the estimate while the page is printed with all details.
pub(crate) fn open_details() {
    // These elements accept any attribute.
    let before = window_event_listener_untyped("beforeprint", |_| {
        if !PRINTS_DETAILS.load(Ordering::Relaxed) {
            return;
        }
        // A folded topic has no answer before a person opens it.
        each("#estimate details:not([open], .folded)", |element| {
            let _ = element.set_attribute(CLOSED, "").and_then(|()| element.set_attribute("open", ""));
        });
    });
    let after = window_event_listener_untyped("afterprint", |_| {
        PRINTS_DETAILS.store(false, Ordering::Relaxed);
        each("#estimate details[data-closed]", |element| {
            let _ = element.remove_attribute("open").and_then(|()| element.remove_attribute(CLOSED));
        });
    });
    on_cleanup(move || {
        before.remove();
        after.remove();
    });
}
