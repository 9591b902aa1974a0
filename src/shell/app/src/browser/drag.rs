//! A drag across an element, by mouse, pen or finger.

use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

fn element(event: &PointerEvent) -> Option<Element> {
    event.current_target()?.dyn_into().ok()
}

/// Starts a drag: the element gets all events of the pointer until its button is released.
pub(crate) fn start(event: &PointerEvent) {
    if let Some(element) = element(event) {
        // Without the capture, the drag ends at the edge of the element.
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

/// Returns the distance of the pointer from the left edge of the element, in pixels. `None` unless the pointer drags.
pub(crate) fn place(event: &PointerEvent) -> Option<f64> {
    let element = element(event).filter(|element| element.has_pointer_capture(event.pointer_id()))?;
    Some(f64::from(event.client_x()) - element.get_bounding_client_rect().left())
}
