//! Tests of the projector theme: the whole run on one screen, in letters that people in the last row can read.

use whole::browser::{Page, Setting};

use crate::shown;

const RUN: &str = "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7&theme=projector";

/// Sizes of projector screens.
const SIZES: [(u32, u32); 3] = [(1280, 720), (1366, 768), (1920, 1080)];

/// Script that lists the elements out of view, and the elements whose letters are below 24 pixels.
const OUT: &str = "const zoom = +getComputedStyle(document.documentElement).zoom || 1; \
    return ['stage', 'caption', 'play', 'home', 'end', 'scrub', 'clock', 'speed', 'why-line', 'tab-run', 'tab-tools', \
      'to-array', 'to-start'].map(id => { const element = document.getElementById(id), box = element.getBoundingClientRect(); \
      return [id, box.left, box.top, box.right, box.bottom, parseFloat(getComputedStyle(element).fontSize) * zoom]; }) \
      .filter(([id, left, top, right, bottom, size]) => right - left < 1 || left < 0 || top < 0 \
        || right > innerWidth + 0.5 || bottom > innerHeight + 0.5 \
        || size < 24 && !['stage', 'play', 'home', 'end', 'scrub'].includes(id));";

#[test]
fn a_projector_shows_the_whole_run_without_scrolling_in_letters_of_24_pixels() {
    let page = Page::new(Setting::default());
    for (width, height) in SIZES {
        page.resize(width, height);
        page.goto(RUN);
        shown(&page);
        page.wait_until("the tabs are there", || page.attribute("#run", "role").as_deref() == Some("tabpanel"));
        let out = page.js(OUT);
        assert_eq!(out.as_array().map(Vec::len), Some(0), "{width}×{height}: {out}");
        let scrolls = page.js("const main = document.querySelector('main'); \
             return main.scrollHeight > main.clientHeight + 1 || document.documentElement.scrollHeight > innerHeight + 1");
        assert_eq!(scrolls.as_bool(), Some(false), "{width}×{height}");
        // The smallest letters in the array view have 11 pixels, times the scale of the picture.
        let letters = page.js("const style = css => getComputedStyle(document.querySelector(css)); \
             return 11 * style('#stage canvas').getPropertyValue('--scale') * (+style('html').zoom || 1)");
        assert!(letters.as_f64() >= Some(24.0), "{width}×{height}: {letters}");
        assert_eq!(page.console_errors(), Vec::<String>::new());
    }
}

#[test]
fn two_compared_runs_and_the_words_of_an_example_are_as_large_and_cover_nothing() {
    const CROWD: &str = "const zoom = +getComputedStyle(document.documentElement).zoom || 1; \
        const parts = [...document.querySelectorAll('.head .rooms, .tabs, #example p, #example button, .banner, .shapes, \
          .caption-line, .timeline, #clock')].filter(part => part.getBoundingClientRect().width > 1); \
        const found = parts.filter(part => parseFloat(getComputedStyle(part).fontSize) * zoom < 24 && part.textContent.trim()) \
          .map(part => `${part.className || part.id} is small`); \
        parts.forEach((one, nth) => parts.slice(nth + 1).forEach(other => { \
          const [a, b] = [one, other].map(part => part.getBoundingClientRect()); \
          if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 \
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) \
            found.push(`${one.className || one.id} and ${other.className || other.id}`); })); \
        for (const part of parts) if (part.scrollWidth > part.clientWidth + 1 && part.textContent.trim()) found.push(`${part.className} is cut`); \
        return [parts.length, found];";
    let page = Page::new(Setting::default());
    for (width, height) in SIZES {
        page.resize(width, height);
        for (run, part) in [
            ("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7&cmp=df%3Dos", "#other"),
            ("?rows=256&cols=256&m=512&k=256&n=200&df=ws&dt=bf16&chip=tpu-v6e&t=700", "#example"),
        ] {
            page.goto(&format!("{run}&theme=projector"));
            shown(&page);
            page.wait_for(part);
            page.wait_for(".tabs button");
            let found = page.js(CROWD);
            assert!(found[0].as_u64() > Some(6), "{width}×{height} {run}: {found}");
            assert_eq!(found[1], serde_json::json!([]), "{width}×{height} {run}");
        }
    }
}

#[test]
fn what_opens_on_a_projector_stands_beside_the_array_above_the_transport() {
    let page = Page::new(Setting::default());
    for (width, height) in SIZES {
        page.resize(width, height);
        page.goto(RUN);
        shown(&page);
        for (tab, place) in [("change", "#setup"), ("why", "#live"), ("tools", ".toolbar"), ("more", "#theme")] {
            page.click(&format!("#tab-{tab}"));
            page.wait_until("it opens", || {
                page.js(&format!("return document.querySelector('{place}').getBoundingClientRect().width > 100"))
                    .as_bool()
                    == Some(true)
            });
            let lies_over = page.js(&format!(
                "const box = css => document.querySelector(css).getBoundingClientRect(); \
                 const [stage, place, play] = [box('#stage'), box('{place}'), box('#play')]; \
                 return place.left < stage.right - 1 || place.top > play.top || play.bottom > innerHeight \
                   || stage.width < innerWidth * 0.6"
            ));
            assert_eq!(lies_over.as_bool(), Some(false), "{width}×{height} {tab}");
        }
        page.click("#tab-run");
        page.wait_until("the legend is back", || page.count(".shapes") == 1);
    }
}
