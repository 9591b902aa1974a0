//! One style sheet instead of several: they are written apart to be read, and compress better together.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::Error;

/// The tags of a page that name its style sheets, in order, each with the file.
fn tags(html: &str) -> Vec<(&str, &str)> {
    html.match_indices("<link ")
        .filter_map(|(at, _)| {
            let tag = &html[at..at + html[at..].find('>')? + 1];
            let (_, rest) = tag.split_once("href=")?;
            let name = rest.trim_start_matches(['"', '\'']).trim_start_matches("./");
            let name = &name[..name.find(['"', '\'', ' ', '>'])?];
            (tag.contains("rel=stylesheet") && Path::new(name).extension()? == "css").then_some((tag, name))
        })
        .collect()
}

/// The page with one tag in place of the first and none in place of the others.
fn joined(html: &str, sheet: &str, digest: &str) -> String {
    let mut joined = html.to_owned();
    for (nth, (tag, _)) in tags(html).into_iter().enumerate() {
        let own = format!("<link integrity=\"{digest}\" crossorigin href=./{sheet} rel=stylesheet>");
        joined = joined.replacen(tag, if nth == 0 { &own } else { "" }, 1);
    }
    joined
}

/// Joins the style sheets of the built page.
///
/// # Errors
/// A file cannot be read or written, or the page names no style sheet.
pub fn join(dist: &Path) -> Result<(), Error> {
    let page = dist.join("index.html");
    let html = fs::read_to_string(&page).map_err(Error::io("read dist/index.html"))?;
    let names: Vec<&str> = tags(&html).into_iter().map(|(_, name)| name).collect();
    if names.is_empty() {
        return Err(Error::Malformed("dist/index.html names no style sheet".to_owned()));
    }
    let mut text = String::new();
    for name in &names {
        let path = dist.join(name);
        text.push_str(&fs::read_to_string(&path).map_err(Error::io(format!("read {name}")))?);
        fs::remove_file(&path).map_err(Error::io(format!("remove {name}")))?;
    }
    let digest = Sha256::digest(text.as_bytes());
    let sheet = format!("style-{}.css", digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<String>());
    fs::write(dist.join(&sheet), &text).map_err(Error::io(format!("write {sheet}")))?;
    let html = joined(&html, &sheet, &format!("sha256-{}", STANDARD.encode(digest)));
    fs::write(page, html).map_err(Error::io("write dist/index.html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<head><link rel=icon href=./icon-1.svg><link integrity=\"sha256-a\" href=./one-1.css rel=stylesheet>\
                        <link crossorigin href=\"./two-2.css\" rel=stylesheet><link href=./app-3.js rel=modulepreload></head>";

    #[test]
    fn style_sheets_are_found_in_order_and_nothing_else_is() {
        let names: Vec<&str> = tags(HTML).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["one-1.css", "two-2.css"]);
    }

    #[test]
    fn one_tag_stands_for_all() {
        let html = joined(HTML, "style-9.css", "sha256-b");
        assert_eq!(
            html,
            "<head><link rel=icon href=./icon-1.svg><link integrity=\"sha256-b\" crossorigin href=./style-9.css \
             rel=stylesheet><link href=./app-3.js rel=modulepreload></head>"
        );
    }
}
