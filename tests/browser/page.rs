//! The shipped page in a browser: loaded as a visitor loads it, under the policy of the real host.

mod address;
mod again;
mod ask;
mod back;
mod cards;
mod crash;
#[path = "../soak/dice.rs"]
mod dice;
mod element;
mod embed;
mod estimates;
mod films;
mod hall;
mod hands;
mod host;
mod hosts;
mod layout;
mod lessons;
mod links;
mod memory;
mod offline;
mod parts;
mod pictures;
mod place;
mod projector;
mod questions;
mod random_keys;
mod report;
mod share;
mod single;
mod small;
mod story;
mod tasks;
mod touch;
mod travel;
mod visitor;
mod walk;
mod workbench;
mod worksheets;
mod zoom;

use serde_json::json;
use whole::browser::{Page, Setting};

/// Selector of an element that has text once the page works.
const READY: &str = "#clock";

/// Types and locks a guess if the task of a card asks for one. Then the card offers its fields.
fn lock_guess(page: &Page) {
    if page.count(".guess:not([hidden])") == 1 {
        page.enter("#guess", "40");
        page.click("#lock-guess");
    }
}

/// Waits until the array is shown, with the part that the link asks for.
fn shown(page: &Page) {
    // A clock in a hidden tab has `textContent` but no `innerText`.
    let is_there = || page.js(&format!("return !!document.querySelector('{READY}')?.textContent")).as_bool();
    page.wait_until("the array is shown", || is_there() == Some(true));
    page.wait_until("what stands around it is there", || page.count("#live") > 0);
    page.wait_until("nothing is on its way", || page.text("#arrival").is_empty());
    // The keys of a speaker act as soon as their part is there.
    if page.url().contains("ui=present") {
        page.wait_for("#slide-number");
    }
}

/// Waits for the fonts: two families with two weights each.
fn wait_for_face(page: &Page) {
    page.wait_until("the text face is there", || {
        page.js("return [...document.fonts].filter(({ status }) => status === 'loaded').length").as_u64() == Some(4)
    });
}

#[test]
fn the_text_face_comes_after_the_picture_and_its_figures_align() {
    const IS_LATER: &str = "const at = performance.getEntriesByName('first-contentful-paint')[0].startTime; \
        const files = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2')); \
        return files.length === 2 && files.every(({ startTime }) => startTime > at)";
    const WIDTHS: &str = "const context = document.createElement('canvas').getContext('2d'); \
        return ['400 20px Inter', '600 20px Inter', '400 20px Array', '700 20px Array'].map(font => { \
          context.font = font; \
          return [...'0123456789'].map(digit => context.measureText(digit).width.toFixed(2)); \
        }).map(widths => new Set(widths).size)";
    let page = Page::open("");
    wait_for_face(&page);
    assert_eq!(page.js(IS_LATER), json!(true));
    assert_eq!(page.js(WIDTHS), json!([1, 1, 1, 1]), "kinds of widths of ten digits, by font");
    // The digits must have the width of Inter, and not the width of a system's replacement font.
    let wide = page.js("const context = document.createElement('canvas').getContext('2d'); \
        context.font = '400 100px Inter'; return Math.round(context.measureText('0').width)");
    assert_eq!(wide, json!(65));
}

#[test]
fn no_string_becomes_html_but_markup_in_which_nothing_runs() {
    let page = Page::open("");
    // The browser refuses everything that parses strings, and also handlers in attributes.
    let refused = page.js("const ways = { beside: () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'), \
           outer: () => { document.querySelector('#clock').outerHTML = '<b>x</b>'; }, \
           parser: () => new DOMParser().parseFromString('<b>x</b>', 'text/html'), \
           frame: () => { document.createElement('iframe').srcdoc = '<b>x</b>'; }, \
           handler: () => { document.createElement('p').innerHTML = '<img onerror=\"alert(1)\">'; }, \
           script: () => { document.createElement('p').innerHTML = '<p><SCRIPT >x</SCRIPT></p>'; }, \
           address: () => { document.createElement('p').innerHTML = '<a href=\"JavaScript:x\">x</a>'; }, \
           policy: () => trustedTypes.createPolicy('default', {}), \
           twice: () => trustedTypes.createPolicy('offline', {}), \
           worker: () => new Worker('offline-worker.mjs') }; \
         return Object.entries(ways).filter(([, way]) => { try { way(); return true; } catch (error) { \
           return !(error instanceof TypeError); } }).map(([name]) => name)");
    assert_eq!(refused, serde_json::json!([]), "none of these is let through");
    // Markup that the page writes itself becomes equal nodes.
    for (markup, nodes) in [
        ("a &lt;b&gt; &amp;lt; &quot;c&quot; &#x27;d&#39;", "a &lt;b&gt; &amp;lt; \"c\" 'd'"),
        (
            "<p class=\"x\" title=\"a>b &quot;c&quot;\" hidden>1<br>2<!---->3</p>",
            "<p class=\"x\" title=\"a>b &quot;c&quot;\" hidden=\"\">1<br>2<!---->3</p>",
        ),
        (
            "<svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"/><text>x</text></svg><b>y</b>",
            "<svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"></path><text>x</text></svg><b>y</b>",
        ),
        ("<table><tbody><tr><td>1</td></tr></tbody></table>", "<table><tbody><tr><td>1</td></tr></tbody></table>"),
        ("<p title=\"only one = 1\">only one = 1</p>", "<p title=\"only one = 1\">only one = 1</p>"),
        ("", ""),
    ] {
        let made = page.js(&format!(
            "const place = document.createElement('div'); place.innerHTML = 'old'; place.innerHTML = {}; \
             return [place.innerHTML, [...place.querySelectorAll('svg *')].every(one => one instanceof SVGElement)]",
            serde_json::json!(markup)
        ));
        // Older browsers keep a `>` in an attribute, and newer browsers escape it.
        let written = made[0].as_str().unwrap_or_default().replace("a&gt;b", "a>b");
        assert_eq!((written.as_str(), made[1].as_bool()), (nodes, Some(true)), "{markup}");
    }
}

#[test]
fn the_page_starts_under_its_policy_from_a_folder_of_the_host() {
    let page = Page::new(Setting::mount("/some/sub-path/"));
    page.goto("");
    page.wait_for(READY);
    assert_eq!(page.console_errors(), Vec::<String>::new());
    let origin = page.server().origin();
    let requests = page.js("return performance.getEntriesByType('resource').map(entry => entry.name)");
    let requests: Vec<&str> = requests.as_array().expect("a list").iter().filter_map(|name| name.as_str()).collect();
    assert!(requests.iter().any(|name| name.ends_with(".wasm")), "no module among {requests:?}");
    let foreign: Vec<_> = requests.iter().filter(|name| !name.starts_with(&origin)).collect();
    assert!(foreign.is_empty(), "requests to other origins: {foreign:?}");
    // The policy is in force, and a refusal appears in the console.
    page.js("const script = document.createElement('script'); script.append('window.inline = 1'); \
             document.body.append(script)");
    assert!(page.js("return window.inline === undefined").as_bool() == Some(true), "an inline script ran");
    page.wait_until("the refusal is in the console", || {
        let is_refusal = |line: &String| line.contains("Content Security Policy") || line.contains("TrustedScript");
        page.console_errors().iter().any(is_refusal)
    });
}

#[test]
fn the_bar_of_the_accounts_is_divided_as_the_accounts_are() {
    let page = Page::open("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7");
    shown(&page);
    let width = |css: &str| {
        page.js(&format!("return document.querySelector('{css}').getBoundingClientRect().width"))
            .as_f64()
            .unwrap_or(0.0)
    };
    // 72 of 256 PE-cycles are useful; the bar has a border.
    let share = width(".bar .useful") / width(".bar");
    assert!((share - 72.0 / 256.0).abs() < 0.01, "{share}");
}

#[test]
fn before_the_module_runs_the_first_screen_is_there_as_a_picture_and_no_link_shows_it() {
    let page = Page::open("");
    shown(&page);
    let words = |css: &str| page.text(css).split_whitespace().collect::<Vec<_>>().join(" ");
    // The link to the story comes with the side panels.
    let caption = words("#caption").trim_end_matches(::words::book::STORY).trim_end().to_owned();
    let place = |css: &str| {
        page.js(&format!("return Math.round(document.querySelector('{css}').getBoundingClientRect().height)"))
    };
    let stage = place(".stage");
    // The loader does not arrive, so nothing takes the picture away.
    page.cdp("Network.enable", json!({}));
    page.cdp("Network.setBlockedURLs", json!({ "urls": ["*/boot-*"] }));
    page.cdp("Network.clearBrowserCache", json!({}));
    page.goto("?rows=8");
    page.goto("");
    page.wait_until("the picture is drawn", || {
        page.js("return document.querySelector('#poster img').naturalWidth").as_i64() == Some(700)
    });
    assert_eq!(words("#poster .caption-line"), caption);
    let off = place("#poster .stage").as_i64().unwrap_or_default() - stage.as_i64().unwrap_or_default();
    assert!(off.abs() <= 2, "the picture moves by {off} pixels when the module draws it");
    for link in ["?rows=8", "?theme=dark", "?ui=desk", "#a=1"] {
        page.goto("?");
        page.goto(link);
        assert_eq!(place("#poster").as_i64(), Some(0), "{link}");
        assert!(page.text("#boot").contains("Loading"), "{link}");
    }
}

#[test]
fn the_page_has_no_accessibility_violation() {
    let page = Page::open("");
    page.wait_for(READY);
    // Without the checker this test checks nothing; `cargo xtask test` says so in its last lines.
    let told: Vec<String> = page.axe().unwrap_or_default().iter().map(ToString::to_string).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}
