//! Tests that glossary words open in place.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;
use words::glossary;

use super::{Person, document};

/// Returns every dotted word in a part of the page.
fn words(person: &Person, css: &str) -> Vec<HtmlElement> {
    let found = person.root.query_selector_all(&format!("{css} .term")).expect("a selector");
    (0..found.length()).filter_map(|nth| found.get(nth)?.dyn_into().ok()).collect()
}

#[wasm_bindgen_test]
async fn every_dotted_word_opens_its_sentence_and_its_drawing_in_place() {
    let person = Person::opens("rows=4&cols=4&m=6&k=9&n=7&pad=m&t=9&class=load&tool=compare&cmp=df%3Dos").await;
    person.waits_for("#difference .term").await;
    for (css, least) in [("#setup", 3), ("#live", 6), ("#caption", 2), (".headline", 2), ("#difference", 2)] {
        let all = words(&person, css);
        assert!(all.len() >= least, "{css}: {}", all.len());
        for word in all {
            let text = word.text_content().unwrap_or_default();
            let id = word.get_attribute("popovertarget").expect("what it opens");
            let note = document().get_element_by_id(&id).expect("a note");
            assert_eq!(note.text_content().unwrap_or_default(), "", "{text} costs nothing before");
            word.click();
            leptos::task::tick().await;
            let said = note.text_content().unwrap_or_default();
            assert!(glossary::ENTRIES.iter().any(|entry| said.contains(entry.sentence)), "{text}: {said}");
            assert!(note.query_selector(".drawing svg").expect("a selector").is_some(), "{text}");
            assert!(note.matches(":popover-open").expect("a selector"), "{text}");
        }
    }
}

#[wasm_bindgen_test]
async fn a_caption_has_the_same_text_at_rest_as_while_it_plays() {
    let person = Person::opens("chip=tpu-v5e&t=7").await;
    // The style sheet would hide the plain text, but this test has no style sheet.
    let text = |css: &str| person.sees(css).split_whitespace().collect::<Vec<_>>().join(" ");
    let rests = text("#caption > .prose");
    assert!(rests.starts_with("First result complete: c[0,0] = −26 PE 3,0 adds"), "{rests}");
    person.clicks("#play").await;
    assert!(words(&person, "#caption").is_empty());
    assert_eq!(text("#caption"), rests);
}
