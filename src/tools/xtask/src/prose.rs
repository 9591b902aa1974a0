//! Checks all prose for ten patterns that make readers stop. Prose is in documents, in all comments, and in the texts
//! of the page and the command line.

pub mod literals;
mod patterns;
mod text;

use std::path::Path;

use crate::{Error, files};
use patterns::PATTERNS;
use text::Sentence;

/// Checks all prose.
///
/// # Errors
/// Fails if a file cannot be read, or a sentence has a pattern. The message lists these sentences.
pub fn check(root: &Path) -> Result<(), Error> {
    let mut lines = Vec::new();
    for path in files::tracked(root)?.into_iter().filter(|path| is_prose(path)) {
        for (sentence, pattern) in found(&path, &files::text(&root.join(&path))?) {
            let start: String = sentence.words.join(" ").chars().take(100).collect();
            lines.push(format!("{path}:{}: {}\n    {start}", sentence.line, PATTERNS[pattern].1));
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    Err(Error::Verdict(format!("{}\n{} sentences have to be read twice", lines.join("\n"), lines.len())))
}

/// Finds the sentences of a file that have a pattern, each with the index of the pattern.
fn found(path: &str, content: &str) -> Vec<(Sentence, usize)> {
    let is_rust = path.ends_with(".rs");
    let mut sentences = if is_rust { text::of_comments(content) } else { text::of_markdown(content) };
    if is_rust && !is_test(path) {
        sentences.extend(text::of_strings(content));
    }
    let all = sentences
        .iter()
        .flat_map(|sentence| PATTERNS.iter().enumerate().map(move |(nth, (is_in, _))| (sentence, nth, is_in)));
    all.filter(|(sentence, _, is_in)| is_in(sentence)).map(|(sentence, nth, _)| (sentence.clone(), nth)).collect()
}

/// True for a document or a Rust file. Generated files, patches, and the files that define the patterns are left out.
fn is_prose(path: &str) -> bool {
    let is_made = path.ends_with("_generated.rs") || path.starts_with("src/tools/xtask/src/prose");
    path.ends_with(".md") || path.ends_with(".rs") && !path.starts_with("patches/") && !is_made
}

/// True for a file of tests, whose strings are no prose.
fn is_test(path: &str) -> bool {
    let folders = ["/tests/", "/examples/", "/benches/"];
    ["tests/", "benches/"].iter().any(|folder| path.starts_with(folder))
        || folders.iter().any(|folder| path.contains(folder))
        || path.ends_with("/tests.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sentences with a pattern, each with the index of the pattern, and a similar sentence without it.
    const SAMPLES: [(usize, &str, &str); 18] = [
        (0, "Each value is made anew.", "Each value is made again."),
        (1, "Four is no multiple of three.", "There is no multiple of three."),
        (2, "The chip has a price of its own.", "The chip has its own price."),
        (3, "A tool stands beside the array.", "A tool is next to the array."),
        (3, "The key stands twice.", "The key is there twice."),
        (4, "The reader is told why.", "The page tells the reader why."),
        (4, "Often heard about the roofline.", "Many people say this about the roofline."),
        (5, "A broken array is shown.", "An array with a fault is shown."),
        (5, "Each number of A is read once.", "The number of a PE is read once."),
        (5, "For a large product, memory is fast.", "For a large matmul, one product is slow."),
        (5, "The ridge has 240 FLOP for each byte.", "The ridge has 240 FLOP per byte."),
        (6, "A test holds that it fits.", "A test checks that it fits."),
        (7, "Choose a chip that is of use.", "Choose a useful chip; that is often enough."),
        (
            8,
            "One two three four five six seven eight nine ten one two three four five six seven eight nine ten one two \
             three four five six seven eight nine ten more.",
            "One two three four five six seven eight nine ten. One two three four five six seven eight nine ten one two \
             three four five six seven eight nine ten.",
        ),
        (9, "What the cell has is the sum.", "What does the cell have?"),
        (9, "Whether the cell waits is shown.", "The cell shows if it waits."),
        (9, "How the cell waits is shown.", "How to Scale Your Model."),
        (9, "The same cell is shown.", "The cell is the same."),
    ];

    #[test]
    fn a_planted_sentence_of_each_kind_is_found_in_a_document_a_text_and_every_comment() {
        for (nth, bad, good) in SAMPLES {
            for (path, before, after) in [
                ("docs/a.md", "# A title\n\n", "\n"),
                ("src/array/words/src/a.rs", "const A: &str = \"", "\";\n"),
                ("src/array/words/src/a.rs", "/// ", "\npub const A: u8 = 0;\n"),
                ("src/array/words/src/a.rs", "fn a() {\n    // ", "\n    b();\n}\n"),
                ("src/array/words/src/a.rs", "#[cfg(test)]\nmod b {\n    // ", "\n    fn c() {}\n}\n"),
                ("src/array/words/tests/all/a.rs", "//! ", "\nmod b;\n"),
                ("tests/a.rs", "// ", "\nmod b;\n"),
            ] {
                let hits = |text: &str| found(path, &format!("{before}{text}{after}"));
                let patterns: Vec<usize> = hits(bad).iter().map(|hit| hit.1).collect();
                assert_eq!(patterns, [nth], "{path}: {bad}");
                assert_eq!(hits(good), [], "{path}: {good}");
            }
        }
        assert!((0..PATTERNS.len()).all(|nth| SAMPLES.iter().any(|sample| sample.0 == nth)), "a pattern has no sample");
    }

    #[test]
    fn files_without_prose_are_left_out() {
        let paths = ["docs/a.md", "src/a/src/b.rs", "src/a/tests/all/b.rs", "tests/a.rs", "a.js", "patches/a/src/b.rs"];
        let read: Vec<&str> = paths.into_iter().filter(|path| is_prose(path)).collect();
        assert_eq!(read, paths[..4]);
    }

    #[test]
    fn what_is_code_a_link_or_a_string_of_a_test_is_no_prose() {
        let text = "A `value of its own` and [a page](anew.md).\n\n```\nanew\n```\n\n<!-- anew -->\n\n    anew\n";
        assert_eq!(found("docs/a.md", text), []);
        let text = "const A: &str = \"It is made anew.\";\n";
        let inline = format!("let a = \"anew\";\n#[cfg(test)]\nmod b {{ {text} }}\n");
        for (path, text) in [("src/a/src/a.rs", inline.as_str()), ("src/a/tests/all/b.rs", text), ("tests/a.rs", text)]
        {
            assert_eq!(found(path, text), [], "{path}");
        }
    }

    #[test]
    fn a_hit_names_its_line() {
        let hits = found("docs/a.md", "# Title\n\nOne sentence.\nAnother one is\nmade anew. A third.\n");
        assert_eq!(hits.iter().map(|hit| hit.0.line).collect::<Vec<_>>(), [4]);
    }
}
