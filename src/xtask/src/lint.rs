//! Formatting, lints and documentation, natively and for the browser.

use std::path::Path;

use crate::Error;
use crate::process::{cargo, run};
use crate::steps::Steps;
use crate::tools::WASM;

const CHECKS: [(&str, &[&str]); 6] = [
    ("formatting", &["fmt", "--all", "--check"]),
    (
        "clippy, native",
        &[
            "clippy",
            "--locked",
            "--workspace",
            "--exclude=app",
            "--exclude=page",
            "--features=whole/browser,benches/browser",
            "--all-targets",
            "--",
            "-Dwarnings",
        ],
    ),
    (
        "clippy, browser",
        &[
            "clippy",
            "--locked",
            "-papp",
            "-ppage",
            "-psystolic",
            "-pdisplay",
            "-pestimate",
            "-pstudio",
            "--all-targets",
            WASM_FLAG,
            "--",
            "-Dwarnings",
        ],
    ),
    (
        "clippy, in parts",
        &["clippy", "--locked", "-papp", "--features=split", "--all-targets", WASM_FLAG, "--", "-Dwarnings"],
    ),
    (
        "documentation, native",
        &["doc", "--locked", "--no-deps", "--workspace", "--exclude=app", "--exclude=page", "--lib"],
    ),
    ("documentation, browser", &["doc", "--locked", "--no-deps", "-papp", "--lib", WASM_FLAG]),
];

const WASM_FLAG: &str = "--target=wasm32-unknown-unknown";

/// Runs every check, the cheap ones first, and stops at the first that fails.
///
/// # Errors
/// The name of the failing check.
pub fn run_all(root: &Path) -> Result<(), Error> {
    debug_assert!(WASM_FLAG.ends_with(WASM));
    let mut steps = Steps::new(CHECKS.len());
    for (name, arguments) in CHECKS {
        steps.run(name, || {
            run(name, cargo(root, arguments).env("RUSTDOCFLAGS", "-Dwarnings")).map_err(|error| {
                if let Error::Step(name) = error { Error::Verdict(format!("{name}: not clean")) } else { error }
            })
        })?;
    }
    Ok(())
}
