//! `cargo xtask`: the project's commands by name.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line speaks through its terminal")]

mod codegen;
mod serve;

use std::process::ExitCode;
use std::time::Duration;

use xtask::preview::Address;
use xtask::process::{self, cargo};
use xtask::steps::Steps;
use xtask::{
    Error, book, dist, figures, formulas, fuzz, gate, hardware, lint, long, origin, packages, page, printed, prose,
    pyodide, python, rooms, root, size_report, soak, suite, sweep, tools, trunk,
};

const HELP: &str = "cargo xtask <command>

  serve [--port N] [--no-open]   build the page, serve it on 127.0.0.1 and open a browser
  build [--at ADDRESS]           build the page into dist; with its address, other pages can show a card with a picture for links
                                 to it
  dist [--at ADDRESS]            build, then write the files of a release into target/dist: the page in one file and as a ZIP,
                                 challenges for course systems, checksums; and the page into the Python package
  build --unread                 build the page without checking the lessons
  dist --check                   build it twice, in two folders, and compare every file
  test [CRATE]                   run all checks of a change in three parallel lanes; or run the tests of one crate: a folder
                                 of src, `whole` (rules and data of the whole) or `page` (the published page)
  test --lane LANE               one of the three lanes: lint, native or page
  long                           run the slow checks, up to an hour
  hosts                          build the pages of examples/hosts with their programs, and test the page in them
  firefox                        run the core of the page's tests in Firefox
  printed                        compare runs with products that real chips printed
  sweep                          run a slice of examples/sweep on Dask
  changed                        change formulas of the core in a copy, and require that the tests of the lessons fail
  soak [--minutes N] [--seed S]  run the random tests with one seed after another, for 30 minutes or N
  fuzz [--seconds N] [--seed S] [TARGET [FILE]]
                                 search for a text that breaks an entry point for untrusted text, guided by coverage,
                                 for 60 s each or N; with FILE, test that text again
  rtl --check [--seed S] [--designs N]
                                 compare 40 random designs, or N, as hardware in Icarus Verilog, Verilator and Yosys
  python                         build the Python package of python/ in an environment in target, and test it
  pyodide                        build the wheel of the Python package for Pyodide, Python in a browser, into target/pyodide
  packages                       pack the npm package and the Python package with the built page, install the packed files into
                                 clean folders, and run their examples there
  trunk                          build and serve the page with Trunk in a fresh copy of the project
  size [--by-crate | --by-origin]
                                 print the size of the page with its budget, the code of each part by crate, or all bytes by origin
  measure                        build the page and measure start, readiness and opening of parts on a slow line
  film                           make the film and the pictures of README with the page in Chromium
  lint [--prose]                 check documents, prose, formatting, clippy and documentation, or only documents and prose
  codegen [--check]              write the chip table and the figures of documents, or check that they are current
  book                           build the book over docs with mdBook, into target/book/html
  setup                          find the build tools, or build them in .tools, with Trunk for `trunk serve`
  help                           print this text

Tools are taken from .tools, PATH or cargo's folder if their version fits; the first run builds what is missing.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            error.exit_code()
        }
    }
}

/// Checks the prose of all texts, and the links, line lengths and numbers of documents.
fn documents(root: &std::path::Path) -> Result<(), Error> {
    prose::check(root).and_then(|()| book::check(root))
}

/// Returns the address after `--at`, or `None` without options.
fn address(options: &[&str]) -> Result<Option<Address>, Error> {
    match options {
        [] => Ok(None),
        ["--at", at] => Address::parse(at).map(Some),
        ["--at"] => Err(Error::Usage("--at needs an address".to_owned())),
        [other, ..] => Err(Error::Usage(format!("it knows no {other}"))),
    }
}

/// Builds the page, then runs a program of the project that opens the page.
fn with_page(root: &std::path::Path, name: &str, estimate: Duration, program: &[&str]) -> Result<(), Error> {
    let estimates = [&tools::estimates(root)?[..], &page::estimates(root), &[estimate]].concat();
    let mut steps = Steps::estimated(estimates);
    tools::ensure(root, &mut steps)?;
    page::build(root, &mut steps)?;
    steps.run(name, || process::run(name, &mut cargo(root, program)))
}

fn run(arguments: &[&str]) -> Result<(), Error> {
    let root = root();
    match arguments {
        [] | ["help" | "--help" | "-h", ..] => {
            println!("{HELP}");
            Ok(())
        }
        ["serve", options @ ..] => serve::run(&root, &serve::Request::parse(options)?),
        ["build", "--unread"] => {
            let mut steps = Steps::estimated([&tools::estimates(&root)?[..], &page::estimates(&root)[1..]].concat());
            tools::ensure(&root, &mut steps)?;
            page::build_unread(&root, &mut steps)
        }
        ["build", at @ ..] => {
            let at = address(at)?;
            let mut steps = serve::steps(&root)?;
            tools::ensure(&root, &mut steps)?;
            page::build_at(&root, &mut steps, at.as_ref())
        }
        ["dist", at @ ..] if at != ["--check"] => {
            let at = address(at)?;
            let estimates =
                [&tools::estimates(&root)?[..], &page::estimates(&root), &book::ESTIMATES, &[dist::ESTIMATE]].concat();
            let mut steps = Steps::estimated(estimates);
            tools::ensure(&root, &mut steps)?;
            dist::run(&root, &mut steps, at.as_ref())?;
            println!("Written to {}", dist::folder(&root).display());
            Ok(())
        }
        ["dist", "--check"] => {
            // The second build starts from nothing.
            let again = [Duration::from_secs(5), Duration::from_secs(40), Duration::from_secs(110)];
            let rest = [&[Duration::ZERO, Duration::from_secs(15)][..], &book::ESTIMATES, &[dist::ESTIMATE]].concat();
            let first =
                [&tools::estimates(&root)?[..], &page::estimates(&root), &book::ESTIMATES, &[dist::ESTIMATE]].concat();
            let mut steps = Steps::estimated([&first[..], &again, &rest].concat());
            tools::ensure(&root, &mut steps)?;
            dist::check(&root, &mut steps)?;
            println!("Built twice, in two folders: every file is the same.");
            Ok(())
        }
        ["test"] => gate::run(&root, None),
        ["test", "--lane", lane] => gate::run(&root, Some(gate::Part::named(lane)?)),
        ["test", "--lane"] => Err(Error::Usage("--lane needs a lane: lint, native or page".to_owned())),
        ["long"] => long::run(&root),
        ["book"] => book::run(&root),
        ["firefox"] => suite::run_in_firefox(&root),
        ["printed"] => printed::run(&root),
        ["sweep"] => sweep::run(&root),
        ["test", room] => suite::run_room(&root, &rooms::named(&root, room)?),
        ["hosts"] => suite::run_hosts(&root),
        ["pyodide"] => {
            tools::ensure(&root, &mut Steps::new(tools::STEPS))?;
            pyodide::wheel(&root).map(|wheel| println!("Written to {}", wheel.display()))
        }
        ["packages"] => packages::run(&root),
        ["trunk"] => trunk::run(&root),
        ["changed"] => formulas::run(&root, &mut Steps::estimated(formulas::estimates().to_vec())),
        ["soak", options @ ..] => soak::run(&root, soak::Request::parse(options)?),
        ["fuzz", options @ ..] => fuzz::run(&root, &fuzz::Request::parse(options)?),
        ["rtl", options @ ..] => hardware::run(&root, hardware::Request::parse(options)?),
        ["python"] => python::run(&root),
        ["size"] => size_report::print(&root),
        ["size", "--by-crate"] => size_report::print_by_crate(&root),
        ["size", "--by-origin"] => origin::print(&root),
        ["measure"] => {
            let opening = ["bench", "-p", "benches", "--features", "browser", "--bench", "opening"];
            with_page(&root, "measuring in Chromium", Duration::from_secs(120), &opening)
        }
        ["film"] => {
            let film = ["run", "-p", "whole", "--features", "whole/browser", "--bin", "film"];
            with_page(&root, "filming in Chromium", Duration::from_secs(60), &film)
        }
        ["lint"] => documents(&root).and_then(|()| lint::run_all(&root)),
        ["lint", "--prose"] => documents(&root),
        ["codegen"] => codegen::run(&root, false).map_err(Error::Malformed).and_then(|()| figures::run(&root, false)),
        ["codegen", "--check"] => {
            codegen::run(&root, true).map_err(Error::Verdict).and_then(|()| figures::run(&root, true))
        }
        ["setup"] => {
            let mut estimates = tools::estimates(&root)?.to_vec();
            estimates.push(tools::trunk_estimate(&root));
            let mut steps = Steps::estimated(estimates);
            tools::ensure(&root, &mut steps)?;
            tools::ensure_trunk(&root, &mut steps)
        }
        _ => Err(Error::Usage(format!("there is no `cargo xtask {}`", arguments.join(" ")))),
    }
}
