//! `cargo xtask`: the chores of the project by name.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line speaks through its terminal")]

mod codegen;
mod serve;

use std::process::ExitCode;

use xtask::steps::Steps;
use xtask::{Error, ledger, lint, page, root, suite, tools};

const HELP: &str = "cargo xtask <command>

  serve [--port N] [--no-open]   build the page, serve it on 127.0.0.1 and open a browser
  build                          build the page into dist
  test                           run every test, natively and in a headless browser
  size [--by-crate]              print the size of the page against its budget
  lint                           formatting, clippy and documentation, natively and for the browser
  codegen [--check]              write the chip table from its data file, or check that it is current
  setup                          install the build tools into .tools, and Trunk for `trunk serve`
  help                           this text

The first run builds wasm-bindgen into .tools, which takes a minute, once.";

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

fn run(arguments: &[&str]) -> Result<(), Error> {
    let root = root();
    match arguments {
        [] | ["help" | "--help" | "-h", ..] => {
            println!("{HELP}");
            Ok(())
        }
        ["serve", options @ ..] => serve::run(&root, &serve::Request::parse(options)?),
        ["build"] => {
            let mut steps = Steps::new(tools::STEPS + page::STEPS);
            tools::ensure(&root, &mut steps)?;
            page::build(&root, &mut steps)
        }
        ["test"] => suite::run_all(&root),
        ["size"] => ledger::print(&root),
        ["size", "--by-crate"] => ledger::print_by_crate(&root),
        ["lint"] => lint::run_all(&root),
        ["codegen"] => codegen::run(&root, false).map_err(Error::Malformed),
        ["codegen", "--check"] => codegen::run(&root, true).map_err(Error::Verdict),
        ["setup"] => {
            let mut steps = Steps::new(tools::STEPS + 1);
            tools::ensure(&root, &mut steps)?;
            tools::ensure_trunk(&root, &mut steps)
        }
        _ => Err(Error::Usage(format!("there is no `cargo xtask {}`", arguments.join(" ")))),
    }
}
