//! Size of the page: the bytes that a visitor downloads, compared with budgets and with a document.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::{Error, cards, encoding, files, loader, markup, page};

const FIRST_LOAD: &str = "first load";
/// Name of the part with the side panels, which loads without an action of the reader.
const SIDES: &str = "sides";

/// Maximum download sizes, in bytes after brotli compression, of the first load, the side panels, and each part that a
/// reader opens. The side panels load directly after the first load.
pub(crate) const BUDGETS: [(&str, usize); 6] = [
    (FIRST_LOAD, 224 * 1024),
    // The side panels explain each number with its formula and its sources, and edit the matrices.
    (SIDES, 276 * 1024),
    // The adders of chips are 20 KiB of this part.
    ("workbench", 168 * 1024),
    ("estimate", 394 * 1024),
    // The prints of chips, and the adders that give their digits.
    ("learn", 306 * 1024),
    // The code that packs films is 12 KiB of this part. This part also draws worksheets.
    ("share", 376 * 1024),
];

/// Document with the sizes of a build.
const DOCUMENT: &str = "docs/performance.md";
/// Largest difference between the sizes in the document and the sizes of the page, in percent.
const DRIFT: usize = 4;

/// Files whose origin is known, besides WebAssembly modules and lessons: beginning and end of the name.
const KNOWN: [(&str, &str); 20] = [
    // Glue of wasm-bindgen, with what fetches the parts.
    ("page-", ".js"),
    ("parts-", ".json"),
    // Scripts, icons and descriptions of `public`, and the element of `npm`.
    ("boot-", ".js"),
    ("first-", ".js"),
    ("host-", ".js"),
    ("offline-worker", ".mjs"),
    ("systolic-playground", ".mjs"),
    // The tracer of `python`, which the page offers for download.
    ("systolic_matmuls", ".py"),
    ("icon-", ".svg"),
    ("poster-", ".svg"),
    ("site", ".webmanifest"),
    ("_headers", ""),
    // Style sheets and the text face of `style`.
    ("style-", ".css"),
    ("links-", ".css"),
    ("host-", ".css"),
    ("regular-", ".woff2"),
    ("semibold-", ".woff2"),
    // The page, and the pages next to it.
    ("index", ".html"),
    ("links", ".html"),
    ("host", ".html"),
];

/// Prints the sizes of every file of `dist`, of the first load and of each part, without compression and with brotli.
/// Compares the sums with [`BUDGETS`] and with the sizes in `docs/performance.md`.
///
/// # Errors
/// Fails if no built page exists, a file has an unknown origin, a sum is over its budget, or the document has other
/// sizes.
pub(crate) fn print(root: &Path) -> Result<(), Error> {
    let dist = page::dist(root);
    if !dist.join("index.html").is_file() {
        return Err(Error::missing("dist/index.html", "run `cargo xtask build` first"));
    }
    let first = first_load(&dist)?;
    let parts = parts(&dist, &first)?;
    let mut sums = BUDGETS.map(|(name, _)| (name, 0));
    println!("{:<48} {:>10} {:>10}", "", "raw", "brotli 11");
    for path in encoding::files(&dist)?.iter().filter(|path| !encoding::is_compressed(path)) {
        let name = crate::file_name(path);
        if !name.ends_with(".wasm") && !is_known(root, &name) {
            let place = "src/tools/xtask/src/size_report.rs";
            return Err(Error::Verdict(format!("dist/{name}: its origin is not known; add the file to {place}")));
        }
        // Files that are not worth compressing count without compression.
        let packed = if encoding::compressible(path) { encoding::sibling(path, "br") } else { path.clone() };
        let [raw, brotli] = [files::bytes(path)?.len(), files::bytes(&packed)?.len()];
        println!("{name:<48} {raw:>10} {brotli:>10}");
        for (sum, total) in &mut sums {
            *total += if is_of(&name, sum, &first, &parts) { brotli } else { 0 };
        }
    }
    println!();
    for ((name, budget), (_, total)) in BUDGETS.iter().zip(sums) {
        judge(name, total, *budget)?;
    }
    outdated(&files::text(&root.join(DOCUMENT))?, &sums)
}

/// True if a file that is not a WebAssembly module is in [`KNOWN`] or is a lesson.
fn is_known(root: &Path, name: &str) -> bool {
    let lesson = name.strip_suffix(".txt").and_then(|name| name.rsplit_once('-'));
    let is_in = |folder: &str| lesson.is_some_and(|(id, _)| root.join(folder).join(id).with_extension("md").is_file());
    KNOWN.iter().any(|(begin, end)| name.starts_with(begin) && name.ends_with(end))
        || cards::FOLDERS.into_iter().any(is_in)
}

/// Returns the files of the first load, as paths inside `dist`: index.html, and every file that it loads.
fn first_load(dist: &Path) -> Result<Vec<String>, Error> {
    let html = files::text(&dist.join("index.html"))?;
    let named: BTreeSet<String> = markup::all_named(&html)?.into_iter().map(|named| named.file).collect();
    Ok(std::iter::once("index.html".to_owned()).chain(named).collect())
}

/// Compares the sizes of a document with the sizes of the page. The document has the rows of [`BUDGETS`] in a table.
fn outdated(document: &str, sums: &[(&str, usize)]) -> Result<(), Error> {
    let table = document.split("### Download size").nth(1).unwrap_or_default();
    let rows = table.lines().filter_map(|line| line.strip_suffix(" KB |")?.rsplit(' ').next()?.parse::<usize>().ok());
    let rows: Vec<usize> = rows.take(sums.len()).collect();
    if rows.len() < sums.len() {
        return Err(Error::Failed(format!("{DOCUMENT}: the table of sizes has too few rows")));
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
        let script = files::text(&dist.join(name))?;
        if let Some(parts) = loader::parts_in(&script, |list| files::text(&dist.join(list)).ok()) {
            return Ok(parts);
        }
    }
    Err(Error::Failed("no script of dist names the files of the parts".to_owned()))
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

fn judge(name: &str, bytes: usize, budget: usize) -> Result<(), Error> {
    if bytes > budget {
        return Err(Error::Verdict(format!("{name} is {} bytes over its budget of {budget}", bytes - budget)));
    }
    println!("{name}: {} left of {budget} bytes of brotli", budget - bytes);
    Ok(())
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
    fn a_file_of_the_page_is_known_and_no_other() {
        for name in ["page-9ad0b7746335f3bb.js", "links.html", "tiles-d34f3529b60fb933.txt", "array-claims-d3.txt"] {
            assert!(is_known(&crate::root(), name), "{name}");
        }
        assert!(!is_known(&crate::root(), "tracker.js") && !is_known(&crate::root(), "nothing-d3.txt"));
    }
}
