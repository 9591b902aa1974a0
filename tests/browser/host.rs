//! Tests of a page of another origin that shows the playground as an element and controls it by messages.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use whole::browser::{Page, ServerOptions, Setting, serve};

/// Opens a host page with this body; `BASE` in the body becomes the folder of the playground.
pub(crate) fn host(body: &str) -> Page {
    host_with("", body)
}

/// Opens a host page with more elements in its head; `BASE` in them becomes the folder of the playground.
fn host_with(head: &str, body: &str) -> Page {
    let playground = serve(ServerOptions::default());
    let base = playground.url();
    let html = format!(
        "<!doctype html><html lang=en>{}<title>A course</title><link rel=icon href='data:,'>\
         <script type=module src='{base}systolic-playground.mjs'></script>{}</html>",
        head.replace("BASE", &base),
        body.replace("BASE", &base)
    );
    let server =
        ServerOptions { pages: BTreeMap::from([("/course.html".to_owned(), html)]), ..ServerOptions::default() };
    let page = Page::new(Setting { window: (1000, 760), server, ..Setting::default() });
    page.visit(&format!("{}/course.html", page.server().origin()));
    std::mem::forget(playground);
    page
}

pub(crate) const ELEMENT: &str = "<systolic-playground rows=4 cols=4 m=6 k=4 n=3 df=ws dt=int8 t=7 loading=eager label='An array' \
                       style='width:800px'><img src='BASEposter.svg' alt='still'></systolic-playground>";

/// Calls a method of the element, and returns its result as `ok` or its error as `error`.
pub(crate) fn ask(page: &Page, method: &str, params: &Value) -> Value {
    page.js_async(&format!(
        "try {{ return {{ ok: await document.querySelector('systolic-playground').{method}({params}) }} }} \
         catch (error) {{ return {{ error: {{ code: error.code, path: error.path, given: error.given, allowed: error.allowed, \
         message: error.message }} }} }}"
    ))
}

#[test]
fn an_element_is_steered_by_promises_and_tells_what_happens() {
    let page = host(ELEMENT);
    page.js("window.heard = []; for (const name of ['ready', 'step', 'change', 'end', 'resize']) \
             document.querySelector('systolic-playground').addEventListener(name, event => heard.push([name, event.detail]))");
    let state = ask(&page, "getState", &json!({}));
    assert_eq!((&state["ok"]["cycle"], &state["ok"]["settings"]["m"]), (&json!(7), &json!(6)), "{state}");
    assert_eq!(ask(&page, "step", &json!({ "by": 2 }))["ok"]["cycle"], json!(9));
    assert_eq!(ask(&page, "seek", &json!({ "to": "end" }))["ok"]["cycle"], json!(15));
    assert_eq!(ask(&page, "measure", &json!({}))["ok"]["useful"], json!(72));
    let set = ask(&page, "setState", &json!({ "settings": { "m": 64, "df": "os" } }));
    assert_eq!((&set["ok"]["settings"]["m"], &set["ok"]["settings"]["df"]), (&json!(64), &json!("os")));
    let refused = ask(&page, "setState", &json!({ "settings": { "rows": 0 } }));
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["path"]),
        (&json!("E_RANGE"), &json!("rows")),
        "{refused}"
    );
    assert_eq!(ask(&page, "zap", &json!({}))["error"]["code"], Value::Null, "the element has no such method");
    let unknown = page.js_async(
        "try { await document.querySelector('systolic-playground').ask('zap') } catch (error) { return error.code }",
    );
    assert_eq!(unknown, json!("E_METHOD"));
    // The restored state equals the state that was read.
    let link = state["ok"]["settings"].clone();
    let restored = ask(&page, "setState", &json!({ "settings": { "m": link["m"], "df": link["df"] } }));
    assert_eq!(restored["ok"]["settings"], state["ok"]["settings"]);
    let svg = ask(&page, "export", &json!({ "as": "svg" }));
    assert!(svg["ok"].as_str().is_some_and(|svg| svg.starts_with("<svg ")), "{svg}");
    let csv = ask(&page, "export", &json!({ "as": "csv" }));
    assert_eq!(csv["ok"].as_str().map(|csv| csv.lines().count()), Some(257));
    for (name, first, last) in [("png", [137, 80, 78, 71], [174, 66, 96, 130]), ("gif", [71, 73, 70, 56], [0; 4])] {
        let address = ask(&page, "export", &json!({ "as": name }))["ok"].as_str().unwrap_or_default().to_owned();
        let bytes = page.js_async(&format!(
            "const bytes = new Uint8Array(await (await fetch('{address}')).arrayBuffer()); \
             return [Array.from(bytes.slice(0, 4)), Array.from(bytes.slice(-4)), bytes.length]"
        ));
        assert_eq!(bytes[0], json!(first), "{name}");
        assert!(bytes[2].as_u64() > Some(10_000) && (name == "gif" || bytes[1] == json!(last)), "{bytes}");
    }
    page.wait_until("its events", || {
        let names = page.js("return [...new Set(heard.map(([name]) => name))].sort().join(' ')");
        names.as_str() == Some("change end ready resize step")
    });
    let height = page.js("return heard.find(([name]) => name === 'resize')[1].height").as_f64();
    assert_eq!(height, Some(500.0), "the form of an embed of 800 pixels");
    assert_eq!(
        page.js("return document.activeElement === document.body").as_bool(),
        Some(true),
        "the focus stays here"
    );
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn playing_tells_at_most_twenty_steps_a_second_and_the_last_one() {
    let page = host(&ELEMENT.replace("t=7", "t=0 speed=60"));
    page.js("window.steps = []; document.querySelector('systolic-playground').addEventListener('step', event => \
             steps.push([performance.now(), event.detail.cycle]))");
    ask(&page, "play", &json!({}));
    page.wait_until("the end", || page.js("return steps.at(-1)?.[1]").as_u64() == Some(15));
    let gaps = page.js("return steps.slice(1).map(([at], index) => at - steps[index][0])");
    let gaps: Vec<f64> = gaps.as_array().expect("gaps").iter().filter_map(Value::as_f64).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len().max(1) as f64;
    assert!(gaps.is_empty() || mean > 40.0, "{gaps:?}");
}

#[test]
fn the_still_picture_stands_until_the_frame_is_wanted() {
    let page = host(&format!("<div style='height:3000px'></div>{}", ELEMENT.replace("loading=eager", "")));
    page.js_async(
        "await customElements.whenDefined('systolic-playground'); await new Promise(done => setTimeout(done, 400))",
    );
    let has_frame = || {
        page.js("return !!document.querySelector('systolic-playground').shadowRoot.querySelector('iframe')").as_bool()
    };
    assert_eq!(has_frame(), Some(false), "far below the window nothing is loaded");
    page.js("scrollTo(0, 3000)");
    page.wait_until("it is loaded", || has_frame() == Some(true));
    assert_eq!(ask(&page, "getState", &json!({}))["ok"]["cycle"], json!(7));
    page.js("document.querySelector('systolic-playground').stop()");
    assert_eq!(has_frame(), Some(false));
}

#[test]
fn a_frame_hears_its_parent_alone_and_a_version_it_does_not_speak_is_said() {
    let page = host(
        "<iframe id=sim src='BASE?ui=embed&rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7' width=800 height=500 \
         sandbox='allow-scripts'></iframe><iframe id=other srcdoc='<p>x'></iframe>",
    );
    page.enter_frame("#sim");
    crate::shown(&page);
    page.leave_frame();
    // A greeting from a frame next to it gets no answer, and a greeting from the parent in another version is refused.
    let script = "const greet = (from, sap) => new Promise(done => { const { port1, port2 } = new MessageChannel(); \
                  port1.onmessage = event => done(event.data); setTimeout(() => done('nothing'), 4000); \
                  from(document.querySelector('#sim').contentWindow, { sap, type: 'hello', nonce: 1 }, port2) }); \
                  const own = (to, message, port) => to.postMessage(message, '*', [port]); \
                  const other = (to, message, port) => document.querySelector('#other').contentWindow.eval(\
                    '(to, message, port) => to.postMessage(message, \"*\", [port])')(to, message, port); \
                  return [await greet(own, 2), await greet(other, 1), await greet(own, 1)]";
    let answers = page.js_async(script);
    assert_eq!(answers[0]["error"]["code"], json!("E_VERSION"), "{answers}");
    assert_eq!(answers[1], json!("nothing"), "{answers}");
    assert_eq!(answers[2]["type"], json!("welcome"), "{answers}");
    // Junk has no answer and does no harm.
    page.js(
        "for (const junk of [null, 1, 'hello', {}, [], { type: 'hello' }, { sap: {} }, { type: 'hello', sap: 1 }]) \
             document.querySelector('#sim').contentWindow.postMessage(junk, '*')",
    );
    page.enter_frame("#sim");
    page.click("#forward");
    page.wait_until("it goes on", || page.text("#clock").starts_with("8 "));
    page.leave_frame();
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_course_system_and_a_resizer_are_told_the_height() {
    let page = host(
        "<script>window.told = []; addEventListener('message', event => told.push(event.data))</script>\
         <iframe id=sim src='BASE?ui=embed&t=7' width=640 height=480 sandbox='allow-scripts'></iframe>",
    );
    page.enter_frame("#sim");
    crate::shown(&page);
    page.leave_frame();
    page.js("document.querySelector('#sim').contentWindow.postMessage({ type: 'iframe-get-child-dimensions' }, '*')");
    page.wait_until("both are told", || {
        let told = page.js("return told");
        let told: &Vec<Value> = told.as_array().expect("a list");
        told.contains(&json!({ "subject": "lti.frameResize", "height": 400 }))
            && told.contains(&json!({ "type": "iframe-resized", "width": 640, "height": 400 }))
    });
}

#[test]
fn a_key_that_the_host_wants_is_told_and_does_nothing_else() {
    let page = host(&ELEMENT.replace("loading=eager", "loading=eager keys='PageDown g'"));
    page.js("window.keys = []; window.pressed = []; document.addEventListener('keydown', event => pressed.push([event.key, event.keyCode])); \
             document.querySelector('systolic-playground').addEventListener('key', event => keys.push(event.detail.key))");
    ask(&page, "getState", &json!({}));
    page.enter_shadow_frame("systolic-playground");
    crate::shown(&page);
    page.click("#forward");
    page.wait_until("it steps", || page.text("#clock").starts_with("8 "));
    page.press('\u{e00f}', false);
    // The host does not want the arrow, and a key that writes a character is never given to the host.
    page.press('\u{e014}', false);
    page.wait_until("one step on, not two", || page.text("#clock").starts_with("9 "));
    page.press('g', false);
    page.leave_frame();
    assert_eq!(page.js("return keys"), json!(["PageDown"]));
    assert_eq!(page.js("return pressed"), json!([["PageDown", 34]]), "slides hear it on their document");
}

/// Number of frames that the element has made.
const FRAMES: &str =
    "return performance.getEntriesByType('resource').filter(entry => entry.initiatorType === 'iframe').length";

/// The script of the element's README, in which each statement runs.
#[test]
fn the_readme_of_the_element_is_true() {
    let readme = std::fs::read_to_string(xtask::root().join("npm/README.md")).expect("README");
    let script = readme.split("```js\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let page = host(ELEMENT);
    let done = page.js_async(&format!("{script}\nreturn [utilization_pct, (await array.getState()).view.theme]"));
    // 64·4·3 products on 16 PEs for 2·4 + 4 + 64 − 2 cycles.
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
    let theme = std::fs::read_to_string(xtask::root().join("docs/theme/index.hbs")).expect("a theme");
    let query = "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7";
    let files = xtask::encoding::files(&xtask::page::dist(&xtask::root())).expect("a built page");
    let names = files.iter().filter_map(|path| path.file_name()?.to_str());
    let poster =
        names.into_iter().find(|name| name.starts_with("poster-") && name.ends_with(".svg")).expect("a poster");
    let picture = xtask::book::live_picture(query, "A 4×4 array", "", &format!("../{poster}"));
    // The style sheet of the book is not next to this page.
    let theme = theme.lines().filter(|line| !line.contains("stylesheet")).collect::<Vec<_>>().join("\n");
    let whole = theme.replace("{{{ content }}}", &picture).replace("{{ path_to_root }}", "");
    let html = whole.split("{{").enumerate().fold(String::new(), |html, (nth, part)| {
        // The other placeholders of the theme are names of pages.
        html + if nth == 0 { part } else { part.split_once("}}").map_or("", |(_, rest)| rest) }
    });
    let pages = BTreeMap::from([("/docs/page.html".to_owned(), html)]);
    let page = Page::new(Setting { server: ServerOptions { pages, ..ServerOptions::default() }, ..Setting::default() });
    page.visit(&format!("{}/docs/page.html", page.server().origin()));
    page.js_async("await customElements.whenDefined('systolic-playground')");
    let seen = "const array = document.querySelector('systolic-playground'); \
        return [array.querySelector('img').naturalWidth > 0, !!array.shadowRoot.querySelector('iframe')]";
    page.wait_until("the picture is there, and no frame", || page.js(seen) == json!([true, false]));
    page.js("document.querySelector('systolic-playground').shadowRoot.querySelector('button').click()");
    assert_eq!(ask(&page, "getState", &json!({}))["ok"]["cycle"], json!(7));
    assert_eq!(page.console_errors(), Vec::<String>::new());
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
    // An element without content shows the way to the playground.
    let bare = ELEMENT.replace("<img src='BASEposter.svg' alt='still'>", "");
    let page = host_with(head, &bare);
    assert_eq!(ask(&page, "getState", &json!({}))["error"]["code"], json!("E_NO_ANSWER"));
    let way = page.js("const way = document.querySelector('systolic-playground').shadowRoot.querySelector('slot a'); \
        return [way.textContent, way.href.includes('rows=4'), getComputedStyle(way).visibility, way.clientHeight > 100]");
    assert_eq!(way, json!(["An array", true, "visible", true]));
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
    let readme = std::fs::read_to_string(xtask::root().join("README.md")).expect("README");
    let code = readme.split("```html\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a snippet");
    let element = code.lines().find(|line| line.starts_with("<systolic-playground")).expect("an element");
    let page = host_with("<meta name=viewport content='width=device-width'>", element);
    page.set_view((375, 740));
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
