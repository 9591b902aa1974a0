//! Finds and resolves the links of a document, and changes them for a page that is copied into the book.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Parser, Tag};

use super::Pages;

/// Returns the target path of a relative link in a file of `folder`, with every `..` resolved.
pub(super) fn joined(folder: &str, link: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the path that a page has in the book. `name` is the path of the page in the summary. Pages of `docs` keep
/// their path. Most other pages get the name of their folder or file, in lower case.
pub(super) fn place(name: &str) -> String {
    let Some(elsewhere) = name.strip_prefix("../") else { return name.to_owned() };
    let known = match elsewhere {
        "course/README.md" => "writing-lessons",
        "examples/hosts/README.md" => "hosts",
        "tests/golden/README.md" => "golden-files",
        other => other.trim_end_matches(".md").trim_end_matches("/README"),
    };
    format!("{}.md", known.to_lowercase())
}

/// A link in a text: start and end of the target in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Byte offset of the `[` before the link text, or of the `!` before a picture. `None` for a definition, such as
    /// `[name]: target`.
    pub(super) words: Option<usize>,
}

/// Returns every link of a document outside of code: `[words](target)`, `![words](target)` and `[name]: target`.
pub(super) fn links_in(text: &str) -> Vec<Link> {
    let parser = Parser::new(text);
    let definition = |span: Range<usize>| {
        let start = span.start + text[span.clone()].find("]: ")? + 3;
        Some(Link { start, end: start + text[start..span.end].trim_end().len(), words: None })
    };
    let definitions = parser.reference_definitions().iter();
    let mut found: Vec<Link> = definitions.filter_map(|(_, one)| definition(one.span.clone())).collect();
    for (event, range) in parser.into_offset_iter() {
        if let Event::Start(Tag::Link { link_type, .. } | Tag::Image { link_type, .. }) = event
            && link_type == LinkType::Inline
            && let Some(words) = text[range.clone()].rfind("](")
        {
            found.push(Link { start: range.start + words + 2, end: range.end - 1, words: Some(range.start) });
        }
    }
    found.sort_by_key(|link| link.start);
    found
}

/// True if a target is an absolute address. Links to absolute addresses are not checked.
pub(super) fn is_address(target: &str) -> bool {
    target.contains("://") || target.starts_with("mailto:")
}

/// Returns the document at `path` with its links changed for the book.
///
/// - Links to pages lead to their paths in the book.
/// - Links to pictures stay, and are added to `pictures`.
/// - Links to other files of the project become plain text.
pub(super) fn changed(text: &str, path: &str, pages: &Pages, pictures: &mut Vec<String>) -> String {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let place = pages.get(path).map_or("", String::as_str);
    let up = "../".repeat(place.matches('/').count());
    let mut out = text.to_owned();
    // Changes start at the end, so that earlier positions stay valid.
    for link in links_in(text).into_iter().rev() {
        let target = &text[link.start..link.end];
        // The playground is in the folder above the book.
        if let Some(query) = target.strip_prefix(plain::PUBLIC_ADDRESS) {
            out.replace_range(link.start..link.end, &format!("{up}../{query}"));
        }
        if is_address(target) || target.starts_with('#') {
            continue;
        }
        let (file, anchor) = target.split_once('#').map_or((target, ""), |(file, anchor)| (file, anchor));
        let to = joined(folder, file);
        if let Some(place) = pages.get(&to) {
            let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
            out.replace_range(link.start..link.end, &format!("{up}{place}{anchor}"));
        } else if link.words.is_some_and(|words| text[words..].starts_with('!')) {
            pictures.push(target.to_owned());
        } else if let Some(words) = link.words {
            // `[words](target)` becomes `words`.
            let inner = text[words + 1..link.start - 2].to_owned();
            out.replace_range(words..=link.end, &inner);
        } else {
            // For a definition such as `[name]: target`, the texts that use the name stay.
            out.replace_range(link.start..link.end, "#");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_followed_and_a_page_has_its_place() {
        assert_eq!(joined("docs/json", "../link.md"), "docs/link.md");
        assert_eq!(joined("docs", "../python/README.md"), "python/README.md");
        assert_eq!(place("link.md"), "link.md");
        assert_eq!(place("../python/README.md"), "python.md");
        assert_eq!(place("../SECURITY.md"), "security.md");
        assert_eq!(place("../course/README.md"), "writing-lessons.md");
    }

    #[test]
    fn links_are_found_outside_of_code_and_changed_as_pages_move() {
        let text = "A [page](../docs/link.md#dt), `[no](link)`, ![still](a.svg), [code](src/lib.rs) and \
                    [out](https://a.b/).\n\n```\n[no](x.md)\n```\n\n[name]: ../SECURITY.md\n";
        let targets: Vec<&str> = links_in(text).iter().map(|link| &text[link.start..link.end]).collect();
        assert_eq!(targets, ["../docs/link.md#dt", "a.svg", "src/lib.rs", "https://a.b/", "../SECURITY.md"]);
        let named = [("docs/link.md", "link.md"), ("SECURITY.md", "security.md"), ("python/README.md", "python.md")];
        let pages: Pages = named.map(|(path, place)| (path.to_owned(), place.to_owned())).into();
        let mut pictures = Vec::new();
        let book = changed(text, "python/README.md", &pages, &mut pictures);
        let start = "A [page](link.md#dt), `[no](link)`, ![still](a.svg), code and [out](https://a.b/).";
        assert!(book.starts_with(start) && book.ends_with("[name]: security.md\n"), "{book}");
        assert_eq!(pictures, ["a.svg"]);
    }
}
