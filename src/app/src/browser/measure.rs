//! How large an element is, in CSS pixels and in the screen's.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// The size of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    /// Width in CSS pixels.
    pub(crate) width: f32,
    /// Height in CSS pixels.
    pub(crate) height: f32,
    /// Screen pixels per CSS pixel.
    pub(crate) ratio: f64,
    /// Pixels of the window per pixel of the style sheet, which may show the page larger.
    pub(crate) zoom: f64,
}

#[expect(clippy::cast_possible_truncation, reason = "sizes of a screen")]
fn measured(element: &Element) -> Size {
    let rect = element.get_bounding_client_rect();
    let ratio = super::window().map_or(1.0, |window| window.device_pixel_ratio());
    let zoom = zoom();
    Size { width: (rect.width() / zoom) as f32, height: (rect.height() / zoom) as f32, ratio: ratio * zoom, zoom }
}

fn zoom() -> f64 {
    let style = super::window()
        .zip(super::document().and_then(|document| document.document_element()))
        .and_then(|(window, root)| window.get_computed_style(&root).ok().flatten());
    let text = style.and_then(|style| style.get_property_value("zoom").ok());
    text.and_then(|text| display::number::read(&text)).filter(|zoom| *zoom > 0.0).unwrap_or(1.0)
}

/// Follows the size of an element for as long as the current owner lives. The observer reports the first size too.
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

/// The size of an element, as it changes.
pub(crate) fn size_of(element: NodeRef<Div>) -> ReadSignal<Size> {
    let (size, set_size) = signal(Size::default());
    super::effect(Box::new(move || {
        if let Some(element) = element.get() {
            follow(&element, set_size);
        }
    }));
    size
}
