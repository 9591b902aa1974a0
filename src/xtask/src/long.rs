//! Long checks that rarely fail: `cargo xtask long`, each night and before a release.
//!
//! `docs/testing.md` lists each check and where it runs.

use std::path::Path;

use crate::gate::LONG;
use crate::lanes::{Board, Lane, Work};
use crate::steps::Steps;
use crate::suite::{InBrowser, Score, of_page};
use crate::{Error, debian, lint, rooms, tools};

/// Variable that names the folder of the real ONNX files, which take gigabytes of packages to make.
const ONNX_FILES: &str = "ONNX_FILES";

/// Runs all long checks in three lanes. The last line on the terminal is `N passed, M failed`.
///
/// # Errors
/// Returns the error of the first lane that failed.
pub fn run(root: &Path) -> Result<(), Error> {
    let board = Board::new(root);
    let mut found = Score::default();
    let browser = InBrowser::ensure(root, &mut Steps::new(InBrowser::STEPS), &mut found)?;
    for program in debian::ensure(&["ffmpeg", "tesseract", "rsvg-convert", "inkscape"]) {
        found.skip(format!("films or drawings read back by {program}, which is not installed"));
    }
    if std::env::var_os(ONNX_FILES).is_none() {
        found.skip(format!("real ONNX files, because {ONNX_FILES} names no folder of tests/oracle/onnx_real"));
    }
    found.skipped().for_each(|reason| board.skip(reason.to_owned()));
    let browser = &browser;
    let lanes: Vec<(&'static str, u8, Work<'_>)> = vec![
        ("page", 0, Box::new(move |lane| page(lane, browser))),
        ("native", 4, Box::new(native)),
        ("lint", 8, Box::new(move |lane| lint(lane, root, browser))),
    ];
    board.run(lanes)
}

/// Tests the page in all hosts, then with all test cases in Chromium, then in Firefox.
fn page(lane: &mut Lane<'_>, browser: &InBrowser) -> Result<(), Error> {
    let mut hosts = lane.chore(&["hosts"])?;
    lane.tests("the page in its hosts", &mut hosts)?;
    let mut tests = lane.cargo(["test", "--locked", "--no-fail-fast"]);
    tests.args(of_page()).args(["--skip", "hosts::"]).envs(browser.environment()).env("LONG", "1");
    lane.tests("the page in Chromium, all cases", &mut tests)?;
    let mut firefox = lane.chore(&["firefox"])?;
    lane.step("the page in Firefox", &mut firefox).map(drop)
}

/// Runs the long native tests, the mutation test of the formulas, the checks of hardware and of the packages, products
/// that chips printed, the sweep on Dask, and Trunk.
fn native(lane: &mut Lane<'_>) -> Result<(), Error> {
    lane.build_apart();
    let mut tests = lane.cargo(["test", "--locked", "--no-fail-fast"]);
    tests.args(rooms::natively()).args(["--lib", "--bins", "--tests", "--", LONG]).env("LONG", "1");
    if std::env::var_os(ONNX_FILES).is_none() {
        tests.arg("--skip=files_of_packages_and_exporters");
    }
    lane.tests("long native tests", &mut tests)?;
    for (name, chore) in [
        ("changed formulas", &["changed"][..]),
        ("hardware of random designs", &["rtl", "--check"]),
        ("the Python package", &["python"]),
        ("the packed packages", &["packages"]),
        ("products that chips printed", &["printed"]),
        ("a slice of the sweep on Dask", &["sweep"]),
        ("trunk build and trunk serve", &["trunk"]),
    ] {
        let mut command = lane.chore(chore)?;
        lane.step(name, &mut command)?;
    }
    Ok(())
}

/// Runs the long lints, the tests of all crates in Chromium, and the build of the book.
fn lint(lane: &mut Lane<'_>, root: &Path, browser: &InBrowser) -> Result<(), Error> {
    lane.build_apart();
    for (name, arguments) in lint::long_commands(root)? {
        let mut command = lane.cargo(arguments);
        lane.step(name, command.env("RUSTDOCFLAGS", "-Dwarnings"))?;
    }
    let mut tests = lane.cargo(["test", "--locked", "--no-fail-fast"]);
    tests.args(rooms::in_browser(&rooms::all(root)?)).args(["--lib", "--tests", &format!("--target={}", tools::WASM)]);
    lane.tests("all crates in Chromium", tests.envs(browser.environment()))?;
    let mut book = lane.chore(&["book"])?;
    lane.step("the book", &mut book).map(drop)
}
