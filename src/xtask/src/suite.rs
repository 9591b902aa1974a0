//! Runs the tests of one crate or of the page. The tests of the page can also run in the page's hosts or in Firefox.
//! Also finds the browser for the tests, and counts the tests.

use plain::OrEmpty;
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
use crate::{Error, axe, page};

/// Beginning of the line about a skipped check. The reason follows this text.
pub(crate) const SKIPPED: &str = "1 check skipped: ";

/// Counts of passed and failed tests, and reasons of skipped checks.
#[derive(Debug, Default)]
pub(crate) struct Score {
    passed: u64,
    failed: u64,
    skipped: Vec<String>,
}

impl Score {
    /// Records the reason for a skipped check.
    pub(crate) fn skip(&mut self, reason: String) {
        self.skipped.push(reason);
    }

    /// Returns the reasons for all skipped checks.
    pub(crate) fn skipped(&self) -> impl Iterator<Item = &str> {
        self.skipped.iter().map(String::as_str)
    }

    pub(crate) const fn add(&mut self, passed: u64, failed: u64) {
        self.passed += passed;
        self.failed += failed;
    }

    /// Raises the count of failed tests to at least one. A step can fail without a failed test, for example if the
    /// tests do not compile.
    pub(crate) fn fail_at_least_once(&mut self) {
        self.failed = self.failed.max(1);
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for reason in &self.skipped {
            writeln!(out, "{SKIPPED}{reason}")?;
        }
        write!(out, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Runs the tests of one package, or the tests of the page. A package can have native tests and tests in a browser. The
/// last line on the terminal is `N passed, M failed`.
///
/// # Errors
/// Returns the error of the first step that fails, after the summary is printed.
pub fn run_room(root: &Path, room: &Room) -> Result<(), Error> {
    summarize(|score| {
        let in_browser = if room.is_in_browser() { InBrowser::STEPS + 1 } else { 0 };
        let page = if *room == Room::Page { page::STEPS + 1 } else { 0 };
        let mut steps = Steps::new(usize::from(room.is_native()) + in_browser + page);
        let Room::Package { package, .. } = room else {
            let browser = InBrowser::ensure(root, &mut steps, score)?;
            page::build(root, &mut steps)?;
            return test(root, &mut steps, score, "tests of the shipped page", &of_page(), &browser.environment());
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

/// Runs `work`, and prints the counts of its tests.
fn summarize(work: impl FnOnce(&mut Score) -> Result<(), Error>) -> Result<(), Error> {
    let mut score = Score::default();
    let outcome = work(&mut score);
    if let Err(error) = &outcome {
        println!("stopped: {error}");
        score.fail_at_least_once();
    }
    println!("{score}");
    outcome
}

/// Builds the page of every host, and tests the playground in each of these host pages. The last line on the terminal
/// is `N passed, M failed`.
///
/// # Errors
/// Returns the error of the first step that fails, after the summary is printed.
pub fn run_hosts(root: &Path) -> Result<(), Error> {
    summarize(|score| {
        let making = [Host::ALL.iter().map(|host| host.estimate()).sum()];
        let mut steps = Steps::estimated(
            [&InBrowser::estimates(root)?[..], &page::estimates(root), &making, &[Duration::from_secs(60)]].concat(),
        );
        let browser = InBrowser::ensure(root, &mut steps, score)?;
        page::build(root, &mut steps)?;
        steps.run("pages of hosts", || {
            score.skipped.extend(hosts::make(root, &Host::ALL));
            Ok(())
        })?;
        let tests = [of_page(), vec!["hosts::".to_owned()]].concat();
        test(root, &mut steps, score, "tests of the page in its hosts", &tests, &browser.environment())
    })
}

/// Name filters of the tests that also run in Firefox. These tests use functions in which browser engines may differ.
/// All other tests need functions that only Chromium has.
const CORE: [&str; 9] = [
    "address::",
    "cards::",
    "element::",
    "embed::",
    "films::a_player_shows",
    "host::",
    "links::",
    "share::",
    "workbench::",
];
/// Tests of [`CORE`] that Firefox cannot run. These tests need a narrower window than Firefox allows, or set the theme of
/// the system.
const NOT_IN_FIREFOX: [&str; 3] =
    ["a_card_covers_nothing", "a_frame_follows_a_host_that_follows_the_system", "the_parts_of_an_embed_never_overlap"];

/// Runs the tests of `CORE` in Firefox, with the built page. Without Firefox, records a skipped check.
///
/// # Errors
/// Returns the error of the first step that fails, after the summary is printed.
pub fn run_in_firefox(root: &Path) -> Result<(), Error> {
    summarize(|score| {
        let mut steps = Steps::estimated([&InBrowser::estimates(root)?[..], &engines::estimates()].concat());
        let browser = InBrowser::ensure(root, &mut steps, score)?;
        let found = match steps.run("Firefox and geckodriver", || Ok(engines::ensure_firefox(root)))? {
            Ok(found) => found,
            Err(reason) => {
                score.skipped.push(reason);
                return Ok(());
            }
        };
        let name = format!("core of the page's tests in {}", engines::version(&found).or_empty());
        let skipped = NOT_IN_FIREFOX.iter().flat_map(|name| ["--skip".to_owned(), (*name).to_owned()]);
        let tests: Vec<String> = of_page().into_iter().chain(CORE.map(str::to_owned)).chain(skipped).collect();
        let environment = [&browser.environment()[..], &[("ENGINE", Engine::Firefox.id())]].concat();
        test(root, &mut steps, score, &name, &tests, &environment)
    })
}

/// Returns cargo's arguments that select the tests of the published page.
pub(crate) fn of_page() -> Vec<String> {
    let mut arguments = rooms::natively();
    // With more threads, tests on a small machine are too slow for their deadlines.
    arguments.extend(["--features=whole/page", "--test=page", "--", "--test-threads=3"].map(str::to_owned));
    arguments
}

/// Returns cargo's arguments for tests in a browser. Documentation examples are left out, because they have no browser
/// runner.
fn on_wasm() -> Vec<String> {
    vec!["--lib".to_owned(), "--tests".to_owned(), format!("--target={WASM}")]
}

/// Environment variables for tests in a browser.
pub(crate) struct InBrowser(Vec<(&'static str, String)>);

impl InBrowser {
    /// Number of steps of [`InBrowser::ensure`].
    pub(crate) const STEPS: usize = tools::STEPS + 2;

    /// Returns the approximate duration of each step of [`InBrowser::ensure`].
    pub(crate) fn estimates(root: &Path) -> Result<[Duration; Self::STEPS], Error> {
        let [target, bindgen] = tools::estimates(root)?;
        let browser = Duration::from_secs(if Browser::find().is_ok() { 0 } else { 60 });
        Ok([target, bindgen, browser, Duration::ZERO])
    }

    /// Finds the tools, the browser and the accessibility checker, and installs missing programs. A missing
    /// accessibility checker counts only as a skipped check.
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

    /// Returns the environment variables for `cargo test` in the browser.
    pub(crate) fn environment(&self) -> Vec<(&str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }
}

/// Runs one `cargo test`, and adds its results to `score`.
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
        // The order of the arguments must stay, because a separator ends cargo's own arguments.
        command.args(arguments).envs(environment.iter().copied());
        let before = score.passed + score.failed;
        let good = tee(&mut command, |line| {
            if let Some((passed, failed)) = counts(line) {
                score.passed += passed;
                score.failed += failed;
            }
        })?;
        if good && score.passed + score.failed == before {
            // A browser runner that finds no test succeeds, so the missing tests are reported as a skipped check.
            score.skipped.push(format!("{name}: there are none"));
        }
        if good { Ok(()) } else { Err(Error::Verdict(format!("{name}: not all passed"))) }
    })
}

/// Returns the numbers of passed and failed tests in a summary line, or `None` for any other line.
///
/// - cargo: `test result: ok. 3 passed; 0 failed; 0 ignored`
/// - cargo-nextest: `Summary [  1.5s] 4 tests run: 3 passed (1 slow), 1 failed, 0 skipped`
pub(crate) fn counts(line: &str) -> Option<(u64, u64)> {
    let number = |facts: &str, between: char, word: &str| -> Option<u64> {
        let words = |fact: &str| fact.trim().split_once(' ').map(|(n, rest)| (n.to_owned(), rest.to_owned()));
        let facts = facts.split(between).filter_map(words);
        facts.filter(|(_, rest)| rest.starts_with(word)).find_map(|(n, _)| n.parse().ok())
    };
    if let Some((_, facts)) = line.trim_start().strip_prefix("Summary [").and_then(|rest| rest.split_once(" run: ")) {
        return Some((number(facts, ',', "passed")?, number(facts, ',', "failed").unwrap_or(0)));
    }
    let (_, facts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    Some((number(facts, ';', "passed")?, number(facts, ';', "failed")?))
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
        assert_eq!(
            counts("     Summary [  66.607s] 5 tests run: 3 passed (1 slow), 2 failed, 7 skipped"),
            Some((3, 2))
        );
        assert_eq!(counts("     Summary [   0.607s] 992 tests run: 992 passed, 0 skipped"), Some((992, 0)));
        assert_eq!(counts("test a_result ... ok"), None);
    }
}
