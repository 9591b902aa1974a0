//! Suites of checks: `cargo xtask test` for every change, `cargo xtask long` each night and before a release, `cargo
//! xtask soak`, and parts of these suites. `docs/testing.md` lists each check and where it runs.

use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::engines::{self, Engine};
use crate::lanes::{self, Lane, Work};
use crate::process::{cargo, elapsed, find, run, step};
use crate::{Error, axe, debian, files, fuzz, hosts, page, tools};
use publish::module::WASM;

/// Packages that run only in a browser and are never built natively.
const BROWSER_ONLY: [&str; 3] = ["app", "page", "wasm-streams"];
/// Module path that marks tests of the long suite.
const LONG: &str = "long::";
/// Number of keys pressed in each theme per round of `soak`, ten times as many as in the test suite.
const KEYS: &str = "3334";
/// Name filters of the tests that also run in Firefox. These tests use functions in which browser engines may differ.
/// All other tests need functions that only Chromium has.
const IN_FIREFOX: [&str; 9] = [
    "address::",
    "cards::",
    "element::",
    "embed::",
    "films::long::a_player_shows",
    "host::",
    "links::",
    "share::",
    "workbench::",
];
/// Tests of [`IN_FIREFOX`] that Firefox cannot run. These tests need a narrower window than Firefox allows, or set the
/// theme of the system.
const NOT_IN_FIREFOX: [&str; 3] =
    ["a_card_covers_nothing", "a_frame_follows_a_host_that_follows_the_system", "the_parts_of_an_embed_never_overlap"];

/// Two simulators of hardware, and a synthesizer.
const SIMULATORS: [&str; 3] = ["iverilog", "verilator", "yosys"];

/// A lane of the checks for a change. The public workflow runs each lane on a separate machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Formatting, prose, lints and documentation
    Lint,
    /// All native tests
    Native,
    /// Build, size and tests of the published page
    Page,
}

/// A package of the workspace.
#[derive(Debug)]
struct Package {
    /// Last part of the path of the package's folder, or `whole`.
    folder: String,
    /// Name of the package for cargo.
    name: String,
    /// True if the tests of the package also run in a browser.
    in_browser: bool,
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// Returns all packages in `src`, and the package of `tests`. Leaves out `page`, which only links the crate `app`.
fn packages(root: &Path) -> Result<Vec<Package>, Error> {
    let mut folders = vec![root.join("tests")];
    for folder in files::list(&root.join("src"))? {
        let is_package = folder.join("Cargo.toml").is_file();
        folders.extend(if is_package { vec![folder] } else { files::list(&folder)? });
    }
    let mut packages = Vec::new();
    for manifest in folders.iter().map(|folder| folder.join("Cargo.toml")).filter(|manifest| manifest.is_file()) {
        let text = files::text(&manifest)?;
        let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
        let name = name.ok_or_else(|| Error::Failed(format!("{}: no name", manifest.display())))?.to_owned();
        let folder = manifest.parent().map(crate::file_name).filter(|folder| folder != "tests");
        let in_browser = text.contains("wasm-bindgen-test.workspace");
        packages.push(Package { folder: folder.unwrap_or_else(|| name.clone()), name, in_browser });
    }
    packages.retain(|package| package.name != "page");
    packages.sort_by(|one: &Package, other| one.folder.cmp(&other.folder));
    Ok(packages)
}

/// Returns cargo's arguments that select all native packages. Lints and tests must use the same arguments: otherwise
/// cargo unites the features of shared crates differently and builds these crates again.
fn natively() -> Vec<String> {
    let mut arguments = vec!["--workspace".to_owned()];
    arguments.extend(BROWSER_ONLY.map(|package| format!("--exclude={package}")));
    arguments.push("--features=whole/browser,benches/browser".to_owned());
    arguments
}

/// Returns cargo's arguments that select all native packages, and the tests of the page.
fn everything() -> Vec<String> {
    [natively(), words("--features=whole/page")].concat()
}

/// Returns cargo's arguments that select all packages with tests in a browser. One call of cargo builds shared crates
/// only once.
fn in_browser(root: &Path) -> Result<Vec<String>, Error> {
    let packages = packages(root)?.into_iter().filter(|package| package.in_browser);
    Ok(packages.map(|package| format!("--package={}", package.name)).collect())
}

/// Returns cargo's arguments that run the tests of the published page, with name filters and other options after `--`.
fn of_page(options: &[&str]) -> Vec<String> {
    // With more threads, tests on a small machine are too slow for their deadlines.
    let how = words("test --locked --no-fail-fast");
    let options = options.iter().map(|&option| option.to_owned()).collect();
    [how, everything(), words("--test=page -- --test-threads=3"), options].concat()
}

/// Returns cargo's arguments that run the tests of `packages` in a browser. Documentation examples are left out, because
/// they have no browser runner.
fn on_wasm(packages: &[String]) -> Vec<String> {
    let target = words(&format!("--lib --tests --target={WASM}"));
    [&words("test --locked --no-fail-fast"), packages, &target].concat()
}

/// Environment variables for tests in a browser.
struct InBrowser(Vec<(&'static str, String)>);

impl InBrowser {
    /// Finds the browser and the accessibility checker, and installs missing programs. A missing
    /// accessibility checker counts only as a skipped check.
    fn ensure(root: &Path) -> Result<(Self, Vec<String>), Error> {
        let browser = step("Chromium and chromedriver", || Engine::Chromium.ensure(root))?;
        let skipped = step(&format!("axe-core {}", axe::VERSION), || Ok(axe::ensure(root).err()))?;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let variables = vec![("CHROME", text(&browser.program)), ("CHROMEDRIVER", text(&browser.driver))];
        Ok((Self(variables), skipped.into_iter().collect()))
    }

    /// Finds the program that runs tests in WebAssembly, and adds its variables.
    fn with_runner(mut self, root: &Path) -> Result<Self, Error> {
        self.0.extend([
            ("PATH", tools::with_runner(root)?.to_string_lossy().into_owned()),
            ("WASM_BINDGEN_USE_BROWSER", "1".to_owned()),
            ("WASM_BINDGEN_TEST_TIMEOUT", "300".to_owned()),
            ("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "30".to_owned()),
            (
                "WASM_BINDGEN_TEST_WEBDRIVER_JSON",
                root.join("tests/browser/webdriver.json").to_string_lossy().into_owned(),
            ),
        ]);
        Ok(self)
    }

    fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }
}

/// Runs all lanes of the checks for a change, or one lane. The last line on the terminal is `N passed, M failed`.
pub(crate) fn of_change(root: &Path, only: Option<Part>) -> Result<(), Error> {
    let is_asked = |part: Part| only.is_none_or(|only| only == part);
    let (browser, mut skipped) = if is_asked(Part::Page) {
        tools::ensure(root)?;
        // If the headless shell cannot be installed, the whole browser replaces it.
        let _missing = debian::ensure(&["chromium-headless-shell"]);
        InBrowser::ensure(root)?
    } else {
        (InBrowser(vec![]), vec![])
    };
    if is_asked(Part::Native) {
        let missing = step("Icarus Verilog, Verilator and Yosys", || Ok(debian::ensure(&SIMULATORS)))?.into_iter();
        skipped.extend(missing.map(|program| format!("hardware in {program}, which is not installed")));
        if env::var_os("MEASURED_GEMMS").is_none() {
            skipped.push("errors of predicted times: MEASURED_GEMMS names no file of measured products".to_owned());
        }
    }
    let (built, is_built) = mpsc::channel();
    let mut lanes: Vec<(&'static str, u8, Work<'_>)> = Vec::new();
    if is_asked(Part::Page) {
        let (browser, waits) = (&browser, only.is_none());
        lanes.push(("page", 0, Box::new(move |lane| page_lane(lane, browser, waits.then_some(is_built)))));
    }
    if is_asked(Part::Native) {
        lanes.push(("native", 4, Box::new(move |lane| native_lane(lane, &built))));
    }
    if is_asked(Part::Lint) {
        lanes.push(("lint", 8, Box::new(move |lane| lint_lane(lane, only.is_some()))));
    }
    lanes::run(root, skipped, lanes)
}

/// Runs the native tests. Sends a message to `built` when all tests are compiled, including the tests of the page.
fn native_lane(lane: &mut Lane<'_>, built: &mpsc::Sender<()>) -> Result<(), Error> {
    let mut build = lane.cargo([words("test --locked --no-run"), everything()].concat());
    lane.step("compiling and linting the native tests and those of the page", linted(&mut build))?;
    // The channel has no receiver if the page's lane does not run here.
    let _ = built.send(());
    let mut tests = if find(&["cargo-nextest"]).is_some() {
        let all = "not (binary(page) and package(whole)) and not test(/(^|::)long::/)".to_owned();
        let how = words("nextest run --locked --no-fail-fast --status-level=fail --final-status-level=slow");
        lane.cargo([how, everything(), vec!["-E".to_owned(), all]].concat())
    } else {
        let how = words("test --locked --no-fail-fast --lib --bins --tests --examples");
        lane.cargo([how, natively(), words(&format!("-- --skip {LONG}"))].concat())
    };
    lane.tests("native tests", linted(&mut tests))?;
    let mut examples = lane.cargo([words("test --locked --doc"), everything()].concat());
    lane.tests("examples of the documentation", linted(&mut examples))
}

/// Makes cargo run clippy on the packages of the workspace while it compiles them, with the variables of `cargo clippy`.
/// A separate run of clippy would also check the source of every other crate again.
fn linted(command: &mut Command) -> &mut Command {
    let deny = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", deny)
}

/// Checks generated tables, prose, messages of commits, formatting, lints and documentation. If other lanes run too,
/// leaves out the lints and the documentation. The other lanes then run the lints, and the long suite checks the
/// documentation.
fn lint_lane(lane: &mut Lane<'_>, is_alone: bool) -> Result<(), Error> {
    lane.chore("generated tables", &["codegen", "--check"])?;
    lane.chore("prose and messages of commits", &["lint", "--prose"])?;
    lane.build_apart();
    let mut lints = vec![
        ("formatting", words("fmt --all --check")),
        ("formatting, fuzzed inputs", words("fmt --manifest-path=fuzz/Cargo.toml --check")),
    ];
    if is_alone {
        lints.extend([("clippy, native", clippy(&everything())), ("clippy, page", page_clippy())]);
        lints.push(("documentation", [words("doc --locked --no-deps --lib"), natively()].concat()));
    }
    for (name, arguments) in lints {
        let mut command = lane.cargo(arguments);
        lane.step(name, command.env("RUSTDOCFLAGS", "-Dwarnings"))?;
    }
    Ok(())
}

/// Builds, measures, lints and tests the published page. If another lane compiles the page's tests, this function waits for
/// the message of that lane on `is_built`.
fn page_lane(lane: &mut Lane<'_>, browser: &InBrowser, is_built: Option<mpsc::Receiver<()>>) -> Result<(), Error> {
    lane.build_apart();
    // The native tests check the lessons.
    lane.chore("building the page", &["build", "--unread"])?;
    lane.chore("its size", &["size"])?;
    if is_built.is_some() {
        let mut lints = lane.cargo(page_clippy());
        lane.step("clippy, page", &mut lints)?;
    }
    if is_built.is_some_and(|is_built| is_built.recv().is_err()) {
        return Err(Error::Verdict("page: its tests do not compile".to_owned()));
    }
    lane.build_together();
    let mut tests = lane.cargo(of_page(&["--skip", LONG]));
    linted(&mut tests).envs(browser.environment());
    // Only the long suite uses the whole browser.
    if let Some(shell) = find(&engines::SHELLS) {
        tests.env("CHROME", shell);
    }
    lane.tests("the page in Chromium", &mut tests)
}

/// Returns cargo's arguments that lint the page without its tests. The lints use the profile of the page, so that lints
/// and build use the same macros.
fn page_clippy() -> Vec<String> {
    let packages = "--package=app --package=page --package=wasm-streams --package=systolic-python --lib";
    let how = format!("--features=app/split --target={WASM} --profile=wasm-release -- -Dwarnings");
    words(&format!("clippy --locked {packages} {how}"))
}

fn clippy(selection: &[String]) -> Vec<String> {
    [&words("clippy --locked"), selection, &words("--all-targets -- -Dwarnings")].concat()
}

/// Runs all long checks, which rarely fail, in three lanes. The last line on the terminal is `N passed, M failed`.
pub(crate) fn long(root: &Path) -> Result<(), Error> {
    let (browser, mut skipped) = InBrowser::ensure(root)?;
    for program in debian::ensure(&["ffmpeg", "tesseract", "rsvg-convert", "inkscape"]) {
        skipped.push(format!("films or drawings read back by {program}, which is not installed"));
    }
    let browser = &browser.with_runner(root)?;
    let lanes: Vec<(&'static str, u8, Work<'_>)> = vec![
        ("page", 0, Box::new(move |lane| long_page(lane, browser))),
        ("native", 4, Box::new(long_native)),
        ("lint", 8, Box::new(move |lane| long_lint(lane, root, browser))),
    ];
    lanes::run(root, skipped, lanes)
}

/// Tests the page in all hosts, then with all test cases in Chromium, then in Firefox.
fn long_page(lane: &mut Lane<'_>, browser: &InBrowser) -> Result<(), Error> {
    lane.chore("the page in its hosts", &["hosts"])?;
    let mut tests = lane.cargo(of_page(&["--skip", "hosts::"]));
    tests.envs(browser.environment()).env("LONG", "1");
    lane.tests("the page in Chromium, all cases", &mut tests)?;
    lane.chore("the page in Firefox", &["firefox"])
}

/// Runs the long native tests, the mutation test of the formulas, and the checks of hardware and of the packages. Then
/// checks products that chips printed, checks traced matmuls, runs the sweep on Dask, and runs Trunk.
fn long_native(lane: &mut Lane<'_>) -> Result<(), Error> {
    lane.build_apart();
    let mut tests = lane.cargo(words("test --locked --no-fail-fast"));
    tests.args(natively()).args(["--lib", "--bins", "--tests", "--", LONG]).env("LONG", "1");
    lane.tests("long native tests", &mut tests)?;
    let mut tests = lane.cargo(words("test --locked --no-fail-fast --test=all --test=soak"));
    tests.args(natively()).args(["--", "agreement::", "adder::", "random_actions"]).env("LONG", "1");
    lane.tests("all random cases of the core and of the state", &mut tests)?;
    for (name, chore) in [
        ("changed formulas", &["changed"][..]),
        ("hardware of random designs", &["rtl", "--check"]),
        ("the Python package", &["python"]),
        ("the packed packages", &["packages"]),
        ("products that chips printed", &["printed"]),
        ("traced matmuls", &["traced"]),
        ("a slice of the sweep on Dask", &["sweep"]),
        ("trunk build and trunk serve", &["trunk"]),
    ] {
        lane.chore(name, chore)?;
    }
    Ok(())
}

/// Runs lints that rarely fail, the tests of all crates in Chromium, and the build of the book. The lints check targets
/// that [`lint_lane`] leaves out, and browser code in crates that are also linted natively.
fn long_lint(lane: &mut Lane<'_>, root: &Path, browser: &InBrowser) -> Result<(), Error> {
    lane.build_apart();
    let (target, packages) = (words(&format!("--target={WASM}")), in_browser(root)?);
    for (name, arguments) in [
        ("clippy, native", clippy(&everything())),
        ("documentation", [words("doc --locked --no-deps --lib"), natively()].concat()),
        ("clippy, browser", clippy(&[packages.clone(), target.clone()].concat())),
        ("documentation, page", [words("doc --locked --no-deps --lib --package=app"), target].concat()),
    ] {
        let mut command = lane.cargo(arguments);
        lane.step(name, command.env("RUSTDOCFLAGS", "-Dwarnings"))?;
    }
    let mut tests = lane.cargo(on_wasm(&packages));
    lane.tests("all crates in Chromium", tests.envs(browser.environment()))?;
    lane.chore("the book", &["book"])
}

/// Runs the tests of one package, or the tests of the page. A package can have native tests and tests in a browser.
///
/// # Errors
/// [`Error::Failed`] if the name is unknown. The message lists the known names. Otherwise returns the error of the first
/// step that fails.
pub(crate) fn of_crate(root: &Path, name: &str) -> Result<(), Error> {
    let packages = packages(root)?;
    if name == "page" {
        let (browser, skipped) = InBrowser::ensure(root)?;
        page::build(root, None)?;
        return lanes::run_one(root, "page", skipped, |lane| {
            let mut tests = lane.cargo(of_page(&[]));
            lane.tests("tests of the shipped page", tests.envs(browser.environment()))
        });
    }
    let Some(package) = packages.iter().find(|package| package.folder == name) else {
        let names: Vec<&str> = packages.iter().map(|package| package.folder.as_str()).collect();
        return Err(Error::Failed(format!("there is no crate {name}; the crates are {}, page", names.join(", "))));
    };
    let (browser, skipped) = match package.in_browser {
        true => InBrowser::ensure(root).and_then(|(browser, skipped)| Ok((browser.with_runner(root)?, skipped)))?,
        false => (InBrowser(vec![]), vec![]),
    };
    lanes::run_one(root, "tests", skipped, |lane| {
        let selection = vec![format!("--package={}", package.name)];
        if !BROWSER_ONLY.contains(&package.name.as_str()) {
            let mut tests = lane.cargo([&words("test --locked --no-fail-fast"), &selection[..]].concat());
            lane.tests(&format!("{name}, native"), &mut tests)?;
        }
        if package.in_browser {
            let mut tests = lane.cargo(on_wasm(&selection));
            lane.tests(&format!("{name}, in Chromium"), tests.envs(browser.environment()))?;
        }
        Ok(())
    })
}

/// Builds the page of every host, and tests the playground in each of these host pages.
pub(crate) fn hosts(root: &Path) -> Result<(), Error> {
    let (browser, mut skipped) = InBrowser::ensure(root)?;
    page::build(root, None)?;
    skipped.extend(step("pages of hosts", || Ok(hosts::make(root)))?);
    lanes::run_one(root, "hosts", skipped, |lane| {
        let mut tests = lane.cargo(of_page(&["hosts::"]));
        lane.tests("tests of the page in its hosts", tests.envs(browser.environment()))
    })
}

/// Runs the tests of [`IN_FIREFOX`] in Firefox, with the built page. Without Firefox, records a skipped check.
pub(crate) fn firefox(root: &Path) -> Result<(), Error> {
    let (browser, skipped) = InBrowser::ensure(root)?;
    let found = step("Firefox and geckodriver", || Ok(Engine::Firefox.ensure(root)))?;
    lanes::run_one(root, "firefox", skipped, |lane| {
        if let Err(error) = found {
            lane.skip(format!("the page in Firefox: {error}"));
            return Ok(());
        }
        let skipped = NOT_IN_FIREFOX.iter().flat_map(|&name| ["--skip", name]);
        let mut tests = lane.cargo(of_page(&IN_FIREFOX.into_iter().chain(skipped).collect::<Vec<_>>()));
        lane.tests(
            "core of the page's tests in Firefox",
            tests.envs(browser.environment()).env("ENGINE", Engine::Firefox.id()),
        )
    })
}

/// Repeats the random tests in rounds until the requested time has passed, at least one round. Each round has another
/// seed, and also fuzzes the entry points, guided by coverage.
///
/// # Errors
/// Fails if a test or an entry point fails. The message names the seed that reproduces the failure.
pub(crate) fn soak(root: &Path, minutes: u64, seed: Option<u64>) -> Result<(), Error> {
    let time = Duration::from_secs(60 * minutes);
    let first = seed.unwrap_or_else(crate::clock_seed);
    let (browser, mut skipped) = InBrowser::ensure(root)?;
    page::build(root, None)?;
    let fuzzer = step("AFL++", || Ok(fuzz::Fuzzer::ensure(root)))?;
    let fuzzer =
        fuzzer.map_err(|reason| skipped.push(format!("a search for texts that break an entry point: {reason}"))).ok();
    // A long walk on one page shows memory growth.
    let walk = (minutes * 2 / 3).clamp(1, 60).to_string();
    lanes::run_one(root, "soak", skipped, move |lane| {
        let begun = Instant::now();
        for round in 1_u64.. {
            // Some tests use thousands of consecutive seeds from this one, so rounds are 10,000 seeds apart.
            let number = first + 10_000 * (round - 1);
            let seed = number.to_string();
            println!("\nround {round}, seed {seed}, after {}", elapsed(begun.elapsed()));
            let seeded = [("SEED", &seed[..]), ("PROPTEST_RNG_SEED", &seed), ("KEYS", KEYS), ("PAGE_MINUTES", &walk)];
            let mut native = lane.cargo([words("test --locked --no-fail-fast"), natively()].concat());
            let mut on_page = lane.cargo(of_page(&["random_keys::", "walk::", "--show-output"]));
            on_page.envs(seeded).envs(browser.environment());
            lane.tests("native tests", native.envs(seeded))
                .and_then(|()| lane.tests("random keys and a walk on the page", &mut on_page))
                .map_err(|error| {
                    Error::Verdict(format!("{error}; `cargo xtask soak --minutes 1 --seed {seed}` shows it again"))
                })?;
            if let Some(fuzzer) = fuzzer {
                fuzzer.search(number, fuzz::SECONDS, None)?;
            }
            if begun.elapsed() >= time {
                break;
            }
        }
        Ok(())
    })
}

/// Compares the hardware of random designs with the simulator core, in every program, at every register and cycle.
///
/// # Errors
/// Fails if a program is missing or a design differs. The message names the seed that reproduces the difference.
pub(crate) fn hardware(root: &Path, designs: u64, seed: Option<u64>) -> Result<(), Error> {
    let seed = seed.unwrap_or_else(|| crate::clock_seed() % u64::from(u32::MAX));
    let missing = step("Icarus Verilog, Verilator and Yosys", || Ok(debian::ensure(&SIMULATORS)))?;
    if !missing.is_empty() {
        let remedy = "install Debian's packages of these names, or put the programs on PATH";
        return Err(Error::missing(&missing.join(", "), remedy));
    }
    step(&format!("{designs} designs from seed {seed}"), || {
        let mut command = cargo(root, &["test", "--locked", "--package=rtl", "--test=hardware", "--", "--nocapture"]);
        command.env("HARDWARE", "1").env("SEED", seed.to_string()).env("DESIGNS", designs.to_string());
        let again = format!("`cargo xtask rtl --check --seed {seed} --designs {designs}` shows it again");
        run("hardware", &mut command).map_err(|_| Error::Verdict(format!("hardware differs; {again}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_the_folders_of_src_and_the_whole() {
        let packages = packages(&crate::root()).unwrap();
        let of = |folder: &str| packages.iter().filter(|package| package.folder == folder).collect::<Vec<_>>();
        for folder in ["systolic", "perfmodel", "workload", "studio", "app", "cli", "xtask", "whole"] {
            assert_eq!(of(folder).len(), 1, "{folder} among {packages:?}");
        }
        assert!(of("page").is_empty() && of("cli")[0].name == "systolic-cli");
        assert!(of("systolic")[0].in_browser && of("app")[0].in_browser && !of("cli")[0].in_browser);
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        let error = of_crate(&crate::root(), "kitchen").unwrap_err().to_string();
        assert!(error.starts_with("there is no crate kitchen; the crates are app, ask, cli, "), "{error}");
        assert!(error.contains("systolic, whole, ") && error.contains("xtask, page"), "{error}");
    }
}
