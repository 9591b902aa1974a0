//! The search ranks by rare words and titles, and knows synonyms, typing errors and unfinished words.

use ask::{Answers, Index};

/// Answers of an index with these titles and sentences.
fn ask(texts: &[(&str, &str)], question: &str) -> Answers {
    let texts = texts.iter().enumerate();
    let lines = texts.map(|(nth, (title, says))| format!("page\tdocs/{nth}.html\t{title}\t{says}\n"));
    Index::parse(&lines.collect::<String>()).ask(question)
}

fn first(texts: &[(&str, &str)], question: &str) -> String {
    ask(texts, question).found.swap_remove(0).title
}

#[test]
fn a_rare_word_and_a_word_of_the_title_count_more() {
    let texts = [
        ("Folds", "an array runs one tile at a time"),
        ("Padding of an array", "a ragged edge leaves PEs idle"),
        ("Skew", "an array delays padding"),
    ];
    assert_eq!(first(&texts, "padding of the array?"), "Padding of an array");
    assert_eq!(first(&texts, "ragged"), "Padding of an array");
    assert!(ask(&texts, "zebra").note.is_some());
}

#[test]
fn synonyms_typing_errors_and_unfinished_words_are_found() {
    let texts = [("Matmul", "C = A × B"), ("Utilization", "useful work"), ("Roofline", "a ridge"), ("Skew", "a delay")];
    for (question, title) in [
        ("GEMM", "Matmul"),
        ("matrix multiplication ", "Matmul"),
        ("utilisation ", "Utilization"),
        ("rooflien ", "Roofline"),
        ("ridg", "Roofline"),
        ("sekw ", "Skew"),
        ("skews ", "Skew"),
    ] {
        assert_eq!(first(&texts, question), title, "{question}");
    }
    assert!(ask(&texts, "stem ").note.is_some());
}
