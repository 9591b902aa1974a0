//! Memory of a page in kiosk mode over hours: it plays through slides, visitors come and go, and the page restarts.
//!
//! Run after `cargo xtask build` with `cargo bench -p benches --features browser --bench kiosk -- MINUTES [TIMES]`.
//! `MINUTES` counts minutes of the page's own clock. That clock goes `TIMES` times as fast as a real clock (default 1).
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use whole::browser::{Page, Setting};
use whole::line;

/// Link to four slides: values, a field with folds, a second run, a tool. The page restarts twenty seconds after the
/// last touch.
const KIOSK: &str = "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=0&ui=present&speed=4&kiosk=20&slide=1#slides=\
    rows%3D4%26cols%3D4%26m%3D6%26k%3D4%26n%3D3%26df%3Dws%26dt%3Dint8%26t%3D0%26speed%3D4%0A\
    rows%3D32%26cols%3D32%26m%3D64%26k%3D64%26n%3D64%26df%3Dos%26dt%3Dbf16%26t%3D0%26speed%3D30%0A\
    rows%3D8%26cols%3D8%26m%3D10%26k%3D13%26n%3D11%26df%3Dws%26dt%3Dint8%26t%3D0%26speed%3D10%26cmp%3Ddf%253Dos%0A\
    rows%3D16%26cols%3D16%26m%3D32%26k%3D16%26n%3D16%26df%3Dis%26dt%3Dint8%26t%3D0%26speed%3D10%26tool%3Dheat%26show%3Duseful";
/// Seconds of the page's clock from one visitor to the next.
const VISIT_SECS: f64 = 300.0;
/// Seconds of the page's clock from one memory measurement to the next.
const LOOK_SECS: f64 = 600.0;
const MIB: f64 = 1_048_576.0;

/// Script that makes every clock of the page `window.times` times as fast, and records the modules for their memory.
///
/// Call `hurry` only after the page has loaded. With fast clocks, waiting for the network would time out.
const CLOCKS: &str = "window.times = 1; let [real, page] = [0, 0]; const { now } = performance; \
    const read = at => page + (at - real) * window.times; performance.now = () => read(now.call(performance)); \
    window.hurry = times => { const at = now.call(performance); page = read(at); real = at; window.times = times; }; \
    const wait = setTimeout, frame = requestAnimationFrame; const turns = new Map(); let last = 0; \
    window.setTimeout = (work, ms, ...rest) => wait.call(window, work, (ms ?? 0) / window.times, ...rest); \
    window.setInterval = (work, ms) => { const id = ++last; \
      const again = () => turns.set(id, wait.call(window, () => { again(); work(); }, ms / window.times)); again(); return id; }; \
    window.clearInterval = id => { clearTimeout(turns.get(id)); turns.delete(id); }; \
    window.requestAnimationFrame = work => frame.call(window, at => work(read(at))); \
    const { instantiate } = WebAssembly; window.modules = []; \
    WebAssembly.instantiate = async (...all) => { const made = await instantiate.apply(WebAssembly, all); \
      window.modules.push(made.instance ?? made); return made; };";

/// Returns what the page keeps in memory: number of elements, number of listeners, MiB of scripts, MiB of modules.
fn held(page: &Page) -> [f64; 4] {
    page.cdp("HeapProfiler.collectGarbage", json!({}));
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let told = page.cdp("Memory.getDOMCounters", json!({}));
    let heap = page.cdp("Runtime.getHeapUsage", json!({}));
    let memory = "window.modules.reduce((all, { exports }) => all + (exports.memory?.buffer.byteLength ?? 0), 0)";
    let module = page.cdp("Runtime.evaluate", json!({ "expression": memory }));
    let [nodes, listeners] = [&told["nodes"], &told["jsEventListeners"]].map(number);
    [nodes, listeners, number(&heap["usedSize"]) / MIB, number(&module["result"]["value"]) / MIB]
}

/// Presses the keys of a visitor, who moves through the slides, uses a slide and leaves.
fn visit(page: &Page) {
    for key in ["PageDown", "ArrowRight", "ArrowRight", " ", "2", "PageUp", "ArrowLeft"] {
        for kind in ["keyDown", "keyUp"] {
            page.cdp("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "code": key }));
        }
        sleep(Duration::from_millis(80));
    }
}

fn main() {
    let numbers: Vec<u32> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let minutes = numbers.first().copied().unwrap_or(10);
    let times = f64::from(numbers.get(1).copied().unwrap_or(1).max(1));
    let page = Page::new(Setting::window(1280, 720));
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": CLOCKS }));
    page.goto(KIOSK);
    page.wait_for("#kiosk");
    // All parts that the slides need load in the first round.
    sleep(Duration::from_secs(10));
    page.js(&format!("hurry({times})"));
    let begun = Instant::now();
    let passed_secs = || begun.elapsed().as_secs_f64() * times;
    let (mut looks, mut visits) = (Vec::new(), 0_u32);
    println!("minute  visits    nodes  listeners  script MiB  module MiB");
    while passed_secs() < f64::from(minutes) * 60.0 {
        sleep(Duration::from_millis(200));
        if passed_secs() > VISIT_SECS * f64::from(visits + 1) {
            visit(&page);
            visits += 1;
        }
        if passed_secs() > LOOK_SECS * (looks.len() as f64 + 1.0) {
            let held = held(&page);
            let [nodes, listeners, script, module] = held;
            let minute = passed_secs() / 60.0;
            println!("{minute:>6.0}{visits:>8}{nodes:>9.0}{listeners:>11.0}{script:>12.2}{module:>12.2}");
            looks.push((passed_secs(), held));
        }
    }
    // The page fetches, compiles and keeps everything in the first half.
    let later = looks.split_at(looks.len() / 2).1;
    for (name, which) in [("nodes", 0), ("listeners", 1), ("script MiB", 2), ("module MiB", 3)] {
        let points: Vec<(f64, f64)> = later.iter().map(|(secs, held)| (secs / 3600.0, held[which])).collect();
        let (slope, error) = line::slope(&points);
        println!("{name}: {slope:+.3} ± {error:.3} an hour of the page in the second half");
    }
    let plays = page.cdp("Runtime.evaluate", json!({ "expression": "document.querySelector('#kiosk') !== null" }));
    println!("it still plays: {}; the console: {:?}", plays["result"]["value"], page.console_errors());
}
