//! Prose that a native reader takes in once: eight patterns, looked for in documents, in the texts of page and command
//! line, and in the comments of public items.
//!
//! Documents have none of them. What other files had when the patterns were written down is counted in `prose/baseline.txt`,
//! which may only shrink.

pub mod literals;
mod patterns;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::{Error, encoding};
use patterns::PATTERNS;

/// Folders and files with prose, from the top folder.
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
/// Their Markdown may be in the baseline: lessons say what a course needs, and are rewritten with it.
const COURSE: [&str; 3] = ["course/lessons/", "course/claims/", "course/challenges/"];
const BASELINE: &str = "src/xtask/src/prose/baseline.txt";

/// A pattern at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    path: String,
    line: usize,
    pattern: usize,
    sentence: String,
}

/// How often a file has a pattern.
type Counts = BTreeMap<(String, usize), usize>;

/// Compares what is found with the baseline; with `shrink`, first takes out of it what is gone.
///
/// # Errors
/// A document has a pattern, another file has one more often than the baseline says, or less often.
pub fn check(root: &Path, shrink: bool) -> Result<(), Error> {
    let mut hits = Vec::new();
    for path in files(root)? {
        let text = fs::read_to_string(root.join(&path)).map_err(Error::io(format!("read {path}")))?;
        hits.extend(found(&path, &text));
    }
    let known = root.join(BASELINE);
    let before = fs::read_to_string(&known).map_err(Error::io(format!("read {BASELINE}")))?;
    let before = parsed(&before)?;
    let (more, gone) = compared(&hits, &before);
    if !more.is_empty() {
        let lines: Vec<String> = more.iter().map(|hit| told(hit)).collect();
        return Err(Error::Verdict(format!("{}\n{} sentences have to be read twice", lines.join("\n"), more.len())));
    }
    if shrink {
        let kept = counted(&hits.iter().collect::<Vec<_>>());
        return fs::write(&known, written(&kept)).map_err(Error::io(format!("write {BASELINE}")));
    }
    if !gone.is_empty() {
        let what = gone.join(", ");
        return Err(Error::Verdict(format!(
            "{BASELINE} counts what is gone ({what}): run `cargo xtask lint --shrink`"
        )));
    }
    Ok(())
}

/// What stands in the text of a file.
fn found(path: &str, content: &str) -> Vec<Hit> {
    let sentences = match path.rsplit_once('.') {
        Some((_, "rs")) => text::of_rust(content),
        Some((_, "txt")) => text::of_manual(content),
        _ => text::of_markdown(content),
    };
    let mut hits = Vec::new();
    for sentence in &sentences {
        for (pattern, (is_in, _)) in PATTERNS.iter().enumerate() {
            if is_in(sentence) {
                hits.push(Hit {
                    path: path.to_owned(),
                    line: sentence.line,
                    pattern,
                    sentence: sentence.words.join(" "),
                });
            }
        }
    }
    hits
}

fn told(hit: &Hit) -> String {
    let start: String = hit.sentence.chars().take(100).collect();
    format!("{}:{}: {}\n    {start}", hit.path, hit.line, PATTERNS[hit.pattern].1)
}

/// Whether a file begins without any hit: all documents but the course.
fn is_document(path: &str) -> bool {
    let is_of_course = COURSE.iter().any(|folder| path.starts_with(folder)) && !path.ends_with("README.md");
    path.ends_with(".md") && !is_of_course
}

fn counted(hits: &[&Hit]) -> Counts {
    let mut counts = Counts::new();
    for hit in hits {
        *counts.entry((hit.path.clone(), hit.pattern)).or_default() += 1;
    }
    counts
}

/// The hits that are too many, and what the baseline has too much.
fn compared<'a>(hits: &'a [Hit], before: &Counts) -> (Vec<&'a Hit>, Vec<String>) {
    let now = counted(&hits.iter().collect::<Vec<_>>());
    let allowed =
        |place: &(String, usize)| if is_document(&place.0) { 0 } else { before.get(place).map_or(0, |count| *count) };
    let is_too_many = |hit: &&Hit| {
        let place = (hit.path.clone(), hit.pattern);
        now[&place] > allowed(&place)
    };
    let gone = before.iter().filter(|(place, count)| now.get(*place).is_none_or(|left| left < *count));
    (hits.iter().filter(is_too_many).collect(), gone.map(|((path, _), _)| path.clone()).collect())
}

/// The baseline: count, number of the pattern, path.
fn parsed(text: &str) -> Result<Counts, Error> {
    let line = |line: &str| {
        let mut parts = line.splitn(3, ' ');
        let (count, pattern) = (parts.next()?.parse().ok()?, parts.next()?.parse::<usize>().ok()?);
        Some(((parts.next()?.to_owned(), pattern.checked_sub(1)?), count))
    };
    let malformed = |text: &str| Error::Malformed(format!("{BASELINE}: not `count pattern path`: {text}"));
    text.lines().map(|text| line(text).ok_or_else(|| malformed(text))).collect()
}

fn written(counts: &Counts) -> String {
    counts.iter().map(|((path, pattern), count)| format!("{count} {} {path}\n", pattern + 1)).collect()
}

/// Every file with prose, from the top folder.
fn files(root: &Path) -> Result<Vec<String>, Error> {
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
    let is_made =
        path.ends_with("_generated.rs") || path.contains("/node_modules/") || path.starts_with("src/xtask/src/prose");
    path.ends_with(".md") || path.ends_with(".rs") && path.starts_with("src/") && !is_of_tests && !is_made
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One sentence for each pattern, and the nearest one without it.
    const SAMPLES: [(&str, &str); 8] = [
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
    ];

    #[test]
    fn a_planted_sentence_of_each_kind_is_found_in_a_document_a_text_and_a_comment() {
        for (nth, (bad, good)) in SAMPLES.iter().enumerate() {
            for (path, before, after) in [
                ("docs/a.md", "# A title\n\n", "\n"),
                ("src/words/src/a.rs", "const A: &str = \"", "\";\n"),
                ("src/words/src/a.rs", "/// ", "\npub const A: u8 = 0;\n"),
                ("src/cli/src/manual.txt", "option own --own VALUES\n", "\n"),
            ] {
                let hits = |text: &str| found(path, &format!("{before}{text}{after}"));
                let patterns: Vec<usize> = hits(bad).iter().map(|hit| hit.pattern).collect();
                assert_eq!(patterns, [nth], "{bad}");
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
        assert_eq!(hits.iter().map(|hit| hit.line).collect::<Vec<_>>(), [4]);
    }

    #[test]
    fn the_baseline_only_shrinks_and_documents_have_none() {
        let hit = |path: &str| Hit { path: path.to_owned(), line: 1, pattern: 0, sentence: String::new() };
        let before = parsed("1 1 src/a.rs\n").expect("a baseline");
        let hits = [hit("src/a.rs")];
        assert_eq!(compared(&hits, &before), (vec![], vec![]));
        let twice = [hit("src/a.rs"), hit("src/a.rs")];
        assert_eq!(compared(&twice, &before).0.len(), 2);
        assert_eq!(compared(&[], &before).1, ["src/a.rs"]);
        let document = [hit("docs/a.md")];
        assert_eq!(compared(&document, &parsed("1 1 docs/a.md\n").expect("a baseline")).0.len(), 1);
        assert!(parsed("x").is_err());
        assert_eq!(written(&before), "1 1 src/a.rs\n");
        assert!(is_document("course/README.md") && !is_document("course/lessons/wave.md"));
    }
}
