//! Tests of the page on a phone or at 200%: the array and its caption stay in view, and tabs select the rest.

use whole::browser::{Page, Setting, some};

use crate::shown;

const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const RUN: &str = "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7";

/// Sizes of the view on phones, and on laptops at 200%.
const SIZES: [(u32, u32); 5] = [(360, 740), (390, 844), (720, 450), (683, 384), (960, 540)];

fn opened(width: u32, height: u32, query: &str) -> Page {
    let page = Page::new(Setting::window(width, height));
    page.goto(query);
    shown(&page);
    page.wait_until("the tabs are panels", || page.attribute("#run", "role").as_deref() == Some("tabpanel"));
    page
}

/// Ids of the visible tab panels.
fn seen(page: &Page) -> Vec<String> {
    let found = page.js("return ['run', 'change', 'why', 'toolbox', 'more'].filter(id => \
         document.getElementById(id).getBoundingClientRect().height > 1)");
    found.as_array().expect("a list").iter().filter_map(|id| id.as_str().map(str::to_owned)).collect()
}

#[test]
fn the_array_its_caption_and_one_place_are_in_sight_and_nothing_scrolls_away() {
    for (width, height) in some(&SIZES, 3) {
        let page = opened(width, height, RUN);
        for tab in ["run", "change", "why", "tools", "more"] {
            page.click(&format!("#tab-{tab}"));
            let place = if tab == "tools" { "toolbox" } else { tab };
            page.wait_until("the place is there alone", || seen(&page) == [place]);
            let out = page.js("const main = document.querySelector('main'), below = innerHeight + 0.5; \
                 const out = ['stage', 'caption', 'run', 'change', 'why', 'toolbox', 'more', 'play', 'scrub'] \
                   .map(id => document.getElementById(id)).filter(element => { \
                     const box = element.getBoundingClientRect(); \
                     return box.height > 0 && (box.bottom > below || box.top < 0); }).map(element => element.id); \
                 if (main.scrollHeight > main.clientHeight + 1) out.push('main scrolls'); \
                 return out;");
            assert_eq!(out.as_array().map(Vec::len), Some(0), "{width}×{height} {tab}: {out}");
            let tall = page.js("return document.querySelector('#stage').clientHeight").as_f64().unwrap_or_default();
            assert!(tall > f64::from(height) * 0.3, "{width}×{height} {tab}: the stage has {tall} px");
            if width < 560 {
                let play = page.js("return document.querySelector('#play').getBoundingClientRect().height");
                assert!(play.as_f64() >= Some(36.0), "{width}×{height} {tab}: the buttons stay");
            }
        }
        assert_eq!(page.console_errors(), Vec::<String>::new());
    }
}

#[test]
fn on_a_phone_the_reason_of_a_loss_and_an_opened_tool_come_into_view() {
    let page = opened(360, 740, RUN);
    let inside = |css: &str, panel: &str| {
        page.js(&format!(
            "const box = document.querySelector('{css}').getBoundingClientRect(); \
             const panel = document.querySelector('{panel}').getBoundingClientRect(); \
             return box.height > 0 && box.top >= panel.top - 1 && box.bottom <= panel.bottom + 1"
        ))
        .as_bool()
            == Some(true)
    };
    page.click("#tab-why");
    for class in ["useful", "padding", "load"] {
        page.click(&format!("#class-{class}"));
        page.wait_until("the reason is in view", || inside(".class[aria-pressed=true] + .reason", "#why"));
    }
    page.click("#tab-tools");
    page.click("#tool-pe");
    page.wait_for("#sheet");
    page.wait_until("the drawing is in view", || inside("#panel-title", "#toolbox") && inside("#sheet h3", "#toolbox"));
}

#[test]
fn tabs_are_chosen_by_the_arrow_keys_and_what_was_typed_stays() {
    let page = opened(360, 740, RUN);
    page.click("#tab-change");
    page.fill("#m", "7");
    page.keys("#tab-change", RIGHT);
    page.wait_until("the tab to the right", || seen(&page) == ["why"]);
    let focus = || page.js("return document.activeElement.id").as_str().unwrap_or_default().to_owned();
    assert_eq!(focus(), "tab-why");
    let clock = page.js("return document.querySelector('#clock').textContent");
    assert!(clock.as_str().is_some_and(|clock| clock.starts_with("7 ")), "an arrow on a tab passes no time: {clock}");
    let index = |tab: &str| page.attribute(tab, "tabindex").unwrap_or_default();
    assert_eq!((index("#tab-why"), index("#tab-run")), ("0".to_owned(), "-1".to_owned()));
    assert_eq!(page.attribute("#tab-why", "aria-selected").as_deref(), Some("true"));
    assert_eq!(page.attribute("#why", "aria-labelledby").as_deref(), Some("tab-why"));
    page.keys("#tab-why", LEFT);
    page.wait_until("back", || seen(&page) == ["change"]);
    assert_eq!(page.js("return document.querySelector('#m').value").as_str(), Some("7"));
    // The left arrow leads from the first tab to the last tab.
    page.click("#tab-run");
    page.keys("#tab-run", LEFT);
    page.wait_until("the last tab", || seen(&page) == ["more"]);
}

#[test]
fn the_caption_has_one_height_whatever_it_says() {
    let page = opened(360, 740, RUN);
    let places = || {
        let places = page.js("return ['stage', 'play', 'scrub'].map(id => \
             document.getElementById(id).getBoundingClientRect().top)");
        places.to_string()
    };
    let first = places();
    for cycle in 0..=16 {
        assert_eq!(places(), first, "cycle {cycle}");
        page.keys("#stage", if cycle == 0 { "\u{e011}" } else { RIGHT });
    }
}

#[test]
fn a_tool_a_word_and_the_reasons_bring_their_tab() {
    let page = opened(360, 740, &format!("{RUN}&tool=break"));
    page.wait_for("#breaker");
    page.wait_until("the open tool is in sight", || seen(&page) == ["toolbox"]);
    page.click("#why-line");
    page.wait_until("the reasons", || seen(&page) == ["why"]);
    page.keys("#stage", "?");
    page.wait_until("the help", || seen(&page) == ["more"]);
    assert_eq!(page.count("#help[open]"), 1);
}

#[test]
fn a_wide_page_shows_all_places_and_has_no_tabs() {
    let page = Page::open(RUN);
    shown(&page);
    assert_eq!(page.js("return document.querySelector('.tabs').getBoundingClientRect().height").as_f64(), Some(0.0));
    assert_eq!(page.count("[role=tabpanel]"), 0);
    for css in ["#setup", "#live", ".toolbar", "#play", "#theme"] {
        let wide = page.js(&format!("return document.querySelector('{css}').getBoundingClientRect().width"));
        assert!(wide.as_f64() > Some(1.0), "{css}: {wide}");
    }
}

#[test]
fn on_a_phone_nothing_of_share_is_beside_its_dialog() {
    let page = opened(360, 740, RUN);
    page.click("#tab-more");
    page.click("#to-share");
    page.wait_for("#share #slides-open");
    let over = "const share = document.querySelector('#share'); const edge = share.getBoundingClientRect().right; \
        return [...share.querySelectorAll('*')].filter(one => one.checkVisibility() && one.getBoundingClientRect().right > edge) \
        .map(one => one.id || one.tagName)";
    assert_eq!(page.js(over), serde_json::json!([]));
}
