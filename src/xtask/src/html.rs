//! The published page: index.html with every file that it names under a name and a digest of its content.
//!
//! The page is written for Trunk, which serves it while it is worked on; the tags that it marks with `data-trunk` are the
//! list of the page's files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::Error;
use crate::cards::Cards;
use crate::digest::{hashed, integrity, short};
use crate::minify_js::minify_js;
use crate::module::Module;
use crate::preview::{self, Address};

/// The script that answers where there is no network.
const WORKER: &str = "offline-worker.mjs";

/// Writes a file of a name.
type Put<'a> = dyn FnMut(&str, &[u8]) -> Result<(), Error> + 'a;

/// Writes the page into `dist`, which is emptied first; with what other pages show of it where its address is known.
///
/// # Errors
/// A file cannot be read or written, or index.html marks a tag of a kind that is not known here.
pub fn write(root: &Path, dist: &Path, module: &Module, cards: &Cards, at: Option<&Address>) -> Result<(), Error> {
    if dist.exists() {
        fs::remove_dir_all(dist).map_err(Error::io("empty dist"))?;
    }
    fs::create_dir_all(dist).map_err(Error::io("make dist"))?;
    let read = |name: &str| fs::read(root.join(name)).map_err(Error::io(format!("read {name}")));
    let mut files = BTreeMap::new();
    let mut put = |name: &str, bytes: &[u8]| {
        files.insert(name.to_owned(), integrity(bytes));
        fs::write(dist.join(name), bytes).map_err(Error::io(format!("write {name}")))
    };
    let html = String::from_utf8_lossy(&read("index.html")?).into_owned();
    let mut page = published(&html, module, &read, &mut put)?;
    if let Some(at) = at {
        page = page.replacen("</head>", &format!("{}</head>", preview::tags(at)), 1);
    }
    for (name, bytes) in &module.parts {
        put(name, bytes)?;
    }
    for (name, text) in cards.files() {
        put(&name, text)?;
    }
    put("index.html", page.as_bytes())?;
    // What is asked for by its own name. The element shows the page in another one; the worker keeps all of the above.
    let worker = worker(&String::from_utf8_lossy(&read("public/offline-worker.mjs")?), &files)?;
    let named = [
        ("_headers", read("public/_headers")?),
        ("systolic-playground.mjs", read("npm/systolic-playground.mjs")?),
        (WORKER, worker.into_bytes()),
    ];
    let named = named.map(|(name, bytes)| (name.to_owned(), bytes));
    let preview = at.map(|at| preview::files(at, &read)).transpose()?.into_iter().flatten();
    for (name, bytes) in named.into_iter().chain(crate::beside::files(&read)?).chain(preview) {
        fs::write(dist.join(&name), bytes).map_err(Error::io(format!("write {name}")))?;
    }
    Ok(())
}

/// The worker of a build: it keeps files that have these digests.
fn worker(script: &str, files: &BTreeMap<String, String>) -> Result<String, Error> {
    let list = serde_json::json!(files).to_string();
    let mut script = script.to_owned();
    for (mark, value) in
        [("BUILD = '';", format!("BUILD = '{}';", short(list.as_bytes()))), ("FILES = {};", format!("FILES = {list};"))]
    {
        if !script.contains(mark) {
            return Err(Error::Malformed(format!("the worker has no place for {mark}")));
        }
        script = script.replacen(mark, &value, 1);
    }
    Ok(minify_js(&script))
}

/// index.html as it is published; the files that it names go to `put`.
fn published(
    html: &str,
    module: &Module,
    read: &dyn Fn(&str) -> Result<Vec<u8>, Error>,
    put: &mut Put<'_>,
) -> Result<String, Error> {
    let marked: Vec<Marked<'_>> = marked(html);
    let mut style = Some(join_css(&marked, read)?);
    let mut modules = Some(join_modules(&marked, read)?);
    let mut page = html.to_owned();
    for tag in marked {
        let own = match tag.value("rel") {
            Some("css") => match style.take() {
                Some(style) => {
                    let name = hashed("style", "css", &style);
                    put(&name, &style)?;
                    format!(
                        "<link rel=\"stylesheet\" href=\"./{name}\" integrity=\"{}\" crossorigin>",
                        integrity(&style)
                    )
                }
                None => String::new(),
            },
            Some("icon") => {
                let name = put_hashed(tag.file()?, &read(tag.file()?)?, put)?;
                format!("<link rel=\"icon\" href=\"./{name}\" type=\"image/svg+xml\">")
            }
            Some("rust") => {
                let (script, main) = (hashed("page", "js", &module.script), hashed("page", "wasm", &module.main));
                put(&script, &module.script)?;
                put(&main, &module.main)?;
                format!(
                    "<link rel=\"preload\" as=\"fetch\" href=\"./{main}\" type=\"application/wasm\" data-integrity=\"{}\" crossorigin>\n  \
                     <link rel=\"modulepreload\" href=\"./{script}\" integrity=\"{}\" crossorigin>",
                    // A browser looks at the digest of a script alone; of the module it is checked where it is fetched.
                    integrity(&module.main),
                    integrity(&module.script)
                )
            }
            // Named elsewhere in the page by its name alone.
            Some("copy-file") if tag.value("href") == Some("public/_headers") => String::new(),
            Some("copy-file") => {
                let file = tag.file()?;
                let name = put_hashed(file, &read(file)?, put)?;
                let plain = file.rsplit('/').next().unwrap_or(file);
                page = page.replace(&format!("src=\"{plain}\""), &format!("src=\"./{name}\""));
                String::new()
            }
            None if tag.value("type") == Some("module") => match modules.take() {
                Some(script) => put_script(tag, &script, put)?,
                None => String::new(),
            },
            None if tag.value("src").is_some() => put_script(tag, &String::from_utf8_lossy(&read(tag.file()?)?), put)?,
            _ => return Err(Error::Malformed(format!("index.html: there is no rule for {}", tag.text))),
        };
        page = page.replacen(tag.text, &own, 1);
    }
    // Without comments, and lines that held a tag that is gone.
    let is_comment = |line: &str| line.starts_with("<!--") && line.ends_with("-->");
    let is_needed = |line: &&str| !line.is_empty() && !is_comment(line);
    Ok(page.lines().map(str::trim).filter(is_needed).map(|line| format!("{line}\n")).collect())
}

/// The style sheets that the page names, in their order, as one without comments: they are apart for those who read them,
/// and compress better together.
fn join_css(marked: &[Marked<'_>], read: &dyn Fn(&str) -> Result<Vec<u8>, Error>) -> Result<Vec<u8>, Error> {
    let mut joined = Vec::new();
    for tag in marked.iter().filter(|tag| tag.value("rel") == Some("css")) {
        joined.extend(without_comments(&String::from_utf8_lossy(&read(tag.file()?)?)).into_bytes());
    }
    Ok(joined)
}

/// The modules that the page names, in their order, as one: none of them imports or exports.
fn join_modules(marked: &[Marked<'_>], read: &dyn Fn(&str) -> Result<Vec<u8>, Error>) -> Result<String, Error> {
    let modules = marked.iter().filter(|tag| tag.value("type") == Some("module"));
    modules.map(|tag| Ok(String::from_utf8_lossy(&read(tag.file()?)?).into_owned())).collect()
}

/// Writes a script under the name of the file that a tag names; returns the tag that names what was written.
fn put_script(tag: Marked<'_>, script: &str, put: &mut Put<'_>) -> Result<String, Error> {
    let script = minify_js(script).into_bytes();
    let name = put_hashed(tag.file()?, &script, put)?;
    let how = tag.loading();
    Ok(format!("<script{how} src=\"./{name}\" integrity=\"{}\" crossorigin>", integrity(&script)))
}

/// A style sheet without its comments and the lines that held nothing else; as it is where a text may look like one.
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

/// Writes a file under a name that has its digest; returns the name.
fn put_hashed(file: &str, bytes: &[u8], put: &mut Put<'_>) -> Result<String, Error> {
    let plain = file.rsplit('/').next().unwrap_or(file);
    let (stem, ending) = plain.rsplit_once('.').unwrap_or((plain, ""));
    let name = hashed(stem, ending, bytes);
    put(&name, bytes)?;
    Ok(name)
}

/// A tag that names a file of the page.
#[derive(Debug, Clone, Copy)]
struct Marked<'a> {
    text: &'a str,
}

impl<'a> Marked<'a> {
    fn value(self, name: &str) -> Option<&'a str> {
        let (_, rest) = self.text.split_once(&format!(" {name}=\""))?;
        rest.split_once('"').map(|(value, _)| value)
    }

    /// The attributes by which a browser knows when to run a script.
    fn loading(self) -> String {
        let valued = |name: &str| self.value(name).map(|value| format!(" {name}=\"{value}\""));
        let is_async = self.text.contains(" async").then(|| " async".to_owned());
        [valued("type"), is_async, valued("blocking")].into_iter().flatten().collect()
    }

    fn file(self) -> Result<&'a str, Error> {
        let named = self.value("href").or_else(|| self.value("src"));
        named.ok_or_else(|| Error::Malformed(format!("index.html: {} names no file", self.text)))
    }
}

fn marked(html: &str) -> Vec<Marked<'_>> {
    let tag = |(at, _): (usize, &str)| {
        let text = &html[at..at + html[at..].find('>')? + 1];
        text.contains(" data-trunk").then_some(Marked { text })
    };
    html.match_indices('<').filter_map(tag).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<head>\n  <!-- why -->\n  <script data-trunk src=\"public/a.js\" async blocking=\"render\"></script>\n  \
        <link data-trunk rel=\"css\" href=\"style/one.css\">\n  <link data-trunk rel=\"css\" href=\"style/two.css\">\n  \
        <link data-trunk rel=\"rust\" href=\"src/page/Cargo.toml\">\n  <link data-trunk rel=\"copy-file\" href=\"public/_headers\">\n  \
        <link data-trunk rel=\"copy-file\" href=\"public/b.svg\">\n</head>\n<img src=\"b.svg\">\n";

    fn publish(html: &str) -> Result<(String, BTreeMap<String, Vec<u8>>), Error> {
        let module = Module { script: b"s".to_vec(), main: b"m".to_vec(), parts: BTreeMap::new() };
        let mut files = BTreeMap::new();
        let read = |name: &str| Ok(format!("/* why */\n{name}\n").into_bytes());
        let page = published(html, &module, &read, &mut |name, bytes| {
            files.insert(name.to_owned(), bytes.to_vec());
            Ok(())
        })?;
        Ok((page, files))
    }

    #[test]
    fn the_worker_keeps_the_files_of_its_build_by_their_digests() {
        let script = "// why\nconst BUILD = '';\nconst FILES = {};\n";
        let kept = |content: &[u8]| worker(script, &BTreeMap::from([("index.html".to_owned(), integrity(content))]));
        let (one, other) = (kept(b"one").expect("a worker"), kept(b"other").expect("a worker"));
        assert!(one.contains(&format!("FILES = {{\"index.html\":\"{}\"}};", integrity(b"one"))), "{one}");
        let build = |text: &str| text.split_once("BUILD = '").map(|(_, rest)| rest[..16].to_owned());
        assert!(build(&one).is_some() && build(&one) != build(&other), "another page is another build");
        assert!(worker("const FILES = {};", &BTreeMap::new()).is_err(), "a worker of another form");
    }

    #[test]
    fn every_file_has_a_digest_in_its_name_and_the_page_names_all_of_them() {
        let (page, files) = publish(HTML).expect("a page");
        assert_eq!(files.len(), 5, "{files:?}");
        assert!(files.keys().all(|name| page.contains(&format!("\"./{name}\""))), "{page}");
        assert!(!page.contains("<!--") && !page.contains("data-trunk") && !page.contains("\"b.svg\""), "{page}");
        let sheet = files.iter().find(|(name, _)| name.starts_with("style-")).expect("a sheet");
        assert_eq!(sheet.1, b"style/one.css\nstyle/two.css\n");
        let script = files.iter().find(|(name, _)| name.starts_with("a-")).expect("a script");
        assert_eq!(script.1, b"public/a.js\n");
        let tag =
            format!("<script async blocking=\"render\" src=\"./{}\" integrity=\"{}\"", script.0, integrity(script.1));
        assert!(page.contains(&tag), "{page}");
    }

    #[test]
    fn modules_are_one_script_in_their_order() {
        let two = "<script data-trunk type=\"module\" src=\"public/c.js\"></script>\n<script data-trunk type=\"module\" \
                   src=\"public/d.js\"></script>\n";
        let (page, files) = publish(&HTML.replace("</head>", &format!("{two}</head>"))).expect("a page");
        let joined = files.iter().find(|(name, _)| name.starts_with("c-")).expect("one script");
        assert_eq!(joined.1, b"public/c.js\npublic/d.js\n");
        assert!(
            page.matches("type=\"module\"").count() == 1 && !files.keys().any(|name| name.starts_with("d-")),
            "{page}"
        );
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
    fn no_script_of_the_page_blocks_the_parser() {
        let html = fs::read_to_string(crate::root().join("index.html")).expect("the page");
        let scripts = || marked(&html).into_iter().filter(|tag| tag.text.starts_with("<script"));
        assert!(scripts().count() > 1, "it has scripts");
        for script in scripts() {
            assert!(script.text.contains(" async") || script.value("type") == Some("module"), "{}", script.text);
        }
    }

    #[test]
    fn an_unknown_kind_of_file_is_an_error() {
        let refused = publish("<link data-trunk rel=\"sass\" href=\"a.sass\">").expect_err("no rule");
        assert!(refused.to_string().contains("sass"));
    }
}
