//! The test suite, whole or of one room: native, core and components in a browser, and the shipped page itself.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::browser::Browser;
use crate::engines::{self, Engine};
use crate::hosts::{self, Host};
use crate::process::{cargo, tee};
use crate::rooms::{self, Room};
use crate::steps::Steps;
use crate::tools::{self, WASM};
use crate::{Error, axe, debian, formulas, hardware, page, sweep};

/// Tests that passed and failed so far, and checks that could not be made.
#[derive(Debug, Default)]
pub(crate) struct Score {
    passed: u64,
    failed: u64,
    skipped: Vec<String>,
}

impl Score {
    /// Notes a check that could not be made, and why.
    pub(crate) fn skip(&mut self, reason: String) {
        self.skipped.push(reason);
    }
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
    summarize(|score| {
        let rooms = rooms::all(root)?;
        let mut steps = Steps::estimated(
            [
                &[Duration::ZERO, native_estimate(root), SWEEP][..],
                &formulas::estimates(),
                &InBrowser::estimates(root)?,
                &[browser_estimate(root)],
                &page::estimates(root),
                &[HOST_PAGES, PAGE_TESTS],
                &engines::estimates(),
            ]
            .concat(),
        );
        steps.run("Icarus Verilog, Verilator and Yosys", || {
            let missing = hardware::ensure().into_iter();
            score.skipped.extend(missing.map(|program| format!("hardware in {program}, which is not installed")));
            Ok(())
        })?;
        test(root, &mut steps, score, "native tests", &rooms::natively(), &[])?;
        steps.run("a slice of the sweep on Dask", || match sweep::python() {
            Ok(python) => sweep::check(root, &python),
            Err(reason) => {
                score.skipped.push(reason);
                Ok(())
            }
        })?;
        formulas::run(root, &mut steps)?;

        // Third-party data that the project does not hold; its test says so too, but nobody reads a passing test.
        let measured = std::env::var_os("MEASURED_GEMMS")
            .map_or_else(|| root.join("../shared/golden/tpu_v4_gemm_measured.csv"), Into::into);
        if !measured.is_file() {
            score
                .skipped
                .push("errors of predicted times: MEASURED_GEMMS names no file of measured products".to_owned());
        }

        let browser = InBrowser::ensure(root, &mut steps, score)?;
        let packages = [rooms::in_browser(&rooms), on_wasm()].concat();
        test(root, &mut steps, score, "core and component tests in Chromium", &packages, &browser.environment())?;
        test_page(root, &mut steps, score, &browser)
    })
}

/// About how long the slice of the sweep takes on two cores.
const SWEEP: Duration = Duration::from_secs(8);

/// About how long the pages of hosts take that every run makes.
const HOST_PAGES: Duration = Duration::from_secs(50);

/// About how long the tests of the shipped page take on two cores.
const PAGE_TESTS: Duration = Duration::from_secs(180);

/// About how long the native tests take on two cores: most of it is compiling, the first time.
fn native_estimate(root: &Path) -> Duration {
    // Of all that cargo builds natively, only tests build the examples.
    let examples = std::fs::read_dir(root.join("target/debug/examples"));
    let is_built = examples.is_ok_and(|mut files| files.next().is_some());
    Duration::from_secs(if is_built { 40 } else { 240 })
}

/// About how long the tests of packages in a browser take on two cores.
fn browser_estimate(root: &Path) -> Duration {
    Duration::from_secs(if root.join("target").join(WASM).join("debug").is_dir() { 30 } else { 150 })
}

/// Runs the tests of one room, natively and in a browser where it has such; the last line is as of [`run_all`].
///
/// # Errors
/// The first step that fails, after its summary is printed.
pub fn run_room(root: &Path, room: &Room) -> Result<(), Error> {
    summarize(|score| {
        let in_browser = if room.is_in_browser() { InBrowser::STEPS + 1 } else { 0 };
        // The pages of hosts are made for them, too, and another engine opens it.
        let page = if *room == Room::Page { page::STEPS + 2 + engines::STEPS } else { 0 };
        let mut steps = Steps::new(usize::from(room.is_native()) + in_browser + page);
        let Room::Package { package, .. } = room else {
            let browser = InBrowser::ensure(root, &mut steps, score)?;
            return test_page(root, &mut steps, score, &browser);
        };
        let package = vec![format!("--package={package}")];
        if room.is_native() {
            test(root, &mut steps, score, &format!("{}, native", room.name()), &package, &[])?;
        }
        if room.is_in_browser() {
            let browser = InBrowser::ensure(root, &mut steps, score)?;
            let name = format!("{}, in Chromium", room.name());
            test(root, &mut steps, score, &name, &[package, on_wasm()].concat(), &browser.environment())?;
        }
        Ok(())
    })
}

/// Does `work` and prints what its tests came to.
fn summarize(work: impl FnOnce(&mut Score) -> Result<(), Error>) -> Result<(), Error> {
    let mut score = Score::default();
    let outcome = work(&mut score);
    if let Err(error) = &outcome {
        println!("stopped: {error}");
        // A step that fails without a failing test, as when it does not compile, is not a success of zero tests.
        score.failed = score.failed.max(1);
    }
    println!("{score}");
    outcome
}

/// Makes the pages of all hosts and runs the script in each; the last line is as of [`run_all`].
///
/// # Errors
/// As [`run_all`].
pub fn run_hosts(root: &Path) -> Result<(), Error> {
    summarize(|score| {
        let making = [Host::ALL.iter().map(|host| host.estimate()).sum()];
        let mut steps = Steps::estimated(
            [&InBrowser::estimates(root)?[..], &page::estimates(root), &making, &[Duration::from_secs(60)]].concat(),
        );
        let browser = InBrowser::ensure(root, &mut steps, score)?;
        page::build(root, &mut steps)?;
        make_hosts(root, &mut steps, score, &Host::ALL)?;
        let tests = [of_page(), vec!["hosts::".to_owned()]].concat();
        test(root, &mut steps, score, "tests of the page in its hosts", &tests, &browser.environment())
    })
}

/// The pages of hosts as their programs make them; what cannot be made is skipped, and said.
fn make_hosts(root: &Path, steps: &mut Steps, score: &mut Score, hosts: &[Host]) -> Result<(), Error> {
    steps.run("pages of hosts", || {
        score.skipped.extend(hosts::make(root, hosts));
        Ok(())
    })
}

/// The page as it is published, built and tested.
fn test_page(root: &Path, steps: &mut Steps, score: &mut Score, browser: &InBrowser) -> Result<(), Error> {
    page::build(root, steps)?;
    make_hosts(root, steps, score, &Host::OF_ALL_TESTS)?;
    for program in debian::ensure(&["ffmpeg", "tesseract"]) {
        score.skip(format!("films read back by {program}, which is not installed"));
    }
    test(root, steps, score, "tests of the shipped page", &of_page(), &browser.environment())?;
    test_in_firefox(root, steps, score, browser)
}

/// The core of the page's tests: what an engine may do in its own way. The rest asks Chromium for what it alone has.
const CORE: [&str; 7] = ["address::", "cards::", "embed::", "host::", "links::", "share::", "workbench::"];
/// What is left out of it: a view narrower than Firefox makes a window.
const NOT_IN_FIREFOX: [&str; 1] = ["a_card_covers_nothing"];

/// The core of the page's tests in Firefox; where there is none, that is told.
fn test_in_firefox(root: &Path, steps: &mut Steps, score: &mut Score, browser: &InBrowser) -> Result<(), Error> {
    let found = match steps.run("Firefox and geckodriver", || Ok(engines::ensure_firefox(root)))? {
        Ok(found) => found,
        Err(reason) => {
            score.skipped.push(reason);
            return Ok(());
        }
    };
    let name = format!("core of the page's tests in {}", engines::version(&found).unwrap_or_default());
    let skipped = NOT_IN_FIREFOX.iter().flat_map(|name| ["--skip".to_owned(), (*name).to_owned()]);
    let tests: Vec<String> = of_page().into_iter().chain(CORE.map(str::to_owned)).chain(skipped).collect();
    let environment = [&browser.environment()[..], &[("ENGINE", Engine::Firefox.id())]].concat();
    test(root, steps, score, &name, &tests, &environment)
}

/// Cargo's selection of the tests of the shipped page.
pub(crate) fn of_page() -> Vec<String> {
    let mut arguments = rooms::natively();
    // Two browsers at a time: more of them starve each other on a small machine and then miss their deadlines.
    arguments.extend(["--features=whole/page", "--test=page", "--", "--test-threads=2"].map(str::to_owned));
    arguments
}

/// What makes a selection one for the browser. Documentation examples have no browser runner.
fn on_wasm() -> Vec<String> {
    vec!["--lib".to_owned(), "--tests".to_owned(), format!("--target={WASM}")]
}

/// Everything that tests in a browser need.
pub(crate) struct InBrowser(Vec<(&'static str, String)>);

impl InBrowser {
    /// How many steps [`InBrowser::ensure`] runs.
    pub(crate) const STEPS: usize = tools::STEPS + 2;

    /// About how long each step of [`InBrowser::ensure`] takes.
    pub(crate) fn estimates(root: &Path) -> Result<[Duration; Self::STEPS], Error> {
        let [target, bindgen] = tools::estimates(root)?;
        let browser = Duration::from_secs(if Browser::find().is_ok() { 0 } else { 60 });
        Ok([target, bindgen, browser, Duration::ZERO])
    }

    /// Finds the tools, the browser and the accessibility checker, and installs what is missing.
    pub(crate) fn ensure(root: &Path, steps: &mut Steps, score: &mut Score) -> Result<Self, Error> {
        tools::ensure(root, steps)?;
        let browser = steps.run("Chromium and chromedriver", Browser::ensure)?;
        steps.run(&format!("axe-core {}", axe::VERSION), || {
            if let Err(reason) = axe::ensure(root) {
                score.skipped.push(reason);
            }
            Ok(())
        })?;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Ok(Self(vec![
            ("PATH", tools::path(root).to_string_lossy().into_owned()),
            ("CHROME", text(&browser.chromium)),
            ("CHROMEDRIVER", text(&browser.chromedriver)),
            ("WASM_BINDGEN_USE_BROWSER", "1".to_owned()),
            ("WASM_BINDGEN_TEST_TIMEOUT", "300".to_owned()),
            ("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "30".to_owned()),
            ("WASM_BINDGEN_TEST_WEBDRIVER_JSON", text(&root.join("tests/browser/webdriver.json"))),
        ]))
    }

    /// The variables of a `cargo test` that runs in it.
    pub(crate) fn environment(&self) -> Vec<(&str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }
}

/// One `cargo test`, its results added to `score`.
pub(crate) fn test(
    root: &Path,
    steps: &mut Steps,
    score: &mut Score,
    name: &str,
    arguments: &[String],
    environment: &[(&str, &str)],
) -> Result<(), Error> {
    steps.run(name, || {
        let mut command: Command = cargo(root, &["test", "--locked", "--no-fail-fast"]);
        // A separator ends cargo's own arguments, so they stay in their order.
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
