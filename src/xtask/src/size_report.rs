//! Size of the page: the bytes that a visitor downloads, and the bytes of code by crate.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::Path;

use crate::cards::Cards;
use crate::{Error, bundle, encoding, loader, module, origin, page, symbol, wasm};

const FIRST_LOAD: &str = "first load";
/// Name of the part with the side panels, which loads without an action of the reader.
const SIDES: &str = "sides";

/// Maximum download sizes, in bytes after brotli compression, of the first load, the side panels, and each part that a
/// reader opens. The side panels load directly after the first load.
pub const BUDGETS: [(&str, usize); 6] = [
    (FIRST_LOAD, 224 * 1024),
    // The side panels explain each number with its formula and its sources, and edit the matrices.
    (SIDES, 276 * 1024),
    // The adders of chips are 20 KiB of this part.
    ("workbench", 168 * 1024),
    // The readers of model files are a third of this part.
    ("estimate", 462 * 1024),
    // The prints of chips, and the adders that give their digits.
    ("learn", 298 * 1024),
    // The code that packs films is 12 KiB of this part. This part also draws worksheets.
    ("share", 370 * 1024),
];

/// Document with the sizes of a build.
const DOCUMENT: &str = "docs/performance.md";
/// Largest difference between the sizes in the document and the sizes of the page, in percent.
const DRIFT: usize = 4;

/// Sizes of one file, or of several files together, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weight {
    /// Size without compression.
    pub raw: usize,
    /// Size with gzip at level 9.
    pub gzip: usize,
    /// Size with brotli at quality 11. Files that are not worth compressing count without compression.
    pub brotli: usize,
}

impl Weight {
    fn of(path: &Path) -> Result<Self, Error> {
        let doing = || format!("weigh {}", path.display());
        let bytes = fs::read(path).map_err(Error::io(doing()))?;
        let raw = bytes.len();
        if !encoding::compressible(path) {
            return Ok(Self { raw, gzip: raw, brotli: raw });
        }
        let gzip = encoding::gzip(&bytes, 9).map_err(Error::io(doing()))?.len();
        // The build has already compressed the file at this quality, which is slow.
        let brotli = match fs::read(encoding::sibling(path, "br")) {
            Ok(ready) => ready.len(),
            Err(_) => encoding::brotli(&bytes, 11).map_err(Error::io(doing()))?.len(),
        };
        Ok(Self { raw, gzip, brotli })
    }

    const fn columns(self) -> [usize; 3] {
        [self.raw, self.gzip, self.brotli]
    }

    fn plus(self, other: Self) -> Self {
        Self { raw: self.raw + other.raw, gzip: self.gzip + other.gzip, brotli: self.brotli + other.brotli }
    }
}

/// Prints the sizes of every file of `dist`, of the first load and of each part, and compares the sums with
/// [`BUDGETS`] and with the sizes in `docs/performance.md`.
///
/// # Errors
/// Fails if no built page exists, a file has an unknown origin, a sum is over its budget, or the document has other
/// sizes.
pub fn print(root: &Path) -> Result<(), Error> {
    let dist = page::dist(root);
    if !dist.join("index.html").is_file() {
        return Err(Error::Missing { what: "dist/index.html".into(), remedy: "run `cargo xtask build` first".into() });
    }
    encoding::precompress(&dist)?;
    let first = bundle::first_load(&dist)?;
    let parts = parts(&dist, &first)?;
    let mut sums = BUDGETS.map(|(name, budget)| (name, budget, Weight::default()));
    print_row("", ["raw", "gzip 9", "brotli 11"]);
    for path in encoding::files(&dist)? {
        let name = path.strip_prefix(&dist).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if encoding::is_compressed(&path) || name == "_headers" {
            continue;
        }
        if !name.ends_with(".wasm") {
            origin::of_file(root, &name)?;
        }
        let weight = Weight::of(&path)?;
        print_row(&name, weight.columns());
        for (sum, _, total) in &mut sums {
            if is_of(&name, sum, &first, &parts) {
                *total = total.plus(weight);
            }
        }
    }
    println!();
    for (name, _, total) in sums {
        print_row(name, total.columns());
    }
    for (name, budget, total) in sums {
        judge(name, total.brotli, budget)?;
    }
    let page = fs::read_to_string(root.join(DOCUMENT)).map_err(Error::io(format!("read {DOCUMENT}")))?;
    outdated(&page, &sums.map(|(name, _, total)| (name, total.brotli)))
}

/// Compares the sizes of a document with the sizes of the page. The document has the rows of [`BUDGETS`] in a table.
fn outdated(document: &str, sums: &[(&str, usize)]) -> Result<(), Error> {
    let table = document.split("### Download size").nth(1).unwrap_or_default();
    let rows = table.lines().filter_map(|line| line.strip_suffix(" KB |")?.rsplit(' ').next()?.parse::<usize>().ok());
    let rows: Vec<usize> = rows.take(sums.len()).collect();
    if rows.len() < sums.len() {
        return Err(Error::Malformed(format!("{DOCUMENT}: the table of sizes has too few rows")));
    }
    for (written, (name, bytes)) in rows.into_iter().zip(sums) {
        let now = (bytes + 500) / 1000;
        if written.abs_diff(now) * 100 > now * DRIFT {
            let verdict =
                format!("{DOCUMENT} has {written} KB for {name}, and the page has {now} KB: write the new sizes");
            return Err(Error::Verdict(verdict));
        }
    }
    Ok(())
}

/// Files of each part, by the name of the part.
type Parts = BTreeMap<String, Vec<String>>;

/// Returns the files that each part needs, from a script of the first load.
fn parts(dist: &Path, first: &[String]) -> Result<Parts, Error> {
    for name in first.iter().filter(|name| name.ends_with(".js")) {
        let script = fs::read_to_string(dist.join(name)).map_err(Error::io(format!("read dist/{name}")))?;
        if let Some(parts) = loader::parts_in(&script, |list| fs::read_to_string(dist.join(list)).ok()) {
            return Ok(parts);
        }
    }
    Err(Error::Malformed("no script of dist names the files of the parts".to_owned()))
}

/// True if a file counts toward the total `sum`: the first load, or a part that loads later. Files of the side panels
/// count toward no other part, because they load before any other part is opened.
fn is_of(file: &str, sum: &str, first: &[String], parts: &Parts) -> bool {
    let of_part = |part: &str| parts.get(part).is_some_and(|files| files.iter().any(|name| name == file));
    match sum {
        FIRST_LOAD => first.iter().any(|name| name == file),
        SIDES => of_part(SIDES),
        part => of_part(part) && !of_part(SIDES),
    }
}

fn print_row<T: Display>(name: &str, [raw, gzip, brotli]: [T; 3]) {
    println!("{name:<48} {raw:>10} {gzip:>10} {brotli:>10}");
}

fn judge(name: &str, bytes: usize, budget: usize) -> Result<(), Error> {
    if bytes > budget {
        return Err(Error::Verdict(format!("{name} is {} bytes over its budget of {budget}", bytes - budget)));
    }
    println!("{name}: {} left of {budget} bytes of brotli", budget - bytes);
    Ok(())
}

/// Builds the module, and prints the bytes of code by crate, for the first module and for each part.
///
/// # Errors
/// Fails if the module does not compile or is not valid.
pub fn print_by_crate(root: &Path) -> Result<(), Error> {
    module::build(root, &Cards::read(root)?)?;
    for path in encoding::files(&module::split_folder(root))? {
        if path.extension().is_none_or(|ending| ending != "wasm") {
            continue;
        }
        let bytes = fs::read(&path).map_err(Error::io(format!("read {}", path.display())))?;
        let functions =
            wasm::functions(&bytes).map_err(|problem| Error::Malformed(format!("{}: {problem}", path.display())))?;
        let rows = by_crate(&functions);
        let total: usize = rows.iter().map(|row| row.1).sum();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        println!("\n{:<24} {:>10} {:>7}", name.trim_start_matches("split_"), "code bytes", "%");
        for (name, bytes) in rows {
            println!("{name:<24} {bytes:>10} {:>7}", percent(bytes, total));
        }
        println!("{:<24} {total:>10}", "all code");
    }
    Ok(())
}

/// Returns the bytes of functions by crate, largest first.
fn by_crate(functions: &[wasm::Function]) -> Vec<(String, usize)> {
    let mut sums = BTreeMap::<String, usize>::new();
    for function in functions {
        *sums.entry(symbol::crate_of(&function.name).unwrap_or_else(|| "other".to_owned())).or_default() +=
            function.bytes;
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    rows
}

fn percent(part: usize, whole: usize) -> String {
    let tenths = (part * 1000 + whole / 2) / whole.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_limit_not_a_target() {
        judge("first load", 184_320, 184_320).expect("no more than that");
        let over = judge("first load", 184_321, 184_320).expect_err("too much");
        assert_eq!(over.to_string(), "first load is 1 bytes over its budget of 184320");
    }

    #[test]
    fn a_document_with_old_sizes_is_named_with_both_sizes() {
        let document = "# P\n\n### Download size\n\n| part | a | Brotli 11 |\n|---|---|---|\n| first | first | 202 KB |\n| b | c | 50 KB |\n";
        let of = |first, second| outdated(document, &[("first load", first), ("share", second)]);
        of(202_400, 51_000).expect("near enough");
        let said = of(202_400, 60_400).expect_err("too large").to_string();
        assert_eq!(said, "docs/performance.md has 50 KB for share, and the page has 60 KB: write the new sizes");
        assert!(outdated("### Download size\n", &[("share", 1)]).is_err());
    }

    #[test]
    fn a_shared_file_counts_for_each_part_that_needs_it_and_is_not_there_yet() {
        let first = ["index.html".to_owned(), "page-1.wasm".to_owned()];
        let part =
            |name: &str, files: &[&str]| (name.to_owned(), files.iter().map(|file| (*file).to_owned()).collect());
        let parts = Parts::from([
            part("estimate", &["shared-3.wasm", "shared-4.wasm", "estimate-2.wasm"]),
            part("sides", &["shared-4.wasm", "sides-5.wasm"]),
            part("workbench", &["shared-3.wasm", "shared-4.wasm"]),
        ]);
        let sums = |file: &str| BUDGETS.map(|(name, _)| is_of(file, name, &first, &parts));
        assert_eq!(sums("page-1.wasm"), [true, false, false, false, false, false]);
        assert_eq!(sums("estimate-2.wasm"), [false, false, false, true, false, false]);
        assert_eq!(sums("shared-3.wasm"), [false, false, true, true, false, false]);
        assert_eq!(sums("shared-4.wasm"), [false, true, false, false, false, false]);
    }

    #[test]
    fn functions_add_up_by_crate() {
        let function = |name: &str, bytes| wasm::Function { name: name.into(), bytes };
        let rows = by_crate(&[function("core::fmt::write", 5), function("app::run", 7), function("core::a::b", 4)]);
        assert_eq!(rows, [("core".to_owned(), 9), ("app".to_owned(), 7)]);
        assert_eq!(percent(1, 3), "33.3");
    }
}
