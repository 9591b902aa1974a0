//! Tests of a page of another origin that shows the playground as an element and controls it by messages.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use whole::browser::{Page, ServerOptions, Setting, serve};

/// Opens a host page with this body; `BASE` in the body becomes the folder of the playground.
pub(crate) fn host(body: &str) -> Page {
    host_with("", body)
}

/// Opens a host page with more elements in its head; `BASE` in them becomes the folder of the playground.
pub(crate) fn host_with(head: &str, body: &str) -> Page {
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
        told.contains(&json!({ "subject": "lti.frameResize", "height": 401 }))
            && told.contains(&json!({ "type": "iframe-resized", "width": 640, "height": 401 }))
    });
}

#[test]
fn each_request_of_a_flood_is_answered_in_its_order_and_a_greeting_before_the_last() {
    // The element would replace a frame that is this busy, so the test uses a plain frame.
    let page = host("<iframe src='BASE?ui=embed' width=800 height=500></iframe>");
    page.enter_frame("iframe");
    crate::shown(&page);
    page.leave_frame();
    page.js(
        "const frame = document.querySelector('iframe').contentWindow; \
         window.found = { n: 0, wrong: 0, greeted: null }; \
         const greet = (hear) => { const { port1, port2 } = new MessageChannel(); \
           port1.onmessage = ({ data }) => hear(data, port1); frame.postMessage({ sap: 1, type: 'hello' }, '*', [port2]); }; \
         const params = [undefined, { settings: { m: 9 } }, { by: -1 }, { settings: { m: 0 } }, { settings: { df: 'os', m: 40 } }]; \
         greet((data, port) => { \
           if (data.id) { found.n += 1; found.wrong += Number(data.id !== found.n || data.ok !== (data.id % 5 !== 3)); } \
           if (data.type !== 'welcome') return; \
           for (let id = 1; id <= 5000; id += 1) port.postMessage( \
             { sap: 1, id, method: params[id % 5]?.settings ? 'setState' : 'step', params: params[id % 5] }); \
           greet(({ type }) => { if (type === 'welcome') found.greeted = found.n; }); \
         })",
    );
    // A slow machine may take long for all requests, but not for a few, so the test waits for a few at a time.
    for answered in (250..=5000).step_by(250) {
        page.wait_until("the next requests are answered", || page.js("return found.n").as_u64() >= Some(answered));
    }
    let found = page.js("return found");
    assert_eq!(found["wrong"], json!(0));
    assert!(found["greeted"].as_u64().is_some_and(|n| n < 5000), "{found}");
}

#[test]
fn under_a_style_sheet_that_unsets_everything_the_element_has_its_size() {
    let page = host_with("<style>*{all:unset!important;display:block!important}</style>", ELEMENT);
    page.enter_shadow_frame("systolic-playground");
    crate::shown(&page);
    page.leave_frame();
    let sizes = page.js("const element = document.querySelector('systolic-playground'); \
         return [element, element.shadowRoot.querySelector('iframe')].flatMap((one) => { \
           const { width, height } = one.getBoundingClientRect(); return [width, height]; })");
    let sizes: Vec<f64> = sizes.as_array().expect("sizes").iter().filter_map(Value::as_f64).collect();
    let [width, height, frame_width, frame_height] = sizes[..] else { panic!("{sizes:?}") };
    assert!(width > 900.0 && (height - width * 5.0 / 8.0).abs() < 1.0, "{sizes:?}");
    assert!((frame_width, frame_height) == (width, height), "{sizes:?}");
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn a_request_that_cannot_be_understood_is_refused_and_not_ignored() {
        let page = host(ELEMENT);
        let codes = page.js_async(
            "const element = document.querySelector('systolic-playground'); const knot = {}; knot.knot = knot; \
             const asked = [[7], [null], [undefined], ['step', { by: NaN }], ['step', { by: -Infinity }], ['setState', { settings: { m: 8n } }], \
               ['setState', { settings: { m: NaN } }], ['setState', knot], ['ping', 8n], ['getState']]; \
             return Promise.all(asked.map(([method, params]) => element.ask(method, params).then((state) => state.cycle, ({ code }) => code)))",
        );
        let [method, params, range] = ["E_METHOD", "E_PARAMS", "E_RANGE"].map(Value::from);
        let wanted = [&method, &method, &method, &range, &range, &range, &range, &params, &params, &json!(7)];
        assert_eq!(codes, json!(wanted), "at the end, the cycle is still that of the link");
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
}
