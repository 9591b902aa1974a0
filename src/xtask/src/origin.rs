//! Origins of the page's bytes: crates, tools and folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, encoding, module, page, symbol, wasm};

/// Files that are not WebAssembly modules: prefix of the name, ending of the name, origin.
const FILES: [(&str, &str, &str); 19] = [
    ("page-", ".js", "glue of wasm-bindgen, with what fetches the parts"),
    ("parts-", ".json", "glue of wasm-bindgen, with what fetches the parts"),
    ("boot-", ".js", "scripts of public/"),
    ("first-", ".js", "scripts of public/"),
    ("offline-worker", ".mjs", "scripts of public/"),
    ("systolic-playground", ".mjs", "the element of npm/"),
    ("style-", ".css", "style/"),
    ("links-", ".css", "style/"),
    ("host-", ".css", "style/"),
    ("host-", ".js", "scripts of public/"),
    ("index", ".html", "index.html"),
    ("links", ".html", "the page of what a link can say, written by `studio`"),
    ("host", ".html", "the page that tests a host, written by `words`"),
    ("regular-", ".woff2", "style/face/"),
    ("semibold-", ".woff2", "style/face/"),
    ("icon-", ".svg", "pictures"),
    ("poster-", ".svg", "pictures"),
    ("site", ".webmanifest", "public/site.webmanifest"),
    ("_headers", "", "headers for the host"),
];

/// Returns the origin of a file that is not a WebAssembly module.
///
/// # Errors
/// [`Error::Verdict`] if the file is not in the list of known files.
pub fn of_file(root: &Path, name: &str) -> Result<&'static str, Error> {
    let is_it = |(begin, end, _): &&(&str, &str, &str)| name.starts_with(begin) && name.ends_with(end);
    let lesson = || {
        let (stem, _) = name.strip_suffix(".txt")?.rsplit_once('-')?;
        let is_in = |folder: &&str| root.join(folder).join(stem).with_extension("md").is_file();
        ["course/lessons/", "course/challenges/", "course/claims/", "course/tests/"].into_iter().find(is_in)
    };
    FILES.iter().find(is_it).map(|(_, _, origin)| *origin).or_else(lesson).ok_or_else(|| {
        Error::Verdict(format!(
            "dist/{name}: it is not said where this file comes from; say so in src/xtask/src/origin.rs"
        ))
    })
}

/// Uncompressed bytes by origin.
type Sums = BTreeMap<String, usize>;

/// Prints the bytes of the built page by origin. The printed numbers add up to the size of all files.
///
/// # Errors
/// Fails in these cases:
/// - No built page exists.
/// - The modules of the page are not from the latest build.
/// - A file has an unknown origin.
pub fn print(root: &Path) -> Result<(), Error> {
    let sums = sums(root)?;
    let total: usize = sums.values().sum();
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (origin, bytes) in rows {
        println!("{origin:<64} {bytes:>10} {:>6.1} %", 100.0 * bytes as f64 / total as f64);
    }
    println!("{:<64} {total:>10}", "all files of the page, uncompressed");
    Ok(())
}

fn sums(root: &Path) -> Result<Sums, Error> {
    let dist = page::dist(root);
    if !dist.join("index.html").is_file() {
        return Err(Error::Missing { what: "dist/index.html".into(), remedy: "run `cargo xtask build` first".into() });
    }
    let (mut sums, mut shipped, mut told) = (Sums::new(), 0, 0);
    for path in encoding::files(&dist)?.into_iter().filter(|path| !encoding::is_compressed(path)) {
        let name = path.strip_prefix(&dist).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let bytes = read(&path)?.len();
        if name.ends_with(".wasm") {
            shipped += bytes;
        } else {
            *sums.entry(of_file(root, &name)?.to_owned()).or_default() += bytes;
        }
    }
    for path in modules(root)? {
        let bytes = read(&path)?;
        let malformed = |problem| Error::Malformed(format!("{}: {problem}", path.display()));
        for function in wasm::functions(&bytes).map_err(malformed)? {
            let name = symbol::crate_of(&function.name).unwrap_or_else(|| "no crate, as memcpy".to_owned());
            *sums.entry(format!("code of {name}")).or_default() += function.bytes;
            told += function.bytes;
        }
        let constants = wasm::data_bytes(&bytes).map_err(malformed)?;
        *sums.entry("constants and texts in the modules".to_owned()).or_default() += constants;
        told += constants;
    }
    let rest = shipped.checked_sub(told).ok_or_else(|| {
        Error::Verdict("dist has other modules than were built last: run `cargo xtask build`".to_owned())
    })?;
    sums.insert("types, tables, imports and exports of the modules".to_owned(), rest);
    Ok(sums)
}

/// Returns the paths of the modules that still have the names of their functions.
fn modules(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let split = module::split_folder(root);
    let is_part = |path: &PathBuf| path.extension().is_some_and(|end| end == "wasm") && !path.ends_with("page.wasm");
    let mut modules: Vec<_> = encoding::files(&split)?.into_iter().filter(is_part).collect();
    // The published first module is the output of wasm-bindgen.
    modules.push(split.with_file_name("bound").join("page_bg.wasm"));
    Ok(modules)
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(Error::io(format!("read {}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_from_where_it_is_said_and_no_other_is_taken() {
        for (name, origin) in [
            ("page-9ad0b7746335f3bb.js", "glue of wasm-bindgen, with what fetches the parts"),
            ("links.html", "the page of what a link can say, written by `studio`"),
            ("links-7d99191847ccf2b5.css", "style/"),
            ("tiles-d34f3529b60fb933.txt", "course/lessons/"),
            ("array-claims-d34f3529b60fb933.txt", "course/claims/"),
        ] {
            assert_eq!(of_file(&crate::root(), name).expect("known"), origin);
        }
        let said = of_file(&crate::root(), "tracker.js").expect_err("nobody put it there").to_string();
        assert!(said.starts_with("dist/tracker.js: "), "{said}");
    }
}
