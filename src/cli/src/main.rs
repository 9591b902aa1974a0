//! The program `systolic`: simulates the array of the page on the command line, without a screen.
//!
//! Each command has its own file. Commands read and write plain CSV or JSON. Each problem is printed as one sentence on
//! standard error, and the exit code is then 2.

mod arguments;
mod ask;
mod cast;
mod check;
mod command;
mod count;
mod define;
mod design;
mod header;
mod help;
mod link;
mod matrix;
mod model;
mod parser;
mod problem;
mod progress;
mod rtl;
mod run;
mod schema;
mod state;
mod terminal;
mod time;
mod trace;
mod words;
mod worksheet;

use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::process::ExitCode;

use arguments::Arguments;
use command::Command;
use problem::Problems;

fn run(arguments: &Arguments, out: &mut impl io::Write) -> Result<(), Problems> {
    match arguments.command {
        Command::Count => count::command(arguments, out),
        Command::Trace => trace::command(arguments, out),
        Command::Run => run::command(arguments, out),
        Command::State => state::command(arguments, out),
        Command::Cast => cast::command(arguments, out),
        Command::Svg => link::svg(arguments, out),
        Command::Export => link::export(arguments, out),
        Command::Rtl => rtl::command(arguments, out),
        Command::Report => link::report(arguments, out),
        Command::Time => time::command(arguments, out),
        Command::Model => model::command(arguments, out),
        Command::Ask => ask::command(arguments, out),
        Command::Check => check::command(arguments, out),
        Command::Define => define::command(arguments, out),
        Command::Worksheet => worksheet::command(arguments, out),
        Command::Completions => help::completions(arguments, out),
        Command::Help => help::command(arguments, out),
        Command::Version => Ok(writeln!(out, "systolic {}", env!("CARGO_PKG_VERSION"))?),
    }
}

fn main() -> ExitCode {
    let stdout = io::stdout().lock();
    // Columns of a table pass through unchanged, but a terminal would execute control characters in them.
    let to: Box<dyn io::Write> =
        if stdout.is_terminal() { Box::new(terminal::Terminal::new(stdout)) } else { Box::new(stdout) };
    let mut out = BufWriter::new(to);
    let done = Arguments::read().and_then(|arguments| run(&arguments, &mut out));
    let done = done.and_then(|()| out.flush().map_err(Problems::from));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closes the pipe needs no more output.
        Err(problems) if problems.is_closed_pipe() => ExitCode::SUCCESS,
        Err(problems) => {
            let _ = out.flush();
            let _ = write!(io::stderr(), "{problems}");
            ExitCode::from(2)
        }
    }
}
