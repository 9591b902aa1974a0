//! Project commands: tools, builds, server, tests, page size, release files. The crate `publish` makes the page;
//! `docs/testing.md` explains the tests.
#![expect(clippy::print_stdout, reason = "a command line speaks through its terminal")]

pub mod axe;
pub mod book;
mod codegen;
mod command;
mod commits;
mod debian;
mod dist;
pub mod engines;
mod figures;
mod formulas;
mod fuzz;
mod headers;
pub mod hosts;
mod lanes;
mod npm;
mod packages;
pub mod prose;
mod pyodide;
mod python;
mod serve;
pub mod server;
mod suite;
mod tools;
mod trunk;

pub use command::main;
pub use publish::{Error, root};

use publish::{encoding, file_name, files, page, process, scorm, single, target, text_if_there};

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the default seed of random checks, which is different each second.
fn clock_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs())
}
