//! Builds the page's WebAssembly module: compiles it, splits it into a first module and parts that load later, and
//! generates its JavaScript bindings.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;
use wasm_split_cli_support::{Options, transform};

use crate::cards::Cards;
use crate::digest::hashed;
use crate::loader::{Loader, PACKED, SIDES};
use crate::markup::without_comments;
use crate::process::{cargo, run};
use crate::{Error, files, wasm};

/// Compilation target of browser builds.
pub const WASM: &str = "wasm32-unknown-unknown";
/// Crates that only the later parts need. The first module may contain no function of these crates.
const LATER: [&str; 4] = ["workload", "lesson", "pulldown_cmark", "ask"];

/// First line of the binding script. Chromium then compiles all functions of the script while the script arrives.
/// Without this line, Chromium compiles each function at its first call, when the page waits for the function.
const COMPILED_AT_ONCE: &str = "//# allFunctionsCalledOnLoad";

/// Files that the browser downloads to run the page.
#[derive(Debug)]
pub(crate) struct Module {
    /// Script that connects the first module to the browser and fetches the parts.
    pub(crate) script: Vec<u8>,
    /// First module, which the first screen needs.
    pub(crate) main: Vec<u8>,
    /// Parts and the text face, which load later, by file name, with the list of their files.
    pub(crate) parts: BTreeMap<String, Vec<u8>>,
}

/// Compiles the page and splits its module.
///
/// # Errors
/// Fails if the page does not compile, the module cannot be split, or the first module contains a function of a crate
/// in [`LATER`].
pub(crate) fn build(root: &Path, cards: &Cards) -> Result<Module, Error> {
    let compiled = compile(root)?;
    // Files of an older build must not become parts of this build.
    let [split, bound] = ["split", "bound"].map(|name| crate::target(root).join("page").join(name));
    files::renewed(&split)?;
    files::renewed(&bound)?;
    let whole = files::bytes(&compiled)?;
    let main = split.join("page.wasm");
    let mut options = Options::new(&whole);
    (options.output_dir, options.main_out_path, options.main_module) = (&split, &main, "./page.js");
    let taken_apart = transform(options).map_err(|why| Error::Failed(format!("page.wasm: {why:#}")))?;
    no_later_function(&files::bytes(&main)?)?;
    // Without the linker's exports a part does not find the table of functions.
    bind(&main, &bound, "page", |bindgen| bindgen.keep_lld_exports(true).web(true))?;

    let (mut parts, mut names) = (BTreeMap::new(), BTreeMap::new());
    for path in &taken_apart.split_modules {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // The file of a part has the name of the part. The names of files that several parts share begin with `shared`.
        let kind = stem.strip_prefix("split_").unwrap_or("shared").to_owned();
        let bytes = wasm::stripped(&files::bytes(path)?).map_err(malformed(&stem))?;
        let name = hashed(&kind, "wasm", &bytes);
        names.insert(stem, name.clone());
        parts.insert(name, bytes);
    }
    // The side panels load with the page. All their modules are in one file, so that a slow connection needs only one
    // request.
    let stems = taken_apart.prefetch_map.get(SIDES).map_or(&[][..], Vec::as_slice);
    let carried: Vec<String> = stems.iter().filter_map(|stem| names.get(stem).cloned()).collect();
    let pack = wasm::packed(PACKED, &carried.iter().filter_map(|name| parts.remove(name)).collect::<Vec<_>>());
    let name = hashed(SIDES, "wasm", &pack);
    names.extend(stems.iter().map(|stem| (stem.clone(), name.clone())));
    parts.insert(name, pack);
    let of_part = |stems: &Vec<String>| stems.iter().map(|stem| names[stem].clone()).collect::<BTreeSet<_>>();
    let of_parts: BTreeMap<_, _> =
        taken_apart.prefetch_map.iter().map(|(part, stems)| (part, of_part(stems))).collect();
    files::write(&parts_list(root), serde_json::json!(of_parts).to_string())?;
    let link = files::text(&split.join("__wasm_split.js"))?;
    let face = face(root)?;
    let loader =
        Loader::new(&link, &taken_apart.prefetch_map, &names, &parts, &face, &cards.files().collect::<Vec<_>>())?;
    let glue = files::text(&bound.join("page.js"))?;
    let script = format!("{COMPILED_AT_ONCE}\n{}", without_comments(&loader.folded_into(&glue)?));
    let main = wasm::stripped(&files::bytes(&bound.join("page_bg.wasm"))?).map_err(malformed("page_bg"))?;
    let (list, bytes) = loader.list;
    parts.insert(list, bytes);
    parts.extend(face);
    Ok(Module { script: script.into_bytes(), main, parts })
}

/// Returns the published name and the content of each weight of the text face, in the order of the weights.
fn face(root: &Path) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let file = |weight: &str| {
        let bytes = files::bytes(&root.join("style/face").join(weight).with_extension("woff2"))?;
        Ok((hashed(weight, "woff2", &bytes), bytes))
    };
    ["regular", "semibold"].into_iter().map(file).collect()
}

/// Compiles the module, and returns its path. The module has symbols and relocations, which the splitter needs to move
/// functions.
fn compile(root: &Path) -> Result<PathBuf, Error> {
    let mut build = cargo(root, &["rustc", "--locked", "--package", "page", "--lib", "--features", "split"]);
    build
        .args(["--profile", "wasm-release", "--target", WASM])
        // Symbols and relocations show the calls. The flags apply only to the last crate, so other crates are not
        // rebuilt.
        .args(["--", "-Cstrip=debuginfo", "-Clink-args=--emit-relocs"])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", remapped(root));
    run("compiling the page", &mut build)?;
    Ok(crate::target(root).join(WASM).join("wasm-release").join("page.wasm"))
}

/// Returns the path of the list of each part's files, which the build of `dist` writes for the size report.
pub(crate) fn parts_list(root: &Path) -> PathBuf {
    root.join("target/parts.json")
}

/// Generates the script of a module with wasm-bindgen: writes `NAME.js` and `NAME_bg.wasm` to `folder`. `change` chooses
/// the kind of script. Parts of a module need no script, because they import nothing from the browser.
///
/// The module and its script get short names for the functions that the module imports. wasm-bindgen ends each such name
/// with a digest, which a download cannot compress.
///
/// # Errors
/// Fails if wasm-bindgen cannot read the module or write the files.
pub fn bind(
    module: &Path,
    folder: &Path,
    name: &str,
    change: impl FnOnce(&mut Bindgen) -> Result<&mut Bindgen, anyhow::Error>,
) -> Result<(), Error> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).demangle(false).omit_default_module_path(false);
    let bound = change(&mut bindgen).and_then(|bindgen| {
        let mut output = bindgen.generate_output()?;
        let mut script = output.js().to_owned();
        let digested = output.wasm_mut().imports.iter_mut().filter(|import| import.name.starts_with("__wbg_"));
        for (index, import) in digested.enumerate() {
            let short = format!("i{index}");
            script = script.replace(&import.name, &short);
            import.name = short;
        }
        output.emit(folder)?;
        Ok(script)
    });
    let script = bound.map_err(|why| Error::Failed(format!("{}: {why:#}", module.display())))?;
    files::write(&folder.join(name).with_extension("js"), script.as_bytes())
}

/// Returns compiler flags that keep this machine's folder names out of the published bytes. `.cargo/config.toml`
/// contains further flags.
///
/// Panic messages name their source files. Without the flags, two builds in different folders differ, and each visitor
/// downloads the folder names. Cargo splits the flags at spaces, so folder names that contain a space are not replaced.
#[must_use]
pub fn remapped(root: &Path) -> String {
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

/// Fails if the first module contains a function of a crate in [`LATER`]. If the first screen names such a crate in one
/// table or trait object, the first module silently includes all code of the crate.
fn no_later_function(module: &[u8]) -> Result<(), Error> {
    let names = wasm::function_names(module).map_err(malformed("page"))?;
    if names.is_empty() {
        return Err(Error::Failed("page.wasm: its functions have no names to tell their crates by".to_owned()));
    }
    for later in LATER {
        let of_it: Vec<_> = names.iter().filter(|name| is_of(name, later)).collect();
        if let Some(first) = of_it.first() {
            let n = of_it.len();
            return Err(Error::Verdict(format!(
                "the first module holds {n} functions of {later}, such as {first}: something in it names a part's code"
            )));
        }
    }
    Ok(())
}

/// True if a symbol, mangled or not, begins with the path of a crate: `lesson::read`, `<lesson::Card as Debug>::fmt`.
fn is_of(symbol: &str, krate: &str) -> bool {
    let text = format!("{:#}", rustc_demangle::demangle(symbol));
    text.trim_start_matches(['<', '&', '*']).starts_with(&format!("{krate}::"))
}

fn malformed(name: &str) -> impl FnOnce(String) -> Error {
    let name = name.to_owned();
    move |why| Error::Failed(format!("{name}.wasm: {why}"))
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

    #[test]
    fn the_first_path_names_the_crate() {
        for symbol in [
            "_ZN6lesson4read17h0123456789abcdefE",
            "_ZN60_$LT$lesson..view..Card$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0123456789abcdefE",
            "_RNvMs0_NtCs8sUiWzzBgSO_6lesson4linkNtB5_4Link5parse",
            "<lesson::Card as tachys::Render>::build",
        ] {
            assert!(is_of(symbol, "lesson") && !is_of(symbol, "core"), "{symbol}");
        }
        for symbol in ["_RINvNtCsaBcDeF_4core3ptr13drop_in_placeNtCsX_6lesson4CardE", "__wbindgen_malloc", "lesson", ""]
        {
            assert!(!is_of(symbol, "lesson"), "{symbol}");
        }
    }
}
