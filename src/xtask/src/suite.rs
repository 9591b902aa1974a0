//! Tests of one crate, of the page, of its hosts and of other engines; and what any run of tests needs and counts.

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

/// What the line of a check begins with that could not be made.
pub(crate) const SKIPPED: &str = "1 check skipped: ";

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

    /// Why checks could not be made.
    pub(crate) fn skipped(&self) -> impl Iterator<Item = &str> {
        self.skipped.iter().map(String::as_str)
    }

    pub(crate) const fn add(&mut self, passed: u64, failed: u64) {
        self.passed += passed;
        self.failed += failed;
    }

    /// A step that fails without a failing test, as when it does not compile, is not a success of zero tests.
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

/// Runs the tests of one room, natively and in a browser where it has such; the last line on the terminal is `N passed, M failed`.
///
/// # Errors
/// The first step that fails, after its summary is printed.
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

/// Does `work` and prints what its tests came to.
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

/// Makes the pages of all hosts and runs the script in each; the last line is as of [`run_room`].
///
/// # Errors
/// As [`run_room`].
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

/// The core of the page's tests: what an engine may do in its own way. The rest asks Chromium for what it alone has.
const CORE: [&str; 7] = ["address::", "cards::", "embed::", "host::", "links::", "share::", "workbench::"];
/// What is left out of it: a view narrower than Firefox makes a window.
const NOT_IN_FIREFOX: [&str; 1] = ["a_card_covers_nothing"];

/// The core of the page's tests in Firefox, with the page as it is built; where there is no Firefox, that is told.
///
/// # Errors
/// As [`run_room`].
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

/// Cargo's selection of the tests of the shipped page.
pub(crate) fn of_page() -> Vec<String> {
    let mut arguments = rooms::natively();
    // Many more of them starve each other on a small machine and then miss their deadlines.
    arguments.extend(["--features=whole/page", "--test=page", "--", "--test-threads=3"].map(str::to_owned));
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

/// Passed and failed in a line such as `test result: ok. 3 passed; 0 failed; 0 ignored`, or in the summary of
/// cargo-nextest: `Summary [  1.5s] 4 tests run: 3 passed (1 slow), 1 failed, 0 skipped`.
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
