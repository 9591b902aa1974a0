//! The program `systolic`: simulates the array of the page on the command line, without a screen.
//!
//! Each command has its own file. Commands read and write plain CSV or JSON. Each problem is printed as one sentence on
//! standard error, and the exit code is then 2.

mod ask;
mod cast;
mod check;
mod command;
mod count;
mod define;
mod design;
mod entries;
mod header;
mod help;
mod link;
mod matrix;
mod model;
mod options;
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

use command::Command;
use problem::Problems;

fn run(command: &Command, out: &mut impl io::Write) -> Result<(), Problems> {
    match command {
        Command::Count(options) => count::command(options, out),
        Command::Trace(options) => trace::command(options, out),
        Command::Run(options) => run::command(options, out),
        Command::State(options) => state::command(options, out),
        Command::Cast(options) => cast::command(options, out),
        Command::Svg(options) => link::svg(options, out),
        Command::Export(options) => link::export(options, out),
        Command::Rtl(options) => rtl::command(options, out),
        Command::Report(options) => link::report(options, out),
        Command::Time(options) => time::command(options, out),
        Command::Model(options) => model::command(options, out),
        Command::Ask(options) => ask::command(options, out),
        Command::Check(options) => check::command(options, out),
        Command::Define(options) => define::command(options, out),
        Command::Worksheet(options) => worksheet::command(options, out),
        Command::Completions(options) => {
            help::completions(options, out);
            Ok(())
        }
        Command::Help(options) => help::command(options, out),
        Command::Version => Ok(writeln!(out, "systolic {}", env!("CARGO_PKG_VERSION"))?),
    }
}

fn main() -> ExitCode {
    let stdout = io::stdout().lock();
    // Columns of a table pass through unchanged, but a terminal would execute control characters in them.
    let to: Box<dyn io::Write> =
        if stdout.is_terminal() { Box::new(terminal::Terminal::new(stdout)) } else { Box::new(stdout) };
    let mut out = BufWriter::new(to);
    let done = command::read().map_err(Problems::from).and_then(|command| run(&command, &mut out));
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
