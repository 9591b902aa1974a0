//! The whole page in one file, which needs no server and no network: it runs from a disk, and as the `srcdoc` of a
//! frame.
//!
//! It is made of the published page, not by another build. It contains scripts and styles, under a policy that names
//! their hashes and forbids every request. The module, its parts and the lessons are packed next to them, and the file
//! has its own `fetch` that returns them. A `srcdoc` frame has no address, so the name of the frame is its link
//! (`single.js`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::digest::integrity;
use crate::{Error, encoding};

/// What takes the place of the network.
const SCRIPT: &str = include_str!("single.js");
/// What the page fetches while it runs.
const FETCHED: [&str; 3] = ["wasm", "txt", "json"];
/// The strongest level.
const GZIP: u32 = 9;

/// The page in `dist` as one file.
///
/// # Errors
/// A file of the page cannot be read, or has another form than this build writes.
pub fn page(dist: &Path) -> Result<String, Error> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dist).map_err(Error::io("list dist"))? {
        let path = entry.map_err(Error::io("list dist"))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !encoding::is_compressed(&path) {
            files.insert(name.clone(), fs::read(&path).map_err(Error::io(format!("read dist/{name}")))?);
        }
    }
    joined(&files)
}

/// The files of a page as one.
fn joined(files: &BTreeMap<String, Vec<u8>>) -> Result<String, Error> {
    let mut page = Joined { html: text(files, "index.html")?, scripts: Vec::new(), styles: Vec::new() };
    let glue = page.cut("<link rel=\"modulepreload\"")?;
    let module = page.cut("<link rel=\"preload\" as=\"fetch\"")?;
    let (first, boot) = (page.cut("<script async")?, page.cut("<script type=\"module\"")?);
    let (style, icon) = (page.cut("<link rel=\"stylesheet\"")?, page.cut("<link rel=\"icon\"")?);
    let read = |tag: &str| text(files, file_of(tag)?);

    let glue = exchange(&read(&glue)?, "new URL(name, import.meta.url)", "name")?;
    let glue = exchange(&glue, "export { __wbg_init as default };", "return { default: __wbg_init };")?;
    let glue = glue.replace("export function ", "function ");
    let boot = exchange(&read(&boot)?, "document.querySelector('link[rel=modulepreload]')", "{ href: '' }")?;
    let module = format!("{{ href: '{}' }}", file_of(&module)?);
    let boot = exchange(&boot, "document.querySelector('link[rel=preload][as=fetch]')", &module)?;
    let boot = exchange(&boot, "import(glue)", "bound")?;
    // Where it is the text of a frame it has no address; what stands for one is told by its script.
    let glue = exchange(&exchange(&glue, "a1.search;", "place.search;")?, "a1.hash;", "place.hash;")?;
    let boot = exchange(&boot, "let lastLink = location.href", "let lastLink = place.href")?;
    let boot = exchange(&boot, "new URL(lastLink, location.href)", "new URL(lastLink, place.href)")?;
    let boot = exchange(&boot, "location.replace(target)", "go(target)")?;
    let boot = exchange(&boot, "location.replace(location.pathname + (", "go(new URL(")?;
    let boot = exchange(&boot, "`?ui=${shown}` : '')", "`?ui=${shown}` : '?', place.href)")?;
    let boot = exchange(&boot, "URLSearchParams(location.search)", "URLSearchParams(place.search)")?;
    let boot = exchange(&boot, "!name", "!(isText ? /^again/.test(name) : name)")?;
    // What is one file needs nobody to keep its files.
    let boot = exchange(&boot, "navigator.serviceWorker &&", "false &&")?;
    let script = SCRIPT.replace("GLUE", &glue);

    let packed: BTreeMap<&str, String> = files
        .iter()
        .filter(|(name, _)| name.rsplit_once('.').is_some_and(|(_, ending)| FETCHED.contains(&ending)))
        .map(|(name, bytes)| Ok((name.as_str(), STANDARD.encode(encoding::gzip(bytes, GZIP)?))))
        .collect::<std::io::Result<_>>()
        .map_err(Error::io("pack the page"))?;
    let packed = serde_json::json!(packed).to_string();

    // It needs no server.
    page.html = page.html.replace(" Opened from a disk, it needs a web server.", "");
    // Lines that held a tag that is gone; what is added from here on has its digest.
    page.html = page.html.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("{line}\n")).collect();
    let icon = data_address(&read(&icon)?);
    page.add(&format!("<link rel=\"icon\" href=\"{icon}\" type=\"image/svg+xml\">\n"));
    page.style(&read(&style)?)?;
    page.script("", &read(&first)?)?;
    page.add(&format!("<script type=\"application/json\" id=\"files\">{packed}</script>\n"));
    page.script(" type=\"module\"", &format!("{script}{boot}"))?;
    let picture = page
        .html
        .split_once("<img src=\"./")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(name, _)| name.to_owned());
    let picture = picture.ok_or_else(|| malformed("index.html has no picture of the first screen"))?;
    let address = data_address(&text(files, &picture)?);
    page.html = exchange(&page.html, &format!("\"./{picture}\""), &format!("\"{address}\""))?;
    page.finish()
}

/// A page into whose head files are put.
struct Joined {
    html: String,
    /// Digests of the scripts and of the style sheets that stand in it.
    scripts: Vec<String>,
    styles: Vec<String>,
}

impl Joined {
    /// Takes the tag that begins so out of the page, with the end of a script.
    fn cut(&mut self, begin: &str) -> Result<String, Error> {
        let missing = || malformed(&format!("index.html has no {begin}>"));
        let at = self.html.find(begin).ok_or_else(missing)?;
        let end = at + self.html[at..].find('>').ok_or_else(missing)? + 1;
        let tag = self.html[at..end].to_owned();
        let end = end + if self.html[end..].starts_with("</script>") { "</script>".len() } else { 0 };
        self.html.replace_range(at..end, "");
        Ok(tag)
    }

    /// Adds to the head.
    fn add(&mut self, text: &str) {
        self.html = self.html.replacen("</head>", &format!("{text}</head>"), 1);
    }

    fn script(&mut self, how: &str, text: &str) -> Result<(), Error> {
        if text.contains("</script") || text.contains("<!--") {
            return Err(malformed("a script of the page would end the element that it stands in"));
        }
        self.scripts.push(integrity(text.as_bytes()));
        self.add(&format!("<script{how}>{text}</script>\n"));
        Ok(())
    }

    fn style(&mut self, text: &str) -> Result<(), Error> {
        if text.contains("</style") {
            return Err(malformed("the style sheet would end the element that it stands in"));
        }
        self.styles.push(integrity(text.as_bytes()));
        self.add(&format!("<style>{text}</style>\n"));
        Ok(())
    }

    /// The page under its policy: what stands in it runs, and nothing is asked of anybody.
    fn finish(self) -> Result<String, Error> {
        let quoted = |digests: &[String]| digests.iter().map(|one| format!("'{one}'")).collect::<Vec<_>>().join(" ");
        let policy = format!(
            "default-src 'none'; script-src {} 'wasm-unsafe-eval'; style-src {}; img-src data: blob:; frame-src 'self' file:; \
             base-uri 'none'; form-action 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types offline",
            quoted(&self.scripts),
            quoted(&self.styles)
        );
        let mark = "http-equiv=\"Content-Security-Policy\" content=\"";
        let old =
            self.html.split_once(mark).and_then(|(_, rest)| rest.split_once('"')).map(|(policy, _)| policy.to_owned());
        let old = old.ok_or_else(|| malformed("index.html has no policy"))?;
        exchange(&self.html, &old, &policy)
    }
}

/// The file that a tag names.
fn file_of(tag: &str) -> Result<&str, Error> {
    let named = ["href=\"./", "src=\"./"].iter().find_map(|mark| tag.split_once(mark)?.1.split_once('"'));
    named.map(|(name, _)| name).ok_or_else(|| malformed(&format!("index.html: {tag} names no file")))
}

fn text(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Result<String, Error> {
    let bytes = files.get(name).ok_or_else(|| malformed(&format!("there is no dist/{name}")))?;
    String::from_utf8(bytes.clone()).map_err(|_| malformed(&format!("dist/{name} is no text")))
}

/// A text with one place of it exchanged.
fn exchange(text: &str, old: &str, new: &str) -> Result<String, Error> {
    match text.matches(old).count() {
        1 => Ok(text.replacen(old, new, 1)),
        n => Err(malformed(&format!("{old} stands {n} times in the page, not once"))),
    }
}

/// A drawing as an address.
fn data_address(svg: &str) -> String {
    format!("data:image/svg+xml;base64,{}", STANDARD.encode(svg))
}

fn malformed(what: &str) -> Error {
    Error::Malformed(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<html>\n<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n\
        <link rel=\"preload\" as=\"fetch\" href=\"./page-1.wasm\">\n<link rel=\"modulepreload\" href=\"./page-2.js\">\n\
        <script async src=\"./first-3.js\"></script>\n<link rel=\"icon\" href=\"./icon-4.svg\">\n\
        <link rel=\"stylesheet\" href=\"./style-5.css\">\n<script type=\"module\" src=\"./boot-6.js\"></script>\n</head>\n\
        <p>Reload the page. Opened from a disk, it needs a web server.</p>\n<img src=\"./poster-7.svg\">\n</html>\n";
    const GLUE: &str = "export function start() {}\nget(a1.search; a1.hash;)\nfetch(new URL(name, import.meta.url));\nexport { __wbg_init as default };";
    const BOOT: &str = "let lastLink = location.href;\nnew URL(lastLink, location.href); location.replace(target);\n\
        location.replace(location.pathname + ('x' ? `?ui=${shown}` : ''));\nnew URLSearchParams(location.search); !name;\nconst glue = document.querySelector('link[rel=modulepreload]').href;\n\
        const module = document.querySelector('link[rel=preload][as=fetch]').href;\nimport(glue);\nnavigator.serviceWorker && keep();\n";

    fn files() -> BTreeMap<String, Vec<u8>> {
        let texts = [
            ("index.html", HTML),
            ("page-1.wasm", "module"),
            ("page-2.js", GLUE),
            ("first-3.js", "first();"),
            ("icon-4.svg", "<svg/>"),
            ("style-5.css", "a { b: c }"),
            ("boot-6.js", BOOT),
            ("poster-7.svg", "<svg></svg>"),
            ("wave-8.txt", "# A lesson"),
        ];
        texts.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into()
    }

    #[test]
    fn the_file_names_no_other_and_lets_only_its_own_scripts_run() {
        let page = joined(&files()).expect("one file");
        assert!(page.contains("Reload the page.</p>"), "{page}");
        assert!(!page.contains("src=\"./") && !page.contains("href=\"./") && !page.contains("import("), "{page}");
        let scripts = page.split("<script").skip(1).filter(|one| !one.starts_with(" type=\"application/json\""));
        let mut n = 0;
        for script in scripts {
            let (_, text) = script.split_once('>').expect("a tag");
            let (text, _) = text.split_once("</script>").expect("an end");
            assert!(page.contains(&format!("'{}'", integrity(text.as_bytes()))), "{text}");
            n += 1;
        }
        assert_eq!(n, 2);
        assert!(page.contains("script-src 'sha256-") && !page.contains("connect-src"), "{page}");
        for name in ["page-1.wasm", "wave-8.txt"] {
            assert!(page.contains(&format!("\"{name}\":\"H4sI")), "{page}");
        }
    }

    #[test]
    fn a_page_of_another_form_is_refused() {
        for (name, text) in [("page-2.js", "nothing"), ("boot-6.js", "</script>"), ("index.html", "<head></head>")] {
            let mut files = files();
            files.insert(name.to_owned(), text.as_bytes().to_vec());
            assert!(matches!(joined(&files), Err(Error::Malformed(_))), "{name}");
        }
    }
}
