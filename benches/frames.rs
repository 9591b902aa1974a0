//! Script time per frame of the shipped page in headless Chromium, beside the least that painting such a field takes.
//! Run with `cargo bench -p benches --features browser --bench frames` after `cargo xtask build`.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use serde_json::{Value, json};
use whole::browser::Page;

/// Script seconds since the browser started.
fn script_sec(page: &Page) -> f64 {
    let metrics = page.cdp("Performance.getMetrics", json!({}));
    let found = metrics["metrics"].as_array().into_iter().flatten().find(|metric| metric["name"] == "ScriptDuration");
    found.and_then(|metric| metric["value"].as_f64()).expect("Chromium tells the script time")
}

/// Frames and milliseconds of script per frame while a script of the page's own goes on.
fn measured(page: &Page, name: &str, script: &str) -> f64 {
    let before = script_sec(page);
    let told = page.js_async(script);
    let script_ms = (script_sec(page) - before) * 1000.0;
    let number = |key: &str| told.get(key).and_then(Value::as_f64).expect("the script tells");
    let (frames, seconds) = (number("frames"), number("ms") / 1000.0);
    println!("{name:<52}{:>7.1} frames/s{:>9.3} ms of script per frame", frames / seconds, script_ms / frames);
    script_ms / frames
}

/// Counts frames for three seconds.
const WATCH: &str = "const begun = performance.now(); let frames = 0; \
    while (performance.now() - begun < 3000) { await new Promise(requestAnimationFrame); frames += 1; } \
    return { frames, ms: performance.now() - begun };";

/// Paints a field of 256×256 blocks as the page must: put the pixels, enlarge them.
const BOUND: &str = "const canvas = document.createElement('canvas'); canvas.width = 700; canvas.height = 700; \
    document.body.append(canvas); const field = document.createElement('canvas'); field.width = field.height = 256; \
    const image = new ImageData(256, 256), on = canvas.getContext('2d'), hidden = field.getContext('2d'); \
    on.imageSmoothingEnabled = false; const begun = performance.now(); let frames = 0; \
    while (performance.now() - begun < 3000) { await new Promise(requestAnimationFrame); frames += 1; \
      image.data.fill(frames & 255); hidden.putImageData(image, 0, 0); on.drawImage(field, 0, 0, 700, 700); } \
    canvas.remove(); return { frames, ms: performance.now() - begun };";

/// Moves the scrubber to a random cycle in every frame.
const SCRUB: &str = "const scrub = document.querySelector('#scrub'); const last = Number(scrub.max); \
    const begun = performance.now(); let frames = 0; \
    while (performance.now() - begun < 3000) { await new Promise(requestAnimationFrame); frames += 1; \
      scrub.value = (frames * 7919 * 137) % last; scrub.dispatchEvent(new Event('input', { bubbles: true })); } \
    return { frames, ms: performance.now() - begun };";

fn ready(query: &str) -> Page {
    let page = Page::open(query);
    page.wait_until("the array is shown", || page.count("#clock") > 0 && !page.text("#clock").is_empty());
    page.cdp("Performance.enable", json!({}));
    page
}

fn main() {
    let large = "?rows=256&cols=256&m=65536&k=256&n=200&df=ws&dt=bf16&chip=tpu-v6e&t=300&speed=60";
    let page = ready(large);
    let idle = measured(&page, "256×256 at rest", WATCH);
    let bound = measured(&page, "bound: put and enlarge 256×256 pixels", BOUND);
    page.click("#play");
    let playing = measured(&page, "256×256 playing 60 cycles/s", WATCH);
    page.click("#play");
    let scrubbing = measured(&page, "256×256 scrubbed at random", SCRUB);
    println!(
        "playing takes {:.2} × the bound, scrubbing {:.2} ×",
        (playing - idle) / bound,
        (scrubbing - idle) / bound
    );
    for (name, query) in [
        ("BERT-Large QKV 128 on 128×128, scrubbed at random", "?rows=128&cols=128&m=128&k=1024&n=1024&df=ws&dt=bf16"),
        ("first screen, scrubbed at random", ""),
        ("32×32 with values, scrubbed at random", "?rows=20&cols=32&m=64&k=20&n=32&df=ws&dt=bf16"),
        ("1024×1024, scrubbed at random", "?rows=1024&cols=1024&m=4096&k=1024&n=1000&df=ws&dt=bf16"),
    ] {
        measured(&ready(query), name, SCRUB);
    }
}
