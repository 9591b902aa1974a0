//! Tests of the array's appearance, against pictures that a person has checked: `tests/golden/pictures`.
//!
//! Fonts differ between machines. A pixel therefore counts as different only if it is unlike every pixel around the
//! same place in the other picture. Two pixels are unlike if one of their three colors differs by more than [`OFF_MAX`]
//! of 255. Among the pixels that show something, at most a share of [`SHARE_MAX`] may be different. `UPDATE=1` writes
//! the pictures again.

use std::fs;
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use whole::browser::{Page, Setting};

use crate::{shown, wait_for_face};

const OFF_MAX: u32 = 96;
const SHARE_MAX: f64 = 0.005;

/// Name and link of each picture.
const PICTURES: [(&str, &str); 5] = [
    ("registers", "rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7&theme=light"),
    ("drained-dark", "rows=4&cols=4&m=6&k=7&n=3&df=os&dt=bf16&t=9&pe=2.1&theme=dark"),
    ("values", "rows=9&cols=9&m=20&k=13&n=12&df=is&dt=bf16&t=22&theme=light"),
    ("glyphs", "rows=16&cols=16&m=20&k=13&n=16&df=is&dt=int8&t=26&theme=light"),
    ("field", "rows=256&cols=256&m=512&k=256&n=200&df=ws&dt=int8&t=700&theme=light"),
];

fn path(name: &str) -> PathBuf {
    publish::root().join("tests/golden/pictures").join(name).with_extension("png")
}

/// Script that returns the array as a PNG in a data address: its canvas, with the visible canvases of tokens drawn over
/// it.
const CANVAS: &str = "const [below, ...over] = document.querySelectorAll('#stage canvas'); \
    const all = document.createElement('canvas'); [all.width, all.height] = [below.width, below.height]; \
    const context = all.getContext('2d'); context.drawImage(below, 0, 0); \
    const at = below.getBoundingClientRect(), ratio = below.width / at.width; \
    for (const one of over) { const style = getComputedStyle(one); \
      if (style.display === 'none' || style.opacity === '0' || !one.width) continue; const box = one.getBoundingClientRect(); \
      context.drawImage(one, (box.left - at.left) * ratio, (box.top - at.top) * ratio); } \
    return all.toDataURL('image/png')";

/// Picture that other sites show for a link to the page: its file, a link to only the array, and the size of the view.
const CARD: (&str, &str, (u32, u32)) = ("public/card.png", "?ui=bare&t=7&theme=light", (1200, 630));

/// Picture of the array in its current state, as a data address.
fn now(page: &Page) -> String {
    page.js(CANVAS).as_str().expect("a data address").to_owned()
}

/// Number of pixels that show something, and number of different pixels. If the sizes differ, the two numbers are
/// equal, so that the comparison fails.
fn compared(page: &Page, now: &str, golden: &str) -> (u64, u64) {
    let answer = page.js_async(&format!(
        "const pixels = async image => {{ \
           const canvas = document.createElement('canvas'); \
           [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight]; \
           const context = canvas.getContext('2d'); \
           context.fillStyle = '#808080'; context.fillRect(0, 0, canvas.width, canvas.height); \
           context.drawImage(image, 0, 0); \
           return context.getImageData(0, 0, canvas.width, canvas.height); }}; \
         const load = source => new Promise((done, fail) => {{ const image = new Image(); \
           image.onload = () => done(image); image.onerror = () => fail('no picture'); image.src = source; }}); \
         const now = await pixels(await load('{now}')); \
         const then = await pixels(await load('{golden}')); \
         const [w, h] = [now.width, now.height]; \
         if (w !== then.width || h !== then.height) return [1, 1]; \
         const near = (a, b, x, y) => {{ const i = 4 * (y * w + x); \
           for (let v = Math.max(0, y - 1); v <= Math.min(h - 1, y + 1); v++) \
             for (let u = Math.max(0, x - 1); u <= Math.min(w - 1, x + 1); u++) {{ const j = 4 * (v * w + u); \
               if (Math.abs(a[i] - b[j]) <= {OFF_MAX} && Math.abs(a[i + 1] - b[j + 1]) <= {OFF_MAX} && \
                   Math.abs(a[i + 2] - b[j + 2]) <= {OFF_MAX}) return true; }} \
           return false; }}; \
         const bare = (a, i) => a[i] === 128 && a[i + 1] === 128 && a[i + 2] === 128; \
         let off = 0, all = 0; \
         for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) {{ const i = 4 * (y * w + x); \
           if (bare(now.data, i) && bare(then.data, i)) continue; \
           all++; \
           if (!near(now.data, then.data, x, y) || !near(then.data, now.data, x, y)) off++; }} \
         return [all, off];"
    ));
    (answer[0].as_u64().expect("a number"), answer[1].as_u64().expect("a number"))
}

fn opened(query: &str) -> Page {
    let page = Page::new(Setting::window(1000, 640));
    page.goto(&format!("?{query}"));
    shown(&page);
    wait_for_face(&page);
    page
}

#[test]
fn the_array_looks_as_it_was_looked_at() {
    for (name, query) in PICTURES {
        let page = opened(query);
        if std::env::var_os("UPDATE").is_some() {
            let data = page.js(CANVAS);
            let (_, coded) = data.as_str().and_then(|data| data.split_once(',')).expect("a data address");
            let bytes = STANDARD.decode(coded).expect("base64");
            fs::create_dir_all(path(name).parent().expect("a folder")).expect("the folder can be made");
            fs::write(path(name), bytes).expect("the picture can be written");
        }
        let golden = fs::read(path(name)).unwrap_or_else(|error| panic!("{}: {error}", path(name).display()));
        let golden = format!("data:image/png;base64,{}", STANDARD.encode(golden));
        let (all, off) = compared(&page, &now(&page), &golden);
        #[expect(clippy::cast_precision_loss, reason = "pixels of a screen")]
        let share = off as f64 / all as f64;
        assert!(share <= SHARE_MAX, "{name}: {off} of {all} pixels are different");
    }
}

#[test]
fn the_card_shows_the_first_screen() {
    let (file, query, size) = CARD;
    let page = Page::new(Setting::window(size.0, size.1));
    page.goto(query);
    shown(&page);
    page.wait_until("the sides are there", || page.count("#why-line") == 1);
    wait_for_face(&page);
    let file = publish::root().join(file);
    if std::env::var_os("UPDATE").is_some() {
        page.screenshot_png(&file);
    }
    let address = |bytes: &[u8]| format!("data:image/png;base64,{}", STANDARD.encode(bytes));
    let golden = address(&fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())));
    let (all, off) = compared(&page, &address(&page.screenshot()), &golden);
    #[expect(clippy::cast_precision_loss, reason = "pixels of a screen")]
    let share = off as f64 / all as f64;
    assert!(share <= SHARE_MAX, "{off} of {all} pixels are different");
}

#[test]
fn another_cycle_looks_different() {
    for (name, query) in PICTURES {
        let page = opened(query);
        let golden = fs::read(path(name)).unwrap_or_else(|error| panic!("{}: {error}", path(name).display()));
        let golden = format!("data:image/png;base64,{}", STANDARD.encode(golden));
        let before = page.js(CANVAS);
        // If one cycle makes only a small difference, the test goes to the next event.
        page.keys("#stage", if matches!(name, "field" | "glyphs") { "]" } else { "\u{e014}" });
        page.wait_until("it is another picture", || page.js(CANVAS) != before);
        let (all, off) = compared(&page, &now(&page), &golden);
        #[expect(clippy::cast_precision_loss, reason = "pixels of a screen")]
        let share = off as f64 / all as f64;
        assert!(share > SHARE_MAX, "{name}: only {off} of {all} pixels are different");
    }
}

#[test]
fn a_theme_that_is_chosen_paints_the_array_as_one_that_a_link_asks_for() {
    let picture = |page: &Page| {
        let image = page.js("return document.querySelector('#stage canvas').toDataURL()");
        image.as_str().map(str::to_owned).expect("an image")
    };
    let page = Page::open("?theme=dark");
    shown(&page);
    page.wait_until("it is painted", || picture(&page).len() > 4000);
    let asked = picture(&page);
    page.goto("?theme=light");
    shown(&page);
    page.wait_until("it is painted", || picture(&page).len() > 4000);
    assert_ne!(picture(&page), asked);
    page.js("const list = document.querySelector('#theme'); list.value = 'dark'; \
             list.dispatchEvent(new Event('change', { bubbles: true }))");
    page.wait_until("the dark colors are there", || picture(&page) == asked);
}
