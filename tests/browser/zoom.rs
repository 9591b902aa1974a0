//! Tests of the zoom: buttons, keys and wheel.

use serde_json::json;
use whole::browser::{Page, Setting};

use crate::shown;

#[test]
fn a_large_array_is_zoomed_to_its_values_and_back() {
    let page = Page::open("?rows=64&cols=64&m=64&k=64&n=64&df=ws&dt=int8&t=120&pe=30.30");
    shown(&page);
    // Only the canvas is compared, because the focus is drawn around it.
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

#[test]
fn a_screen_with_other_pixels_shows_the_same_picture_as_sharp() {
    let page = Page::new(Setting::default());
    // An emulated screen does not report a change of its pixels, so the test reports the change as a real screen does.
    let kept = "const asked = []; const match = matchMedia.bind(window); \
        window.matchMedia = query => { const list = match(query); asked.push([list, list.matches]); return list; }; \
        window.tellOfScreen = () => asked.forEach(entry => { const [list, before] = entry; \
          if (list.matches !== before) { entry[1] = list.matches; list.onchange?.(new Event('change')); } })";
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": kept }));
    page.goto("?rows=8&cols=8&m=8&k=8&n=8&df=ws&dt=int8&t=9");
    shown(&page);
    let width = |css: &str| page.js(&format!("return document.querySelector('{css} canvas').width")).as_u64();
    let canvases = [".stage", ".timeline"];
    let before = canvases.map(|css| width(css).expect("a canvas"));
    let screen = |ratio: f64| {
        let view = json!({ "width": 1280, "height": 800, "deviceScaleFactor": ratio, "mobile": false });
        page.cdp("Emulation.setDeviceMetricsOverride", view);
        page.js("tellOfScreen()");
    };
    for (ratio, per_before) in [(1.0, 1), (2.0, 2), (1.0, 1)] {
        screen(ratio);
        for (css, before) in canvases.iter().zip(before) {
            page.wait_until("it is as sharp as the screen", || {
                width(css).is_some_and(|width| width.abs_diff(per_before * before) <= 2)
            });
        }
    }
}
