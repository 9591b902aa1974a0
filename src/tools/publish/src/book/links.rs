//! Finds and resolves the links of a document, and changes them for its page in the book.

use pulldown_cmark::{Event, Parser, Tag};

use super::{OPTIONS, Page};

/// Returns the path to which a relative link in a document leads, with every `..` resolved.
#[must_use]
pub fn beside(document: &str, link: &str) -> String {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the path that a page has in the book. `name` is the path of the document in the summary. Documents of `docs`
/// keep their path. Most other documents get the name of their folder or file, in lower case.
pub(super) fn place(name: &str) -> String {
    let Some(elsewhere) = name.strip_prefix("../") else {
        return name.replace("README.md", "index.html").replace(".md", ".html");
    };
    let known = match elsewhere {
        "course/README.md" => "writing-lessons",
        "examples/hosts/README.md" => "hosts",
        "tests/golden/README.md" => "golden-files",
        other => other.trim_end_matches(".md").trim_end_matches("/README"),
    };
    format!("{}.html", known.to_lowercase())
}

/// Returns every link and picture of a document outside of code: its position in bytes, and its target.
#[must_use]
pub fn links_in(text: &str) -> Vec<(usize, String)> {
    let events = Parser::new_ext(text, OPTIONS).into_offset_iter();
    let links = events.filter_map(|(event, range)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some((range.start, dest_url.into_string()))
        }
        _ => None,
    });
    links.collect()
}

/// True if a target is an absolute address. Links to absolute addresses are not checked.
#[must_use]
pub fn is_address(target: &str) -> bool {
    target.contains("://") || target.starts_with("mailto:")
}

/// Returns the target that a link has in the book, or `None` if it leads to a file that is not in the book. `up` is the
/// path from the page to the first page of the book.
pub(super) fn target(link: &str, page: &Page, pages: &[Page], up: &str) -> Option<String> {
    // The playground is in the folder above the book.
    if let Some(query) = link.strip_prefix(plain::PUBLIC_ADDRESS) {
        return Some(format!("{up}../{query}"));
    }
    if is_address(link) || link.starts_with('#') {
        return Some(link.to_owned());
    }
    let (file, anchor) = link.split_at(link.find('#').unwrap_or(link.len()));
    let to = beside(&page.path, file);
    let place = &pages.iter().find(|page| page.path == to)?.place;
    Some(format!("{up}{place}{anchor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_followed_and_a_page_has_its_place() {
        assert_eq!(beside("docs/json/README.md", "../link.md"), "docs/link.md");
        assert_eq!(beside("docs/SUMMARY.md", "../python/README.md"), "python/README.md");
        assert_eq!(place("link.md"), "link.html");
        assert_eq!(place("json/README.md"), "json/index.html");
        assert_eq!(place("../python/README.md"), "python.html");
        assert_eq!(place("../SECURITY.md"), "security.html");
        assert_eq!(place("../course/README.md"), "writing-lessons.html");
    }

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "A [page](../docs/link.md#dt), `[no](link)`, ![still](a.svg), [code](src/lib.rs) and \
                    [out](https://a.b/), [name].\n\n```\n[no](x.md)\n```\n\n[name]: ../SECURITY.md\n";
        let (places, targets): (Vec<usize>, Vec<String>) = links_in(text).into_iter().unzip();
        assert_eq!(targets, ["../docs/link.md#dt", "a.svg", "src/lib.rs", "https://a.b/", "../SECURITY.md"]);
        assert_eq!((&text[places[0]..][..6], &text[places[4]..][..6]), ("[page]", "[name]"));
    }

    #[test]
    fn a_target_in_the_book_is_a_page_or_the_playground() {
        let page = |path: &str, place: &str| Page { path: path.into(), place: place.into(), ..Page::default() };
        let pages = [page("docs/link.md", "link.html"), page("docs/json/README.md", "json/index.html")];
        let of = |link: &str| target(link, &pages[1], &pages, "../");
        assert_eq!(of("../link.md#dt").as_deref(), Some("../link.html#dt"));
        assert_eq!(of("../../src/lib.rs"), None);
        for whole in ["#here", "https://a.b/c.md"] {
            assert_eq!(of(whole).as_deref(), Some(whole));
        }
        assert_eq!(of(&format!("{}?rows=8", plain::PUBLIC_ADDRESS)).as_deref(), Some("../../?rows=8"));
    }
}
