//! Checks for every change, in three parallel lanes: `cargo xtask test`.
//!
//! `docs/testing.md` lists each check and where it runs. Long checks that rarely fail are in `long.rs`.

use std::path::Path;
use std::sync::mpsc;

use crate::browser::Browser;
use crate::lanes::{Board, Lane, Work};
use crate::process::find;
use crate::steps::Steps;
use crate::suite::{InBrowser, Score};
use crate::{Error, debian, hardware, lint, rooms};

/// A lane: a sequence of checks that runs in parallel with the other lanes. The public workflow runs each lane on a
/// separate machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Lane of formatting, prose, lints and documentation.
    Lint,
    /// Lane of all native tests.
    Native,
    /// Lane of the published page: build, size and tests.
    Page,
}

impl Part {
    const ALL: [Self; 3] = [Self::Lint, Self::Native, Self::Page];

    /// Returns the name of the lane on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Native => "native",
            Self::Page => "page",
        }
    }

    /// Returns the lane with this name.
    ///
    /// # Errors
    /// [`Error::Usage`] if the name is unknown. The message lists the lanes.
    pub fn named(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|part| part.id() == name);
        found.ok_or_else(|| Error::Usage(format!("there is no lane {name}; the lanes are lint, native, page")))
    }
}

/// Module path that marks tests of the long suite, `cargo xtask long`.
pub(crate) const LONG: &str = "long::";
/// Argument that sets the number of parallel page tests. The number is one more than the cores of the smallest test
/// machine, because some tests only wait for a clock.
const PAGES: &str = "--test-threads=3";

/// Runs all lanes, or one lane. The last line on the terminal is `N passed, M failed`.
///
/// # Errors
/// Returns the error of the first lane that failed.
pub fn run(root: &Path, only: Option<Part>) -> Result<(), Error> {
    let board = Board::new(root);
    let is_asked = |part: Part| only.is_none_or(|only| only == part);
    let mut steps = Steps::new(InBrowser::STEPS + 1);
    let mut found = Score::default();
    let browser = InBrowser::ensure(root, &mut steps, &mut found)?;
    // If the headless shell cannot be installed, the whole browser replaces it.
    let _missing = debian::ensure(&["chromium-headless-shell"]);
    let missing = steps.run("Icarus Verilog, Verilator and Yosys", || Ok(hardware::ensure()))?;
    if is_asked(Part::Native) {
        for program in missing {
            found.skip(format!("hardware in {program}, which is not installed"));
        }
        if std::env::var_os("MEASURED_GEMMS").is_none() {
            found.skip("errors of predicted times: MEASURED_GEMMS names no file of measured products".to_owned());
        }
    }
    found.skipped().for_each(|reason| board.skip(reason.to_owned()));
    let (built, is_built) = mpsc::channel();
    let mut lanes: Vec<(&'static str, u8, Work<'_>)> = Vec::new();
    if is_asked(Part::Page) {
        let (browser, waits) = (&browser, only.is_none());
        lanes.push(("page", 0, Box::new(move |lane| page(lane, browser, waits.then_some(is_built)))));
    }
    if is_asked(Part::Native) {
        lanes.push(("native", 4, Box::new(move |lane| native(lane, &built))));
    }
    if is_asked(Part::Lint) {
        lanes.push(("lint", 8, Box::new(lint)));
    }
    board.run(lanes)
}

/// Returns cargo's arguments that select all native tests, including the tests of the page.
fn everything() -> Vec<String> {
    [rooms::natively(), vec!["--features=whole/page".to_owned()]].concat()
}

fn of_words(words: &[&str], more: &[String]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).chain(more.iter().cloned()).collect()
}

/// Runs the native tests. Sends a message to `built` when all tests are compiled, including the tests of the page.
fn native(lane: &mut Lane<'_>, built: &mpsc::Sender<()>) -> Result<(), Error> {
    let mut build = lane.cargo(of_words(&["test", "--locked", "--no-run"], &everything()));
    lane.step("compiling the native tests and those of the page", &mut build)?;
    // The channel has no receiver if the page's lane does not run here.
    let _ = built.send(());
    let mut tests = if find(&["cargo-nextest"]).is_some() {
        let all = "not (binary(page) and package(whole)) and not test(/(^|::)long::/)";
        let how = ["nextest", "run", "--locked", "--no-fail-fast", "--status-level=fail", "--final-status-level=slow"];
        lane.cargo([of_words(&how, &everything()), of_words(&["-E", all], &[])].concat())
    } else {
        let how = ["test", "--locked", "--no-fail-fast", "--lib", "--bins", "--tests", "--examples"];
        lane.cargo([of_words(&how, &rooms::natively()), of_words(&["--", "--skip", LONG], &[])].concat())
    };
    lane.tests("native tests", &mut tests)?;
    let mut examples = lane.cargo(of_words(&["test", "--locked", "--doc"], &everything()));
    lane.tests("examples of the documentation", &mut examples)
}

/// Checks generated tables, prose, formatting, lints and documentation.
fn lint(lane: &mut Lane<'_>) -> Result<(), Error> {
    let mut codegen = lane.chore(&["codegen", "--check"])?;
    lane.step("generated tables", &mut codegen)?;
    let mut prose = lane.chore(&["lint", "--prose"])?;
    lane.step("prose", &mut prose)?;
    lane.build_apart();
    for (name, arguments) in lint::commands() {
        let mut command = lane.cargo(arguments);
        lane.step(name, command.env("RUSTDOCFLAGS", "-Dwarnings"))?;
    }
    Ok(())
}

/// Builds, measures and tests the published page. If another lane compiles the page's tests, this function waits for
/// the message of that lane on `is_built`.
fn page(lane: &mut Lane<'_>, browser: &InBrowser, is_built: Option<mpsc::Receiver<()>>) -> Result<(), Error> {
    lane.build_apart();
    // The native tests check the lessons.
    let mut build = lane.chore(&["build", "--unread"])?;
    lane.step("building the page", &mut build)?;
    let mut size = lane.chore(&["size"])?;
    lane.step("its size", &mut size)?;
    if let Some(is_built) = is_built
        && is_built.recv().is_err()
    {
        return Err(Error::Verdict("page: its tests do not compile".to_owned()));
    }
    lane.build_together();
    let how = ["test", "--locked", "--no-fail-fast"];
    let these = of_words(&["--test=page", "--", PAGES, "--skip", LONG], &[]);
    let mut tests = lane.cargo([of_words(&how, &everything()), these].concat());
    tests.envs(browser.environment());
    // Only the long suite uses the whole browser.
    if let Some(shell) = Browser::shell() {
        tests.env("CHROME", shell);
    }
    lane.tests("the page in Chromium", &mut tests)
}
