//! Looking closely: the buttons, the keys and the wheel.

use whole::browser::Page;

use crate::shown;

#[test]
fn a_large_array_is_zoomed_to_its_values_and_back() {
    let page = Page::open("?rows=64&cols=64&m=64&k=64&n=64&df=ws&dt=int8&t=120&pe=30.30");
    shown(&page);
    // The array alone: the focus is drawn around it.
    let picture = || page.js("return document.querySelector('#stage canvas').toDataURL()");
    let whole = picture();
    page.click("#zoom-in");
    page.wait_until("it is larger", || picture() != whole);
    for _ in 0..20 {
        page.click("#zoom-in");
    }
    if let Some(folder) = std::env::var_os("ZOOM_SHOTS") {
        page.screenshot_png(&std::path::Path::new(&folder).join("zoomed.png"));
    }
    page.keys("#zoom-out", " ");
    assert_eq!(page.attribute("#play", "aria-label").as_deref(), Some("Play (Space)"), "Space is the button's here");
    page.keys("#stage", "0");
    page.wait_until("it is whole again", || picture() == whole);
    page.js("const canvas = document.querySelector('#stage canvas'), box = canvas.getBoundingClientRect(); \
         canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, ctrlKey: true, bubbles: true, cancelable: true, \
         clientX: box.x + 300, clientY: box.y + 300 }))");
    page.wait_until("the wheel with Control zooms", || picture() != whole);
    let prevented = page.js("const wheel = new WheelEvent('wheel', { deltaY: -1, bubbles: true, cancelable: true }); \
         document.querySelector('#stage canvas').dispatchEvent(wheel); return wheel.defaultPrevented");
    assert_eq!(prevented.as_bool(), Some(false), "the wheel alone belongs to the page");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}
