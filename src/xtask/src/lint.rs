//! Checks of formatting, lints and documentation, natively and for the browser.

use std::path::Path;

use crate::process::{cargo, run};
use crate::steps::Steps;
use crate::tools::WASM;
use crate::{Error, rooms};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// Returns the arguments of the cargo commands that must succeed with `RUSTDOCFLAGS=-Dwarnings`, each with its name.
/// The quick commands come first.
pub(crate) fn commands() -> Vec<(&'static str, Vec<String>)> {
    let natively = rooms::natively();
    // This feature adds the tests of the page, which a plain test run leaves out.
    let everything = [natively.clone(), words("--features=whole/page")].concat();
    // The published page is split into modules. The Python package also runs in the browser.
    let page = words(&format!(
        "--package=app --package=page --package=wasm-streams --package=systolic-python --features=app/split --target={WASM}"
    ));
    let clippy =
        |selection: &[String]| [&words("clippy --locked"), selection, &words("--all-targets -- -Dwarnings")].concat();
    vec![
        ("formatting", words("fmt --all --check")),
        ("formatting, fuzzed inputs", words("fmt --manifest-path=fuzz/Cargo.toml --check")),
        ("clippy, native", clippy(&everything)),
        ("clippy, page", clippy(&page)),
        ("documentation", [&words("doc --locked --no-deps --lib"), &natively[..]].concat()),
    ]
}

/// Returns the arguments of cargo commands for checks that rarely fail. One command lints browser code in crates that
/// are also linted natively. The other command builds the documentation of the page. These commands must also succeed
/// with `RUSTDOCFLAGS=-Dwarnings`.
pub(crate) fn long_commands(root: &Path) -> Result<Vec<(&'static str, Vec<String>)>, Error> {
    let target = words(&format!("--target={WASM}"));
    let rooms = rooms::in_browser(&rooms::all(root)?);
    let clippy = [&words("clippy --locked"), &rooms[..], &target, &words("--all-targets -- -Dwarnings")].concat();
    let doc = [&words("doc --locked --no-deps --lib --package=app"), &target[..]].concat();
    Ok(vec![("clippy, browser", clippy), ("documentation, page", doc)])
}

/// Runs every check, quick checks first, and stops at the first failure.
///
/// # Errors
/// Fails if a check fails. The error names the check.
pub fn run_all(root: &Path) -> Result<(), Error> {
    let checks = commands();
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
