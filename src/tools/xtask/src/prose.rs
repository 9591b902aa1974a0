//! Checks all prose for nine patterns that make readers stop. Prose is in documents, in the texts of the page and the
//! command line, and in doc comments.

pub mod literals;
mod patterns;
mod text;

use std::path::Path;

use crate::{Error, encoding, files};
use patterns::PATTERNS;
use text::Sentence;

/// Folders and files with prose, relative to the project's top folder.
const PLACES: [&str; 14] = [
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "DESIGN.md",
    "SECURITY.md",
    "STYLE.md",
    "docs",
    "course",
    "python",
    "npm",
    "examples",
    "benches",
    "src",
];

/// Checks all prose.
///
/// # Errors
/// Fails if a file cannot be read, or a sentence has a pattern. The message lists these sentences.
pub fn check(root: &Path) -> Result<(), Error> {
    let mut lines = Vec::new();
    for path in texts(root)? {
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
    let sentences = match path.rsplit_once('.') {
        Some((_, "rs")) => text::of_rust(content),
        Some((_, "txt")) => text::of_manual(content),
        _ => text::of_markdown(content),
    };
    let all = sentences
        .iter()
        .flat_map(|sentence| PATTERNS.iter().enumerate().map(move |(nth, (is_in, _))| (sentence, nth, is_in)));
    all.filter(|(sentence, _, is_in)| is_in(sentence)).map(|(sentence, nth, _)| (sentence.clone(), nth)).collect()
}

/// Returns the paths of all files with prose, relative to the top folder.
fn texts(root: &Path) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for place in PLACES {
        let path = root.join(place);
        let inside = if path.is_dir() { encoding::files(&path)? } else { vec![path] };
        all.extend(inside.iter().filter_map(|path| relative(root, path)));
    }
    all.retain(|path| is_prose(path));
    all.sort();
    Ok(all)
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    Some(path.strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/"))
}

fn is_prose(path: &str) -> bool {
    let is_of_tests = path.contains("/tests/")
        || path.ends_with("/tests.rs")
        || path.contains("/examples/")
        || path.contains("/oracle/");
    let is_made = path.ends_with("_generated.rs")
        || path.contains("/node_modules/")
        || path.starts_with("src/tools/xtask/src/prose");
    path.ends_with(".md") || path.ends_with(".rs") && path.starts_with("src/") && !is_of_tests && !is_made
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sentences with a pattern, each with a similar sentence without the pattern.
    const SAMPLES: [(&str, &str); 12] = [
        ("Each value is made anew.", "Each value is made again."),
        ("Four is no multiple of three.", "There is no multiple of three."),
        ("The chip has a price of its own.", "The chip has its own price."),
        ("A tool stands beside the array.", "A tool is next to the array."),
        ("The reader is told why.", "The page tells the reader why."),
        ("A broken array is shown.", "An array with a fault is shown."),
        ("A test holds that it fits.", "A test checks that it fits."),
        (
            "One two three four five six seven eight nine ten one two three four five six seven eight nine ten one two \
             three four five six seven eight nine ten more.",
            "One two three four five six seven eight nine ten. One two three four five six seven eight nine ten one two \
             three four five six seven eight nine ten.",
        ),
        ("What the cell has is the sum.", "What does the cell have?"),
        ("Whether the cell waits is shown.", "The cell shows if it waits."),
        ("How the cell waits is shown.", "How to Scale Your Model."),
        ("The same cell is shown.", "The cell is the same."),
    ];

    #[test]
    fn a_planted_sentence_of_each_kind_is_found_in_a_document_a_text_and_a_comment() {
        for (nth, (bad, good)) in SAMPLES.iter().enumerate() {
            for (path, before, after) in [
                ("docs/a.md", "# A title\n\n", "\n"),
                ("src/array/words/src/a.rs", "const A: &str = \"", "\";\n"),
                ("src/array/words/src/a.rs", "/// ", "\npub const A: u8 = 0;\n"),
                ("src/shell/cli/src/manual.txt", "option own --own VALUES\n", "\n"),
            ] {
                let hits = |text: &str| found(path, &format!("{before}{text}{after}"));
                let patterns: Vec<usize> = hits(bad).iter().map(|hit| hit.1).collect();
                // The last pattern has a sample for each beginning.
                assert_eq!(patterns, [nth.min(PATTERNS.len() - 1)], "{bad}");
                assert_eq!(hits(good), [], "{good}");
            }
        }
    }

    #[test]
    fn what_is_code_a_link_or_a_comment_is_no_prose() {
        let text = "A `value of its own` and [a page](anew.md).\n\n```\nanew\n```\n\n<!-- anew -->\n\n    anew\n";
        assert_eq!(found("docs/a.md", text), []);
        assert_eq!(
            found(
                "src/a/src/a.rs",
                "// It is made anew.\nlet a = \"anew\";\n#[cfg(test)]\nmod b { const A: &str = \"It is made anew.\"; }\n"
            ),
            []
        );
    }

    #[test]
    fn a_hit_names_its_line() {
        let hits = found("docs/a.md", "# Title\n\nOne sentence.\nAnother one is\nmade anew. A third.\n");
        assert_eq!(hits.iter().map(|hit| hit.0.line).collect::<Vec<_>>(), [4]);
    }
}
