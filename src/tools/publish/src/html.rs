//! Writes the files of the published page: index.html, and every file that index.html loads. The name of each loaded
//! file contains a digest of the content.

use std::collections::BTreeMap;
use std::path::Path;

use lol_html::html_content::ContentType;

use crate::cards::Cards;
use crate::digest::{hashed, integrity, short};
use crate::markup::{self, Kind};
use crate::module::Module;
use crate::preview::{self, Address};
use crate::{Error, book, files};

/// Name of the service worker, which answers requests while the network is down.
const WORKER: &str = "offline-worker.mjs";
/// Program that lists the matmuls of a model.
const TRACER: &str = "systolic_matmuls.py";

/// Name of the web app manifest, which describes the page to a system that installs the page.
const MANIFEST: &str = "site.webmanifest";

/// Function that writes a file with this name and content.
type Put<'a> = dyn FnMut(&str, &[u8]) -> Result<(), Error> + 'a;

/// Empties `dist`, and writes the page and the book into it. With the public address of the page, also writes the previews that other
/// pages show.
///
/// # Errors
/// Fails if a file cannot be read or written, or index.html has an element without a rule.
pub(crate) fn write(
    root: &Path,
    dist: &Path,
    module: &Module,
    cards: &Cards,
    at: Option<&Address>,
) -> Result<(), Error> {
    files::renewed(dist)?;
    let read = |name: &str| files::bytes(&root.join(name));
    let mut digests = BTreeMap::new();
    let mut put = |name: &str, bytes: &[u8]| {
        digests.insert(name.to_owned(), integrity(bytes));
        files::write(&dist.join(name), bytes)
    };
    let html = String::from_utf8_lossy(&read("index.html")?).into_owned();
    let page = published(&html, module, &at.map_or_else(String::new, preview::tags), &read, &mut put)?;
    for (name, bytes) in &module.parts {
        put(name, bytes)?;
    }
    for (name, text) in cards.files() {
        put(&name, text)?;
    }
    put("index.html", page.as_bytes())?;
    for (name, bytes) in crate::beside::files(&read)? {
        put(&name, &bytes)?;
    }
    let icon = hashed("icon", "svg", &read("public/icon.svg")?);
    let manifest = String::from_utf8_lossy(&read(&format!("public/{MANIFEST}"))?).replace("icon.svg", &icon);
    put(MANIFEST, manifest.as_bytes())?;
    // The names of these files have no digest. One is the custom element, which embeds the page in another page.
    // Another is the tracer, which a person downloads. The service worker caches the files above.
    let worker = worker(&String::from_utf8_lossy(&read("public/offline-worker.mjs")?), &digests);
    let named = [
        ("_headers", read("public/_headers")?),
        ("systolic-playground.mjs", read("npm/systolic-playground.mjs")?),
        (TRACER, read("python/package/systolic_playground/systolic_matmuls.py")?),
        (WORKER, worker.into_bytes()),
    ];
    let named = named.map(|(name, bytes)| (name.to_owned(), bytes));
    let preview = at.map(|at| preview::files(at, &read)).transpose()?.into_iter().flatten();
    for (name, bytes) in named.into_iter().chain(preview) {
        files::write(&dist.join(&name), bytes)?;
    }
    // The service worker leaves the book to the network.
    book::write(root, dist)
}

/// Returns the service worker for a build. The worker caches `files`, a map from file names to digests.
fn worker(script: &str, files: &BTreeMap<String, String>) -> String {
    let list = serde_json::json!(files).to_string();
    let build = short(list.as_bytes());
    format!("const BUILD = '{build}';\nconst FILES = {list};\n{}", markup::without_comments(script))
}

/// Returns the published index.html, with the elements `more` at the end of its `<head>`. Calls `put` to write each
/// file that the page loads.
fn published(
    html: &str,
    module: &Module,
    more: &str,
    read: &dyn Fn(&str) -> Result<Vec<u8>, Error>,
    put: &mut Put<'_>,
) -> Result<String, Error> {
    let all = markup::all_named(html)?;
    let joined = |kind: Kind, work: fn(&str) -> String| -> Result<Vec<u8>, Error> {
        let of_kind = all.iter().filter(|named| named.kind == kind);
        let texts = of_kind.map(|named| Ok(work(&String::from_utf8_lossy(&read(&named.file)?))));
        Ok(texts.collect::<Result<String, Error>>()?.into_bytes())
    };
    // The sources are separate files, because small files are easier to read. A joined file compresses better and needs
    // one request.
    let mut style = Some(joined(Kind::Style, without_comments)?);
    let mut modules = Some(joined(Kind::Module, markup::without_comments)?);
    markup::rewritten(html, |element| {
        if element.tag_name() == "head" {
            element.append(more, ContentType::Html);
        }
        let Some(named) = markup::named(element)? else { return Ok(()) };
        // Only Trunk reads these attributes.
        let names: Vec<String> = element.attributes().iter().map(|attribute| attribute.name()).collect();
        for name in names.iter().filter(|name| name.starts_with("data-")) {
            element.remove_attribute(name);
        }
        if named.kind == Kind::Manifest {
            return Ok(());
        }
        let loaded = match (named.kind, named.file.as_str()) {
            // The first element of a kind loads the joined file.
            (Kind::Style, _) => style.take().map(|style| ("style.css", style)),
            (Kind::Module, file) => modules.take().map(|modules| (file, modules)),
            (Kind::Script, file) => {
                Some((file, markup::without_comments(&String::from_utf8_lossy(&read(file)?)).into_bytes()))
            }
            (Kind::Wasm, _) => Some(("page.wasm", module.main.clone())),
            (Kind::Icon, file) => Some((file, read(file)?)),
            (Kind::Picture, file) => Some((file, read(&format!("public/{file}"))?)),
            (Kind::Beside | Kind::Manifest, _) => None,
        };
        let Some((name, bytes)) = loaded else {
            element.remove();
            return Ok(());
        };
        let own = put_hashed(name, &bytes, put)?;
        markup::set(element, named.attribute, &format!("./{own}"))?;
        let digest = integrity(&bytes);
        match named.kind {
            Kind::Style => markup::set(element, "rel", "stylesheet")?,
            Kind::Icon | Kind::Picture | Kind::Beside | Kind::Manifest => return Ok(()),
            // The binding script waits for the start script, and runs after it.
            Kind::Module => {
                let glue = put_hashed("page.js", &module.script, put)?;
                let digest = integrity(&module.script);
                let tag = format!(
                    "\n<script type=\"module\" id=\"glue\" fetchpriority=\"high\" src=\"./{glue}\" integrity=\"{digest}\" crossorigin></script>"
                );
                element.after(&tag, ContentType::Html);
            }
            // The script passes this digest when it fetches the module, because a browser does not check the digest by
            // itself.
            Kind::Wasm => {
                markup::set(element, "rel", "preload")?;
                markup::set(element, "as", "fetch")?;
                markup::set(element, "type", "application/wasm")?;
                markup::set(element, "data-integrity", &digest)?;
                return markup::set(element, "crossorigin", "");
            }
            Kind::Script => {}
        }
        markup::set(element, "integrity", &digest)?;
        markup::set(element, "crossorigin", "")
    })
}

/// Returns a style sheet without comments, indentation and empty lines. Returns the style sheet unchanged if a comment
/// may be inside a string or does not end.
fn without_comments(sheet: &str) -> String {
    let mut rules = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some((before, after)) = rest.split_once("/*") {
        let Some((_, behind)) = after.split_once("*/") else { return sheet.to_owned() };
        if before.matches(['"', '\'']).count() % 2 == 1 {
            return sheet.to_owned();
        }
        rules.push_str(before);
        rest = behind;
    }
    rules.push_str(rest);
    rules.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// Writes a file under a name with its digest, and returns the name.
fn put_hashed(file: &str, bytes: &[u8], put: &mut Put<'_>) -> Result<String, Error> {
    let plain = file.rsplit('/').next().unwrap_or(file);
    let (stem, ending) = plain.rsplit_once('.').unwrap_or((plain, ""));
    let name = hashed(stem, ending, bytes);
    put(&name, bytes)?;
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<head>\n  <!-- why -->\n  <link data-trunk rel=\"rust\" href=\"src/shell/page/Cargo.toml\">\n  \
        <script data-trunk src=\"public/a.js\" async blocking=\"render\"></script>\n  \
        <link data-trunk rel=\"css\" href=\"style/one.css\">\n  <link data-trunk rel=\"css\" href=\"style/two.css\">\n  \
        <script data-trunk type=\"module\" src=\"public/c.js\"></script>\n  <script data-trunk type=\"module\" src=\"public/d.js\"></script>\n  \
        <link data-trunk rel=\"copy-file\" href=\"public/b.svg\"></head>\n<img src=\"b.svg\">\n<a href=\"x.html\">x</a>\n";

    fn publish(html: &str) -> Result<(String, BTreeMap<String, Vec<u8>>), Error> {
        let module = Module { script: b"s".to_vec(), main: b"m".to_vec(), parts: BTreeMap::new() };
        let mut files = BTreeMap::new();
        let read = |name: &str| Ok(format!("/* why */\n// why\n{name}\n").into_bytes());
        let page = published(html, &module, "<meta name=\"more\">", &read, &mut |name, bytes| {
            files.insert(name.to_owned(), bytes.to_vec());
            Ok(())
        })?;
        Ok((page, files))
    }

    #[test]
    fn every_file_is_published_by_its_digest_and_joined_with_others_of_its_kind() {
        let (page, files) = publish(HTML).expect("a page");
        let file = |stem: &str| {
            let (name, bytes) = files.iter().find(|(name, _)| name.starts_with(stem)).expect(stem);
            let (_, digest) = name.split_once('-').expect("a digest");
            assert_eq!(digest.split_once('.').expect("an ending").0, short(bytes), "{name}");
            assert!(page.contains(&format!("\"./{name}\"")), "{name} in {page}");
            (name.clone(), String::from_utf8_lossy(bytes).into_owned())
        };
        assert_eq!(file("style-").1, "// why\nstyle/one.css\n// why\nstyle/two.css\n");
        assert_eq!(file("c-").1, "/* why */\npublic/c.js\n/* why */\npublic/d.js\n");
        // The four others are the first script, the picture, the module and the script that binds it.
        assert_eq!((file("a-").0.ends_with(".js"), file("b-").0.ends_with(".svg"), files.len()), (true, true, 6));
        assert!(files.keys().filter(|name| name.starts_with("page-")).count() == 2, "{:?}", files.keys());
    }

    #[test]
    fn comments_of_a_style_sheet_go_and_texts_stay() {
        let sheet = "/* why,\n twice */\n.a { b: c; /* so */ d: e }\n\n  .f { g: h }\n";
        assert_eq!(without_comments(sheet), ".a { b: c;  d: e }\n.f { g: h }\n");
        for whole in [".a { content: \"/*\" } .b { content: \"*/\" }\n", ".a {} /* open\n"] {
            assert_eq!(without_comments(whole), whole);
        }
    }

    #[test]
    fn comments_more_elements_and_digests_are_where_they_belong() {
        let (page, _) = publish(HTML).expect("a page");
        assert!(
            !page.contains("<!--") && !page.contains("data-trunk") && page.contains("<meta name=\"more\"></head>"),
            "{page}"
        );
        assert!(page.contains("<a href=\"x.html\">"), "a link that a reader follows stays: {page}");
        assert_eq!((page.matches(" integrity=").count(), page.matches("data-integrity=").count()), (4, 1), "{page}");
        let module = format!("data-integrity=\"{}\"", integrity(b"m"));
        assert!(page.contains(&module) && page.contains(" async blocking=\"render\" integrity="), "{page}");
    }

    #[test]
    fn no_script_of_the_page_blocks_the_parser() {
        let html = std::fs::read_to_string(crate::root().join("index.html")).expect("the page");
        let mut n_scripts = 0;
        markup::rewritten(&html, |element| {
            if element.tag_name() == "script" {
                n_scripts += 1;
                let is_module = element.get_attribute("type").as_deref() == Some("module");
                assert!(element.has_attribute("async") || is_module, "{:?}", element.get_attribute("src"));
            }
            Ok(())
        })
        .expect("HTML");
        assert!(n_scripts > 1, "it has scripts");
    }

    #[test]
    fn an_unknown_kind_of_file_is_an_error() {
        let refused = publish("<link rel=\"sass\" href=\"a.sass\">").expect_err("no rule");
        assert!(refused.to_string().contains("sass"));
    }

    #[test]
    fn a_script_has_no_text_over_lines_that_look_like_comments() {
        for name in ["first.js", "boot.js", "offline.js", "offline-worker.mjs", "host.js"] {
            let script = std::fs::read_to_string(crate::root().join("public").join(name)).expect("a script");
            assert!(script.lines().all(|line| line.matches('`').count() % 2 == 0), "{name}");
        }
    }
}
