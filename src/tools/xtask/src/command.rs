//! Commands of `cargo xtask`, with their options.

use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand, value_parser};
use publish::{Address, size};

use crate::process::{cargo, run as run_program, step};
use crate::suite::{self, Part};
use crate::{
    Error, book, codegen, commits, dist, formulas, fuzz, packages, page, prose, pyodide, python, serve, tools, trunk,
};

/// Project commands.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true, term_width = 110)]
#[command(after_help = "Tools are taken from .tools, PATH or cargo's folder if their version fits; the first run \
                        builds what is missing.")]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Builds the page, serves it on 127.0.0.1 and opens a browser
    Serve {
        /// Port, by default 8080 or, if it is in use, any free port
        #[arg(long)]
        port: Option<u16>,
        #[arg(long)]
        no_open: bool,
    },
    /// Builds the page into dist
    Build {
        /// Address of the published page, so that other pages can show a card with a picture for links to the page
        #[arg(long, value_name = "ADDRESS", value_parser = Address::parse)]
        at: Option<Address>,
        /// Does not check the lessons
        #[arg(long, conflicts_with = "at")]
        unread: bool,
    },
    /// Builds the page, then writes the files of a release into target/dist, and the page into the Python package
    Dist {
        #[arg(long, value_name = "ADDRESS", value_parser = Address::parse)]
        at: Option<Address>,
        /// Builds everything twice, in two folders, and compares every file
        #[arg(long, conflicts_with = "at")]
        check: bool,
    },
    /// Runs all checks of a change in three parallel lanes, or the tests of one crate
    Test {
        /// Folder of src, `whole` (rules and data of the whole project) or `page` (the published page)
        #[arg(value_name = "CRATE", conflicts_with = "lane")]
        part: Option<String>,
        /// Only lane to run
        #[arg(long)]
        lane: Option<Part>,
    },
    /// Runs the slow checks, which take up to an hour
    Long,
    /// Builds the pages of examples/hosts with their programs, and tests the page in them
    Hosts,
    /// Runs a selection of the page's tests in Firefox
    Firefox,
    /// Compares runs with products that real chips printed
    Printed,
    /// Compares matmuls that systolic_matmuls.py traces with formulas, counters and configurations
    Traced,
    /// Runs a slice of examples/sweep on Dask
    Sweep,
    /// Changes formulas of the core in a copy, and requires that the tests of the lessons fail
    Changed,
    /// Runs the random tests with one seed after another
    Soak {
        #[arg(long, default_value_t = 30, value_parser = value_parser!(u64).range(1..=10_000))]
        minutes: u64,
        // Tests count up from the seed, so it must be far below the largest number of their type.
        #[arg(long, value_parser = value_parser!(u64).range(1..=u64::from(u32::MAX)))]
        seed: Option<u64>,
    },
    /// Searches for a text that breaks an entry point for untrusted text, guided by coverage
    Fuzz {
        /// Time for each entry point
        #[arg(long, default_value_t = fuzz::SECONDS, value_parser = value_parser!(u64).range(1..=86_400))]
        seconds: u64,
        #[arg(long, value_parser = value_parser!(u64).range(1..=u64::from(u32::MAX)))]
        seed: Option<u64>,
        /// Only entry point to search
        target: Option<String>,
    },
    /// Compares the hardware of random designs, in Icarus Verilog, Verilator and Yosys, with the simulator core
    Rtl {
        #[arg(long, required = true)]
        check: bool,
        #[arg(long, default_value_t = 40, value_parser = value_parser!(u64).range(1..=10_000))]
        designs: u64,
        #[arg(long, value_parser = value_parser!(u64).range(1..=u64::from(u32::MAX)))]
        seed: Option<u64>,
    },
    /// Builds the Python package of python/ in an environment in target, and tests it
    Python,
    /// Builds the wheel of the Python package for Pyodide, Python in a browser, into target/pyodide
    Pyodide,
    /// Packs the npm package and the Python package with the built page, installs the packed files into clean folders,
    /// and runs their examples there
    Packages,
    /// Builds and serves the page with Trunk in a fresh copy of the project
    Trunk,
    /// Prints the size of the page, and compares it with its budget
    Size,
    /// Builds the page and measures start, readiness and opening of parts on a slow line
    Measure,
    /// Makes the film and the pictures of README with the page in Chromium
    Film,
    /// Checks documents, prose, messages of commits, formatting, clippy and documentation
    Lint {
        /// Checks only documents, prose and messages of commits
        #[arg(long)]
        prose: bool,
    },
    /// Writes the tables of chips and of training runs
    Codegen {
        /// Checks that the tables are current, and writes nothing
        #[arg(long)]
        check: bool,
    },
    /// Checks the documents, and writes the book with its pictures into dist/docs
    Book,
    /// Finds Trunk and wasm-bindgen for `trunk serve`, or builds them in .tools
    Setup,
}

/// Runs the command of the command line, and prints its error.
#[must_use]
#[expect(clippy::print_stderr, reason = "a command line speaks through its terminal")]
pub fn main() -> ExitCode {
    match run(Line::parse().command, &crate::root()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            error.exit_code()
        }
    }
}

fn run(command: Command, root: &Path) -> Result<(), Error> {
    match command {
        Command::Serve { port, no_open } => serve::run(root, port, !no_open),
        Command::Build { unread: true, .. } => tools::ensure(root).and_then(|()| page::build_unread(root)),
        Command::Build { at, .. } => tools::ensure(root).and_then(|()| page::build(root, at.as_ref())),
        Command::Dist { check: true, .. } => tools::ensure(root).and_then(|()| dist::check(root)),
        Command::Dist { at, .. } => tools::ensure(root).and_then(|()| dist::run(root, at.as_ref())),
        Command::Test { part: Some(part), .. } => suite::of_crate(root, &part),
        Command::Test { lane, .. } => suite::of_change(root, lane),
        Command::Long => suite::long(root),
        Command::Hosts => suite::hosts(root),
        Command::Firefox => suite::firefox(root),
        Command::Printed => python::printed(root),
        Command::Traced => python::traced(root),
        Command::Sweep => python::sweep(root),
        Command::Changed => formulas::run(root),
        Command::Soak { minutes, seed } => suite::soak(root, minutes, seed),
        Command::Fuzz { seconds, seed, target } => fuzz::run(root, seconds, seed, target.as_deref()),
        Command::Rtl { designs, seed, .. } => suite::hardware(root, designs, seed),
        Command::Python => python::run(root),
        Command::Pyodide => tools::ensure(root).and_then(|()| pyodide::wheel(root)).map(drop),
        Command::Packages => packages::run(root),
        Command::Trunk => trunk::run(root),
        Command::Size => size::print(root),
        Command::Measure => {
            with_page(root, "measuring", &["bench", "-p", "benches", "--features", "browser", "--bench", "opening"])
        }
        Command::Film => {
            with_page(root, "filming", &["run", "-p", "whole", "--features", "whole/browser", "--bin", "film"])
        }
        Command::Lint { prose: true } => {
            prose::check(root)?;
            book::check(root)?;
            commits::check(root)
        }
        Command::Lint { prose: false } => suite::of_change(root, Some(Part::Lint)),
        Command::Codegen { check } => codegen::run(root, check),
        Command::Book => book::run(root),
        Command::Setup => tools::with_runner(root).and_then(|_| tools::trunk(root)).map(drop),
    }
}

/// Builds the page, then runs a program of the project that opens the page.
fn with_page(root: &Path, name: &str, program: &[&str]) -> Result<(), Error> {
    tools::ensure(root)?;
    page::build(root, None)?;
    step(name, || run_program(name, &mut cargo(root, program)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::fs;

    /// Returns the commands of `cargo` in the code of a document. Placeholders in capital letters become numbers or
    /// names, and brackets around optional parts are removed.
    fn commands_of_cargo(document: &str) -> Vec<Vec<String>> {
        let blocks = document.lines().filter_map(|line| line.trim_start().strip_prefix("cargo "));
        let inline = document.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("cargo "));
        let word = |word: &str| match word {
            "N" | "S" | "MINUTES" => "7".to_owned(),
            "LANE" => "lint".to_owned(),
            "CRATE" => "systolic".to_owned(),
            word => word.to_owned(),
        };
        let words = |command: &str| -> Vec<String> {
            let command = command.split("  #").next().unwrap_or_default().replace(['[', ']'], "");
            command.split_whitespace().map(word).collect()
        };
        blocks.chain(inline).map(words).filter(|words| !words.is_empty()).collect()
    }

    #[test]
    fn every_command_of_cargo_in_the_documents_exists() {
        let root = crate::root();
        let sources = crate::files::tracked(&root).unwrap();
        let manifests = sources.iter().filter(|path| path.ends_with("Cargo.toml"));
        let manifests: String = manifests.map(|path| fs::read_to_string(root.join(path)).unwrap()).collect();
        let is_target = |name: &str| {
            let ends = [format!("/{name}.rs"), format!("/{name}/main.rs")];
            manifests.contains(&format!("name = \"{name}\""))
                || sources.iter().any(|path| ends.iter().any(|end| path.ends_with(end)))
        };
        let is_document = |path: &&String| path.ends_with(".md") && (path.starts_with("docs/") || !path.contains('/'));
        let mut n = 0;
        for path in sources.iter().filter(is_document) {
            for words in commands_of_cargo(&fs::read_to_string(root.join(path)).unwrap()) {
                let command = format!("{path}: cargo {}", words.join(" "));
                n += 1;
                if words[0] == "xtask" && words.len() > 1 {
                    let line = Line::try_parse_from(&words);
                    assert!(line.is_ok(), "{command}: {}", line.unwrap_err());
                }
                for pair in words.windows(2) {
                    let names = ["-p", "--test", "--bench", "--example"].contains(&pair[0].as_str());
                    assert!(!names || is_target(&pair[1]), "{command}: {} does not exist", pair[1]);
                }
            }
        }
        assert!(n > 50, "only {n} commands found");
    }

    #[test]
    fn the_command_line_is_sound_and_names_wrong_values() {
        Line::command().debug_assert();
        for (line, words) in [
            ("soak --minutes 0", "--minutes"),
            ("fuzz --seed x", "--seed"),
            ("rtl --designs 5", "--check"),
            ("test --lane kitchen", "lint, native, page"),
            ("serve --port x", "--port"),
            ("build --at https://example.org", "of a folder is allowed"),
            ("fuzz link a", "unexpected argument 'a'"),
        ] {
            let error = Line::try_parse_from(format!("xtask {line}").split(' ')).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
