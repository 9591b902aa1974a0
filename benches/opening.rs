//! Loading times of the shipped page on a slow line and a slow processor: seen, usable, opening of a part.
//!
//! Run with `cargo xtask measure`, or after `cargo xtask build` with
//! `cargo bench -p benches --features browser --bench opening`.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use serde_json::json;
use whole::browser::{Page, Setting};

/// Number of loads of each kind. The median is printed.
const ROUNDS: usize = 5;
/// Bandwidth of a slow mobile line, in bits per second.
const LINE_BITS_PER_SEC: f64 = 1.6e6;
/// Latency of a slow mobile line, in milliseconds.
const LINE_LATENCY_MS: u32 = 150;
/// Slowdown of the processor: 4 is four times as slow.
const SLOWED_BY: u32 = 4;

/// Promised latest time of the largest paint, in milliseconds.
const LARGEST_PAINT_MAX_MS: f64 = 1100.0;
/// Promised latest time at which the page can be used, in milliseconds.
const READY_MAX_MS: f64 = 1800.0;

/// Script that runs before the page's own scripts. It records the times of the largest paint and of the first frame
/// after the page was ready, and the layout shift.
const WATCH: &str = "\
    window.seen = {}; \
    new PerformanceObserver(list => { for (const one of list.getEntries()) { \
        window.seen.paint = one.startTime; window.seen.what = one.element ? one.element.tagName + '.' + one.element.className : ''; } }) \
        .observe({ type: 'largest-contentful-paint', buffered: true }); \
    new PerformanceObserver(list => { for (const one of list.getEntries()) window.seen.shift = (window.seen.shift || 0) + one.value; }) \
        .observe({ type: 'layout-shift', buffered: true }); \
    new MutationObserver((_, observer) => { if (document.getElementById('live')) { observer.disconnect(); \
        requestAnimationFrame(() => setTimeout(() => { window.seen.complete = performance.now(); })); } }) \
        .observe(document, { childList: true, subtree: true }); \
    document.addEventListener('playground:ready', () => requestAnimationFrame(() => setTimeout(() => { \
        window.seen.ready = performance.now(); })));";

/// Measurements of one load. Times are in milliseconds: largest paint, last byte of the module, array ready to play,
/// side panels complete, opening of a part. `shift` is the layout shift, a number without a unit.
struct Load {
    paint: f64,
    arrived: f64,
    ready: f64,
    complete: f64,
    opening: f64,
    shift: f64,
}

fn load(opener: &str, room: &str) -> Load {
    // A new browser for each load has nothing in its cache.
    let page = Page::new(Setting::window(1280, 900));
    page.cdp("Network.enable", json!({}));
    let bytes_per_sec = LINE_BITS_PER_SEC / 8.0;
    page.cdp(
        "Network.emulateNetworkConditions",
        json!({ "offline": false, "latency": LINE_LATENCY_MS, "downloadThroughput": bytes_per_sec, "uploadThroughput": bytes_per_sec }),
    );
    page.cdp("Emulation.setCPUThrottlingRate", json!({ "rate": SLOWED_BY }));
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH }));
    page.goto("");
    page.wait_until("it is ready", || {
        page.js("return window.seen.ready || 0").as_f64().is_some_and(|ready| ready > 0.0)
    });
    page.js_async("await new Promise(done => setTimeout(done, 1500))");
    let seen = |name: &str| page.js(&format!("return window.seen.{name} || 0")).as_f64().unwrap_or(f64::NAN);
    let (paint, ready, complete, shift) = (seen("paint"), seen("ready"), seen("complete"), seen("shift"));
    let arrived =
        page.js("return performance.getEntriesByType('resource').find(one => one.name.endsWith('.wasm')).responseEnd");
    // The pointer does not hover over the link first, so the page prefetches nothing.
    let opening = page.js_async(&format!(
        "const begun = performance.now(); document.querySelector('{opener}').click(); \
         while (!document.querySelector('{room}')?.textContent) await new Promise(requestAnimationFrame); \
         await new Promise(done => requestAnimationFrame(() => setTimeout(done))); \
         return performance.now() - begun;"
    ));
    Load {
        paint,
        arrived: arrived.as_f64().unwrap_or(f64::NAN),
        ready,
        complete,
        opening: opening.as_f64().unwrap_or(f64::NAN),
        shift,
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    // Arguments from cargo are ignored.
    let loads = |opener: &str, room: &str| (0..ROUNDS).map(|_| load(opener, room)).collect::<Vec<_>>();
    let (workbench, estimate) = (loads("#tool-compare", "#compare"), loads("#to-estimate", "#ask-title"));
    let of = |loads: &[Load], part: fn(&Load) -> f64| median(loads.iter().map(part).collect());
    println!(
        "{:.1} Mbit/s, {LINE_LATENCY_MS} ms, {SLOWED_BY} x slower processor, empty cache; medians of {ROUNDS} loads",
        LINE_BITS_PER_SEC / 1e6
    );
    println!("largest paint      {:>6.0} ms, promised by {LARGEST_PAINT_MAX_MS:.0}", of(&workbench, |load| load.paint));
    println!("module arrived     {:>6.0} ms", of(&workbench, |load| load.arrived));
    println!("ready              {:>6.0} ms, promised by {READY_MAX_MS:.0}", of(&workbench, |load| load.ready));
    println!("all around it      {:>6.0} ms", of(&workbench, |load| load.complete));
    println!("layout shift       {:>9.2}", of(&workbench, |load| load.shift));
    println!("opens workbench in {:>6.0} ms", of(&workbench, |load| load.opening));
    println!("opens estimate in  {:>6.0} ms", of(&estimate, |load| load.opening));
}
