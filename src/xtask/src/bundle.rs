//! What a visitor downloads before the page works: index.html and all it names.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::Error;

/// The files of the first load, as paths inside `dist`, index.html first.
///
/// # Errors
/// index.html, or a script it names, cannot be read.
pub fn first_load(dist: &Path) -> Result<Vec<String>, Error> {
    let read = |name: &str| fs::read_to_string(dist.join(name)).map_err(Error::io(format!("read dist/{name}")));
    let mut found = BTreeSet::new();
    let mut pending = references(&read("index.html")?, &["src=", "href="]);
    while let Some(name) = pending.pop() {
        if !dist.join(&name).is_file() || !found.insert(name.clone()) {
            continue;
        }
        if Path::new(&name).extension().is_some_and(|ending| ending == "js") {
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            let imports = references(&read(&name)?, &["from ", "import ", "from", "import"]);
            pending.extend(imports.into_iter().filter_map(|import| resolve(folder, &import)));
        }
    }
    found.remove("index.html");
    Ok(std::iter::once("index.html".to_owned()).chain(found).collect())
}

/// The local paths that stand, quoted or not, behind one of `marks`.
fn references(text: &str, marks: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for mark in marks {
        for (at, _) in text.match_indices(mark) {
            // A link to read is not a file to load.
            if text[..at].rfind('<').is_some_and(|tag| text[tag..].starts_with("<a ")) {
                continue;
            }
            let rest = &text[at + mark.len()..];
            let (rest, end): (_, &[char]) = match rest.chars().next() {
                Some(quote @ ('"' | '\'')) => (&rest[1..], if quote == '"' { &['"'] } else { &['\''] }),
                // A minifier drops the quotes of attributes; scripts always have them.
                _ if mark.ends_with('=') => (rest, &[' ', '>', '\n']),
                _ => continue,
            };
            let Some(length) = rest.find(end) else { continue };
            let path = rest[..length].split(['?', '#']).next().unwrap_or_default();
            if !path.is_empty() && !path.contains(':') && !path.starts_with("//") {
                found.push(path.trim_start_matches("./").trim_start_matches('/').to_owned());
            }
        }
    }
    found
}

/// An import of a script in `folder`, as a path inside `dist`; packages have no place there.
fn resolve(folder: &str, import: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in import.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_with_and_without_quotes() {
        let html = "<link href=\"./main-1.css\" rel=stylesheet><script src=./boot-2.js type=module></script>\
                    <a href=\"https://example.org/x\">x</a><a href='#main'>y</a><a href=\"more.html\">z</a><link href=/icon.svg>";
        assert_eq!(references(html, &["src=", "href="]), ["boot-2.js", "main-1.css", "icon.svg"]);
    }

    #[test]
    fn imports_are_followed_relative_to_their_script() {
        assert_eq!(references("import{a}from\"./b.js\";import './c.js'", &["from", "import "]), ["b.js", "c.js"]);
        assert_eq!(resolve("snippets/x", "../y/z.js").as_deref(), Some("snippets/y/z.js"));
        assert_eq!(resolve("", "../out.js"), None);
    }
}
