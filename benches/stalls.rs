//! Longest task on the page's thread for the hardest settings, while a user does the slowest actions. Run with
//! `cargo bench -p benches --features browser --bench stalls` after `cargo xtask build`.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::thread::sleep;
use std::time::Duration;

use serde_json::json;
use whole::browser::Page;

/// Names and links of the hardest settings: the largest arrays, the longest runs, each tool at its largest.
const SETTINGS: [(&str, &str); 13] = [
    ("256×256, weights stay, M = 65 536", "?rows=256&cols=256&m=65536&k=256&n=256&df=ws&dt=f32&t=40000"),
    ("256×256, outputs stay, K = 65 536", "?rows=256&cols=256&m=256&k=65536&n=256&df=os&dt=bf16&t=40000"),
    ("256×256, all three 65 536", "?rows=256&cols=256&m=65536&k=65536&n=65536&df=ws&dt=f32&t=3000000000"),
    ("1024×1024, all three 65 536", "?rows=1024&cols=1024&m=65536&k=65536&n=65536&df=is&dt=f32&t=9000000"),
    ("32×32 with numbers, K = 65 536", "?rows=32&cols=32&m=64&k=65536&n=64&df=os&dt=f32&t=30000"),
    ("256×256 compared", "?rows=256&cols=256&m=65536&k=256&n=256&df=ws&dt=f32&t=40000&cmp=df%3Dos"),
    ("32×32 broken, 900 cycles", "?rows=32&cols=32&m=800&k=32&n=32&df=ws&dt=f32&t=600&break=no-skew&tool=break"),
    ("4×4 broken, 32 000 cycles", "?rows=4&cols=4&m=32000&k=4&n=4&df=ws&dt=f32&t=30000&break=late-1&tool=break"),
    ("256×256, heat of sums", "?rows=256&cols=256&m=65536&k=256&n=256&df=ws&dt=f32&t=40000&show=sum&tool=heat"),
    (
        "1024×1024, heat of sums",
        "?rows=1024&cols=1024&m=65536&k=65536&n=65536&df=ws&dt=f32&t=3000000&show=sum&tool=heat",
    ),
    (
        "1024×1024, heat of waste",
        "?rows=1024&cols=1024&m=65536&k=65536&n=65536&df=os&dt=f32&t=3000000&show=wasted&tool=heat",
    ),
    ("128×128, transcript", "?rows=128&cols=128&m=65536&k=4096&n=4096&df=ws&dt=bf16&t=400000&tool=transcript"),
    ("256×256, inside a PE", "?rows=256&cols=256&m=256&k=65536&n=256&df=os&dt=f32&t=40000&tool=pe&pe=255.255"),
];

/// Duration of each action of the user.
const SPELL: Duration = Duration::from_millis(1500);

/// Script that records the longest task above 50 ms in `window.longest`.
const WATCH: &str = "window.longest = 0; new PerformanceObserver(list => { for (const one of list.getEntries()) \
    window.longest = Math.max(window.longest, one.duration); }).observe({ type: 'longtask' });";

/// Script that moves the scrubber to a random cycle in every frame.
const SCRUB: &str = "const scrub = document.querySelector('#scrub'), last = Number(scrub.max); let frames = 0; \
    window.scrubs = true; const next = () => { frames += 1; scrub.value = (frames * 7919 * 137) % last; \
    scrub.dispatchEvent(new Event('input', { bubbles: true })); if (window.scrubs) requestAnimationFrame(next); }; next();";

/// Returns the milliseconds of the longest task between `begin` and `end`, or 0 if no task took 50 ms.
fn longest_ms(page: &Page, begin: &dyn Fn(), end: &dyn Fn()) -> f64 {
    page.js("window.longest = 0");
    begin();
    sleep(SPELL);
    end();
    // The page needs this time for delayed work.
    sleep(Duration::from_millis(400));
    page.js("return window.longest").as_f64().expect("a number")
}

/// Measures all settings, or the settings with a word in their name: `cargo bench … --bench stalls -- broken`.
fn main() {
    let asked = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    for rate in [1, 4] {
        println!("processor {rate} × slower; ms of the longest task, – where none took 50");
        println!("{:<36}{:>9}{:>9}{:>9}{:>9}", "", "playing", "scrubbed", "ends", "resized");
        for (name, query) in SETTINGS.into_iter().filter(|(name, _)| name.contains(&asked)) {
            let page = Page::open(query);
            page.wait_until("what stands around it is there", || page.count("#live") > 0);
            sleep(Duration::from_secs(1));
            page.cdp("Emulation.setCPUThrottlingRate", json!({ "rate": rate }));
            page.js(WATCH);
            let play = || page.click("#play");
            let ends = || {
                for key in ['\u{e010}', '\u{e011}', '\u{e010}', '\u{e012}', '\u{e014}'] {
                    page.press(key, false);
                }
            };
            let window = |width: u32, height: u32| {
                let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
                page.cdp("Emulation.setDeviceMetricsOverride", metrics);
            };
            let found = [
                longest_ms(&page, &play, &play),
                longest_ms(&page, &|| drop(page.js(SCRUB)), &|| drop(page.js("window.scrubs = false"))),
                longest_ms(&page, &ends, &|| ()),
                longest_ms(&page, &|| window(900, 700), &|| window(1400, 900)),
            ];
            let told = found.map(|ms| if ms > 0.0 { format!("{ms:.0}") } else { "–".to_owned() });
            println!("{name:<36}{:>9}{:>9}{:>9}{:>9}", told[0], told[1], told[2], told[3]);
        }
    }
}
