//! Size of the page: the bytes that a visitor downloads, compared with budgets and with a document.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::loader::SIDES;
use crate::{Error, encoding, files, markup, module, page};

const FIRST_LOAD: &str = "first load";

/// Maximum download sizes, in bytes after brotli compression, of the first load, the side panels, and each part that a
/// reader opens. The side panels load directly after the first load.
const BUDGETS: [(&str, usize); 7] = [
    (FIRST_LOAD, 217 * 1024),
    // The side panels explain each number with its formula and its sources, and edit the matrices.
    (SIDES, 288 * 1024),
    // The adders of chips are 20 KiB of this part, which also has the words of built dataflows.
    ("workbench", 276 * 1024),
    // The parts of decode steps, the search for a rate, and the sequences and failures of a run.
    ("estimate", 436 * 1024),
    // The prints of chips with their adders, and the versions of cards.
    ("learn", 372 * 1024),
    // The code that packs films is 12 KiB of this part. This part also draws worksheets.
    ("share", 440 * 1024),
    // The search without its index. Its readers compute rates, budgets and memory.
    ("ask", 134 * 1024),
];

/// Document with the sizes of a build.
const DOCUMENT: &str = "docs/performance.md";
/// Largest difference between the sizes in the document and the sizes of the page, in percent.
const DRIFT: usize = 4;

/// Prints the sizes of every file of `dist`, of the first load and of each part, without compression and with brotli.
/// Compares the sums with budgets and with the sizes in `docs/performance.md`.
///
/// # Errors
/// Fails if no built page exists, a sum is over its budget, or the document has other sizes.
pub fn print(root: &Path) -> Result<(), Error> {
    let dist = page::dist(root);
    if !dist.join("index.html").is_file() {
        return Err(Error::missing("dist/index.html", "run `cargo xtask build` first"));
    }
    let first = first_load(&dist)?;
    let list = files::text(&module::parts_list(root))?;
    let parts: Parts = serde_json::from_str(&list).map_err(|why| Error::Failed(format!("parts.json: {why}")))?;
    if let Some(name) = parts.values().flatten().find(|name| !dist.join(name).is_file()) {
        return Err(Error::Failed(format!("dist has no {name}: run `cargo xtask build` again")));
    }
    let mut sums = BUDGETS.map(|(name, _)| (name, 0));
    println!("{:<48} {:>10} {:>10}", "", "raw", "brotli 11");
    // The book is in a folder of `dist`, and no part of the page loads it.
    for path in files::list(&dist)?.iter().filter(|path| path.is_file() && !encoding::is_compressed(path)) {
        let name = crate::file_name(path);
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
    fn the_document_has_every_budget() {
        let document = files::text(&crate::root().join(DOCUMENT)).expect("the document");
        for (name, bytes) in BUDGETS {
            let is_row = |line: &&str| line.contains(&format!("| `{name}` |"));
            let row = document.lines().find(is_row).unwrap_or_else(|| panic!("no row {name}"));
            assert!(row.contains(&format!("| {} KiB |", bytes / 1024)), "{row}");
        }
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
        assert_eq!(sums("page-1.wasm"), [true, false, false, false, false, false, false]);
        assert_eq!(sums("estimate-2.wasm"), [false, false, false, true, false, false, false]);
        assert_eq!(sums("shared-3.wasm"), [false, false, true, true, false, false, false]);
        assert_eq!(sums("shared-4.wasm"), [false, true, false, false, false, false, false]);
    }
}
