//! Tests of custom matrices, cell by cell.

use core::future::poll_fn;
use core::task::{Poll, Waker};
use core::time::Duration;
use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{ClipboardEvent, ClipboardEventInit, DataTransfer, HtmlElement, HtmlInputElement};

use super::{Person, document};

/// Waits until the delay after typing has passed.
async fn rests() {
    let (is_over, waits) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(None::<Waker>)));
    let (over, waker) = (Rc::clone(&is_over), Rc::clone(&waits));
    let wake = move || {
        over.set(true);
        if let Some(waker) = waker.take() {
            waker.wake();
        }
    };
    set_timeout(wake, Duration::from_millis(500)).expect("a window");
    poll_fn(|context| {
        waits.set(Some(context.waker().clone()));
        if is_over.get() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    leptos::task::tick().await;
}

impl Person {
    async fn pastes(&self, css: &str, text: &str) {
        let data = DataTransfer::new().expect("data");
        data.set_data("text/plain", text).expect("set");
        let init = ClipboardEventInit::new();
        init.set_clipboard_data(Some(&data));
        init.set_bubbles(true);
        init.set_cancelable(true);
        let event = ClipboardEvent::new_with_event_init_dict("paste", &init).expect("an event");
        self.find::<HtmlElement>(css).dispatch_event(&event).expect("dispatched");
        for _ in 0..3 {
            leptos::task::tick().await;
        }
    }

    async fn leaves(&self, css: &str) {
        self.fires(&self.find::<HtmlInputElement>(css), "blur").await;
    }
}

#[wasm_bindgen_test]
async fn a_grid_begins_with_what_is_shown_counts_while_it_is_typed_and_is_wrong_only_once_left() {
    let person = Person::opens("").await;
    let value = |css: &str| person.find::<HtmlInputElement>(css).value();
    person.chooses("#fill", "custom").await;
    assert_eq!([value("#a-0-0"), value("#a-3-0"), value("#b-0-1")], ["3", "9", "-8"]);
    assert_eq!(person.root.query_selector_all("#setup .grid input").expect("a selector").length(), 24 + 12);
    // The last sum of the first column is −40 + (−2)(−7). With 3 instead of −2, it is −61.
    person.types("#a-0-3", "3").await;
    rests().await;
    assert!(person.sees("#caption").contains("−61"), "{}", person.sees("#caption"));
    // A partly typed number is not a mistake yet.
    person.types("#a-0-3", "x").await;
    rests().await;
    assert_eq!((person.sees("#a-0-problem"), value("#a-0-3")), (String::new(), "x".to_owned()));
    person.leaves("#a-0-3").await;
    assert!(person.sees("#a-0-problem").starts_with("A[0,3] = x"), "{}", person.sees("#a-0-problem"));
    assert_eq!(person.find::<HtmlElement>("#a-0-3").get_attribute("aria-invalid").as_deref(), Some("true"));
    person.types("#a-0-3", "4").await;
    person.leaves("#a-0-3").await;
    assert_eq!((person.sees("#a-0-problem"), value("#a-0-3")), (String::new(), "4".to_owned()));
    // The number must be in the range of the format.
    person.types("#b-0-0", "300").await;
    person.leaves("#b-0-0").await;
    assert!(person.sees("#b-0-problem").contains("300"), "{}", person.sees("#b-0-problem"));
    person.types("#b-0-0", "1").await;
    person.leaves("#b-0-0").await;
    // A pasted block sets its own sizes, and the sizes of the other matrix.
    person.pastes("#a-0-0", "[[1, 2], [3, 4]]").await;
    person.pastes("#b-0-0", "5 6\n7 8").await;
    assert_eq!([value("#m"), value("#k"), value("#n"), value("#b-1-1")], ["2", "2", "2", "8"]);
    person.pastes("#b-1-1", "9\t9").await;
    assert_eq!([value("#n"), value("#b-0-2"), value("#b-1-2")], ["3", "0", "9"]);
    assert_eq!(person.sees("#b-0-problem"), "");
    person.pastes("#b-0-0", "1 2; 3").await;
    assert!(person.sees("#b-0-problem").contains("row 1"), "{}", person.sees("#b-0-problem"));
    // A matrix that is too large for a grid is a text.
    person.types("#m", "17").await;
    assert!(person.root.query_selector("#a-0-0").expect("a selector").is_none());
    assert!(person.find::<HtmlElement>("#as-text").has_attribute("open"));
}

#[wasm_bindgen_test]
async fn arrow_keys_and_enter_go_from_cell_to_cell_and_escape_takes_back_what_was_typed() {
    let person = Person::opens("fill=custom&rows=2&cols=2#a=1,2;3,4&b=5,6;7,8").await;
    let at = || document().active_element().map(|element| element.id()).unwrap_or_default();
    let first = person.find::<HtmlElement>("#a-0-0");
    assert_eq!(first.get_attribute("aria-label").as_deref(), Some("A row 0, column 0"));
    first.focus().expect("focus");
    for (key, place) in [
        ("ArrowRight", "a-0-1"),
        ("ArrowRight", "a-0-1"),
        ("ArrowDown", "a-1-1"),
        ("ArrowLeft", "a-1-0"),
        ("Enter", "a-0-1"),
        ("ArrowUp", "a-0-1"),
    ] {
        person.presses_at(&format!("#{}", at()), key).await;
        assert_eq!(at(), place, "after {key}");
    }
    person.types("#a-0-1", "77").await;
    person.presses_at("#a-0-1", "Escape").await;
    assert_eq!(person.find::<HtmlInputElement>("#a-0-1").value(), "2");
}

#[wasm_bindgen_test]
async fn enter_on_a_pe_opens_the_field_of_the_number_it_holds_as_it_is_shown() {
    let person = Person::opens("pe=2.1&t=9").await;
    let at = || document().active_element().map(|element| element.id()).unwrap_or_default();
    let before = person.sees("#caption");
    person.presses("Enter").await;
    rests().await;
    assert_eq!((at(), person.sees("#caption")), ("b-2-1".to_owned(), before));
    assert_eq!(person.find::<web_sys::HtmlSelectElement>("#fill").value(), "custom");
    // An embed does not allow settings.
    let person = Person::opens("ui=embed&pe=2.1").await;
    person.presses("Enter").await;
    rests().await;
    assert!(person.root.query_selector(".grid").expect("a selector").is_none());
}
