//! The script by hand, for a page without a host: buttons, keys, fields, files and links. The visitor takes each step
//! that the page has a control for, and the page must then show what the twin says.

use serde_json::{Value, json};
use whole::browser::Page;

use super::script::{FOR_HOSTS_ALONE, N_STEPS, QUESTION, Step, TASK, Twin, right_answer, steps};
use crate::{lock_guess, shown};

const END: char = '\u{e010}';
const HOME: char = '\u{e011}';
const RIGHT: char = '\u{e014}';
const ESCAPE: char = '\u{e00c}';

/// Removes `ui=embed` from a link, for a page without a host.
fn alone(link: &str) -> String {
    link.replace("&ui=embed", "")
}

/// Runs the script on the page at `url`.
pub(super) fn by_hand(page: &Page, url: &str) {
    let (mut twin, mut n_taken) = (Twin::new(), 0);
    for (nth, step) in steps().iter().enumerate() {
        let step_name = format!("step {}, {step:?}", nth + 1);
        match step {
            Step::Open(link) => {
                let is_card = link == TASK || link == QUESTION;
                let link = alone(&twin.link(link));
                twin.open(&link);
                page.visit(&format!("{url}{link}"));
                shown(page);
                if is_card {
                    page.wait_for("#question");
                } else {
                    shows(page, &twin, &step_name);
                }
                n_taken += 1;
            }
            Step::Ask(method, params) => {
                let wanted = twin.ask(method, params);
                n_taken += usize::from(does(page, &twin, method, params, &wanted, &step_name));
            }
            Step::Answer => {
                page.keys("#answer", &right_answer());
                page.click("#lock");
                page.wait_for("#verdict .verdict.right");
                n_taken += 1;
            }
        }
    }
    assert_eq!(n_taken, N_STEPS - FOR_HOSTS_ALONE);
}

/// Takes a step and checks that the page shows the result. Returns false if the page has no control for the step.
fn does(page: &Page, twin: &Twin, method: &str, params: &Value, wanted: &Value, step: &str) -> bool {
    match (method, params) {
        ("step", _) => match params.get("by").and_then(Value::as_i64).unwrap_or(1) {
            0 => return false,
            by => (0..by.abs()).for_each(|_| page.click(if by > 0 { "#forward" } else { "#back" })),
        },
        ("seek", params) => match (params["to"].as_str(), params["cycle"].as_u64()) {
            (Some("start"), _) => page.press(HOME, false),
            (Some("end"), _) => page.press(END, false),
            (Some("next-event"), _) => page.press(']', false),
            (Some(_), _) => page.press('[', false),
            (None, Some(cycle)) if wanted.get("ok").is_some() => {
                page.press(HOME, false);
                (0..cycle).for_each(|_| page.press(RIGHT, false));
            }
            _ => return false,
        },
        ("setState", params) => return sets(page, twin, &params["settings"], wanted, step),
        ("measure", _) => {
            let share = words::busy::share(&twin.session.plan.schedule().tally());
            page.wait_until(&format!("{step}: {share}"), || page.text("#busy") == share);
        }
        ("describe", _) => {
            let said = wanted["ok"].as_str().expect("words");
            page.wait_until(&format!("{step}: {said}"), || text_content(page, "#status") == said);
        }
        ("export", params) => {
            let Some(text) = wanted["ok"].as_str() else { return false };
            assert_eq!(file(page, params["as"].as_str().expect("a file")), text, "{step}");
        }
        ("getState", _) => {}
        _ => return false,
    }
    shows(page, twin, step);
    true
}

/// Types settings into their fields. Returns false if a setting has no field.
fn sets(page: &Page, twin: &Twin, settings: &Value, wanted: &Value, step: &str) -> bool {
    let Value::Object(settings) = settings else { panic!("{step}: settings") };
    if settings.contains_key("zebra") {
        return false;
    }
    let of_card = twin.session.tools.learn.is_some();
    for (field, value) in settings {
        match value.as_str() {
            Some(choice) => page.click(&format!("#{field} label:has(input[value={choice}])")),
            None if of_card => {
                lock_guess(page);
                page.enter(&format!("#change-{field}"), &value.to_string());
            }
            None => page.enter(&format!("#{field}"), &value.to_string()),
        }
    }
    if let Some(message) = wanted["error"]["message"].as_str() {
        page.wait_until(&format!("{step}: {message}"), || page.text("#setup").contains(message));
    } else if of_card {
        page.wait_for("#verdict.right");
    } else {
        shows(page, twin, step);
    }
    true
}

/// Waits until the page shows the clock of the twin and has the link of the twin.
fn shows(page: &Page, twin: &Twin, step: &str) {
    let (plan, cycle) = (&twin.session.plan, twin.playhead.cycle);
    let clock = words::caption::clock(plan, cycle);
    page.wait_until(&format!("{step}: {clock}"), || page.text("#clock") == clock);
    let link = twin.to_link();
    page.wait_until(&format!("{step}: {link}"), || {
        let at = page.js("return location.search + location.hash");
        // The page normalizes a link that it writes, but not a link that was opened.
        let at = at.as_str().unwrap_or_default();
        let (query, fragment) = at.split_once('#').unwrap_or((at, ""));
        let (query, fragment) = studio::Link::parse(query, fragment).to_parts();
        link == if fragment.is_empty() { format!("?{query}") } else { format!("?{query}#{fragment}") }
    });
}

fn text_content(page: &Page, css: &str) -> String {
    let text = page.js(&format!("return document.querySelector('{css}').textContent"));
    text.as_str().unwrap_or_default().to_owned()
}

/// Text of a file of the run, as the dialog for links and files makes it.
fn file(page: &Page, name: &str) -> String {
    let ending = match name {
        "tikz" => "tex",
        "json" => "jsonl",
        "perfetto" => "trace-json",
        other => other,
    };
    page.js("window.texts = []; window.makeAddress ??= URL.createObjectURL; \
             URL.createObjectURL = (blob) => { blob.text().then((text) => texts.push(text)); return makeAddress.call(URL, blob); }; \
             HTMLAnchorElement.prototype.click = () => {}");
    page.click("#to-share");
    page.wait_for("#share-address");
    // A person scrolls until the button is in view. A sliver of it at the edge of the dialog does not react to a click.
    page.js(&format!("document.querySelector('#save-{ending}').scrollIntoView({{ block: 'center' }})"));
    page.click(&format!("#save-{ending}"));
    page.wait_until(&format!("a file as {name}"), || page.js("return texts.length") == json!(1));
    page.press(ESCAPE, false);
    page.wait_until("the dialog is closed", || page.count("#share-address") == 0);
    page.js("return texts[0]").as_str().expect("a text").to_owned()
}
