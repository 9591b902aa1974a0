//! Tests of every layout: nothing is clipped, nothing scrolls sideways, everything is reachable, and each theme is
//! accessible.

use serde_json::json;
use whole::browser::{Page, Setting, some};

use crate::{shown, wait_for_face};

const RUNS: [&str; 4] = [
    "",
    "?rows=16&cols=16&m=20&k=13&n=16&df=os&dt=bf16&t=12",
    "?rows=256&cols=256&m=512&k=256&n=200&df=ws&dt=bf16&chip=tpu-v6e&t=700",
    "?rows=128&cols=128&m=1&k=4096&n=4096&df=ws&dt=bf16&chip=tpu-v5e&t=200",
];

/// Script that lists the elements that stick out of the view sideways, and a page that scrolls sideways.
const STICKING_OUT: &str = "const wide = document.documentElement.clientWidth; const found = []; \
    if (document.documentElement.scrollWidth > wide) found.push('the page scrolls sideways'); \
    for (const element of document.querySelectorAll('button, input, select, summary, p, td, th, canvas, output')) { \
      const box = element.getBoundingClientRect(); \
      const unseen = element.closest('.unseen, .skip, details:not([open]) > :not(summary)') || box.width < 2; \
      const panel = element.closest('section'); \
      const around = panel?.getBoundingClientRect(); \
      const edge = around?.width ? Math.min(wide, around.right) : wide; \
      if (!unseen && (box.left < -0.5 || box.right > edge + 0.5)) \
        found.push(`${element.tagName}#${element.id}.${element.className} from ${box.left} to ${box.right}`); } \
    return found;";

#[test]
fn no_layout_sticks_out_sideways() {
    let page = Page::new(Setting::default());
    for (width, height) in some(&[(360, 740), (640, 480), (800, 500), (768, 1024), (1280, 720), (1920, 1080)], 3) {
        page.resize(width, height);
        for ui in ["", "ui=embed"] {
            for run in RUNS {
                let joint = if run.is_empty() { "?" } else { "&" };
                page.goto(&format!("{run}{joint}{ui}"));
                shown(&page);
                let found = page.js(STICKING_OUT);
                assert_eq!(found.as_array().map(Vec::len), Some(0), "{width}×{height} {run} {ui}: {found}");
            }
        }
    }
}

#[test]
fn a_page_or_frame_that_is_narrower_than_a_phone_does_not_scroll_sideways() {
    let page = Page::new(Setting::default());
    for (width, height) in [(300, 600), (256, 512), (200, 150)] {
        page.resize(width, height);
        let links = ["?ui=embed", "", "?learn=multiply.1", "?tool=compare", "?ask=model=llama3-70b"];
        for link in &links[..if width < 256 { 1 } else { 5 }] {
            page.goto(link);
            shown(&page);
            assert_eq!(page.js("return document.documentElement.scrollWidth"), json!(width), "{width}×{height} {link}");
        }
    }
    // The smallest frame still shows the cycle.
    page.goto("?ui=embed&t=7");
    shown(&page);
    assert_eq!(page.text("#clock"), "7");
}

#[test]
fn the_head_of_a_tablet_is_in_the_view_whatever_points_at_it() {
    const OUT: &str = "return [...document.querySelectorAll('.head a, .head summary, .head select')] \
        .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth) \
        .map(one => one.id || one.textContent)";
    // Widths at which the layout changes, and widths of tablets.
    let page = Page::new(Setting::default());
    for width in some(&[720, 743, 744, 768, 810, 834, 979, 1009, 1010, 1179, 1180], 3) {
        for pointer in ["fine", "coarse"] {
            page.resize(width, 800);
            page.cdp("Emulation.setTouchEmulationEnabled", json!({ "enabled": pointer == "coarse" }));
            page.cdp("Emulation.setEmulatedMedia", json!({ "features": [{ "name": "pointer", "value": pointer }] }));
            page.goto("");
            shown(&page);
            page.wait_for(".tools #help");
            page.wait_until("the sides are there", || page.text(".head").contains("Share"));
            wait_for_face(&page);
            assert_eq!(page.js(OUT), json!([]), "{width}, {pointer}");
            let wide = page.js("return document.documentElement.scrollWidth <= innerWidth").as_bool();
            assert_eq!(wide, Some(true), "{width}, {pointer}: the page scrolls sideways");
        }
    }
}

#[test]
fn what_to_try_next_covers_nothing_and_the_transport_stays_where_it_is() {
    const BOXES: &str = "return Object.fromEntries(['#caption', '.next-steps button', '.timeline', '.buttons', '#clock'] \
        .map(css => [css, document.querySelector(css)?.getBoundingClientRect()]))";
    let page = Page::new(Setting::default());
    for (width, height) in [(1366, 768), (1280, 720), (360, 740), (1440, 900)] {
        page.resize(width, height);
        for run in ["rows=4&cols=4&m=6&k=4&n=3&df=ws", "rows=4&cols=4&m=4096&k=4096&n=4096&df=ws&tool=heat"] {
            // On a phone an open tool replaces the run.
            let run = if width < 720 { run.trim_end_matches("&tool=heat") } else { run };
            page.goto(&format!("?{run}&t=5"));
            shown(&page);
            page.wait_for(".toolbar, .tabs");
            let before = page.js(BOXES);
            page.keys("#stage", "\u{e010}");
            page.wait_for(".next-steps button");
            let after = page.js(BOXES);
            let edge = |boxes: &serde_json::Value, css: &str, side: &str| boxes[css][side].as_f64().expect("a box");
            let what = format!("{width}×{height} {run}");
            for css in [".timeline", ".buttons", "#clock"] {
                assert_eq!(edge(&before, css, "top").round(), edge(&after, css, "top").round(), "{what} {css}");
            }
            let (top, bottom) =
                (edge(&after, ".next-steps button", "top"), edge(&after, ".next-steps button", "bottom"));
            // On a wide page, the suggestions are beside the caption.
            let is_beside = edge(&after, "#caption", "right") <= edge(&after, ".next-steps button", "left") + 1.0;
            assert!(
                is_beside || edge(&after, "#caption", "bottom") <= top + 1.0,
                "{what}: the caption ends below {top}"
            );
            assert!(bottom <= edge(&after, ".timeline", "top") + 1.0, "{what}: the timeline begins above {bottom}");
        }
    }
}

/// Script that counts the visible buttons of the page, and lists the pairs of them that overlap.
const OVER_EACH_OTHER: &str = "const seen = [...document.querySelectorAll('#run button, #run select, .next-steps button, \
      .tabs button, #scrub')].map(element => { \
        const box = element.getBoundingClientRect(), room = element.closest('#run')?.getBoundingClientRect() ?? box; \
        return { element, left: box.left, right: box.right, top: Math.max(box.top, room.top), \
          bottom: Math.min(box.bottom, room.bottom) }; }) \
      .filter(box => box.right - box.left > 1 && box.bottom - box.top > 1); \
    const name = box => box.element.id || box.element.textContent; const found = []; \
    seen.forEach((one, nth) => seen.slice(nth + 1).forEach(other => { \
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left); \
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top); \
      if (across > 1 && down > 1) found.push(`${name(one)} and ${name(other)}`); })); \
    return [seen.length, found];";

#[test]
fn on_a_small_page_no_button_lies_over_another_and_no_name_is_cut() {
    const CUT: &str = "return [...document.querySelectorAll('.banner, .next-steps button, .run-name')] \
        .filter(one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1) \
        .map(one => one.textContent)";
    // The sizes are of a phone, two small windows, and a laptop at 200%.
    let page = Page::new(Setting::default());
    for (width, height) in some(&[(360, 740), (640, 480), (800, 500), (683, 384)], 2) {
        page.resize(width, height);
        for (run, what) in [
            ("?", ".tabs button"),
            ("?t=15", ".next-steps button"),
            ("?rows=8&cols=8&m=12&k=20&n=20&df=ws&dt=int8&t=60", ".folds canvas"),
            ("?cmp=df%3Dos", "#other"),
            ("?cmp=df%3Dos&t=19", "#other"),
        ] {
            page.goto(run);
            shown(&page);
            page.wait_for(what);
            page.wait_for(".tabs button");
            let found = page.js(OVER_EACH_OTHER);
            assert!(found[0].as_u64() > Some(5), "{width}×{height} {run}: {found}");
            assert_eq!(found[1], serde_json::json!([]), "{width}×{height} {run}");
            assert_eq!(page.js(CUT), serde_json::json!([]), "{width}×{height} {run}");
        }
    }
}

#[test]
fn the_checker_finds_nothing_in_either_theme_nor_in_an_embed_nor_beside_a_mistake() {
    let page = Page::open("");
    // In the last two links, a share is so long that its letters are small.
    for query in [
        "?theme=light",
        "?theme=dark",
        "?ui=embed&theme=dark",
        "?rows=999&theme=light",
        "?rows=3&cols=1024&m=29&k=4&n=4&df=ws&theme=light",
        "?rows=3&cols=1024&m=29&k=4&n=4&df=ws&theme=dark",
    ] {
        page.goto(query);
        shown(&page);
        if !query.contains("embed") {
            page.fill("#cols", "0");
            page.click("#class-padding");
            page.click("#run-details > summary");
            page.click("#figure-mfu summary");
            page.click("#help summary");
        }
        // Without the checker this test checks nothing; `cargo xtask test` says so in its last lines.
        let told: Vec<String> = page.axe().unwrap_or_default().iter().map(ToString::to_string).collect();
        assert!(told.is_empty(), "{query}: {}", told.join("\n"));
    }
}

#[test]
fn the_stage_takes_keys_only_while_it_has_the_focus_and_lets_go() {
    let page = Page::open("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7");
    shown(&page);
    page.keys("#rows", "\u{e014}");
    assert!(page.text("#clock").starts_with("7 "), "an arrow in a field moves the field's cursor");
    page.keys("#stage", "g\u{e013}");
    page.wait_until("a PE is chosen and moved", || page.url().contains("pe=2.0"));
    page.keys("#stage", "\u{e00c}");
    page.wait_until("Escape lets go of it", || !page.url().contains("pe="));
    let left = page.js("document.querySelector('#stage').focus(); return document.activeElement.id");
    assert_eq!(left.as_str(), Some("stage"));
    page.keys("#stage", "\u{e004}");
    assert_ne!(page.js("return document.activeElement.id").as_str(), Some("stage"), "Tab leaves the stage");
}

#[test]
fn playing_moves_time_and_is_silent_for_the_screen_reader() {
    let page = Page::open("?rows=16&cols=16&m=512&k=16&n=16&df=ws&dt=int8&t=0&speed=60");
    shown(&page);
    page.click("#play");
    page.wait_until("time passes", || !page.text("#clock").starts_with("0 "));
    assert_eq!(page.js("return document.querySelector('#status').textContent").as_str(), Some(""));
    page.click("#play");
    page.wait_until("the rest is told", || {
        page.js("return document.querySelector('#status').textContent")
            .as_str()
            .is_some_and(|text| text.starts_with("Cycle"))
    });
}

#[test]
fn the_bar_of_pe_cycles_is_as_full_as_its_parts_say() {
    let page = Page::open("");
    shown(&page);
    let widths = page.js("const bar = document.querySelector('.bar').clientWidth; \
         return [...document.querySelector('.bar').children].map(part => part.getBoundingClientRect().width / bar);");
    let widths: Vec<f64> = widths.as_array().expect("a list").iter().filter_map(serde_json::Value::as_f64).collect();
    // Of 256 PE-cycles, 72 are useful, 64 padding, 48 load, 30 fill, 42 drain, and none is a stall.
    for (width, pe_cycles) in widths.iter().zip([72.0, 64.0, 48.0, 30.0, 42.0, 0.0]) {
        assert!((width - pe_cycles / 256.0).abs() < 0.01, "{widths:?}");
    }
    assert_eq!(widths.len(), 6);
}

#[test]
fn a_window_that_grows_never_shrinks_the_array() {
    const CANVAS: &str = "const { width, height } = document.querySelector('#stage canvas').getBoundingClientRect(); \
        return [width, height]";
    // Windows around each change of the layout, from the smallest for which the layout is designed.
    const WIDTHS: [u32; 10] = [640, 719, 720, 900, 1024, 1179, 1180, 1366, 1440, 1699];
    const HEIGHTS: [u32; 5] = [640, 700, 768, 900, 1080];
    let plans = ["", "df=os", "rows=8&cols=8&m=16&k=8&n=8"]
        .map(|query| (query, studio::Plan::new(&studio::Link::parse(query, "").scenario).expect("a run")));
    let page = Page::open("");
    shown(&page);
    page.wait_until("the sides are there", || page.text(".head").contains("Share"));
    wait_for_face(&page);
    let mut pitches = Vec::new();
    for width in WIDTHS {
        for height in HEIGHTS {
            page.set_view((width, height));
            page.js_async("await new Promise(done => setTimeout(done, 60))");
            let size = page.js(CANVAS);
            #[expect(clippy::cast_possible_truncation, reason = "sizes of a screen")]
            let side = |nth: usize| size[nth].as_f64().expect("a number") as f32;
            let pitch = |(_, plan): &(_, studio::Plan)| stage::Scene::new(plan, side(0), side(1)).layout.pitch;
            pitches.push(((width, height), plans.each_ref().map(pitch)));
        }
    }
    // If a panel grows by a pixel, each PE shrinks by less than a pixel.
    let shrunk = |(small, before): &((u32, u32), [f32; 3])| {
        let larger = pitches.iter().filter(|((w, h), _)| *w >= small.0 && *h >= small.1);
        let all = larger.flat_map(|(large, after)| (0..3).map(move |nth| (*large, nth, before[nth], after[nth])));
        let fewer = all.filter(|(_, _, before, after)| after + 1.5 < *before).collect::<Vec<_>>();
        (!fewer.is_empty()).then_some((*small, fewer))
    };
    let found: Vec<_> = pitches.iter().filter_map(shrunk).collect();
    assert!(found.is_empty(), "{found:?}");
}
