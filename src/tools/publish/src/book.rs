//! The book in the folder `docs` of the page: a page of HTML for each document, and pictures of runs.
//!
//! Some pages of the book are in other folders, such as `python/README.md`. `docs/SUMMARY.md` names such a page by its
//! path.

mod links;

use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::{iter, mem};

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::digest::{hashed, short};
use crate::process::run;
use crate::{Error, encoding, files};

pub use links::{beside, is_address, links_in};

/// Folder of the book, in the folder of the page.
const FOLDER: &str = "docs";
/// Page whose pictures play while a reader sees them. The pictures of other pages wait for a press.
const STORY: &str = "story.html";
/// Syntax of the documents besides CommonMark.
const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_FOOTNOTES);

/// A page of the book.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Title of the part of the book.
    part: String,
    title: String,
    /// Path of the document in the project.
    pub path: String,
    /// Path of the page in the book.
    place: String,
}

/// Returns the pages that `docs/SUMMARY.md` names, in order.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn pages(root: &Path) -> Result<Vec<Page>, Error> {
    let (mut part, mut pages) = (String::new(), Vec::new());
    for line in files::text(&root.join("docs/SUMMARY.md"))?.lines() {
        part = line.strip_prefix("# ").map_or(part, str::to_owned);
        if let Some((title, name)) = line.strip_suffix(')').and_then(|line| line.split_once('[')?.1.split_once("](")) {
            let (path, place) = (beside("docs/SUMMARY.md", name), links::place(name));
            pages.push(Page { part: part.clone(), title: title.to_owned(), path, place });
        }
    }
    Ok(pages)
}

/// Writes all pages of the book into the folder of the page. [`draw`] adds the pictures of runs.
///
/// # Errors
/// Fails if a document or a picture that it shows cannot be read, or a page cannot be written.
pub fn write(root: &Path, dist: &Path) -> Result<(), Error> {
    let (pages, to) = (pages(root)?, dist.join(FOLDER));
    let theme = files::text(&root.join("docs/theme/page.html"))?;
    let style = files::bytes(&root.join("docs/theme/page.css"))?;
    let sheet = hashed("page", "css", &style);
    files::write(&to.join(&sheet), style)?;
    for (nth, page) in pages.iter().enumerate() {
        let (mut pictures, up) = (Vec::new(), "../".repeat(page.place.matches('/').count()));
        let link = |other: &Page, more: &str, words: &str| {
            format!("<a href=\"{up}{}\"{more}>{words}{}</a>\n", other.place, escaped(&other.title))
        };
        let previous = nth.checked_sub(1).and_then(|nth| Some(link(pages.get(nth)?, " rel=\"prev\"", "Previous: ")));
        let next = pages.get(nth + 1).map(|next| link(next, " rel=\"next\"", "Next: "));
        let mut list = String::new();
        for part in pages.chunk_by(|one, other| one.part == other.part) {
            list.extend(part.first().map(|one| format!("<li class=\"part-title\">{}</li>\n", escaped(&one.part))));
            let current = |other: &Page| if other == page { " aria-current=\"page\"" } else { "" };
            list.extend(part.iter().map(|other| format!("<li>{}</li>\n", link(other, current(other), ""))));
        }
        let content = content(&files::text(&root.join(&page.path))?, page, &pages, &up, &mut pictures);
        let mut html = theme.clone();
        for (name, part) in [
            ("title", &escaped(&page.title)),
            ("sheet", &sheet),
            ("up", &up),
            ("list", &list),
            ("previous", &previous.unwrap_or_default()),
            ("next", &next.unwrap_or_default()),
            // A document may have braces, so its text comes last.
            ("content", &content),
        ] {
            html = html.replace(&format!("{{{{ {name} }}}}"), part);
        }
        files::write(&to.join(&page.place), html)?;
        for picture in pictures {
            files::copy(&root.join(beside(&page.path, &picture)), &to.join(beside(&page.place, &picture)))?;
        }
    }
    Ok(())
}

/// Returns the HTML of a document, and adds the paths of the pictures that it shows.
///
/// - Links to documents lead to the pages of the documents. Links to the playground lead to the folder above the book.
/// - Links to other files of the project become plain text.
fn content(text: &str, page: &Page, pages: &[Page], up: &str, pictures: &mut Vec<String>) -> String {
    let (mut anchors, mut is_dropped, mut html) = (anchors(text).into_iter(), false, String::new());
    // A browser reads a drawing on the thread that paints the text, so only the first drawing is urgent.
    let (loading, mut still) = (if page.place == STORY { "visible" } else { "click" }, "fetchpriority=\"high\"");
    let events = Parser::new_ext(text, OPTIONS).filter_map(|mut event| {
        match &mut event {
            Event::Start(Tag::Heading { id, .. }) => *id = anchors.next().map(CowStr::from),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let target = links::target(dest_url, page, pages, up);
                is_dropped = target.is_none();
                *dest_url = target?.into();
            }
            Event::End(TagEnd::Link) if mem::take(&mut is_dropped) => return None,
            Event::Start(Tag::Image { dest_url, .. }) if !is_address(dest_url) => pictures.push(dest_url.to_string()),
            Event::Html(line) => {
                if let Some(run) = picture(line.trim_end()) {
                    *line = live_picture(run, up, loading, mem::replace(&mut still, "loading=\"lazy\"")).into();
                }
            }
            _ => {}
        }
        Some(event)
    });
    html::push_html(&mut html, events);
    html
}

/// Returns the anchors of a document's headings, in order, by the rules of most repository hosts.
#[must_use]
pub fn anchors(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        if matches!(event, Event::Start(Tag::Heading { .. })) {
            let line = text[range].lines().next().unwrap_or_default().trim_start_matches('#').trim();
            let is_kept = |sign: &char| sign.is_alphanumeric() || "-_ ".contains(*sign);
            let name = line.chars().filter(is_kept).collect::<String>().to_ascii_lowercase().replace(' ', "-");
            let again = (1..).map(|nth| format!("{name}-{nth}"));
            let own = iter::once(name.clone()).chain(again).find(|name| !found.contains(name));
            found.extend(own);
        }
    }
    found
}

/// Returns the HTML of a picture that links to its run. If the script of the element loads, the script replaces the
/// picture with the run. The run starts at a press or, with `loading="visible"`, while a reader sees the picture.
fn live_picture((query, words): (&str, &str), up: &str, loading: &str, still: &str) -> String {
    let (name, [query, words]) = (drawing(query), [query, words].map(|text| escaped(text).replace('"', "&quot;")));
    // The playground is in the folder above the book.
    format!(
        "<systolic-playground link=\"{query}\" loading=\"{loading}\" label=\"{words}\">\n\
         <a href=\"{up}../{query}\"><img src=\"{up}{name}\" alt=\"{words}\" width=\"800\" height=\"500\" \
         {still}></a>\n</systolic-playground>\n"
    )
}

/// Returns the path of the drawing of a run in the book.
fn drawing(query: &str) -> String {
    format!("pictures/run-{}.svg", short(query.as_bytes()))
}

/// Returns the link query and the alternative text of a line that is a picture of a run:
/// `<!-- picture: ?rows=8 | words -->`.
#[must_use]
pub fn picture(line: &str) -> Option<(&str, &str)> {
    let (query, words) = line.strip_prefix("<!-- picture: ")?.strip_suffix(" -->")?.split_once(" | ")?;
    Some((query.trim(), words.trim()))
}

/// Draws the pictures of runs into the book of a built page, in the shape of an embed, with the command `systolic`.
///
/// # Errors
/// Fails if a run cannot be drawn, or a picture cannot be written.
pub fn draw(root: &Path, dist: &Path, systolic: &Path) -> Result<(), Error> {
    let book = dist.join(FOLDER);
    files::made(&book.join("pictures"))?;
    for page in pages(root)? {
        for (query, _) in files::text(&root.join(&page.path))?.lines().filter_map(picture) {
            let to = File::create(book.join(drawing(query))).map_err(Error::io(format!("draw {query}")))?;
            let arguments = ["svg", query, "--size", "800x500"];
            run(&format!("drawing {query}"), Command::new(systolic).args(arguments).stdout(to))?;
        }
    }
    encoding::precompress(&book.join("pictures"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Values of an attribute in HTML.
    fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
        let start = format!(" {attribute}=\"");
        html.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }

    #[test]
    fn every_link_of_the_book_leads_to_a_page_and_a_heading() {
        let root = crate::root();
        let dist = crate::target(&root).join("book-test");
        files::renewed(&dist).expect("a folder");
        write(&root, &dist).expect("the book");
        let (book, pages) = (dist.join(FOLDER), pages(&root).expect("pages"));
        let text = |place: &str| files::text(&book.join(place)).expect("a page");
        let drawn: BTreeSet<String> = pages
            .iter()
            .flat_map(|page| {
                files::text(&root.join(&page.path))
                    .expect("a document")
                    .lines()
                    .filter_map(picture)
                    .map(|(query, _)| drawing(query))
                    .collect::<Vec<_>>()
            })
            .collect();
        for page in &pages {
            let html = text(&page.place);
            assert!(!html.contains("{{ "), "{}", page.place);
            let code = html.split("<code").map(|part| part.split_once("</code>").map_or(part, |(_, rest)| rest));
            let html: String = code.collect();
            let mut listed = 0;
            for link in [values(&html, "href"), values(&html, "src")].concat() {
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let is_of_page = link.contains('?') || beside(&page.place, file).ends_with("playground.mjs");
                if is_address(link) || is_of_page || link.starts_with("data:") || file.ends_with("../") {
                    continue;
                }
                let place = if file.is_empty() { page.place.clone() } else { beside(&page.place, file) };
                let is_there = book.join(&place).is_file() || drawn.contains(&place);
                assert!(is_there, "{}: {link} leads to no file", page.place);
                let has_anchor = anchor.is_empty() || values(&text(&place), "id").contains(&anchor);
                assert!(has_anchor, "{}: {link} leads to no heading", page.place);
                listed += usize::from(pages.iter().any(|page| page.place == place));
            }
            assert!(listed >= pages.len(), "{} does not list every page", page.place);
            assert_eq!(html.matches("aria-current").count(), 1, "{}", page.place);
        }
    }

    #[test]
    fn a_document_becomes_a_page() {
        let page = Page { path: "docs/a.md".into(), place: "a.html".into(), ..Page::default() };
        let text = "## A `b`\n\n[here](#a-b), [code](src/lib.rs).\n\n<!-- picture: ?m=9&t=2 | So \"5\" < 6 -->\n\n\
                    | a |\n|---|\n| 1 |\n\n![still](b.png)\n";
        let mut pictures = Vec::new();
        let html = content(text, &page, core::slice::from_ref(&page), "", &mut pictures);
        for part in [
            "<h2 id=\"a-b\">A <code>b</code></h2>",
            "<p><a href=\"#a-b\">here</a>, code.</p>",
            "link=\"?m=9&amp;t=2\" loading=\"click\" label=\"So &quot;5&quot; &lt; 6\">",
            "<a href=\"../?m=9&amp;t=2\"><img src=\"pictures/run-",
            "<td>1</td>",
        ] {
            assert!(html.contains(part), "{html}");
        }
        assert_eq!(pictures, ["b.png"]);
        let story = Page { place: STORY.into(), ..page };
        assert!(content(text, &story, &[], "", &mut Vec::new()).contains("loading=\"visible\""));
    }

    #[test]
    fn headings_have_different_anchors() {
        assert_eq!(
            anchors("# One `code`: two\n## A-b_c\n```\n# no\n```\n## A-b_c\n"),
            ["one-code-two", "a-b_c", "a-b_c-1"]
        );
        assert_eq!(picture("<!-- picture: ?rows=4 | words -->"), Some(("?rows=4", "words")));
        assert_eq!(picture("<!-- picture: ?rows=4 -->"), None);
    }
}
