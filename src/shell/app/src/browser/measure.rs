//! The size of a page element, in pixels of its bitmap and in pixels of the screen.
//!
//! The projector theme has its own layout (`style/projector.css`). The theme's property `--scale` enlarges a canvas, so
//! that people in the last row can read the smallest letters of a picture (11 px). The array view then has fewer
//! pixels, as on a small screen.

use core::time::Duration;

use super::timer::later;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, MediaQueryList, ResizeObserver};

/// The size of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    /// Width in pixels of the picture. Unless the style sheets scale the picture, these pixels are CSS pixels.
    pub(crate) width: f32,
    /// Height in pixels of the picture.
    pub(crate) height: f32,
    /// Screen pixels per pixel of the picture.
    pub(crate) ratio: f64,
    /// Pixels of the window per pixel of the picture, including the `zoom` of the page.
    pub(crate) zoom: f64,
    /// CSS pixels per pixel of the picture, without the `zoom` of the page.
    pub(crate) scale: f64,
    /// Distance from the left and top edge of the parent element, in CSS pixels.
    pub(crate) offset: (i32, i32),
}

#[expect(clippy::cast_possible_truncation, reason = "sizes of a screen")]
fn measured(element: &Element) -> Size {
    let rect = element.get_bounding_client_rect();
    let ratio = super::window().map_or(1.0, |window| window.device_pixel_ratio());
    let scale = scale(element);
    let offset =
        element.dyn_ref().map_or((0, 0), |element: &HtmlElement| (element.offset_left(), element.offset_top()));
    let zoom = page_zoom() * scale;
    Size {
        width: (rect.width() / zoom) as f32,
        height: (rect.height() / zoom) as f32,
        ratio: ratio * zoom,
        zoom,
        scale,
        offset,
    }
}

/// Returns a positive number from a style property of an element, if the style sheets set one.
fn styled(element: &Element, property: &str) -> Option<f64> {
    let style = super::window()?.get_computed_style(element).ok().flatten()?;
    display::number::read(style.get_property_value(property).ok()?.trim()).filter(|number| *number > 0.0)
}

/// Returns the property `zoom` of the root element, by which the page is enlarged.
fn page_zoom() -> f64 {
    let root = super::document().and_then(|document| document.document_element());
    root.and_then(|root| styled(&root, "zoom")).unwrap_or(1.0)
}

/// Returns the factor by which a picture is enlarged for reading from afar. This factor is the property `--scale` of
/// the element. On a wall (`--wall`), the factor instead grows with the window, and gives the smallest letters 24 px at
/// 1280×720.
fn scale(element: &Element) -> f64 {
    const LETTERS: (f64, f64) = (24.0, 11.0);
    if styled(element, "--wall").is_none() {
        return styled(element, "--scale").unwrap_or(1.0);
    }
    let side = |side: Option<wasm_bindgen::JsValue>| side.and_then(|side| side.as_f64()).unwrap_or(0.0);
    let window = super::window();
    let width = side(window.as_ref().and_then(|window| window.inner_width().ok()));
    let height = side(window.as_ref().and_then(|window| window.inner_height().ok()));
    (width.max(height) / 1280.0).min(width.min(height) / 720.0) * LETTERS.0 / LETTERS.1
}

/// Writes each new size of an element into `size`, until the current Leptos owner is dropped. The observer also reports
/// the first size.
pub(crate) fn follow(element: &Element, size: WriteSignal<Size>) {
    let watched = element.clone();
    let changed = Closure::<dyn FnMut()>::new(move || {
        size.try_set(measured(&watched));
    });
    if let Ok(observer) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
        observer.observe(element);
        let observed = StoredValue::new_local(Some((observer, changed)));
        on_cleanup(move || {
            if let Some(Some((observer, _))) = observed.try_update_value(Option::take) {
                observer.disconnect();
            }
        });
    }
}

/// Media queries whose limits are between the common pixel ratios of screens: 1, 1.25, 1.5, 1.75, 2, 2.5, 3.
const RATIOS: [&str; 6] = [
    "(min-resolution: 1.1dppx)",
    "(min-resolution: 1.4dppx)",
    "(min-resolution: 1.6dppx)",
    "(min-resolution: 1.9dppx)",
    "(min-resolution: 2.2dppx)",
    "(min-resolution: 2.7dppx)",
];

/// Measures the canvases again when the window moves to a screen with another pixel ratio. Such a move changes the size
/// of no element, so the observers of the canvases report nothing.
///
/// The function sets the attribute `data-measured` of the root element for a moment. The style sheet then changes only
/// the content box of each canvas, and the canvas's observer reports this change.
pub(crate) fn follow_ratio() {
    const AGAIN: &str = "data-measured";
    let changed = Closure::<dyn FnMut()>::new(|| {
        if let Some(root) = super::document().and_then(|document| document.document_element()) {
            // The root element accepts any attribute. The observer reports the change in the next frame.
            let _ = root.set_attribute(AGAIN, "");
            later(move || _ = root.remove_attribute(AGAIN), Duration::from_millis(100));
        }
    });
    let lists: Vec<MediaQueryList> = RATIOS
        .iter()
        .filter_map(|query| super::window()?.match_media(query).ok().flatten())
        .inspect(|list| list.set_onchange(Some(changed.as_ref().unchecked_ref())))
        .collect();
    // The listener and the lists live as long as the page.
    let _listeners = StoredValue::new_local((changed, lists));
}

/// Returns the size of an element as a signal.
pub(crate) fn size_of(element: NodeRef<Div>) -> ReadSignal<Size> {
    let (size, set_size) = signal(Size::default());
    super::effect(move || {
        if let Some(element) = element.get() {
            follow(&element, set_size);
        }
    });
    size
}
