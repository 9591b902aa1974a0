//! Tests of the tools of the array view, opened by their buttons.

use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, HtmlSelectElement};

use super::Person;

impl Person {
    fn has(&self, css: &str) -> bool {
        self.root.query_selector(css).expect("a selector").is_some()
    }
}

#[wasm_bindgen_test]
async fn a_tool_that_a_button_opens_begins_with_a_result_and_takes_it_along() {
    let person = Person::opens("").await;
    let value = |css: &str| person.find::<HtmlSelectElement>(css).value();
    person.clicks("#tool-compare").await;
    person.waits_for("#other").await;
    assert_eq!(value("#cmp-ready"), "df=os");
    person.clicks("#tool-break").await;
    assert!(!person.has("#other"), "the second run goes with its tool");
    assert_eq!(value("#break-ready"), "stuck-");
    assert!(person.sees("#spoiled").contains("wrong"), "{}", person.sees("#spoiled"));
    person.clicks("#tool-heat").await;
    assert_eq!(value("#show"), "wasted");
    person.clicks("#tool-transcript").await;
    assert!(person.sees("#transcript pre").starts_with("Cycle 7 of 15"), "{}", person.sees("#transcript"));
    person.clicks("#tool-transcript").await;
    assert!(person.sees("#caption").starts_with("First result complete"), "the sound machine is back");
    // A link opens the tool in the state that the link describes.
    let person = Person::opens("tool=compare").await;
    person.waits_for("#compare").await;
    assert_eq!(person.find::<HtmlSelectElement>("#cmp-ready").value(), "");
    assert!(!person.has("#other") && !person.find::<HtmlElement>("#cmp-more").has_attribute("open"));
    let person = Person::opens("tool=compare&cmp=m%3D9").await;
    person.waits_for("#other").await;
    assert_eq!(person.find::<HtmlSelectElement>("#cmp-ready").value(), "other");
    assert!(person.find::<HtmlElement>("#cmp-more").has_attribute("open"), "its text is in sight");
}

#[wasm_bindgen_test]
async fn sums_of_whole_numbers_have_no_error_and_the_page_says_so() {
    let person = Person::opens("tool=heat&show=error").await;
    person.waits_for("#show-exact").await;
    assert_eq!(person.sees("#show-exact"), "int8 sums are exact: no error to show.");
    assert!(!person.sees("#channels").contains("zoom in"));
    person.chooses("#show", "wasted").await;
    person.waits_for("#channels .legend li").await;
    assert!(person.sees("#channels .legend").ends_with("88% – 100%"), "{}", person.sees("#channels"));
}
