//! Tests of the element: its attributes, its size, its still picture, and its theme.

use serde_json::{Value, json};
use whole::browser::{Page, Setting};

use crate::host::{ELEMENT, ask, host, host_with};

/// Number of frames that the element has made.
const FRAMES: &str =
    "return performance.getEntriesByType('resource').filter(entry => entry.initiatorType === 'iframe').length";

/// Checks that every statement of the script in the element's README runs.
#[test]
fn the_readme_of_the_element_is_true() {
    let readme = std::fs::read_to_string(publish::root().join("npm/README.md")).expect("README");
    let script = readme.split("```js\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let page = host(ELEMENT);
    let done = page.js_async(&format!("{script}\nreturn [utilization_pct, (await array.getState()).view.theme]"));
    // The run computes 64·4·3 products on 16 PEs in 2·4 + 4 + 64 − 2 cycles.
    assert_eq!(done, json!([100.0 * 768.0 / (16.0 * 74.0), "dark"]));
}

#[test]
fn a_changed_attribute_is_one_edit_and_an_equal_one_is_none() {
    let page = host(ELEMENT);
    page.js(
        "window.changes = 0; document.querySelector('systolic-playground').addEventListener('change', () => window.changes++)",
    );
    ask(&page, "getState", &json!({}));
    ask(&page, "seek", &json!({ "cycle": 9 }));
    assert_eq!(page.js(FRAMES), json!(1));
    page.js("const array = document.querySelector('systolic-playground'); array.setAttribute('rows', '4'); \
             array.setAttribute('m', '9'); array.setAttribute('n', '5'); array.setAttribute('pe', '2.1'); \
             array.setAttribute('theme', 'dark'); array.setAttribute('highlight', 'fill')");
    let state = || ask(&page, "getState", &json!({}))["ok"].clone();
    page.wait_until("the settings are those of the attributes", || state()["settings"]["n"] == json!(5));
    let now = state();
    assert_eq!((&now["settings"]["m"], &now["cycle"]), (&json!(9), &json!(9)), "the cycle stays");
    assert_eq!(
        (&now["view"]["pe"], &now["view"]["theme"], &now["view"]["class"]),
        (&json!("2.1"), &json!("dark"), &json!("fill"))
    );
    page.wait_until("one edit", || page.js("return window.changes") == json!(1));
    page.js("document.querySelector('systolic-playground').removeAttribute('m')");
    page.wait_until("the default", || state()["settings"]["m"] == json!(6));
    page.wait_until("two edits", || page.js("return window.changes") == json!(2));
    page.js("document.querySelector('systolic-playground').setAttribute('a', '1,2;3,4'); \
             document.querySelector('systolic-playground').setAttribute('b', '5;6')");
    page.wait_until("own matrices", || state()["settings"]["a"] == json!("1,2;3,4"));
    assert_eq!(page.js(FRAMES), json!(1), "the frame was never loaded again");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn the_element_has_a_value_and_fires_input_when_the_value_changes() {
    let page = host(&ELEMENT.replace("t=7", "t=0 speed=60").replace("loading=eager", "loading=click"));
    page.js_async("await customElements.whenDefined('systolic-playground')");
    assert_eq!(page.js("return document.querySelector('systolic-playground').value === undefined"), json!(true));
    page.js("window.inputs = []; document.addEventListener('input', (event) => inputs.push( \
               { at: performance.now(), value: event.target.value, detail: event.detail === undefined }))");
    let value = || page.js("return document.querySelector('systolic-playground').value");
    let n_inputs = || page.js("return inputs.length").as_u64().unwrap_or_default();
    let state = ask(&page, "getState", &json!({}))["ok"].clone();
    let names = ["link", "settings", "cycle", "last", "array_mfu_pct", "array_usd_per_1e18"];
    let of_state =
        |state: &Value| names.map(|name| (name.to_owned(), state[name].clone())).into_iter().collect::<Value>();
    assert_eq!((value(), value()["cycle"].clone()), (of_state(&state), json!(0)));
    page.wait_until("the first value", || n_inputs() == 1);
    // An answer that changes nothing fires no event.
    ask(&page, "getState", &json!({}));
    ask(&page, "play", &json!({}));
    page.wait_until("the end", || value()["cycle"] == json!(15));
    page.wait_until("the last input has the last value", || page.js("return inputs.at(-1).value.cycle") == json!(15));
    let link = value()["link"].as_str().unwrap_or_default().to_owned();
    assert_eq!(studio::Link::parse(link.trim_start_matches('?'), "").cycle, systolic::Cycle(15));
    // The run computes 64·4·3 products on 16 PEs in 2·4 + 4 + 64 − 2 cycles. Cycles are counted from 0, so the last is
    // 73.
    let set = ask(&page, "setState", &json!({ "settings": { "m": 64 } }))["ok"].clone();
    assert_eq!((value(), value()["last"].clone()), (of_state(&set), json!(73)));
    page.wait_until("an input of the setting", || page.js("return inputs.at(-1).value.settings.m") == json!(64));
    let cycles = page.js("return inputs.map(({ value }) => value.cycle)");
    assert_eq!(cycles[0], json!(0), "an earlier value stays as it was: {cycles}");
    let seen = page.js("return [inputs.every(({ detail }) => detail), \
         inputs.slice(1).every(({ value }, nth) => value.link !== inputs[nth].value.link), \
         inputs.slice(1).every(({ at }, nth) => at - inputs[nth].at > 45)]");
    assert_eq!(seen, json!([true, true, true]), "no detail, a change each time, at most twenty times a second");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_lock_and_another_attribute_of_the_same_time_are_both_used() {
    for names in [["lock", "rows"], ["rows", "lock"]] {
        let page = host(ELEMENT);
        ask(&page, "getState", &json!({}));
        page.js(&format!(
            "window.errors = []; const array = document.querySelector('systolic-playground'); \
             array.addEventListener('error', event => errors.push(event.detail.message)); \
             for (const name of {}) array.setAttribute(name, {{ lock: 'array', rows: '6' }}[name])",
            json!(names)
        ));
        assert_eq!(ask(&page, "getState", &json!({}))["ok"]["settings"]["rows"], json!(6), "{names:?}");
        assert_eq!(page.js("return errors"), json!([]), "{names:?}");
    }
}

#[test]
fn matrices_are_attributes_and_what_cannot_be_used_is_an_error_of_the_element() {
    let page = host(&ELEMENT.replace("rows=4 cols=4 m=6 k=4 n=3", "a='1,2;3,4' b='5;6' rows=99999"));
    page.js("window.errors = []; window.above = 0; const array = document.querySelector('systolic-playground'); \
             array.addEventListener('error', event => errors.push([event.detail.code, event.detail.message])); \
             document.addEventListener('change', () => window.above++); array.setAttribute('ui', 'embed')");
    assert_eq!(ask(&page, "result", &json!({}))["ok"], json!([[17], [39]]), "by hand");
    page.wait_until("the element reports its link", || page.js("return errors.length").as_u64() > Some(0));
    let told = page.js("return errors[0]");
    assert!(told[0] == json!("E_LINK") && told[1].as_str().is_some_and(|text| text.contains("rows = 99999")), "{told}");
    page.js("document.querySelector('systolic-playground').setAttribute('cols', 'zebra')");
    page.wait_until("the attribute is refused", || page.js("return errors.at(-1)[0]") == json!("E_RANGE"));
    ask(&page, "setState", &json!({ "settings": { "m": 9 } }));
    assert_eq!(page.js("return window.above"), json!(0), "a form above the element hears none of its changes");
}

#[test]
fn a_strict_host_shows_the_element_in_its_size() {
    let policy = "default-src 'none'; script-src BASE 'unsafe-eval' 'unsafe-inline'; style-src 'self'; frame-src BASE; img-src BASE data:; \
                  require-trusted-types-for 'script'";
    let head = format!("<meta http-equiv='Content-Security-Policy' content=\"{policy}\">");
    let page = host_with(&head, &ELEMENT.replace("style='width:800px'", ""));
    assert_eq!(ask(&page, "getState", &json!({}))["ok"]["cycle"], json!(7));
    let sizes = page.js("const array = document.querySelector('systolic-playground'); \
        return [array, array.shadowRoot.querySelector('iframe')].map(one => [one.clientWidth > 800, one.clientHeight > 500])");
    assert_eq!(sizes, json!([[true, true], [true, true]]));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_still_picture_of_the_book_becomes_live_under_its_policy() {
    let page = Page::new(Setting::default());
    page.visit(&format!("{}docs/embedding.html", page.server().url()));
    page.js_async("await customElements.whenDefined('systolic-playground')");
    let frame = "return !!document.querySelector('systolic-playground').shadowRoot.querySelector('iframe')";
    assert_eq!(page.js(frame), json!(false));
    page.js("document.querySelector('systolic-playground').shadowRoot.querySelector('button').click()");
    assert_eq!(ask(&page, "getState", &json!({}))["ok"]["cycle"], json!(7));
    assert_eq!(page.js(frame), json!(true));
    // A build without the command line has no drawings of runs.
    let errors: Vec<String> =
        page.console_errors().into_iter().filter(|line| !line.contains("/pictures/run-")).collect();
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
fn a_hidden_element_is_hidden_and_one_for_a_click_is_a_button() {
    let page = host(&format!("{}<p>", ELEMENT.replace("loading=eager", "loading=click")));
    page.js_async("await customElements.whenDefined('systolic-playground')");
    let has_frame =
        || page.js("return !!document.querySelector('systolic-playground').shadowRoot.querySelector('iframe')");
    assert_eq!(has_frame(), json!(false));
    // An element that moves in the page still has one button.
    page.js(
        "const array = document.querySelector('systolic-playground'); array.remove(); document.body.prepend(array)",
    );
    let buttons =
        page.js("return document.querySelector('systolic-playground').shadowRoot.querySelectorAll('button').length");
    assert_eq!(buttons, json!(1));
    page.press('\u{e004}', false);
    let focused = page.js("return document.activeElement.shadowRoot?.activeElement?.getAttribute('aria-label')");
    assert_eq!(focused, json!("Start: An array"));
    page.press('\u{e007}', false);
    page.wait_until("it starts", || has_frame() == json!(true));
    let cycle = || ask(&page, "getState", &json!({}))["ok"]["cycle"].clone();
    assert_eq!(cycle(), json!(7));
    page.press('\u{e014}', false);
    page.wait_until("the frame hears the keyboard", || cycle() == json!(8));
    page.js("document.querySelector('systolic-playground').hidden = true");
    assert_eq!(
        page.js("return document.querySelector('systolic-playground').getBoundingClientRect().height"),
        json!(0)
    );
}

#[test]
fn a_frame_follows_the_color_scheme_of_its_host() {
    let page = host_with("<style>.dark { color-scheme: dark }</style>", ELEMENT);
    let theme = || ask(&page, "getState", &json!({}))["ok"]["view"]["theme"].clone();
    assert_eq!(theme(), json!("auto"), "the host says nothing");
    page.js("document.documentElement.className = 'dark'");
    page.wait_until("it is dark", || theme() == json!("dark"));
    page.js("document.documentElement.className = ''");
    page.wait_until("it is as before", || theme() == json!("auto"));
    page.js("document.querySelector('systolic-playground').setAttribute('theme', 'light'); document.documentElement.className = 'dark'");
    page.wait_until("its own theme counts", || theme() == json!("light"));
    page.js("document.querySelector('systolic-playground').removeAttribute('theme')");
    page.wait_until("without a theme, it follows its host again", || theme() == json!("dark"));
}

#[test]
fn a_frame_follows_a_host_that_follows_the_system() {
    let rule = "@media (prefers-color-scheme: dark) { :root { color-scheme: dark } } \
        @media (prefers-color-scheme: light) { :root { color-scheme: light } }";
    let page = host_with(&format!("<style>{rule}</style>"), ELEMENT);
    let theme = || ask(&page, "getState", &json!({}))["ok"]["view"]["theme"].clone();
    for scheme in ["light", "dark", "light"] {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        page.cdp("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
        page.wait_until("it follows", || theme() == json!(scheme));
    }
}

#[test]
fn a_call_comes_after_the_attributes_that_were_set_before_it() {
    let page = host(ELEMENT);
    ask(&page, "getState", &json!({}));
    let cycle = page.js_async(
        "const array = document.querySelector('systolic-playground'); array.setAttribute('m', '9'); \
         array.setAttribute('t', '9'); return (await array.seek({ cycle: 3 })).cycle",
    );
    assert_eq!((cycle, ask(&page, "getState", &json!({}))["ok"]["cycle"].clone()), (json!(3), json!(3)));
}

#[test]
fn the_snippet_of_the_readme_shows_values_a_caption_and_the_way_out_on_a_phone() {
    let readme = std::fs::read_to_string(publish::root().join("README.md")).expect("README");
    let code = readme.split("```html\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a snippet");
    let element = code.lines().find(|line| line.starts_with("<systolic-playground")).expect("an element");
    // The content is as wide as on a phone of 375 pixels, because Firefox has no window narrower than 450 pixels.
    let phone = "<meta name=viewport content='width=device-width'><style>body { width: 359px }</style>";
    let page = host_with(phone, element);
    page.set_view((500, 740));
    let link = studio::Link::parse("rows=8&cols=8&df=os", "");
    let plan = studio::Plan::new(&link.scenario).expect("a run");
    page.wait_until("the PEs have room for values", || {
        page.enter_shadow_frame("systolic-playground");
        let sides = page
            .js("const { width, height } = document.querySelector('#stage')?.getBoundingClientRect() ?? {}; \
             return [width ?? 0, height ?? 0]");
        page.leave_frame();
        #[expect(clippy::cast_possible_truncation, reason = "sizes of a screen")]
        let [wide, tall] = [0, 1].map(|nth| sides[nth].as_f64().unwrap_or_default() as f32);
        stage::Layout::new(&plan, wide, tall).detail >= stage::Detail::Value
    });
    page.enter_shadow_frame("systolic-playground");
    page.wait_for(".open-full a");
    let seen = page.js("return ['#clock', '.open-full a', '.caption-line .prose strong'].map(part => \
         document.querySelector(part).getBoundingClientRect().height > 10)");
    assert_eq!(seen, json!([true, true, true]));
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn at_the_height_that_it_asks_for_a_frame_shows_the_values_in_the_pes() {
        for width in [360, 480, 600, 688, 800] {
            let page = host(&ELEMENT.replace("style='width:800px'", &format!("height=auto style='width:{width}px'")));
            page.js("window.heights = []; document.querySelector('systolic-playground').addEventListener('resize', event => heights.push(event.detail.height))");
            ask(&page, "getState", &json!({}));
            page.wait_until("a height", || page.js("return heights.length").as_u64() > Some(0));
            // The frame may ask again while its parts arrive.
            page.wait_until("it is taken", || {
                page.js("return document.querySelector('systolic-playground').clientHeight === heights.at(-1)")
                    == json!(true)
            });
            let height = page.js("return heights.at(-1)").as_f64().expect("a height");
            page.enter_shadow_frame("systolic-playground");
            crate::shown(&page);
            let sides = page.js("const { width, height } = document.querySelector('#stage').getBoundingClientRect(); return [width, height]");
            #[expect(clippy::cast_possible_truncation, reason = "sizes of a screen")]
            let [wide, tall] = [0, 1].map(|nth| sides[nth].as_f64().expect("a side") as f32);
            let plan = studio::Plan::default();
            let detail = stage::Layout::new(&plan, wide, tall).detail;
            // A PE has the moving operand, the sum and the stationary operand.
            assert!(detail >= stage::Detail::Compact, "{width}×{height}: {detail:?} in {wide}×{tall}");
            assert!(height <= f64::from(width).max(560.0), "{width}×{height}");
            page.leave_frame();
        }
    }

    #[test]
    fn a_frame_without_an_answer_is_an_error_and_the_picture_stays() {
        let head = "<meta http-equiv='Content-Security-Policy' content=\"frame-src 'none'\">";
        let page = host_with(head, ELEMENT);
        let refused = ask(&page, "getState", &json!({}));
        assert_eq!(refused["error"]["code"], json!("E_NO_ANSWER"), "{refused}");
        assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("frame-src")), "{refused}");
        let seen = page.js("const array = document.querySelector('systolic-playground'); const frame = array.shadowRoot.querySelector('iframe'); \
            return [getComputedStyle(array.querySelector('img')).visibility, getComputedStyle(frame).opacity]");
        assert_eq!(seen, json!(["visible", "0"]));
        // An element without content shows a link to the playground.
        let bare = ELEMENT.replace("<img src='BASEposter.svg' alt='still'>", "");
        let page = host_with(head, &bare);
        assert_eq!(ask(&page, "getState", &json!({}))["error"]["code"], json!("E_NO_ANSWER"));
        let way = page.js("const way = document.querySelector('systolic-playground').shadowRoot.querySelector('slot a'); \
            return [way.textContent, way.href.includes('rows=4'), getComputedStyle(way).visibility, way.clientHeight > 100]");
        assert_eq!(way, json!(["An array", true, "visible", true]));
    }
}
