//! Pictures of the book, and checks of its documents: links have targets, lines are short, the summary names every
//! page, and the numbers in README are current.

use std::path::Path;

use publish::book::{self, Page, beside, is_address, links_in, picture};

use crate::process::step;
use crate::{Error, encoding, figures, files, page, python};

/// Largest number of characters in a line of prose.
const LINE_MAX: usize = 120;
/// Generated pages, whose lines may be longer than [`LINE_MAX`].
const WRITTEN: [&str; 5] = ["docs/link.md", "docs/sap.md", "docs/cli.md", "docs/glossary.md", "docs/teachers.md"];

/// Checks the documents, and writes the book with its pictures into the folder of the page.
///
/// # Errors
/// Fails if a document has a mistake, or a picture cannot be drawn.
pub fn run(root: &Path) -> Result<(), Error> {
    check(root)?;
    step("writing the book", || book::write(root, &page::dist(root)))?;
    let systolic = python::systolic(root)?;
    step("drawing its pictures", || book::draw(root, &page::dist(root), &systolic))
}

/// Checks README and all documents of the book.
///
/// # Errors
/// [`Error::Verdict`] if a document has a mistake. The message has a sentence for each mistake, with file and line.
pub fn check(root: &Path) -> Result<(), Error> {
    let pages = book::pages(root)?;
    let mut wrong = unnamed(root, &pages)?;
    for path in pages.iter().map(|page| page.path.as_str()).chain(["README.md", "docs/SUMMARY.md"]) {
        let text = files::text(&root.join(path))?;
        wrong.extend(broken_links(root, path, &text));
        if !WRITTEN.contains(&path) {
            wrong.extend(long_lines(path, &text));
        }
        wrong.extend(wrong_pictures(path, &text));
    }
    wrong.extend(figures::missing(root)?);
    if wrong.is_empty() { Ok(()) } else { Err(Error::Verdict(wrong.join("\n"))) }
}

/// Returns a sentence for each document of `docs` that the summary does not name.
fn unnamed(root: &Path, pages: &[Page]) -> Result<Vec<String>, Error> {
    let there = encoding::files(&root.join("docs"))?;
    let there =
        there.iter().filter_map(|path| Some(path.strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/")));
    let there = there.filter(|path| path.ends_with(".md") && path != "docs/SUMMARY.md");
    let missing = there.filter(|path| pages.iter().all(|page| page.path != *path));
    Ok(missing.map(|path| format!("docs/SUMMARY.md does not name {path}")).collect())
}

fn broken_links(root: &Path, path: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (start, target) in links_in(text) {
        let line = text[..start].matches('\n').count() + 1;
        if is_address(&target) {
            continue;
        }
        let (file, anchor) = target.split_once('#').map_or((&*target, None), |(file, anchor)| (file, Some(anchor)));
        let is_own = file.is_empty();
        let to = if is_own { path.to_owned() } else { beside(path, file) };
        if !root.join(&to).exists() {
            wrong.push(format!("{path}:{line}: {target} leads to no file"));
        } else if let Some(anchor) = anchor.filter(|_| to.ends_with(".md")) {
            let there = crate::text_if_there(&root.join(&to));
            if book::anchors(if is_own { text } else { &there }).iter().all(|name| name != anchor) {
                wrong.push(format!("{path}:{line}: {to} has no heading #{anchor}"));
            }
        }
    }
    wrong
}

/// Returns a sentence for each line of prose that is too long. Lines with code, tables or addresses may be longer,
/// because these lines cannot be wrapped.
fn long_lines(path: &str, text: &str) -> Vec<String> {
    let mut fence = false;
    let mut wrong = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        fence ^= line.trim_start().starts_with("```");
        let may_be_long = fence || ["|", "    ", "<!-- "].iter().any(|start| line.starts_with(start));
        let may_be_long = may_be_long || line.starts_with('[') && line.contains("]: ");
        let can_be_broken = line.trim_start().chars().take(LINE_MAX).skip(4).any(|sign| sign == ' ');
        let length = line.chars().count();
        if !may_be_long && can_be_broken && length > LINE_MAX {
            wrong.push(format!("{path}:{number}: {length} characters; {LINE_MAX} are allowed"));
        }
    }
    wrong
}

fn wrong_pictures(path: &str, text: &str) -> Vec<String> {
    let asks = text.lines().zip(1..).filter(|(line, _)| line.starts_with("<!-- picture"));
    let is_right = |line: &str| picture(line).is_some_and(|(query, words)| query.starts_with('?') && !words.is_empty());
    let wrong = asks.filter(|(line, _)| !is_right(line));
    wrong.map(|(_, number)| format!("{path}:{number}: a picture is `<!-- picture: ?LINK | words -->`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_nowhere_is_named_with_its_line() {
        let text = "# A title\n\n[here](#a-title) [there](docs/link.md) [not](docs/none.md)\n[nor](#b) \
                    [nor](docs/link.md#zebra)\n";
        assert_eq!(
            broken_links(&crate::root(), "README.md", text),
            [
                "README.md:3: docs/none.md leads to no file",
                "README.md:4: README.md has no heading #b",
                "README.md:4: docs/link.md has no heading #zebra"
            ]
        );
    }

    #[test]
    fn troubleshooting_quotes_messages_of_the_page() {
        let read = |name: &str| files::text(&crate::root().join(name)).expect(name);
        let (document, page) = (read("docs/troubleshooting.md"), read("public/boot.js"));
        let quoted: Vec<&str> = document.split('“').skip(1).filter_map(|rest| rest.split('”').next()).collect();
        assert_eq!(quoted.len(), 5);
        for message in quoted {
            assert!(page.contains(message), "{message}");
        }
    }

    #[test]
    fn a_long_line_is_named_unless_it_cannot_be_broken() {
        let long = "word ".repeat(30);
        assert_eq!(long_lines("a.md", &long).len(), 1);
        for line in [format!("| {long}"), format!("```\n{long}\n```"), "x".repeat(200)] {
            assert_eq!(long_lines("a.md", &line), Vec::<String>::new());
        }
    }

    #[test]
    fn a_picture_without_a_link_is_named() {
        assert_eq!(wrong_pictures("a.md", "<!-- picture: rows=4 | words -->\n").len(), 1);
    }
}
