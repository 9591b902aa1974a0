//! Tests of the page as a component. The page runs in a real browser, and the tests only click, press keys and type
//! text.
#![cfg(target_arch = "wasm32")]

use std::cell::RefCell;
use std::rc::Rc;

use app::app::Page;
use app::ctx::Ctx;
use estimate::Query;
use leptos::prelude::*;
use studio::{Action, Link, Transport};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Document, Event, EventInit, HtmlElement, HtmlInputElement, HtmlSelectElement, KeyboardEvent};

#[path = "page/ask.rs"]
mod ask;
#[path = "page/matrices.rs"]
mod matrices;
#[path = "page/tools.rs"]
mod tools;
#[path = "page/words.rs"]
mod words;

wasm_bindgen_test_configure!(run_in_browser);

fn document() -> Document {
    web_sys::window().expect("a window").document().expect("a document")
}

/// A person who uses the page.
struct Person {
    root: HtmlElement,
}

impl Person {
    async fn opens(query: &str) -> Self {
        let root: HtmlElement = document().create_element("div").expect("a div").unchecked_into();
        // This removes the page of the test before, and keeps the runner's own output.
        if let Some(before) = document().query_selector(".mounted").expect("a selector") {
            before.remove();
        }
        root.set_class_name("mounted");
        document().body().expect("a body").append_child(&root).expect("appended");
        let (query, fragment) = query.split_once('#').unwrap_or((query, ""));
        let link = Link::parse(query, fragment);
        mount_to(root.clone(), move || view! { <Page link /> }).forget();
        leptos::task::tick().await;
        let person = Self { root };
        // The panels around the array view arrive a moment later.
        if !query.contains("ui=desk") {
            person.waits_for("#live").await;
            leptos::task::tick().await;
        }
        person
    }

    fn find<T: JsCast>(&self, css: &str) -> T {
        self.root.query_selector(css).expect("a selector").unwrap_or_else(|| panic!("no {css}")).unchecked_into()
    }

    fn sees(&self, css: &str) -> String {
        self.find::<HtmlElement>(css).text_content().unwrap_or_default()
    }

    async fn clicks(&self, css: &str) {
        self.find::<HtmlElement>(css).click();
        leptos::task::tick().await;
        leptos::task::tick().await;
    }

    async fn types(&self, css: &str, text: &str) {
        let input: HtmlInputElement = self.find(css);
        input.set_value(text);
        self.fires(&input, "input").await;
    }

    async fn chooses(&self, css: &str, value: &str) {
        let select: HtmlSelectElement = self.find(css);
        select.set_value(value);
        self.fires(&select, "change").await;
    }

    async fn presses(&self, key: &str) {
        self.presses_at("#stage", key).await;
    }

    async fn presses_at(&self, css: &str, key: &str) {
        let init = web_sys::KeyboardEventInit::new();
        init.set_key(key);
        init.set_bubbles(true);
        init.set_cancelable(true);
        let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init).expect("an event");
        self.find::<HtmlElement>(css).dispatch_event(&event).expect("dispatched");
        leptos::task::tick().await;
    }

    /// Lets the browser draw frames until an element matches the selector.
    async fn waits_for(&self, css: &str) {
        while self.root.query_selector(css).expect("a selector").is_none() {
            let frame = js_sys::Promise::new(&mut |drawn, _| {
                _ = web_sys::window().expect("a window").request_animation_frame(&drawn);
            });
            js_sys::futures::JsFuture::from(frame).await.expect("a frame");
        }
    }

    async fn fires(&self, target: &web_sys::EventTarget, name: &str) {
        let init = EventInit::new();
        init.set_bubbles(true);
        let event = Event::new_with_event_init_dict(name, &init).expect("an event");
        target.dispatch_event(&event).expect("dispatched");
        // Effects that follow from other effects run in the next turn.
        leptos::task::tick().await;
        leptos::task::tick().await;
    }
}

#[wasm_bindgen_test]
async fn the_first_screen_is_in_the_middle_of_a_run() {
    let person = Person::opens("").await;
    assert_eq!(person.sees("#clock"), "7 of 15");
    assert!(person.sees("#caption").starts_with("First result complete: c[0,0] = −26"));
    assert!(person.sees("#figure-utilization .value").starts_with("28.1"));
}

#[wasm_bindgen_test]
async fn the_headline_is_a_sum_whose_parts_say_why_they_are_there() {
    let person = Person::opens("").await;
    assert_eq!(person.sees("#busy"), "28.1 %");
    assert_eq!(person.sees("#so-far"), "14.8 %", "19 of 128 PE-cycles up to cycle 7");
    assert_eq!((person.sees("#array-cost"), person.sees("#cost-so-far")), ("$23.1".into(), "$43.8".into()));
    assert_eq!(person.sees("#class-padding .usd"), "5.78");
    assert_eq!((person.sees("#mfu"), person.sees("#cost")), ("0.000057 %".into(), "$11.5 M".into()));
    assert!(person.sees("#sum").ends_with("72 useful, 64 padding, 48 loading, 30 filling, 42 draining."));
    let pressed = |css: &str| person.find::<HtmlElement>(css).get_attribute("aria-pressed");
    person.clicks("#class-padding").await;
    person.clicks("#class-load").await;
    assert_eq!((pressed("#class-padding"), pressed("#class-load")), (Some("false".into()), Some("true".into())));
    assert!(person.sees("#class-load + .reason").contains("Loading the weights takes 4 cycles"));
    person.clicks("#class-padding").await;
    assert!(person.sees("#class-padding + .reason").contains("N = 4: 37.5 %"));
    person.clicks("#class-padding + .reason button").await;
    assert_eq!(person.sees("#busy"), "37.5 %");
    assert!(person.sees("#class-padding + .reason").starts_with("None"));
    person.clicks("#class-padding").await;
    assert_eq!(pressed("#class-padding"), Some("false".into()));
    // The curve is for the setting that was changed last, with its value before.
    let curve: HtmlElement = person.find("#curve svg");
    let words = curve.get_attribute("aria-label").expect("words");
    assert!(
        words.starts_with("MFU of this array for N") && words.contains("before the change, 28.1 % at N = 3"),
        "{words}"
    );
}

#[wasm_bindgen_test]
async fn buttons_and_keys_move_in_time_alike() {
    let person = Person::opens("").await;
    person.clicks("#forward").await;
    assert_eq!(person.sees("#clock"), "8 of 15");
    person.presses("ArrowRight").await;
    person.presses("ArrowLeft").await;
    person.presses("ArrowLeft").await;
    assert_eq!(person.sees("#clock"), "7 of 15");
    person.presses("End").await;
    assert_eq!(person.sees("#clock"), "15 of 15");
    person.presses("Home").await;
    person.presses("]").await;
    assert_eq!(person.sees("#clock"), "4 of 15", "the first MAC follows four cycles of loading");
}

#[wasm_bindgen_test]
async fn a_legal_size_changes_the_run_and_an_illegal_one_is_explained_beside_the_field() {
    let person = Person::opens("").await;
    person.types("#rows", "8").await;
    assert!(person.sees(".headline").contains("8×4"));
    person.types("#rows", "banana").await;
    assert_eq!(person.sees("#rows-problem"), "rows = banana: use a whole number from 1 to 1024.");
    assert_eq!(person.find::<HtmlInputElement>("#rows").value(), "banana", "nothing typed is lost");
    assert!(person.sees(".headline").contains("8×4"), "the last good run stays");
    person.types("#rows", "4").await;
    assert_eq!(person.sees("#rows-problem"), "");
}

#[wasm_bindgen_test]
async fn typed_matrices_are_multiplied() {
    let person = Person::opens("rows=2&cols=2&df=os&dt=int8&t=99&pe=1.1").await;
    person.chooses("#fill", "custom").await;
    for (css, text) in [("#a", "1 2\n3 4"), ("#b", "5 6\n7 8")] {
        let area: web_sys::HtmlTextAreaElement = person.find(css);
        area.set_value(text);
        person.fires(&area, "change").await;
    }
    person.presses("End").await;
    // PE 1,1 is the last to finish, with 3·6 + 4·8.
    assert!(person.sees("#caption").contains("= 50"), "{}", person.sees("#caption"));
}

#[wasm_bindgen_test]
async fn every_choice_of_the_form_gives_a_run() {
    let person = Person::opens("").await;
    for (css, values) in [
        ("#dt", vec!["f32", "bf16", "int8"]),
        ("#pad", vec!["zero", "m", "ragged"]),
        ("#fill", vec!["uniform", "counting", "identity", "small"]),
        ("#chip", vec!["tpu-v1", "tpu-7x", "h100-sxm", "tpu-v4"]),
    ] {
        for value in values {
            person.chooses(css, value).await;
            assert!(person.root.query_selector(".stale").expect("a selector").is_none(), "{css} {value}");
            assert!(!person.sees("#caption").is_empty(), "{css} {value}");
        }
    }
    for css in ["#df-os", "#df-is", "#df-ws"] {
        person.clicks(css).await;
        assert!(person.find::<HtmlInputElement>(css).checked(), "{css}");
        assert!(person.root.query_selector(".stale").expect("a selector").is_none(), "{css}");
    }
    person.clicks("#df-os").await;
    assert!(person.sees(".headline").starts_with("Output-stationary"));
    assert!(!person.find::<HtmlInputElement>("#df-ws").checked());
}

#[wasm_bindgen_test]
async fn sizes_change_by_one_or_by_typing_and_say_what_they_do() {
    let person = Person::opens("").await;
    for (css, value, last) in [("#m-more", "7", "16"), ("#m-less", "6", "15"), ("#m-less", "5", "14")] {
        person.clicks(css).await;
        assert_eq!(person.find::<HtmlInputElement>("#m").value(), value);
        assert_eq!(person.sees("#clock"), format!("7 of {last}"), "the moment stays");
    }
    // The panel has the values before the first of several changes.
    let live = person.sees("#live");
    assert!(live.contains("before: 28.1 %") && live.contains("before: $23.1 per 10¹⁸"), "{live}");
    person.types("#m", "1").await;
    person.clicks("#m-less").await;
    assert_eq!(person.find::<HtmlInputElement>("#m").value(), "1", "the smallest");
    let person = Person::opens("").await;
    person.types("#m", "64").await;
    let told: HtmlElement = person.find("#curve svg");
    let words = told.get_attribute("aria-label").expect("words");
    assert!(
        words.starts_with("MFU of this array for M") && words.contains("before the change, 28.1 % at M = 6"),
        "{words}"
    );
    assert_eq!(person.sees("#effect"), "MFU 28.1 → 64.9\u{a0}%");
    // An unusable text has no effect on the run, and the page marks the shown run as old.
    person.types("#m", "six").await;
    assert_eq!(person.sees("#effect"), "");
    let is_stale = |css: &str| person.find::<HtmlElement>(css).class_name().contains("stale");
    assert!(is_stale("#stage") && is_stale("#live"));
    assert!(person.sees("#live").contains("Showing the last valid run."));
    person.types("#m", "64").await;
    assert!(!is_stale("#stage") && !is_stale("#live"));
    person.types("#m", "67").await;
    assert_eq!(person.sees("#effect"), "MFU 28.1 → 65.3\u{a0}%", "from the value before all of these");
}

#[wasm_bindgen_test]
async fn an_example_opens_from_its_card_and_its_sentence_stays_until_it_is_put_away() {
    let person = Person::opens("").await;
    assert!(person.root.query_selector("#example").expect("a selector").is_none());
    person.clicks("#examples summary").await;
    // The browser reports with a delay that the element is open.
    person.waits_for("#example-bert-128").await;
    person.clicks("#example-bert-128").await;
    assert!(person.sees("#clock").contains("of 32\u{202f}639 ·\u{a0}27/frame"), "{}", person.sees("#clock"));
    assert!(person.sees("#figure-utilization .value").starts_with("25.1"));
    assert!(
        person.sees("#example").contains("Loading the weights of a fold takes as many cycles"),
        "{}",
        person.sees("#example")
    );
    assert_eq!(person.find::<HtmlSelectElement>("#speed").value(), "run", "something moves");
    person.clicks("#example button").await;
    assert!(person.root.query_selector("#example").expect("a selector").is_none());
}

#[wasm_bindgen_test]
async fn of_help_and_examples_one_is_open_and_escape_or_a_press_elsewhere_closes_it() {
    let person = Person::opens("").await;
    let open = |css: &str| person.find::<HtmlElement>(css).has_attribute("open");
    person.clicks("#help summary").await;
    assert!(open("#help") && person.sees("#help h2").contains("Help"));
    person.clicks("#examples summary").await;
    person.waits_for("#example-ragged").await;
    assert!(open("#examples") && !open("#help"), "one at a time");
    person.fires(&person.find::<HtmlElement>("#example-ragged"), "pointerdown").await;
    assert!(open("#examples"), "a press inside");
    person.fires(&person.find::<HtmlElement>("#setup"), "pointerdown").await;
    assert!(!open("#examples"), "a press elsewhere");
    for css in ["#help", "#examples"] {
        person.clicks(&format!("{css} summary")).await;
        assert!(open(css));
        person.presses_at(&format!("{css} .sheet"), "Escape").await;
        assert!(!open(css), "Escape closes {css}");
    }
}

#[wasm_bindgen_test]
async fn a_bad_link_shows_one_notice_that_can_be_dismissed() {
    let person = Person::opens("rows=9999&t=5").await;
    assert!(person.sees("#notices").contains("rows = 9999"));
    person.clicks("#notices button").await;
    assert_eq!(person.sees("#notices"), "");
}

#[wasm_bindgen_test]
async fn an_embed_has_no_form_and_leads_to_the_whole_page() {
    let person = Person::opens("ui=embed&t=9").await;
    assert!(person.root.query_selector("#setup").expect("a selector").is_none());
    let link = person.find::<HtmlElement>(".open-full a").get_attribute("href").expect("a link");
    assert!(link.contains("t=9") && !link.contains("embed"), "{link}");
}

#[wasm_bindgen_test]
async fn a_figure_opens_its_formula_numbers_and_sources() {
    let person = Person::opens("dt=bf16").await;
    // A folded figure is filled in when the first frame is drawn.
    person.waits_for("#figure-mfu li").await;
    let figure = person.sees("#figure-mfu");
    for part in
        ["model FLOPs ÷ (peak FLOP/s · time)", "for the whole chip in bf16", "Leaves out", "275 TFLOPS", "high:"]
    {
        assert!(figure.contains(part), "no {part} in {figure}");
    }
}

#[wasm_bindgen_test]
async fn a_chip_offers_its_own_array() {
    let person = Person::opens("").await;
    assert!(person.sees("#array-of-chip").contains("128×128"), "{}", person.sees("#array-of-chip"));
    person.chooses("#chip", "tpu-v1").await;
    assert!(person.sees("#array-of-chip").contains("256×256"), "{}", person.sees("#array-of-chip"));
    person.clicks("#array-of-chip").await;
    assert_eq!(person.find::<HtmlInputElement>("#rows").value(), "256");
    assert_eq!(person.find::<HtmlInputElement>("#cols").value(), "256");
    // One press returns to the run before.
    assert_eq!(person.sees("#back-to-run"), "Back to 6×4×3 on 4×4");
    person.clicks("#back-to-run").await;
    assert_eq!(person.find::<HtmlInputElement>("#rows").value(), "4");
    let offers = || person.root.query_selector("#array-of-chip").expect("a selector").is_some();
    person.chooses("#chip", "h100-sxm").await;
    assert!(!offers(), "it has no systolic array");
}

#[wasm_bindgen_test]
async fn a_chip_says_where_its_peak_goes_and_how_the_format_runs() {
    let person = Person::opens("m=64&k=64&n=64&dt=bf16&chip=tpu-v5e").await;
    let passes = || person.find::<HtmlElement>("#passes").closest("[hidden]").expect("a selector").is_some();
    assert!(passes(), "bf16 has no passes to choose");
    let before = person.sees("#mfu");
    assert!(before.ends_with(" %"), "{before}");
    let rungs = || person.root.query_selector_all("#ladder .figure").expect("a selector").length();
    assert_eq!(rungs(), 0, "what is folded away is not worked out");
    person.clicks("#ladder > summary").await;
    person.waits_for("#ladder .figure").await;
    assert_eq!(rungs(), 9);
    assert!(person.sees("#chip-says").starts_with("Too small: launch takes "), "{}", person.sees("#chip-says"));
    person.chooses("#dt", "f32").await;
    assert!(!passes());
    person.chooses("#passes", "6").await;
    assert_ne!(person.sees("#mfu"), before);
    assert!(person.sees("#chip-runs").contains("6 passes"), "{}", person.sees("#chip-runs"));
    assert!(person.sees("#figure-ladder-format").contains("16.7 %"));
    // No source says how this chip would multiply floats.
    person.chooses("#chip", "tpu-v1").await;
    assert_eq!(person.sees("#mfu"), "unknown");
    assert!(person.find::<HtmlElement>("#ladder").has_attribute("hidden"));
}

#[wasm_bindgen_test]
async fn on_a_chip_of_arrays_like_this_one_every_setting_moves_mfu_and_cost() {
    let person = Person::opens("m=256&k=256&n=256&dt=bf16&rows=32&cols=32").await;
    let shown = || (person.sees("#mfu"), person.sees("#cost"));
    let published = shown();
    person.types("#rows", "16").await;
    assert_eq!(shown(), published, "a published chip has its own arrays");
    person.chooses("#chip", "custom").await;
    let mut last = shown();
    assert_ne!(last, published);
    let fields = person.find::<HtmlElement>(".custom-chip");
    assert!(!fields.has_attribute("hidden"));
    for (css, text) in [("#rows", "32"), ("#cols", "16"), ("#arrays", "2"), ("#mhz", "700"), ("#m", "128")] {
        person.types(css, text).await;
        assert!(shown() != last, "{css}: {last:?}");
        last = shown();
    }
    person.types("#cents", "1000").await;
    assert_eq!((shown().0 == last.0, shown().1 == last.1), (true, false), "a price is no part of the MFU");
    person.types("#mhz", "0").await;
    assert!(person.sees("#mhz-problem").contains("1"), "{}", person.sees("#mhz-problem"));
    person.chooses("#chip", "tpu-v4").await;
    assert!(fields.has_attribute("hidden"));
}

#[wasm_bindgen_test]
async fn a_chosen_pe_has_its_multiplication_as_the_headline() {
    let person = Person::opens("t=9").await;
    assert!(person.sees("#caption").starts_with("All 12 used PEs are multiplying"), "{}", person.sees("#caption"));
    let person = Person::opens("t=9&pe=2.1").await;
    let says = "PE 2,1: a[2,2] × b[2,1] = (−1) × (−7) = 7";
    assert!(person.sees("#caption").starts_with(says), "{}", person.sees("#caption"));
    assert!(person.sees("#status").contains(says), "{}", person.sees("#status"));
}

#[wasm_bindgen_test]
async fn a_change_of_an_entry_reads_its_topic_once() {
    let person = Person::opens("ui=desk").await;
    // Other topics, other entries, figures, tables and plots all use the query that was read once.
    let before = Query::n_parses();
    let chips: HtmlInputElement = person.find("#ask-chips");
    chips.set_value("16");
    person.fires(&chips, "change").await;
    assert!(person.sees("#ask-title").contains("16 ×"), "{}", person.sees("#ask-title"));
    assert_eq!(Query::n_parses() - before, 1);
}

#[wasm_bindgen_test]
async fn an_effect_that_flushes_before_runs_ahead_of_those_made_earlier() {
    // A mounted page starts the executor of effects.
    let _person = Person::opens("").await;
    let ran: Rc<RefCell<Vec<&str>>> = Rc::default();
    let owner = Owner::new();
    let ctx = owner.with(|| {
        let ctx = Ctx::open(&Link::parse("", ""));
        let (texts, canvas) = (Rc::clone(&ran), Rc::clone(&ran));
        Effect::new(move || {
            ctx.cycle.get();
            texts.borrow_mut().push("texts");
        });
        Effect::new(move || {
            ctx.flush_before();
            ctx.cycle.get();
            canvas.borrow_mut().push("canvas");
        });
        ctx
    });
    leptos::task::tick().await;
    ran.borrow_mut().clear();
    ctx.dispatch(&Action::Move(Transport::Forward(1)));
    leptos::task::tick().await;
    assert_eq!(*ran.borrow(), ["canvas", "texts"]);
}
