//! `systolic` on the command line: the same machine as the page, without a screen.
//!
//! One command a file. Commands read and write plain CSV or JSON; what cannot be used is one sentence each on the error
//! stream, and the exit code is then 2.

mod arguments;
mod cast;
mod count;
mod help;
mod link;
mod matrix;
mod number;
mod problem;
mod run;
mod state;
mod trace;

use std::io::{self, BufWriter, Write as _};
use std::process::ExitCode;

use arguments::Arguments;
use problem::Problems;

fn main() -> ExitCode {
    let stdout = io::stdout().lock();
    let mut out = BufWriter::new(stdout);
    let done = Arguments::read().and_then(|mut arguments| match arguments.command.as_str() {
        "count" => count::command(&mut arguments, &mut out),
        "trace" => trace::command(&mut arguments, &mut out),
        "run" => run::command(&mut arguments, &mut out),
        "state" => state::command(&mut arguments, &mut out),
        "cast" => cast::command(&mut arguments, &mut out),
        "svg" => link::svg(&mut arguments, &mut out),
        "report" => link::report(&mut arguments, &mut out),
        "help" => help::command(&mut out),
        "" => {
            Err(Problems::one("A command is missing: allowed are count, trace, run, state, cast, svg, report, help."))
        }
        other => Err(Problems::one(format!(
            "command = {other}: allowed are count, trace, run, state, cast, svg, report, help."
        ))),
    });
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
