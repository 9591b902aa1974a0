//! Walk of random actions on the shipped page: clicks, choices, texts, drags, keys, links, files, other sizes. Nothing
//! stops, nothing goes blank, and the console is silent. In a walk of at least [`ACTIONS`], the memory of the page does
//! not grow.
//!
//! `SEED` selects another walk, and `PAGE_ACTIONS` makes it longer. `PAGE_MINUTES` sets its duration; such a walk also
//! fails if memory grows.

mod messages;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use whole::browser::{Page, Setting, is_long};
use whole::line;
use whole::links::{on_the_page, rows};

use crate::dice::Dice;
use crate::{links, shown};

/// Number of actions of a walk in a long run, unless PAGE_ACTIONS sets another number.
const ACTIONS: u64 = 2_000;
/// Number of actions between two measurements of what the page holds in memory.
const LEG: u64 = 250;
/// Number of actions that one script does.
const AT_ONCE: u64 = 25;
/// Link that is open at each measurement, so that measurements can be compared.
const HOME: &str = "?rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8&t=7";
/// Largest growth of nodes from the first half of a walk to its end; [`LISTENERS_MORE`] limits the listeners.
const NODES_MORE: f64 = 1_500.0;
const LISTENERS_MORE: f64 = 100.0;
/// Largest growth of the memory of a page, in MiB per hour.
const MEMORY_SLOPE_MAX: f64 = 0.1;
const MIB: f64 = 1_048_576.0;

const SIZES: [(u32, u32); 6] = [(1280, 800), (360, 740), (1920, 1080), (640, 480), (320, 256), (800, 500)];
const KEYS: [&str; 32] = [
    "Tab",
    "ArrowLeft",
    "ArrowUp",
    "ArrowRight",
    "ArrowDown",
    "PageUp",
    "PageDown",
    "End",
    "Home",
    " ",
    "Enter",
    "Escape",
    "Backspace",
    "F5",
    "0",
    "1",
    "9",
    "-",
    "+",
    "[",
    "]",
    "g",
    "x",
    "=",
    ".",
    "?",
    "b",
    "h",
    "j",
    "k",
    "l",
    "p",
];
const TEXTS: [&str; 24] = [
    "1",
    "2",
    "3",
    "4",
    "5",
    "8",
    "12",
    "16",
    "40",
    "128",
    "256",
    "1000",
    "65536",
    "",
    " ",
    "-1",
    "1e3",
    "NaN",
    "0x10",
    "18446744073709551616",
    "1,2;3,4",
    "1,;2",
    "<b>8</b>",
    "\u{202e}8\u{7}",
];
const FILES: [&str; 6] = [
    "",
    "{",
    "Layer, M, N, K,\na, 8, 8, 8,\n",
    r#"{"model_type":"llama","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":128,"vocab_size":99}"#,
    "module @m { func.func public @main() { return } }",
    "\u{0}\u{1}\u{2}",
];

/// Content of the page's memory at [`HOME`].
#[derive(Clone, Copy, Debug)]
struct Held {
    /// Number of elements on the page, visible or not.
    elements: f64,
    /// Number of nodes of any kind, on the page or not.
    nodes: f64,
    listeners: f64,
    script_mib: f64,
    module_mib: f64,
}

impl Held {
    fn of(page: &Page) -> Self {
        act(page, &[json!(["link", 0, 0, HOME])]);
        // The page may write its own form of the address in the meantime.
        let home = "return document.querySelector('#clock')?.textContent === '7 of 15' \
                    && !document.querySelector('#arrival')?.textContent";
        page.wait_until("it is home", || page.js(home) == true);
        // After a pause the page releases what waits for the pause, such as the caption for screen readers.
        page.js_async("await new Promise((done) => setTimeout(done, 400))");
        page.cdp("HeapProfiler.collectGarbage", json!({}));
        let counts = page.cdp("Memory.getDOMCounters", json!({}));
        let heap = page.cdp("Runtime.getHeapUsage", json!({}));
        let elements = page.js("return document.querySelectorAll('*').length");
        let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
        let module = page.js(
            "return window.modules?.reduce((all, { exports }) => all + (exports.memory?.buffer.byteLength ?? 0), 0)",
        );
        Self {
            elements: number(&elements),
            nodes: number(&counts["nodes"]),
            listeners: number(&counts["jsEventListeners"]),
            script_mib: number(&heap["usedSize"]) / MIB,
            module_mib: number(&module) / MIB,
        }
    }
}

/// Does the chosen actions and checks the page after each of them. Returns lines on slow actions and on growth. The
/// script does not run through the driver, because the page keeps each answer to the driver in memory.
fn act(page: &Page, choices: &[Value]) -> Vec<String> {
    let expression = format!("({})({})", include_str!("walk.js").trim_end(), json!(choices));
    let answer =
        page.cdp("Runtime.evaluate", json!({ "expression": expression, "awaitPromise": true, "returnByValue": true }));
    assert!(answer["exceptionDetails"].is_null(), "{answer:#}");
    let answer = &answer["result"]["value"];
    assert_eq!(answer["wrong"].as_str().unwrap_or_default(), "");
    answer["told"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Latest actions, as the page has recorded them.
fn done_last(page: &Page) -> String {
    page.js("return window.walking?.log.join('\\n') ?? ''").as_str().unwrap_or_default().to_owned()
}

/// Chooses the next action.
fn choice(dice: &mut Dice, corpus: &[String]) -> Value {
    let kind = match dice.below(40) {
        0..=14 => "click",
        15..=17 => "choose",
        18..=23 => "type",
        24..=27 => "point",
        28 => "wheel",
        29 => "link",
        30 => "file",
        31 => "paste",
        _ => "key",
    };
    let text = match kind {
        "link" => &corpus[dice.below(corpus.len())],
        "file" => dice.pick(&FILES),
        "key" => dice.pick(&KEYS),
        _ => dice.pick(&TEXTS),
    };
    json!([kind, dice.below(1_000_000), dice.below(1_000_000), text])
}

pub(super) fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn the_slope_of_a_line_is_found_and_that_of_noise_is_within_its_error() {
    let line: Vec<_> = (0..10).map(|x| (f64::from(x), 3.0 + 2.0 * f64::from(x))).collect();
    let (rises, error) = line::slope(&line);
    assert!((rises - 2.0).abs() < 1e-12 && error < 1e-12);
    let mut dice = Dice::new(1);
    let noise: Vec<_> = (0..1000).map(|x| (f64::from(x), dice.below(1000) as f64)).collect();
    let (rises, error) = line::slope(&noise);
    assert!(rises.abs() < 3.0 * error, "{rises} ± {error}");
}

#[test]
#[expect(clippy::print_stdout, reason = "what a walk came to is for whoever runs a long one")]
fn hundreds_of_random_actions_stop_nothing_and_leave_nothing_behind() {
    let seed = variable("SEED").unwrap_or(0x5eed);
    let minutes = variable("PAGE_MINUTES");
    let end = minutes.map(|minutes| Duration::from_secs(60 * minutes));
    let actions = variable("PAGE_ACTIONS").unwrap_or(if is_long() { ACTIONS } else { ACTIONS / 4 });
    let mut dice = Dice::new(seed);
    let corpus: Vec<String> = rows(include_str!("../golden/links.txt"))
        .into_iter()
        .map(|row| row.link)
        // A fault injection would stop the page, and a long link tests no more than a short one.
        .filter(|link| !link.contains("chaos=") && link.len() < 4_000 && link.starts_with('?'))
        .collect();
    let page = Page::new(Setting { is_alone: true, ..Setting::default() });
    page.cdp("Browser.setDownloadBehavior", json!({ "behavior": "deny" }));
    let memory = "const { instantiate } = WebAssembly; window.modules = []; \
        WebAssembly.instantiate = async (...all) => { const made = await instantiate.apply(WebAssembly, all); \
        window.modules.push(made.instance ?? made); return made; };";
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": memory }));
    page.goto(HOME);
    shown(&page);
    let begun = Instant::now();
    let (mut looks, mut stalls, mut grown, mut done) = (Vec::new(), Vec::new(), Vec::new(), 0);
    while end.map_or(done < actions, |end| begun.elapsed() < end) {
        for _ in 0..LEG / AT_ONCE {
            let (width, height) = dice.pick(&SIZES);
            let view =
                json!({ "width": width, "height": height, "deviceScaleFactor": 1 + dice.below(2), "mobile": false });
            page.cdp("Emulation.setDeviceMetricsOverride", view);
            let choices: Vec<Value> = (0..AT_ONCE).map(|_| choice(&mut dice, &corpus)).collect();
            let (grew, long): (Vec<_>, Vec<_>) =
                act(&page, &choices).into_iter().partition(|line| line.starts_with('['));
            grown.extend(grew);
            stalls.extend(long);
        }
        done += LEG;
        // If the preview of an embed is closed while it loads, its canceled fetches are in the console.
        let is_ended = |line: &String| line.contains("Fetch API cannot load") && line.trim_end().ends_with('.');
        let errors: Vec<String> = page.console_errors().into_iter().filter(|line| !is_ended(line)).collect();
        assert_eq!(
            errors,
            Vec::<String>::new(),
            "seed {seed}, after {done} actions, the last of them:\n{}",
            done_last(&page)
        );
        looks.push((begun.elapsed(), Held::of(&page)));
    }
    // After any walk, the first link shows what the model says.
    page.cdp(
        "Emulation.setDeviceMetricsOverride",
        json!({ "width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false }),
    );
    page.wait_until("home is as the model says", || links::differences(&page, &on_the_page(HOME)).is_empty());

    let held: Vec<Held> = looks.iter().map(|(_, held)| *held).collect();
    // The first half of the walk has opened every part. From then on, everything that is created is also released.
    let early = &held[..held.len().div_ceil(2)];
    let most = |of: fn(&Held) -> f64| early.iter().map(of).fold(0.0, f64::max);
    let longest = stalls.last().map_or("none over 50 ms", String::as_str);
    println!("{done} actions on the page from seed {seed} in {:.0?}; longest task: {longest}", begun.elapsed());
    for growth in &grown {
        println!("the module's memory grew: {growth}");
    }
    for (when, held) in &looks {
        println!("{when:.0?}: {held:?}");
    }
    // A document or panel that was replaced is released some time later, so one measurement may count it twice. Only an
    // object that is never released is in all late measurements. A short walk has too few measurements, and opens some
    // parts only at its end.
    if done >= ACTIONS {
        let late = &held[held.len().div_ceil(2)..];
        for (what, of, more) in [
            ("nodes", (|held: &Held| held.nodes) as fn(&Held) -> f64, NODES_MORE),
            ("elements", |held| held.elements, NODES_MORE),
            ("listeners", |held| held.listeners, LISTENERS_MORE),
        ] {
            let least = late.iter().map(of).fold(f64::INFINITY, f64::min);
            assert!(least <= most(of) + more, "seed {seed}: {what} grow: {held:#?}");
        }
    } else {
        println!("growth is judged from {ACTIONS} actions on");
    }
    if minutes.is_some_and(|minutes| minutes >= 20) {
        // Everything that is fetched, compiled and kept once arrives in the first half.
        let late = &looks[looks.len() / 2..];
        for (what, of) in
            [("script", (|held: &Held| held.script_mib) as fn(&Held) -> f64), ("module", |held| held.module_mib)]
        {
            let points: Vec<_> = late.iter().map(|(when, held)| (when.as_secs_f64() / 3600.0, of(held))).collect();
            let (rises, error) = line::slope(&points);
            println!("memory of the {what}: {rises:.2} ± {error:.2} MiB/h");
            assert!(
                rises - 2.0 * error <= MEMORY_SLOPE_MAX,
                "seed {seed}: {what} grows by {rises} ± {error} MiB/h: {points:?}"
            );
        }
    }
}
