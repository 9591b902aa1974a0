//! The size ledger: what a visitor downloads, and which crate the bytes of code come from.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{cargo, run};
use crate::tools::{self, WASM};
use crate::{Error, bundle, encoding, page, symbol, wasm};

/// What the first load may weigh with brotli: 150 KiB.
pub const BUDGET_BYTES: usize = 150 * 1024;

/// Sizes of one file, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weight {
    /// As it lies on the disk.
    pub raw: usize,
    /// With gzip at level 9.
    pub gzip: usize,
    /// With brotli at quality 11; files that do not grow smaller count as they are.
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
        // The build has compressed the file at this very setting, which is the slow part.
        let brotli = match fs::read(encoding::sibling(path, "br")) {
            Ok(ready) => ready.len(),
            Err(_) => encoding::brotli(&bytes, 11).map_err(Error::io(doing()))?.len(),
        };
        Ok(Self { raw, gzip, brotli })
    }

    fn plus(self, other: Self) -> Self {
        Self { raw: self.raw + other.raw, gzip: self.gzip + other.gzip, brotli: self.brotli + other.brotli }
    }
}

/// Prints every file of `dist` and the sum of the first load, and compares the sum with [`BUDGET_BYTES`].
///
/// # Errors
/// There is no built page, or it is over budget.
pub fn print(root: &Path) -> Result<(), Error> {
    let dist = page::dist(root);
    if !dist.join("index.html").is_file() {
        return Err(Error::Missing { what: "dist/index.html".into(), remedy: "run `cargo xtask build` first".into() });
    }
    encoding::precompress(&dist)?;
    let first = bundle::first_load(&dist)?;
    let mut total = Weight::default();
    println!("{:<48} {:>10} {:>10} {:>10}", "* = first load", "raw", "gzip 9", "brotli 11");
    for path in encoding::files(&dist)? {
        let name = path.strip_prefix(&dist).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if encoding::is_compressed(&path) || name == "_headers" {
            continue;
        }
        let weight = Weight::of(&path)?;
        let counted = first.contains(&name);
        if counted {
            total = total.plus(weight);
        }
        print_row(&format!("{} {name}", if counted { '*' } else { ' ' }), weight);
    }
    print_row("first load", total);
    judge(total.brotli)
}

fn print_row(name: &str, weight: Weight) {
    println!("{name:<48} {:>10} {:>10} {:>10}", weight.raw, weight.gzip, weight.brotli);
}

fn judge(bytes: usize) -> Result<(), Error> {
    if bytes > BUDGET_BYTES {
        let over = bytes - BUDGET_BYTES;
        return Err(Error::Verdict(format!("the first load is {over} bytes over its budget of {BUDGET_BYTES}")));
    }
    println!("budget {BUDGET_BYTES} bytes of brotli: {} left", BUDGET_BYTES - bytes);
    Ok(())
}

/// Builds the module with its names kept and prints the bytes of code by crate.
///
/// # Errors
/// The module does not compile or is not one.
pub fn print_by_crate(root: &Path) -> Result<(), Error> {
    let target = root.join("target").join("names");
    let mut build =
        cargo(root, &["build", "--package", "page", "--lib", "--profile", "wasm-release", "--target", WASM]);
    build.args(["--config", "profile.wasm-release.strip=false"]).arg("--target-dir").arg(&target);
    run("building the module with names", &mut build)?;
    // What this step drops is never downloaded, so the count is of what it leaves.
    let bound = target.join("bound");
    let mut bindgen = Command::new("wasm-bindgen");
    bindgen.env("PATH", tools::path(root)).args(["--target", "web", "--no-typescript", "--no-demangle", "--out-dir"]);
    bindgen.arg(&bound).arg(target.join(WASM).join("wasm-release").join("page.wasm"));
    run("binding the module with names", &mut bindgen)?;
    let module = bound.join("page_bg.wasm");
    let bytes = fs::read(&module).map_err(Error::io(format!("read {}", module.display())))?;
    let functions = wasm::functions(&bytes).map_err(|problem| Error::Malformed(format!("page.wasm: {problem}")))?;
    let rows = by_crate(&functions);
    let total: usize = rows.iter().map(|row| row.1).sum();
    println!("{:<24} {:>10} {:>7}", "crate", "code bytes", "%");
    for (name, bytes) in rows {
        println!("{name:<24} {bytes:>10} {:>7}", percent(bytes, total));
    }
    println!("{:<24} {total:>10}", "all code");
    Ok(())
}

/// Sums by crate, largest first.
fn by_crate(functions: &[wasm::Function]) -> Vec<(String, usize)> {
    let mut sums = std::collections::BTreeMap::<String, usize>::new();
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
    fn the_budget_is_a_limit_not_a_target() {
        judge(153_600).unwrap();
        assert_eq!(judge(153_601).unwrap_err().to_string(), "the first load is 1 bytes over its budget of 153600");
    }

    #[test]
    fn functions_add_up_by_crate() {
        let function = |name: &str, bytes| wasm::Function { name: name.into(), bytes };
        let rows = by_crate(&[function("core::fmt::write", 5), function("app::run", 7), function("core::a::b", 4)]);
        assert_eq!(rows, [("core".to_owned(), 9), ("app".to_owned(), 7)]);
        assert_eq!(percent(1, 3), "33.3");
    }
}
