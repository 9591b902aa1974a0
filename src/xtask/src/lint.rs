//! Formatting, lints and documentation, natively and for the browser.

use std::path::Path;

use crate::Error;
use crate::process::{cargo, run};
use crate::rooms;
use crate::steps::Steps;
use crate::tools::WASM;

/// Runs every check, the cheap ones first, and stops at the first that fails.
///
/// # Errors
/// The name of the failing check.
pub fn run_all(root: &Path) -> Result<(), Error> {
    let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let target = format!("--target={WASM}");
    let natively = rooms::natively();
    // The tests of the page too, which a plain test run leaves out.
    let everything = [natively.clone(), words("--features=whole/page")].concat();
    let in_browser =
        [rooms::in_browser(&rooms::all(root)?), words("--package=page --package=wasm-streams"), vec![target.clone()]]
            .concat();
    let strictly = words("--all-targets -- -Dwarnings");
    let clippy = |selection: &[String]| [&words("clippy --locked"), selection, &strictly].concat();
    let doc = |selection: &[String]| [&words("doc --locked --no-deps --lib"), selection].concat();
    let checks = [
        ("formatting", words("fmt --all --check")),
        ("formatting, doors", words("fmt --manifest-path=fuzz/Cargo.toml --check")),
        ("clippy, native", clippy(&everything)),
        ("clippy, browser", clippy(&in_browser)),
        ("clippy, in parts", clippy(&["--package=app".to_owned(), "--features=split".to_owned(), target.clone()])),
        ("documentation, native", doc(&natively)),
        ("documentation, browser", doc(&["--package=app".to_owned(), target])),
    ];
    let mut steps = Steps::new(checks.len());
    for (name, arguments) in checks {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        steps.run(name, || {
            run(name, cargo(root, &arguments).env("RUSTDOCFLAGS", "-Dwarnings")).map_err(|error| {
                if let Error::Step(name) = error { Error::Verdict(format!("{name}: not clean")) } else { error }
            })
        })?;
    }
    Ok(())
}
