//! `systolic` on the command line: the same machine as the page, without a screen.
//!
//! One command a file. Commands read and write plain CSV or JSON; what cannot be used is one sentence each on the error
//! stream, and the exit code is then 2.

mod arguments;
mod cast;
mod count;
mod define;
mod design;
mod help;
mod link;
mod matrix;
mod model;
mod number;
mod problem;
mod progress;
mod run;
mod state;
mod terminal;
mod time;
mod trace;

use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::process::ExitCode;

use arguments::Arguments;
use problem::Problems;

fn command(arguments: &Arguments, out: &mut impl io::Write) -> Result<(), Problems> {
    const RUN: [&str; 8] = ["a", "b", "array", "dataflow", "dtype", "acc", "pad", "format"];
    const LINK: [&str; 6] = ["gemm", "array", "dataflow", "dtype", "at", "chip"];
    let only = |options: &[&str], takes_design: bool| arguments.only(options, takes_design);
    match arguments.command.as_str() {
        "count" => only(&[], true).and_then(|()| count::command(arguments, out)),
        "trace" => only(&["gemm", "array", "dataflow", "pad"], true).and_then(|()| trace::command(arguments, out)),
        "run" => only(&[&RUN[..], &["passes", "saturate", "flush", "ulp", "json"]].concat(), true)
            .and_then(|()| run::command(arguments, out)),
        "state" => {
            only(&[&RUN[..], &["at", "saturate", "flush"]].concat(), true).and_then(|()| state::command(arguments, out))
        }
        "cast" => {
            only(&["from", "to", "saturate", "flush", "format"], false).and_then(|()| cast::command(arguments, out))
        }
        "svg" => only(&[&LINK[..], &["size"]].concat(), false).and_then(|()| link::svg(arguments, out)),
        "report" => only(&LINK, false).and_then(|()| link::report(arguments, out)),
        "model" => only(
            &estimate::Entry::options().map(estimate::Entry::id).chain(["config", "json"]).collect::<Vec<_>>(),
            false,
        )
        .and_then(|()| model::command(arguments, out)),
        "time" => {
            only(&["chip", "own", "dtype", "per", "against", "by"], false).and_then(|()| time::command(arguments, out))
        }
        "define" => only(&[], false).and_then(|()| define::command(arguments, out)),
        "help" => help::command(out),
        "" => Err(Problems::one(format!("A command is missing: allowed are {COMMANDS}."))),
        other => Err(Problems::one(format!("command = {other}: allowed are {COMMANDS}."))),
    }
}

const COMMANDS: &str = "count, trace, run, state, cast, svg, report, time, model, define, help";

fn main() -> ExitCode {
    let stdout = io::stdout().lock();
    // Columns of a table pass through as they are, but a terminal would obey what is in them.
    let to: Box<dyn io::Write> =
        if stdout.is_terminal() { Box::new(terminal::Terminal::new(stdout)) } else { Box::new(stdout) };
    let mut out = BufWriter::new(to);
    let done = Arguments::read().and_then(|arguments| command(&arguments, &mut out));
    let done = done.and_then(|()| out.flush().map_err(Problems::from));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closes the pipe has seen enough.
        Err(problems) if problems.is_closed_pipe() => ExitCode::SUCCESS,
        Err(problems) => {
            let _ = out.flush();
            let _ = write!(io::stderr(), "{problems}");
            ExitCode::from(2)
        }
    }
}
