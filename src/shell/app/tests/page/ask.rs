//! The search, opened by its button.

use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

use super::Person;

#[wasm_bindgen_test]
async fn an_answer_opens_the_run_that_a_person_asked_for() {
    let person = Person::opens("").await;
    person.clicks("#to-search").await;
    person.waits_for("#search[open] #search-text").await;
    person.types("#search-text", "matmul 64 × 32 × 24 on an 8×8 array").await;
    person.waits_for("#found-0").await;
    person.clicks("#found-0").await;
    let sizes = ["rows", "cols", "m", "k", "n"].map(|id| person.find::<HtmlInputElement>(&format!("#{id}")).value());
    assert_eq!(sizes, ["8", "8", "64", "32", "24"]);
}
