//! Tests of fingers and the mouse on the array.

use serde_json::{Value, json};
use whole::browser::{Page, Setting};

use crate::shown;

/// Opens a link on a phone, where 24 pixels of a swipe are a cycle.
fn phone(query: &str) -> Page {
    let page = Page::new(Setting::window(360, 740));
    page.goto(query);
    shown(&page);
    page
}

/// Window position of a place on the array's canvas. The place is given as shares of width and height.
fn at(page: &Page, across: f64, down: f64) -> (f64, f64) {
    let place = page.js(&format!(
        "const box = document.querySelector('#stage canvas').getBoundingClientRect(); \
         return [box.x + box.width * {across}, box.y + box.height * {down}]"
    ));
    (place[0].as_f64().expect("a number"), place[1].as_f64().expect("a number"))
}

fn touch(page: &Page, kind: &str, points: &[(f64, f64)]) {
    let points: Vec<Value> = points.iter().zip(0..).map(|((x, y), id)| json!({ "x": x, "y": y, "id": id })).collect();
    page.cdp("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
}

/// Moves one finger by `dx` and `dy` pixels, in small steps.
fn swipe(page: &Page, (x, y): (f64, f64), (dx, dy): (f64, f64)) {
    touch(page, "touchStart", &[(x, y)]);
    for step in 1..=12 {
        let part = f64::from(step) / 12.0;
        touch(page, "touchMove", &[(x + dx * part, y + dy * part)]);
    }
    touch(page, "touchEnd", &[]);
}

fn picture(page: &Page) -> Value {
    page.js("return document.querySelector('#stage canvas').toDataURL()")
}

#[test]
fn a_finger_sideways_goes_through_time_and_up_or_down_scrolls() {
    let page = phone("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=3");
    swipe(&page, at(&page, 0.2, 0.5), (121.0, 4.0));
    page.wait_until("five cycles have passed", || page.text("#clock").starts_with("8 "));
    swipe(&page, at(&page, 0.8, 0.5), (-250.0, 2.0));
    page.wait_until("back to the beginning", || page.text("#clock").starts_with("0 "));
    assert!(!page.url().contains("pe="), "a swipe chooses nothing: {}", page.url());
    swipe(&page, at(&page, 0.5, 0.8), (3.0, -180.0));
    page.click("#tab-change");
    let scrolled = || page.js("return document.querySelector('#change').scrollTop").as_f64().unwrap_or_default();
    assert!(scrolled() < 1.0);
    swipe(&page, (20.0, 620.0), (3.0, -180.0));
    page.wait_until("the settings scroll", || scrolled() > 50.0);
    page.click("#tab-run");
    assert!(page.text("#clock").starts_with("0 "), "scrolling passes no time");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_swipe_that_begins_on_a_button_scrolls_and_sets_nothing() {
    const RUN: &str = "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=3";
    let page = phone(RUN);
    page.click("#tab-change");
    // Position in the window of the button that increases M, and the element at this place.
    let button = |page: &Page| {
        page.wait_until("the settings are there", || page.count("#values") == 1);
        let place = page.js("const box = document.querySelector('#m-more').getBoundingClientRect(); \
             const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]; \
             return [x, y, document.elementFromPoint(x, y)?.id]");
        assert_eq!(place[2], "m-more");
        (place[0].as_f64().expect("a number"), place[1].as_f64().expect("a number"))
    };
    swipe(&page, button(&page), (2.0, -180.0));
    let scrolled = || page.js("return document.querySelector('#change').scrollTop").as_f64().unwrap_or_default();
    page.wait_until("the settings scroll", || scrolled() > 50.0);
    let m = |page: &Page| page.js("return document.querySelector('#m').value").as_str().unwrap_or_default().to_owned();
    page.wait_until("M is as before", || m(&page) == "6");
    let page = phone(RUN);
    page.click("#tab-change");
    let at = button(&page);
    touch(&page, "touchStart", &[at]);
    page.wait_until("a finger that rests increases M", || m(&page) != "6");
    touch(&page, "touchEnd", &[]);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_tap_chooses_a_pe() {
    let page = phone("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=3");
    let (x, y) = at(&page, 0.6, 0.4);
    touch(&page, "touchStart", &[(x, y)]);
    touch(&page, "touchEnd", &[]);
    page.wait_until("it is in the link", || page.url().contains("pe="));
}

#[test]
fn two_fingers_look_closer() {
    let page = phone("?rows=32&cols=32&m=32&k=32&n=32&df=ws&dt=int8&t=40");
    let (whole, (x, y)) = (picture(&page), at(&page, 0.5, 0.5));
    touch(&page, "touchStart", &[(x - 20.0, y)]);
    touch(&page, "touchStart", &[(x - 20.0, y), (x + 20.0, y)]);
    for step in 1..=10 {
        let apart = 20.0 + 8.0 * f64::from(step);
        touch(&page, "touchMove", &[(x - apart, y), (x + apart, y)]);
    }
    touch(&page, "touchEnd", &[]);
    page.wait_until("the array is larger", || picture(&page) != whole);
    assert!(page.text("#clock").starts_with("40 "), "two fingers pass no time");
    assert_eq!(page.count("canvas.zoomed"), 1);
}

#[test]
fn what_a_finger_presses_is_as_high_as_a_finger() {
    // Words in sentences are only as tall as their line, and the touch area of a slider is larger than it looks. So
    // neither is checked.
    const LOW: &str = "return [...document.querySelectorAll('button, summary, select, a, input')].filter(one => { \
        const box = one.getBoundingClientRect(); \
        return box.width > 1 && box.height > 0 && box.height < 43.5 && one.checkVisibility() \
            && !one.matches('.term, .skip, .picture input, [type=range]'); \
        }).map(one => `${one.id} ${one.className} ${one.textContent.trim()} ${one.getBoundingClientRect().height}`)";
    let page = Page::new(Setting::default());
    for (width, height) in [(360, 740), (640, 480), (820, 1180), (1180, 820), (1366, 1024)] {
        page.resize(width, height);
        page.cdp("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        page.cdp("Emulation.setEmulatedMedia", json!({ "features": [{ "name": "pointer", "value": "coarse" }] }));
        page.goto("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=15");
        shown(&page);
        page.wait_for(".next-steps button");
        assert_eq!(page.js("return matchMedia('(pointer: coarse)').matches").as_bool(), Some(true));
        let low = page.js(LOW);
        assert_eq!(low, json!([]), "{width}×{height}");
    }
}

fn mouse(page: &Page, kind: &str, (x, y): (f64, f64)) {
    let held = u8::from(kind != "mouseReleased");
    page.cdp(
        "Input.dispatchMouseEvent",
        json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": held, "clickCount": 1 }),
    );
}

#[test]
fn a_drag_moves_what_is_looked_at_and_is_no_click() {
    let page = Page::open("?rows=32&cols=32&m=32&k=32&n=32&df=ws&dt=int8&t=40");
    shown(&page);
    for _ in 0..4 {
        page.click("#zoom-in");
    }
    let (before, (x, y)) = (picture(&page), at(&page, 0.5, 0.5));
    mouse(&page, "mousePressed", (x, y));
    mouse(&page, "mouseMoved", (x + 40.0, y + 30.0));
    mouse(&page, "mouseMoved", (x + 80.0, y + 60.0));
    mouse(&page, "mouseReleased", (x + 80.0, y + 60.0));
    page.wait_until("it has moved", || picture(&page) != before);
    assert!(!page.url().contains("pe="), "{}", page.url());
    mouse(&page, "mousePressed", (x, y));
    mouse(&page, "mouseReleased", (x, y));
    page.wait_until("a click chooses", || page.url().contains("pe="));
}

#[test]
fn a_click_finds_its_pe_where_the_page_is_shown_larger() {
    let page = Page::new(Setting::default());
    for theme in ["light", "projector"] {
        page.resize(1920, 1080);
        page.goto(&format!("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7&theme={theme}"));
        shown(&page);
        // A pointed PE and a clicked PE must be at the same place.
        let mut found = std::collections::BTreeSet::new();
        for (across, down) in [(0.48, 0.5), (0.62, 0.68), (0.48, 0.68), (0.62, 0.5)] {
            let place = at(&page, across, down);
            mouse(&page, "mousePressed", place);
            mouse(&page, "mouseReleased", place);
            let told = || page.js("return new URL(location).searchParams.get('pe')").as_str().map(str::to_owned);
            page.wait_until("a PE is chosen", || told().is_some_and(|pe| !found.contains(&pe)));
            found.extend(told());
        }
        assert_eq!(found.len(), 4, "{theme}: {found:?}");
        let rows: std::collections::BTreeSet<_> = found.iter().map(|pe| pe.split('.').next()).collect();
        assert_eq!(rows.len(), 2, "two rows and two columns in {theme}: {found:?}");
    }
}

#[test]
fn a_matrix_of_numpy_is_opened_or_refused_next_to_its_field() {
    let page = Page::new(Setting::window(1366, 900));
    page.goto("?rows=2&cols=2&fill=custom#a=1,2;3,4&b=1,0;0,1");
    shown(&page);
    page.click("#as-text summary");
    let path = std::env::temp_dir().join(format!("matrix-{}.npy", std::process::id()));
    let open = |values: &[f32]| {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n";
        let length = u16::try_from(header.len()).expect("short").to_le_bytes();
        let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let file = [&b"\x93NUMPY\x01\x00"[..], &length, header.as_bytes(), &values].concat();
        std::fs::write(&path, file).expect("written");
        page.keys("#a-file", &path.to_string_lossy());
    };
    open(&[7.0, -2.0, 3.0, 5.0]);
    page.wait_until("the link has the matrix", || page.url().contains("a=7,-2;3,5"));
    open(&[7.0]);
    page.wait_until("it says why", || page.text("#as-text").contains("A: the file is not complete"));
    assert!(page.url().contains("a=7,-2;3,5"), "the matrix stays");
    std::fs::remove_file(path).expect("removed");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_press_on_the_other_matrix_as_text_leaves_both_matrices_open() {
    let rows = vec!["1,2"; 20].join(";");
    let page = Page::new(Setting::window(1366, 900));
    page.goto(&format!("?rows=4&cols=4&t=3#a={rows}&b=1,0,2;0,1,3"));
    shown(&page);
    page.wait_for("#as-text[open] #a");
    page.js("document.querySelector('#a').focus(); document.querySelector('#a').select()");
    page.keys("#a", "1,2;3,4;5,6");
    page.js("document.querySelector('#b').scrollIntoView({ block: 'center' })");
    let center = || {
        page.js("const box = document.querySelector('#b').getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]")
    };
    let before = center();
    let mouse = |kind: &str| {
        page.cdp(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": before[0], "y": before[1], "button": "left", "clickCount": 1 }),
        );
    };
    mouse("mousePressed");
    mouse("mouseReleased");
    page.wait_until("the run has the new matrix", || page.url().contains("m=3"));
    assert_eq!(page.count("#as-text[open] #b"), 1);
    page.wait_until("grids are there", || page.count("#b-0-0") == 1);
    assert_eq!(center(), before, "the text area stays under the pointer");
    assert_eq!(page.js("return document.activeElement.id"), "b");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_number_is_edited_where_it_stands_and_the_picture_stays_in_place() {
    let page = Page::new(Setting::window(1366, 768));
    page.goto("?");
    shown(&page);
    page.wait_until("the page is whole", || page.count("#tool-compare") == 1 && page.text("#clock").starts_with("7 "));
    // The number in row 1 and column 2 of A, which is −2.
    for kind in ["mousePressed", "mouseReleased"] {
        page.cdp(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": 289, "y": 294, "button": "left", "clickCount": 1 }),
        );
    }
    let focus = || page.js("return document.activeElement.id");
    page.wait_until("its field has the focus", || focus() == "a-1-2");
    let box_of = |id: &str| {
        page.js(&format!("const box = document.querySelector('{id}').getBoundingClientRect(); return [box.x, box.y]"))
    };
    let before = box_of("#b-0-0");
    assert_eq!(page.count("#stage .cells #a-1-2"), 1, "above the array view");
    assert!(!page.url().contains("fill"), "a look is no change: {}", page.url());
    page.keys("#a-1-2", "5");
    // Row 1 of C was 96, 61, −39; each c[1,n] grows by 7 · b[2,n].
    page.wait_until("the run has the number", || page.url().contains("1,-4,5,-9"));
    assert_eq!(box_of("#b-0-0"), before, "nothing moves");
    page.keys("#a-1-2", "\u{e007}");
    page.wait_until("Enter goes on", || focus() == "a-2-2");
    page.keys("#a-2-2", "\u{e00c}");
    page.wait_until("Escape leaves", || focus() == "stage" && page.count(".cells") == 0);
    page.wait_until("the change can be undone", || page.count("#undo:not([hidden])") == 1);
    page.click("#undo");
    page.wait_until("the number is back", || !page.url().contains("fill") && page.count("#undo[hidden]") == 1);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_press_on_the_name_of_an_event_shows_the_event() {
    let page = Page::new(Setting::window(1366, 768));
    page.goto("?");
    shown(&page);
    // At cycle 7, the name of the full array has no place over its cycle, 9.
    page.wait_until("the page is whole", || page.count("#tool-compare") == 1 && page.text("#clock").starts_with("7 "));
    let at = page.js("const box = document.querySelector('.timeline').getBoundingClientRect(); \
         return [box.x + box.width * 0.665, box.y + 7]");
    for kind in ["mousePressed", "mouseReleased"] {
        page.cdp(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1 }),
        );
    }
    page.wait_until("all used PEs are active", || page.text("#clock").starts_with("9 "));
    assert!(page.text("#caption").starts_with("All 12 used PEs are multiplying"), "{}", page.text("#caption"));
}
