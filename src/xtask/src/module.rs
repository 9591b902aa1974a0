//! The page's module: compiled, taken apart into what the first screen needs and the parts that are opened later, bound
//! to the browser by one script.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wasm_split_cli_support::{Options, transform};

use crate::cards::Cards;
use crate::digest::hashed;
use crate::loader::{Loader, PACKED, SIDES};
use crate::markup::without_comments;
use crate::process::{cargo, run};
use crate::tools::{self, WASM};
use crate::{Error, symbol, wasm};

/// Crates of which the first module may hold no function: what only a part needs is in a part.
pub const LATER: [&str; 3] = ["workload", "lesson", "pulldown_cmark"];

/// What the browser downloads to run the page.
#[derive(Debug)]
pub struct Module {
    /// The script that binds the module and fetches its parts.
    pub script: Vec<u8>,
    /// The first module.
    pub main: Vec<u8>,
    /// The parts, by file name.
    pub parts: BTreeMap<String, Vec<u8>>,
}

/// Compiles the page and takes it apart.
///
/// # Errors
/// It does not compile, cannot be taken apart, or the first module holds a function of a crate in [`LATER`].
pub fn build(root: &Path, cards: &Cards) -> Result<Module, Error> {
    let compiled = compile(root)?;
    // What an older build has left must not be taken for a part of this one.
    let split = emptied(&split_folder(root))?;
    let bound = emptied(&crate::target(root).join("page").join("bound"))?;
    let whole = fs::read(&compiled).map_err(Error::io(format!("read {}", compiled.display())))?;
    let main = split.join("page.wasm");
    let mut options = Options::new(&whole);
    (options.output_dir, options.main_out_path, options.main_module) = (&split, &main, "./page.js");
    let taken_apart = transform(options).map_err(|why| Error::Malformed(format!("page.wasm: {why:#}")))?;
    let read = |path: &Path| fs::read(path).map_err(Error::io(format!("read {}", path.display())));
    let first = read(&main)?;
    no_later_function(&first)?;
    bind(root, &main, &bound)?;

    let (mut parts, mut names) = (BTreeMap::new(), BTreeMap::new());
    for path in &taken_apart.split_modules {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // A part's file is named as the part; what several parts share has no name of its own.
        let kind = stem.strip_prefix("split_").unwrap_or("shared").to_owned();
        let bytes = wasm::stripped(&read(path)?).map_err(malformed(&stem))?;
        let name = hashed(&kind, "wasm", &bytes);
        names.insert(stem, name.clone());
        parts.insert(name, bytes);
    }
    // The sides come with the page: all their files in one, so that a slow line is asked once.
    let stems = taken_apart.prefetch_map.get(SIDES).map_or(&[][..], Vec::as_slice);
    let carried: Vec<String> = stems.iter().filter_map(|stem| names.get(stem).cloned()).collect();
    let pack = wasm::packed(PACKED, &carried.iter().filter_map(|name| parts.remove(name)).collect::<Vec<_>>());
    let name = hashed(SIDES, "wasm", &pack);
    names.extend(stems.iter().map(|stem| (stem.clone(), name.clone())));
    parts.insert(name, pack);
    let link = fs::read_to_string(split.join("__wasm_split.js")).map_err(Error::io("read __wasm_split.js"))?;
    let loader = Loader::new(&link, &taken_apart.prefetch_map, &names, &parts, &cards.digest)?;
    let glue = fs::read_to_string(bound.join("page.js")).map_err(Error::io("read page.js"))?;
    let script = without_comments(&loader.folded_into(&glue)?);
    let main = wasm::stripped(&read(&bound.join("page_bg.wasm"))?).map_err(malformed("page_bg"))?;
    let (list, bytes) = loader.list;
    parts.insert(list, bytes);
    Ok(Module { script: script.into_bytes(), main, parts })
}

/// Where the first module and its parts lie as they were taken apart, with the names of their functions.
#[must_use]
pub fn split_folder(root: &Path) -> PathBuf {
    crate::target(root).join("page").join("split")
}

/// The module as the compiler links it, with what is needed to move its functions.
fn compile(root: &Path) -> Result<PathBuf, Error> {
    let mut build = cargo(root, &["rustc", "--locked", "--package", "page", "--lib", "--features", "split"]);
    build
        .args(["--profile", "wasm-release", "--target", WASM])
        // Symbols and relocations say what calls what. Flags of the last crate alone leave all others as they are.
        .args(["--", "-Cstrip=debuginfo", "-Clink-args=--emit-relocs"])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", remapped(root));
    run("compiling the page", &mut build)?;
    Ok(crate::target(root).join(WASM).join("wasm-release").join("page.wasm"))
}

/// Writes the script of the first module; parts have no imports of the browser.
fn bind(root: &Path, main: &Path, folder: &Path) -> Result<(), Error> {
    let mut bindgen = Command::new("wasm-bindgen");
    bindgen
        .env("PATH", tools::path(root))
        // Without the linker's exports a part does not find the table of functions.
        .args(["--target", "web", "--no-typescript", "--no-demangle", "--keep-lld-exports", "--out-name", "page"])
        .arg("--out-dir")
        .args([folder, main]);
    run("binding the page", &mut bindgen)
}

/// Compiler flags, beside those of `.cargo/config.toml`, that keep this machine's folders out of the shipped bytes.
///
/// Panic messages name their source files: two builds in different folders would differ, and each visitor would
/// download the names. Cargo takes the flags apart at spaces, so a folder with one is not renamed.
fn remapped(root: &Path) -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let sources = home.map(|home| home.join("registry").join("src"));
    let registries = sources.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let mut folders: Vec<(PathBuf, &str)> = registries.map(|entry| (entry.path(), "crates")).collect();
    folders.push((root.to_owned(), "."));
    let flags = folders.iter().filter_map(|(from, to)| {
        let from = from.to_str().filter(|from| !from.contains(char::is_whitespace))?;
        Some(format!("--remap-path-prefix={from}={to}"))
    });
    flags.collect::<Vec<_>>().join(" ")
}

/// Refuses a first module with a function of a crate that only parts need: one table or trait object that names it from
/// the first screen pulls all of it in, without a word.
fn no_later_function(module: &[u8]) -> Result<(), Error> {
    let functions = wasm::functions(module).map_err(malformed("page"))?;
    if functions.iter().all(|function| function.name.is_empty()) {
        return Err(Error::Malformed("page.wasm: its functions have no names to tell their crates by".to_owned()));
    }
    for later in LATER {
        let of_it: Vec<&str> = functions
            .iter()
            .filter(|function| symbol::crate_of(&function.name).is_some_and(|name| name == later))
            .map(|function| function.name.as_str())
            .collect();
        if let Some(first) = of_it.first() {
            let n = of_it.len();
            return Err(Error::Verdict(format!(
                "the first module holds {n} functions of {later}, such as {first}: something in it names a part's code"
            )));
        }
    }
    Ok(())
}

fn emptied(folder: &Path) -> Result<PathBuf, Error> {
    let doing = || Error::io(format!("empty {}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(doing())?;
    }
    fs::create_dir_all(folder).map_err(doing())?;
    Ok(folder.to_owned())
}

fn malformed(name: &str) -> impl FnOnce(String) -> Error {
    let name = name.to_owned();
    move |why| Error::Malformed(format!("{name}.wasm: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wasm::tests::module_with;

    #[test]
    fn a_first_module_with_a_function_of_a_later_crate_is_refused() {
        no_later_function(&module_with("_ZN6studio4link4Link5parse17h0123456789abcdefE")).expect("its own");
        let refused = no_later_function(&module_with("_ZN8workload6import6Import4read17h0123456789abcdefE"));
        assert!(refused.expect_err("not its own").to_string().contains("1 functions of workload"));
        let unknown = no_later_function(&module_with(""));
        assert!(unknown.expect_err("nothing can be said").to_string().contains("no names"));
    }
}
