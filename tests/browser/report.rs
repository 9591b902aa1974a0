//! Tests of the parts of an estimate's answer other than figures: its cost breakdown, its plots, its print view and its
//! file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use whole::browser::{Page, Setting};

fn ready(page: &Page) {
    page.wait_until("there is an answer", || page.count("#ask-title") > 0 && !page.text("#ask-title").is_empty());
    page.wait_until("there are plots", || page.count("#estimate-ask svg.plot") >= 2);
    // Plots arrive one after the other, and each moves the buttons below away from the pointer.
    page.js_async(
        "const frame = () => new Promise(requestAnimationFrame), top = () => document.querySelector('#save-json').getBoundingClientRect().top; \
         for (let last = top(), still = 0; still < 12; last = top()) { await frame(); still = top() === last ? still + 1 : 0; }",
    );
    // Rarely used entries and the sources of the cost lines are folded, so the tests open them.
    page.js("for (const one of document.querySelectorAll('.entries .more')) one.open = true");
}

fn open(query: &str) -> Page {
    let page = Page::open(&format!("?{query}&ui=desk"));
    ready(&page);
    page
}

/// Amounts in the first column of the cost breakdown, in units of the last digit that is shown. The last amount is the
/// total.
fn amounts(page: &Page) -> Vec<Option<u64>> {
    let cells = page.js("return [...document.querySelector('#bill table').querySelectorAll('tbody tr')] \
         .map(row => row.querySelector('td').textContent)");
    let amount = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok();
    cells.as_array().expect("rows").iter().map(|cell| amount(cell.as_str().unwrap_or_default())).collect()
}

#[test]
fn the_bill_adds_up_follows_its_terms_and_opens() {
    let page = open("ask=tokens%3D1e12%26chip%3Dtpu-v6e%26versus%3Dh100-sxm");
    page.click("label:has(#view-bill)");
    let all = amounts(&page);
    let (total, lines) = all.split_last().expect("a sum");
    assert_eq!(lines.iter().flatten().sum::<u64>(), total.expect("known"), "{all:?}");
    page.enter("#ask-weeks", "3");
    page.wait_until("what a week costs is not known", || page.text("#bill").contains("Total, at least"));
    page.enter("#ask-week-usd", "8000");
    page.wait_until("porting is a line", || amounts(&page).contains(&Some(24_000)));
    let all = amounts(&page);
    let (total, lines) = all.split_last().expect("a sum");
    assert_eq!(lines.iter().flatten().sum::<u64>(), total.expect("known"), "{all:?}");
    assert!(
        page.js("return document.querySelector('#figure-bill-break-even').textContent")
            .to_string()
            .contains("chip-hours on TPU v6e")
    );
    page.wait_until("the link says so", || page.url().contains("week-usd%3D8000"));
    page.enter("#ask-pue", "0.5");
    page.wait_until("what is allowed", || page.text("#ask-pue-problem").contains("use a number from 1 to 10"));
    page.click("#bill-lines > summary");
    page.click("#figure-bill-failures summary");
    page.click("#figure-bill-failures .sources > summary");
    page.wait_until("its sources", || {
        let text = page.text("#figure-bill-failures");
        text.contains("Llama 3") && text.contains("Leaves out") && text.contains("not a measurement")
    });
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

/// Script that lists the texts of plots that are too small, cut off or over one another.
const UNREADABLE: &str = "const found = []; \
    for (const svg of document.querySelectorAll('svg.plot')) { \
      const whole = svg.getBoundingClientRect(), seen = []; \
      if (whole.right > document.documentElement.clientWidth + .5) found.push('the plot sticks out'); \
      const scale = whole.width / svg.viewBox.baseVal.width; \
      for (const text of svg.querySelectorAll('text')) { \
        const box = text.getBoundingClientRect(), size = parseFloat(getComputedStyle(text).fontSize); \
        if (size * Math.min(1, scale) < 10.99) found.push(`${text.textContent}: ${size} px at ${scale}`); \
        if (box.left < whole.left - .5 || box.right > whole.right + .5 || box.top < whole.top - .5 || box.bottom > whole.bottom + .5) \
          found.push(`${text.textContent} is cut off`); \
        for (const [words, other] of seen) \
          if (box.left < other.right - 1 && other.left < box.right - 1 && box.top < other.bottom - 3 && other.top < box.bottom - 3) \
            found.push(`${text.textContent} over ${words}`); \
        seen.push([text.textContent, box]); } } \
    return found;";

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn plots_are_read_at_every_width_and_in_every_theme() {
        let page = Page::new(Setting::default());
        let sizes = [
            (360, 740, "light"),
            (640, 480, "dark"),
            (1024, 700, "light"),
            (1280, 800, "dark"),
            (1920, 1080, "projector"),
        ];
        for (width, height, theme) in sizes {
            page.resize(width, height);
            for ask in
                ["", "pass%3Ddecode%26batch%3D1%26chip%3Dh100-sxm", "chip%3Dtpu-v5p%26chips%3D512%26model%3Dllama3-70b"]
            {
                page.goto(&format!("?theme={theme}&ui=desk&ask={ask}"));
                ready(&page);
                let found = page.js(UNREADABLE);
                assert_eq!(found.as_array().map(Vec::len), Some(0), "{width} {theme} {ask}: {found}");
            }
            let told: Vec<String> = page.axe().unwrap_or_default().iter().map(ToString::to_string).collect();
            assert!(told.is_empty(), "{width} {theme}: {}", told.join("\n"));
        }
    }
}

#[test]
fn a_dot_opens_its_source_and_an_axis_counts_one_way() {
    let page = open("");
    let dots = page.count("#plot-mfu .dots li");
    let numbered = page.count("#plot-mfu svg [data-dot]:not([data-dot='0'])");
    assert!(dots > 0 && dots == numbered, "all that are named: {dots} {numbered}");
    assert!(page.count("#plot-mfu svg [data-dot='0']") > 10, "further published runs, and what is asked");
    assert_eq!(page.attribute("#plot-mfu svg", "role").as_deref(), Some("img"));
    assert!(page.attribute("#plot-mfu svg", "aria-label").is_some_and(|words| words.contains("published points")));
    page.js("document.querySelector('#plot-mfu [data-dot=\"1\"]').dispatchEvent(new MouseEvent('click', { bubbles: true }))");
    page.wait_until("its source", || page.text("#plot-mfu-1").contains("MaxText"));
    let focused = page.js("return document.activeElement.parentElement.id");
    assert_eq!(focused.as_str(), Some("plot-mfu-1"), "keys go on from there");
    page.keys("#plot-mfu-2 summary", "\u{e007}");
    page.wait_until("a key opens another", || page.text("#plot-mfu-2").contains("MaxText"));
    page.js("const axis = document.querySelector('#ask-axis'); axis.value = 'hfu'; \
             axis.dispatchEvent(new Event('change', { bubbles: true }))");
    page.wait_until("HFU alone", || {
        page.text("#plot-mfu figcaption").starts_with("HFU") && page.count("#plot-mfu .dots li") == 0
    });
    page.wait_until("the link says so", || page.url().contains("axis%3Dhfu"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn paper_shows_everything_open_black_on_white_and_nothing_to_press() {
    for theme in ["light", "dark", "projector"] {
        let page = open(&format!("theme={theme}&ask=versus%3Dh100-sxm%26tokens%3D15e12"));
        page.js("window.print = () => {}; return true");
        page.click("#print-all");
        let pdf = page.cdp("Page.printToPDF", json!({ "printBackground": false }));
        let pdf = STANDARD.decode(pdf["data"].as_str().unwrap_or_default()).expect("a document");
        assert!(pdf.starts_with(b"%PDF") && pdf.len() > 50_000, "{} bytes", pdf.len());
        // A print resets the choice.
        page.click("#print-all");
        page.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": 720, "height": 1000, "deviceScaleFactor": 1, "mobile": false }),
        );
        page.cdp("Emulation.setEmulatedMedia", json!({ "media": "print" }));
        // A folded topic has no answer before a person opens it.
        let n_closed = || page.count("#estimate details:not([open], .folded)");
        let closed = n_closed();
        assert!(closed > 20, "they are closed on screen");
        page.js("window.dispatchEvent(new Event('beforeprint'))");
        assert_eq!((n_closed(), page.count("#estimate .folded:not([open])")), (0, 2));
        let seen = page.js(
            "const shown = one => one.getClientRects().length > 0; const all = css => [...document.querySelectorAll(css)].filter(shown); \
             const page = document.documentElement.clientWidth; \
             return [all('button:not(.cell), input, select, textarea, .head').map(one => one.outerHTML.slice(0, 60)), \
               all('#estimate table, #estimate svg, #estimate p, #estimate h3').filter(one => one.getBoundingClientRect().right > page + 1) \
                 .map(one => one.outerHTML.slice(0, 60)), \
               getComputedStyle(document.querySelector('#ask-title')).color, \
               getComputedStyle(document.documentElement).getPropertyValue('--page').trim(), \
               all('.report-head, .inputs').length, \
               all('.figure .formula').length >= 2 * all('.figure').length]",
        );
        assert_eq!(seen, json!([[], [], "rgb(0, 0, 0)", "#ffffff", 2, true]), "{theme}");
        assert!(page.text(".report-head").contains("ask=versus%3Dh100-sxm"), "{}", page.text(".report-head"));
        assert!(page.text(".report-head").contains(perfmodel::AS_OF));
        page.js("window.dispatchEvent(new Event('afterprint'))");
        assert_eq!(n_closed(), closed, "what was closed is closed again");
    }
}

#[test]
fn the_file_that_is_downloaded_is_the_answer_of_the_command_line() {
    let ask = "chip=tpu-v5p&chips=512&versus=h100-sxm&grid=0.4&axis=hfu";
    let page = open(&format!("ask={}", ask.replace('=', "%3D").replace('&', "%26")));
    // The page keeps the file instead of the disk.
    page.js("const make = URL.createObjectURL; window.saved = []; \
         URL.createObjectURL = blob => { window.saved.push(blob); return make(blob); }; \
         HTMLAnchorElement.prototype.click = function () { window.name = this.download; }");
    page.click("#save-json");
    page.wait_until("a file is made", || page.js("return window.saved.length").as_u64() == Some(1));
    let text = page.js_async("return await window.saved[0].text()");
    // A test in src/shell/cli/tests/all/chips.rs checks that the command line writes the same text.
    let answered = estimate::Answered::parse(estimate::Topic::Model, ask);
    let expected = report::json(answered.model().expect("an answer"));
    assert_eq!(text.as_str().map(str::trim_end), Some(expected.as_str()));
    assert_eq!(page.js("return window.name").as_str(), Some("systolic-model.json"));
    assert!(page.js("window.print = () => { window.printed = true; }; return true").as_bool() == Some(true));
    page.click("#print");
    assert_eq!(page.js("return window.printed").as_bool(), Some(true));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_saved_file_stays_at_its_address_after_the_click_and_is_released_later() {
    let page = open("");
    // Some browsers fetch the file only after the click is handled. The test itself runs timers of ten seconds or more.
    page.js("window.released = []; window.later = []; \
         const release = URL.revokeObjectURL, wait = window.setTimeout; \
         URL.revokeObjectURL = address => { window.released.push(address); release(address); }; \
         window.setTimeout = (work, ms, ...more) => ms < 10000 ? wait(work, ms, ...more) : window.later.push(work); \
         HTMLAnchorElement.prototype.click = function () { window.saved = this.href; }");
    page.click("#save-json");
    page.wait_until("a file is made", || page.js("return window.saved?.startsWith('blob:')").as_bool() == Some(true));
    let released = || page.js("return window.released");
    assert_eq!(released(), json!([]), "a browser may still fetch it");
    page.js("for (const work of window.later) work()");
    assert_eq!(released(), json!([page.js("return window.saved")]), "it does not stay in memory for ever");
}
