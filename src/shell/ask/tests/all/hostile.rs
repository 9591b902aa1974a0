//! Every text gets an answer or a note, and no text makes the page fail.

use proptest::prelude::*;

use crate::ask;

fn is_answered(text: &str) {
    let answers = ask(text);
    assert!(answers.found.len() <= ask::ANSWERS_MAX);
    let is_empty = text.trim().is_empty();
    assert!(is_empty || !answers.found.is_empty() || answers.note.is_some(), "{text:.80}");
    assert!(answers.found.iter().all(|answer| !answer.title.is_empty() && answer.says.len() < 2000), "{answers:?}");
}

#[test]
fn broken_texts_have_answers_or_a_note() {
    let long = "1,2,3,4\n".repeat(1 << 17);
    let words = "zebra ".repeat(200_000);
    let brackets = "[".repeat(100_000);
    for text in [
        "",
        " \n\t ",
        "🦓",
        "🧮×🧮",
        "<script>alert(1)</script>",
        "123456789012345678901234567890",
        "matmul 123456789012345678901234567890 x 1 x 1",
        "0x0x0 matmul",
        "m=0 k=0 n=0 128x128 array",
        "-1 x -1",
        "K = -100 on 8x8 array",
        "99999999 x 99999999 array",
        "matmul 70000 x 70000 x 70000 on v5e",
        "4096^3 4096^3 4096^3",
        "?",
        "??",
        "?rows=",
        "?rows=99999999",
        "#a=1,2",
        "[[1,2],[3]] @ [[1]]",
        "[[nan]] @ [[inf]]",
        "{",
        "{\"hidden_size\": 1e999, \"vocab_size\": -1}",
        "bf16[0,0]{1,0:T(0,0)}",
        "RESOURCE_EXHAUSTED",
        "f32[99999999999999999999]{0:T(8,128)} out of memory",
        "tok/s",
        "%",
        "1e308 %",
        "0 tok/s on 0 v5e",
        "∞ × ∞ matmul",
        "A\u{0301}\u{202e}",
        "\u{0}",
        "v4-0",
        "MFU of 0B on 0 H100 with 0 tokens",
        "^3",
        "x x x x",
        "128 by by by 128",
        &long,
        &words,
        &brackets,
    ] {
        is_answered(text);
    }
}

#[test]
fn nothing_found_names_the_searched_places_and_the_nearest() {
    let answers = ask("qqqzzz xxyyzz");
    assert_eq!(answers.found.len(), 3);
    let note = answers.note.expect("a note");
    assert!(note.contains("qqqzzz") && note.contains("the book"), "{note}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_texts_have_answers_or_a_note(text in "(\\PC{0,40}|[0-9x×^ ,.\\[\\]@=mknbBT%/()-]{0,60}|(128|x|array|v5e|K|=|\\[|\\{|bf16| |tok/s|70|b|on|,){0,30})") {
        is_answered(&text);
    }
}
