//! Script time per frame of the shipped page in headless Chromium, next to the least time for painting 256×256 blocks.
//! Run with `cargo bench -p benches --features browser --bench frames` after `cargo xtask build`.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::thread::sleep;
use std::time::Duration;

use serde_json::json;
use whole::browser::{Page, Setting};

/// Returns the seconds of script since the browser started.
fn script_sec(page: &Page) -> f64 {
    let metrics = page.cdp("Performance.getMetrics", json!({}));
    let found = metrics["metrics"].as_array().into_iter().flatten().find(|metric| metric["name"] == "ScriptDuration");
    found.and_then(|metric| metric["value"].as_f64()).expect("Chromium tells the script time")
}

/// Number of intervals of about 50 ms, each measured separately.
const SPELLS: usize = 60;

/// Measures the page while a loop in the page does `work` in every frame. Prints frames per second, and prints and
/// returns milliseconds of script per frame (the median of [`SPELLS`] intervals).
fn measured(page: &Page, name: &str, work: &str) -> f64 {
    page.js(&format!(
        "window.frames_seen = 0; window.frames_begun = performance.now(); const own = window.frames_own = {{}}; \
         const work = (() => {{ {work} }})(); \
         const next = () => {{ window.frames_seen += 1; if (work) work(window.frames_seen); \
             if (window.frames_own === own) requestAnimationFrame(next); }}; \
         requestAnimationFrame(next);"
    ));
    let frames = || page.js("return window.frames_seen").as_f64().expect("a number");
    let mut spells = Vec::with_capacity(SPELLS);
    let mut last = (frames(), script_sec(page));
    while spells.len() < SPELLS {
        sleep(Duration::from_millis(50));
        let now = (frames(), script_sec(page));
        if now.0 > last.0 {
            spells.push((now.1 - last.1) * 1000.0 / (now.0 - last.0));
            last = now;
        }
    }
    let per_sec = page
        .js("window.frames_own = null; return window.frames_seen * 1000 / (performance.now() - window.frames_begun)")
        .as_f64()
        .expect("a number");
    spells.sort_by(f64::total_cmp);
    let median = spells[SPELLS / 2];
    println!("{name:<52}{per_sec:>7.1} frames/s{median:>9.3} ms of script per frame (median)");
    median
}

/// Prints the milliseconds from the first key on the array view to the next paint, by the browser's own clock. The
/// processor is slowed four times.
fn first_key_ms(name: &str, query: &str) {
    let page = ready(query);
    page.cdp("Emulation.setCPUThrottlingRate", json!({ "rate": 4 }));
    page.js(
        "document.querySelector('#stage').focus(); window.first = 0; \
         new PerformanceObserver(list => { for (const one of list.getEntries()) window.first = window.first || one.duration; }) \
             .observe({ type: 'event', buffered: true, durationThreshold: 16 });",
    );
    // A reader sees the page before pressing a key.
    sleep(Duration::from_secs(1));
    page.press('\u{e014}', false);
    page.wait_until("the key is answered", || page.js("return window.first > 0").as_bool() == Some(true));
    let told = page.js("return window.first").as_f64().expect("a number");
    println!("{name:<52}{told:>7.0} ms from the first key to the next paint, 4 × slower");
}

/// Does no work in a frame.
const WATCH: &str = "return null";

/// Paints a field of 256×256 blocks with the two operations that the page needs: put the pixels, enlarge them.
const BOUND: &str = "const canvas = document.createElement('canvas'); canvas.width = 700; canvas.height = 700; \
    document.body.append(canvas); const field = document.createElement('canvas'); field.width = field.height = 256; \
    const image = new ImageData(256, 256), on = canvas.getContext('2d'), hidden = field.getContext('2d'); \
    on.imageSmoothingEnabled = false; \
    return frames => { image.data.fill(frames & 255); hidden.putImageData(image, 0, 0); \
        on.drawImage(field, 0, 0, 700, 700); };";

/// Moves the scrubber to a random cycle in every frame.
const SCRUB: &str = "const scrub = document.querySelector('#scrub'), last = Number(scrub.max); \
    return frames => { scrub.value = (frames * 7919 * 137) % last; \
        scrub.dispatchEvent(new Event('input', { bubbles: true })); };";

/// Drags a slider of the estimate to another position in every frame.
const DRAG: &str = "const slider = document.querySelector('#ask-seq-slider'); \
    return frames => { slider.value = (frames * 17) % Number(slider.max); \
        slider.dispatchEvent(new Event('input', { bubbles: true })); };";

/// Returns the script that types another size into a field of the array view in every frame.
fn drag_size(id: &str) -> String {
    format!(
        "const field = document.querySelector('#{id}'); \
         return frames => {{ field.value = 1 + frames % 64; field.dispatchEvent(new Event('input', {{ bubbles: true }})); }};"
    )
}

fn ready(query: &str) -> Page {
    ready_in(Setting::default(), query)
}

fn ready_in(setting: Setting, query: &str) -> Page {
    let page = Page::new(setting);
    page.goto(query);
    page.wait_until("the array is shown", || page.count("#clock") > 0 && !page.text("#clock").is_empty());
    page.cdp("Performance.enable", json!({}));
    page
}

/// Measures one of the three views, or all: `cargo bench … --bench frames -- cube`.
fn main() {
    let asked = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let wanted = |room: &str| asked.as_deref().is_none_or(|asked| asked == room);
    if wanted("array") {
        array();
    }
    if wanted("cube") {
        cube();
    }
    if wanted("estimate") {
        estimate();
    }
}

/// Cubes with another cycle in every frame.
fn cube() {
    for (name, size) in [
        ("6×4×3", "rows=4&cols=4&m=6&k=4&n=3"),
        ("600 cells", "rows=4&cols=4&m=10&k=10&n=6"),
        ("40×40×40", "rows=8&cols=8&m=40&k=40&n=40"),
        ("1024×1024×1024", "rows=128&cols=128&m=1024&k=1024&n=1024"),
    ] {
        for (drawing, label) in [("cube", "the cube"), ("cubes", "three cubes")] {
            let page = ready(&format!("?{size}&picture={drawing}"));
            page.wait_until("the cube is drawn", || page.count(&format!("#stage[data-drawing={drawing}]")) == 1);
            measured(&page, &format!("{label} of {name}, random cycles"), SCRUB);
        }
    }
}

fn estimate() {
    let estimate = Page::open("?ui=desk&ask=model%3Dllama3-70b%26chips%3D512");
    estimate.wait_until("there is an answer", || {
        estimate.count("#ask-title") > 0 && !estimate.text("#ask-title").is_empty()
    });
    estimate.cdp("Performance.enable", json!({}));
    measured(&estimate, "the estimate at rest", WATCH);
    measured(&estimate, "a 70B model answered anew in every frame", DRAG);
}

fn array() {
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
    let page = ready("");
    page.wait_until("the ladder is there", || page.count("#ladder") > 0);
    page.js("for (const id of ['on-a-chip', 'ladder']) document.getElementById(id).open = true");
    page.wait_until("its steps are there", || page.count("#ladder .figure") >= 7);
    for id in ["m", "k", "n"] {
        measured(&page, &format!("{} dragged with the ladder open", id.to_uppercase()), &drag_size(id));
    }
    // This screen is large enough for tokens of 16×16 PEs. At 4 cycles/s the tokens nearly always move.
    let query = "?rows=16&cols=16&m=4096&k=16&n=16&df=ws&dt=int8&t=40&speed=4";
    let page = ready_in(Setting::window(1920, 1080), query);
    page.click("#play");
    measured(&page, "16×16 playing 4 cycles/s, tokens on their way", WATCH);
    first_key_ms("first screen", "");
    first_key_ms("64×64", "?rows=64&cols=64&m=64&k=64&n=64&df=ws&dt=bf16&t=100");
    first_key_ms("256×256", large);
}
