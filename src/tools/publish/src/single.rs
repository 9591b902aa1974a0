//! The whole page in one file, which needs no server and no network. A browser can open the file from a disk, or show
//! its text as the `srcdoc` of a frame.
//!
//! The file is made from the published page, not by another build. The file contains the scripts and styles, and a
//! Content-Security-Policy that names their hashes and forbids every request. The module, its parts and the lessons are
//! also in the file, compressed. The script `single.js` defines an object that gives these files to the page. This
//! script runs first, because `public/boot.js` otherwise defines an object that fetches files from a server. A `srcdoc`
//! frame has no address, so the page reads its link from the name of the frame.

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use lol_html::html_content::{ContentType, Element};

use crate::digest::integrity;
use crate::markup::{self, Kind, Named};
use crate::{Error, encoding, files};

/// Script that replaces the network: it returns files from the page itself.
const PLACE: &str = include_str!("single.js");
/// Endings of the files that the page fetches while it runs.
const FETCHED: [&str; 4] = ["wasm", "txt", "json", "woff2"];
/// Gzip level of the packed files: the highest level.
const GZIP: u32 = 9;

/// Returns the page in `dist` as one file, without the book in its folder.
///
/// # Errors
/// Fails if a file of the page cannot be read, or has an unexpected form.
pub fn page(dist: &Path) -> Result<String, Error> {
    let mut files = BTreeMap::new();
    for path in files::list(dist)?.iter().filter(|path| path.is_file() && !encoding::is_compressed(path)) {
        files.insert(crate::file_name(path), files::bytes(path)?);
    }
    joined(&files)
}

/// Joins the files of a page into one HTML file.
fn joined(files: &BTreeMap<String, Vec<u8>>) -> Result<String, Error> {
    let html = text(files, "index.html")?;
    let all = markup::all_named(&html)?;
    let place = markup::without_comments(PLACE);
    let policy = policy(&all, &place, files)?;
    let packed = packed(files)?;
    let mut before_modules = Some(format!(
        "<script type=\"application/json\" id=\"files\">{packed}</script>\n<script type=\"module\">{place}</script>\n"
    ));
    let mut n_policies = 0;
    let page = markup::rewritten(&html, |element| {
        if element.get_attribute("http-equiv").as_deref() == Some("Content-Security-Policy") {
            n_policies += 1;
            return markup::set(element, "content", &policy);
        }
        // These elements say that the page needs a server, and that the book is next to the page. Neither is true of the
        // single file.
        let is = |name: &str, value: &str| element.get_attribute(name).as_deref() == Some(value);
        if is("id", "needs-server") || is("rel", "help") {
            element.remove();
            return Ok(());
        }
        let Some(named) = markup::named(element)? else { return Ok(()) };
        if named.kind == Kind::Module
            && let Some(before) = before_modules.take()
        {
            element.before(&before, ContentType::Html);
        }
        put_in(element, &named, files)
    })?;
    if n_policies == 1 { Ok(page) } else { Err(malformed(&format!("index.html has {n_policies} policies, not one"))) }
}

/// Replaces an element's reference to a file by the content of the file.
fn put_in(element: &mut Element<'_, '_>, named: &Named, files: &BTreeMap<String, Vec<u8>>) -> Result<(), Error> {
    for attribute in ["integrity", "crossorigin", "async", "blocking"] {
        element.remove_attribute(attribute);
    }
    match named.kind {
        Kind::Script | Kind::Module => {
            element.remove_attribute(named.attribute);
            element.set_inner_content(&within(files, named)?, ContentType::Html);
        }
        Kind::Style => {
            element.replace(&format!("<style>{}</style>", within(files, named)?), ContentType::Html);
        }
        Kind::Icon | Kind::Picture => {
            let svg = text(files, &named.file)?;
            let address = format!("data:image/svg+xml;base64,{}", STANDARD.encode(svg));
            markup::set(element, named.attribute, &address)?;
        }
        // The script gets the module by its name. The browser must not preload it.
        Kind::Wasm => element.remove_attribute("rel"),
        Kind::Beside | Kind::Manifest => element.remove(),
    }
    Ok(())
}

/// Returns the Content-Security-Policy of the file: only its own scripts run, and no request leaves it.
fn policy(all: &[Named], place: &str, files: &BTreeMap<String, Vec<u8>>) -> Result<String, Error> {
    let digests = |kinds: &[Kind]| -> Result<Vec<String>, Error> {
        let of_kinds = all.iter().filter(|named| kinds.contains(&named.kind));
        of_kinds.map(|named| Ok(format!("'{}'", integrity(within(files, named)?.as_bytes())))).collect()
    };
    let mut scripts = digests(&[Kind::Script, Kind::Module])?;
    scripts.push(format!("'{}'", integrity(place.as_bytes())));
    let (scripts, styles) = (scripts.join(" "), digests(&[Kind::Style])?.join(" "));
    Ok(format!(
        "default-src 'none'; script-src {scripts} 'wasm-unsafe-eval'; style-src {styles}; img-src data: blob:; \
         frame-src 'self' file:; base-uri 'none'; form-action 'none'; object-src 'none'; \
         require-trusted-types-for 'script'; trusted-types default offline"
    ))
}

/// Returns the files that the page fetches while it runs, by name, compressed with gzip and encoded in Base64.
fn packed(files: &BTreeMap<String, Vec<u8>>) -> Result<serde_json::Value, Error> {
    let is_fetched = |name: &str| name.rsplit_once('.').is_some_and(|(_, ending)| FETCHED.contains(&ending));
    let packed = files.iter().filter(|(name, _)| is_fetched(name));
    let packed = packed.map(|(name, bytes)| Ok((name.as_str(), STANDARD.encode(encoding::gzip(bytes, GZIP)?))));
    let packed: std::io::Result<BTreeMap<&str, String>> = packed.collect();
    Ok(serde_json::json!(packed.map_err(Error::io("pack the page"))?))
}

/// Returns the text of a script or style sheet.
///
/// # Errors
/// Fails if the text would end the element around it, for example with `</script`.
fn within(files: &BTreeMap<String, Vec<u8>>, named: &Named) -> Result<String, Error> {
    let text = text(files, &named.file)?;
    if ["</script", "<!--", "</style"].iter().any(|end| text.contains(end)) {
        return Err(malformed(&format!("dist/{} would end the element in which it stands", named.file)));
    }
    Ok(text)
}

fn text(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Result<String, Error> {
    let bytes = files.get(name).ok_or_else(|| malformed(&format!("there is no dist/{name}")))?;
    String::from_utf8(bytes.clone()).map_err(|_| malformed(&format!("dist/{name} is not text")))
}

fn malformed(what: &str) -> Error {
    Error::Failed(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<html>\n<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n\
        <link rel=\"preload\" as=\"fetch\" href=\"./page-1.wasm\" data-integrity=\"sha256-x\">\n\
        <script async src=\"./first-3.js\"></script>\n<link rel=\"icon\" href=\"./icon-4.svg\">\n\
        <link rel=\"help\" href=\"docs/index.html\">\n<link rel=\"stylesheet\" href=\"./style-5.css\">\n<script type=\"module\" src=\"./boot-6.js\"></script>\n\
        <script type=\"module\" id=\"glue\" src=\"./page-2.js\"></script>\n</head>\n\
        <p>Reload the page. <span id=\"needs-server\">It needs a web server.</span></p>\n<img src=\"./poster-7.svg\">\n</html>\n";

    fn files() -> BTreeMap<String, Vec<u8>> {
        let texts = [
            ("index.html", HTML),
            ("page-1.wasm", "module"),
            ("page-2.js", "export function start() {}"),
            ("first-3.js", "first();"),
            ("icon-4.svg", "<svg/>"),
            ("style-5.css", "a { b: c }"),
            ("boot-6.js", "boot();"),
            ("poster-7.svg", "<svg></svg>"),
            ("wave-8.txt", "# A lesson"),
        ];
        texts.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into()
    }

    #[test]
    fn the_file_names_no_other_and_lets_only_its_own_scripts_run() {
        let page = joined(&files()).expect("one file");
        assert!(page.contains("Reload the page. </p>") && !page.contains("docs/"), "{page}");
        assert!(!page.contains("src=\"./") && !page.contains("rel=\"preload\""), "{page}");
        let scripts = page.split("<script").skip(1).filter(|one| !one.starts_with(" type=\"application/json\""));
        let mut texts = Vec::new();
        for script in scripts {
            let (_, text) = script.split_once('>').expect("a tag");
            let (text, _) = text.split_once("</script>").expect("an end");
            assert!(page.contains(&format!("'{}'", integrity(text.as_bytes()))), "{text}");
            texts.push(text);
        }
        let place = markup::without_comments(PLACE);
        assert_eq!(texts, ["first();", &place, "boot();", "export function start() {}"]);
        assert!(page.contains("script-src 'sha256-") && !page.contains("connect-src"), "{page}");
        for name in ["page-1.wasm", "wave-8.txt"] {
            assert!(page.contains(&format!("\"{name}\":\"H4sI")), "{page}");
        }
    }

    #[test]
    fn a_page_of_another_form_is_refused() {
        for (name, text) in [("boot-6.js", "</script>"), ("index.html", "<head></head>")] {
            let mut files = files();
            files.insert(name.to_owned(), text.as_bytes().to_vec());
            assert!(matches!(joined(&files), Err(Error::Failed(_))), "{name}");
        }
        let mut files = files();
        files.remove("page-2.js");
        assert!(joined(&files).is_err());
    }
}
