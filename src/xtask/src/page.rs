//! Building the shipped page into `dist`, headers and compressed files with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::Steps;
use crate::{Error, encoding, process, sheet, slim, tools, workbench};

/// Steps that [`build`] runs.
pub const STEPS: usize = 3;

/// The folder of the built page.
#[must_use]
pub fn dist(root: &Path) -> PathBuf {
    root.join("dist")
}

/// Compiler flags, beside those of `.cargo/config.toml`, that keep this machine's folders out of the shipped bytes.
///
/// Panic messages name their source files: two builds in different folders would differ, and each visitor would
/// download the names. Cargo takes the flags apart at spaces, so a folder with one keeps its name.
pub(crate) fn remapped(root: &Path) -> String {
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

/// Builds the page as it is published: three steps.
///
/// # Errors
/// The page does not compile, or `dist` cannot be written.
pub fn build(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    let name = "building the page (about 1 minute the first time)";
    steps.run(name, || {
        let mut trunk = Command::new("trunk");
        trunk
            .current_dir(root)
            .args(["build", "--release"])
            .env("PATH", tools::path(root))
            .env("TRUNK_OFFLINE", "true")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", remapped(root))
            // Trunk reads this variable as the value of a flag, and stops at anything but true and false.
            .env_remove("NO_COLOR");
        process::run("building the page", &mut trunk)
    })?;
    slim::slim_page(&dist(root))?;
    sheet::join(&dist(root))?;
    steps.run("building its workbench (about 1 minute the first time)", || workbench::build(root))?;
    steps.run("compressing", || {
        let dist = dist(root);
        // A page built by Trunk alone has no headers of its own on hosts that read this file.
        fs::copy(root.join("public/_headers"), dist.join("_headers")).map_err(Error::io("copy public/_headers"))?;
        encoding::precompress(&dist)
    })
}
