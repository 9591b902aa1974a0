//! The whole test suite: native, core and components in a browser, and the shipped page itself.

use std::fmt;
use std::path::Path;
use std::process::Command;

use crate::browser::Browser;
use crate::process::{cargo, tee};
use crate::steps::Steps;
use crate::tools::{self, WASM};
use crate::{Error, axe, page};

/// Tests that passed and failed so far, and checks that could not be made.
#[derive(Debug, Default)]
struct Score {
    passed: u64,
    failed: u64,
    skipped: Vec<String>,
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for reason in &self.skipped {
            writeln!(out, "1 check skipped: {reason}")?;
        }
        write!(out, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Runs everything; the last line on the terminal is `N passed, M failed`.
///
/// # Errors
/// The first step that fails, after its summary is printed.
pub fn run_all(root: &Path) -> Result<(), Error> {
    let mut score = Score::default();
    let outcome = run_steps(root, &mut score);
    if let Err(error) = &outcome {
        println!("stopped: {error}");
        // A step that fails without a failing test, as when it does not compile, is not a success of zero tests.
        score.failed = score.failed.max(1);
    }
    println!("{score}");
    outcome
}

fn run_steps(root: &Path, score: &mut Score) -> Result<(), Error> {
    const TESTS: usize = 5;
    let mut steps = Steps::new(tools::STEPS + 2 + TESTS + page::STEPS);
    // Both native steps run even if the first fails: they are cheap and tell more together.
    let natively = test(
        root,
        &mut steps,
        score,
        "native tests",
        &["--workspace", "--exclude=app", "--exclude=page", "--exclude=whole"],
        &[],
    );
    let whole = test(root, &mut steps, score, "tests of the whole", &["--package=whole"], &[]);
    natively.and(whole)?;

    // Third-party data that the project does not hold; its test says so too, but nobody reads a passing test.
    let measured = std::env::var_os("MEASURED_GEMMS")
        .map_or_else(|| root.join("../shared/golden/tpu_v4_gemm_measured.csv"), Into::into);
    if !measured.is_file() {
        score.skipped.push("errors of foretold times: MEASURED_GEMMS names no file of measured products".to_owned());
    }

    tools::ensure(root, &mut steps)?;
    let browser = steps.run("Chromium and chromedriver", Browser::ensure)?;
    steps.run(&format!("axe-core {}", axe::VERSION), || {
        if let Err(reason) = axe::ensure(root) {
            score.skipped.push(reason);
        }
        Ok(())
    })?;
    let path = tools::path(root).to_string_lossy().into_owned();
    let driver = browser.chromedriver.to_string_lossy().into_owned();
    let chromium = browser.chromium.to_string_lossy().into_owned();
    let options = root.join("tests/browser/webdriver.json").to_string_lossy().into_owned();
    let in_browser = [
        ("PATH", path.as_str()),
        ("CHROME", &chromium),
        ("CHROMEDRIVER", &driver),
        ("WASM_BINDGEN_USE_BROWSER", "1"),
        ("WASM_BINDGEN_TEST_TIMEOUT", "300"),
        ("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "30"),
        ("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &options),
    ];
    let target = format!("--target={WASM}");
    // Documentation examples have no browser runner.
    let core = [
        "--package=systolic",
        "--package=display",
        "--package=estimate",
        "--package=studio",
        "--lib",
        "--tests",
        &target,
    ];
    test(root, &mut steps, score, "core tests in Chromium", &core, &in_browser)?;
    let components = ["--package=app", "--lib", "--tests", &target];
    test(root, &mut steps, score, "component tests in Chromium", &components, &in_browser)?;
    page::build(root, &mut steps)?;
    // Two browsers at a time: more of them starve each other on a small machine and then miss their deadlines.
    let page = ["--package=whole", "--features=browser", "--test=page", "--", "--test-threads=2"];
    test(root, &mut steps, score, "tests of the shipped page", &page, &in_browser)
}

/// One `cargo test`, its results added to `score`.
fn test(
    root: &Path,
    steps: &mut Steps,
    score: &mut Score,
    name: &str,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Result<(), Error> {
    steps.run(name, || {
        let mut command: Command = cargo(root, &["test", "--locked", "--no-fail-fast"]);
        // A separator ends cargo's own arguments, so they go in the order given.
        command.args(arguments).envs(environment.iter().copied());
        let before = score.passed + score.failed;
        let good = tee(&mut command, |line| {
            if let Some((passed, failed)) = counts(line) {
                score.passed += passed;
                score.failed += failed;
            }
        })?;
        if good && score.passed + score.failed == before {
            // A browser runner that finds no test ends well, and nobody would notice.
            score.skipped.push(format!("{name}: there are none"));
        }
        if good { Ok(()) } else { Err(Error::Verdict(format!("{name}: not all passed"))) }
    })
}

/// Passed and failed in a line such as `test result: ok. 3 passed; 0 failed; 0 ignored`.
fn counts(line: &str) -> Option<(u64, u64)> {
    let (_, facts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let number = |word: &str| -> Option<u64> {
        facts.split(';').find_map(|fact| fact.trim().strip_suffix(word)?.trim().parse().ok())
    };
    Some((number("passed")?, number("failed")?))
}

#[cfg(test)]
mod tests {
    use super::{Score, counts};

    #[test]
    fn the_count_is_the_last_line_and_what_was_skipped_stands_above() {
        let score = Score { passed: 5, failed: 1, skipped: vec!["axe-core needs npm".into()] };
        assert_eq!(score.to_string(), "1 check skipped: axe-core needs npm\n5 passed, 1 failed");
    }

    #[test]
    fn result_lines_are_counted_and_others_are_not() {
        assert_eq!(counts("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured"), Some((12, 0)));
        assert_eq!(counts("test result: FAILED. 3 passed; 2 failed; 0 ignored"), Some((3, 2)));
        assert_eq!(counts("test a_result ... ok"), None);
    }
}
