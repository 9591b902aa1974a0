//! The script by messages: through the element, or through a message port to a frame.

use serde_json::{Value, json};
use whole::browser::{Page, Setting};

use super::script::{QUESTION, Step, TASK, Twin, right_answer, steps};
use crate::shown;

/// Setting with a window that is large enough for an embed.
pub(super) fn setting() -> Setting {
    Setting { window: (1200, 900), ..Setting::default() }
}

/// Setting in which no page may store data.
pub(super) fn without_storage() -> Setting {
    // In Chromium's setting "block all cookies", 2 means block.
    let prefs = json!({ "profile.default_content_setting_values.cookies": 2 });
    Setting { prefs, ..setting() }
}

/// Start of the script of a host page: it creates `heard`, the list of events. The functions below add `sap.ask` and
/// `sap.open` to the script.
const OFFERS: &str = "window.heard = []; const told = (name, data) => window.heard.push([name, data]);";

/// Controls the element `#sim` of the open page by its attribute `link`. The attributes for settings would override the
/// link, so they are removed.
pub(super) fn use_element(page: &Page) {
    page.js(&format!(
        "{OFFERS} const element = document.querySelector('#sim'); \
         for (const name of ['rows', 'cols', 'm', 'k', 'n', 'df', 'dt', 't']) element.removeAttribute(name); \
         element.setAttribute('theme', 'auto'); \
         for (const name of ['answer', 'step', 'change', 'end']) element.addEventListener(name, event => told(name, event.detail)); \
         window.sap = {{ ask: (method, params) => element.ask(method, params), \
           open: async (link) => {{ element.setAttribute('link', link); await element.ready; }} }}"
    ));
}

/// Opens a message port to a frame. The function `show` shows a link in the frame.
fn greet(page: &Page, css: &str, show: &str) {
    page.js(&format!(
        "{OFFERS} let frame = document.querySelector('{css}'); let port; const calls = new Map(); let last = 0; \
         const hear = (channel) => ({{ data }}) => {{ \
           if (data.type === 'welcome') {{ port ??= channel; (port === channel) && calls.get('hello')?.done(data); }} \
           else if (data.event) told(data.event, data.data); \
           else if (calls.has(data.id)) {{ const {{ done, fail }} = calls.get(data.id); calls.delete(data.id); \
             data.ok ? done(data.result) : fail(data.error); }} }}; \
         window.sap = {{ \
           ask: (method, params) => new Promise((done, fail) => {{ calls.set(++last, {{ done, fail }}); \
             port.postMessage({{ sap: 1, id: last, method, params }}); }}), \
           open: async (link) => {{ port?.close(); port = undefined; frame = ({show})(frame, link); \
             const greeting = setInterval(() => {{ if (port) return; const {{ port1, port2 }} = new MessageChannel(); \
               port1.onmessage = hear(port1); \
               frame.contentWindow.postMessage({{ sap: 1, type: 'hello', nonce: ++last }}, '*', [port2]); }}, 250); \
             await new Promise((done) => calls.set('hello', {{ done }})); clearInterval(greeting); }} }}"
    ));
}

/// Controls a frame that shows the page at `origin`.
pub(super) fn greet_frame(page: &Page, css: &str, origin: &str) {
    greet(page, css, &format!("(frame, link) => {{ frame.src = '{origin}/' + link; return frame }}"));
}

/// Controls an object that shows the page at `origin`. A browser loads another address only in a new object.
pub(super) fn greet_object(page: &Page, css: &str, origin: &str) {
    let show = format!(
        "(old, link) => {{ const frame = old.cloneNode(); frame.data = '{origin}/' + link; old.replaceWith(frame); return frame }}"
    );
    greet(page, css, &show);
}

/// Controls a frame whose srcdoc is the page in one file. The name of a new frame contains the link.
pub(super) fn greet_text(page: &Page, css: &str, text: &str) {
    let text = Value::from(text);
    let show = format!(
        "(old, link) => {{ const frame = old.cloneNode(); frame.name = link; frame.srcdoc = {text}; old.replaceWith(frame); \
         return frame }}"
    );
    greet(page, css, &show);
}

/// Calls a method, and returns `{ok}` or `{error}`.
pub(super) fn ask(page: &Page, method: &str, params: &Value) -> Value {
    page.js_async(&format!(
        "try {{ return {{ ok: await sap.ask('{method}', {params}) }} }} catch (error) {{ if (!error.code) throw error; \
         return {{ error: {{ code: error.code, path: error.path, given: error.given, allowed: error.allowed, \
         message: error.message }} }} }}"
    ))
}

/// Answers that the page reported: the card of each, and true or false.
fn answers(page: &Page) -> Value {
    page.js("return heard.filter(([name]) => name === 'answer').map(([, data]) => data)")
}

/// Runs the script in a nested frame. Each selector matches a frame within the previous frame. The page must already
/// have `sap`.
pub(super) fn by_messages(page: &Page, frames: &[&str]) {
    let mut twin = Twin::new();
    let inside = |work: &dyn Fn()| {
        for css in frames {
            enter(page, css);
        }
        work();
        for _ in frames {
            page.leave_frame();
        }
    };
    for (nth, step) in steps().iter().enumerate() {
        match step {
            Step::Open(link) => {
                let link = twin.link(link);
                twin.open(&link);
                page.js_async(&format!("await sap.open({})", Value::from(&*link)));
                inside(&|| shown(page));
                let has_card = link == TASK || link == QUESTION;
                if has_card {
                    inside(&|| page.wait_for("#question"));
                }
            }
            Step::Ask(method, params) => {
                let (found, wanted) = (ask(page, method, params), as_sent(twin.ask(method, params)));
                assert_eq!(found, wanted, "step {}, {method} {params}", nth + 1);
                // At most twenty events come per second, and the next step would overtake these events.
                if params["to"] == "end" {
                    page.wait_until("the host hears of the end", || has_heard(page, "end"));
                }
                if twin.session.tools.learn.is_some() {
                    let told = json!([{ "card": "challenges-first.1", "right": true }]);
                    page.wait_until("the host hears that the task is met", || answers(page) == told);
                }
            }
            Step::Answer => {
                inside(&|| {
                    page.keys("#answer", &right_answer());
                    page.click("#lock");
                });
                let told =
                    json!([{ "card": "challenges-first.1", "right": true }, { "card": "multiply.2", "right": true }]);
                page.wait_until("the host hears of the answer", || answers(page) == told);
            }
        }
    }
    assert!(["step", "change"].iter().all(|name| has_heard(page, name)), "the host hears what changes");
}

fn has_heard(page: &Page, name: &str) -> bool {
    page.js(&format!("return heard.some(([one]) => one === '{name}')")) == true
}

/// Enters a frame, or the frame of an element.
pub(super) fn enter(page: &Page, css: &str) {
    let is_element = page.js(&format!("return !!document.querySelector('{css}').shadowRoot"));
    if is_element.as_bool() == Some(true) {
        page.enter_shadow_frame(css);
    } else {
        page.enter_frame(css);
    }
}

/// Returns an answer as JavaScript writes it: 30.0 is 30.
fn as_sent(answer: Value) -> Value {
    match answer {
        #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
        Value::Number(number) => match number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15) {
            Some(whole) => Value::from(whole as i64),
            None => Value::Number(number),
        },
        Value::Array(all) => all.into_iter().map(as_sent).collect(),
        Value::Object(all) => all.into_iter().map(|(name, value)| (name, as_sent(value))).collect(),
        other => other,
    }
}
