//! The second module of the page: the same shell with everything that the first screen does not need.
//!
//! The page names it and loads it only for a link that asks for it, so that it weighs nothing on the first load.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{cargo, run};
use crate::slim::{shortened, slim};
use crate::tools::{self, WASM};
use crate::{Error, page};

/// Its style sheets, joined in this order.
const SHEETS: [&str; 2] = ["style/workbench.css", "style/desk.css"];

/// Builds the module into `dist` and tells the page its name.
///
/// # Errors
/// The module does not compile, or `dist` cannot be written.
pub fn build(root: &Path) -> Result<(), Error> {
    let features = ["build", "--package", "page", "--lib", "--features", "workbench"];
    let mut build = cargo(root, &features);
    build
        .args(["--profile", "wasm-release", "--target", WASM])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", page::remapped(root));
    run("building the workbench", &mut build)?;
    let target = root.join("target");
    let bound = target.join("workbench");
    let mut bindgen = Command::new("wasm-bindgen");
    bindgen.env("PATH", tools::path(root)).args([
        "--target",
        "web",
        "--no-typescript",
        "--out-name",
        "workbench",
        "--out-dir",
    ]);
    bindgen.arg(&bound).arg(target.join(WASM).join("wasm-release").join("page.wasm"));
    run("binding the workbench", &mut bindgen)?;
    let dist = page::dist(root);
    let read = |name: &str| fs::read(bound.join(name)).map_err(Error::io(format!("read {name}")));
    let (glue, module) = (read("workbench.js")?, read("workbench_bg.wasm")?);
    let (glue, module) = shortened(&slim(&String::from_utf8_lossy(&glue)), &module)
        .map_err(|why| Error::Malformed(format!("workbench_bg.wasm: {why}")))?;
    let mut style = Vec::new();
    for name in SHEETS {
        style.extend(fs::read(root.join(name)).map_err(Error::io(format!("read {name}")))?);
    }
    let name = format!("workbench-{:016x}", digest(&[glue.as_bytes(), &module, &style]));
    let write =
        |name: &str, bytes: &[u8]| fs::write(dist.join(name), bytes).map_err(Error::io(format!("write {name}")));
    write(&format!("{name}.js"), glue.as_bytes())?;
    write(&format!("{name}_bg.wasm"), &module)?;
    write(&format!("{name}.css"), &style)?;
    let html = fs::read_to_string(dist.join("index.html")).map_err(Error::io("read dist/index.html"))?;
    write("index.html", named(&html, &name)?.as_bytes())
}

/// The page with the module's name in it.
fn named(html: &str, name: &str) -> Result<String, Error> {
    let (head, rest) =
        html.split_once("</head>").ok_or_else(|| Error::Malformed("dist/index.html has no </head>".to_owned()))?;
    Ok(format!("{head}<meta name=\"workbench\" content=\"{name}\"></head>{rest}"))
}

/// FNV-1a: a name that changes with the content, so that a stored copy is never a stale one.
fn digest(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_the_module_once() {
        let html = named("<head><title>x</title></head><body></body>", "workbench-1").expect("a page");
        assert_eq!(html, "<head><title>x</title><meta name=\"workbench\" content=\"workbench-1\"></head><body></body>");
        assert!(named("<body></body>", "workbench-1").is_err());
    }

    #[test]
    fn another_content_is_another_name() {
        // The empty input's value and that of "a", as the function's authors give them.
        assert_eq!(digest(&[]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest(&[b"a"]), 0xaf63_dc4c_8601_ec8c);
        assert_ne!(digest(&[b"ab"]), digest(&[b"ba"]));
    }
}
