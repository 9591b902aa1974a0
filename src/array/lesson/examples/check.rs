//! Reads lesson files, and prints the first mistake of each file with its line and column. A build of the page runs
//! this check first. Usage: `cargo run -p lesson --example check course/lessons/wave.md`.

use std::io::{self, Write};
use std::process::ExitCode;

use lesson::{Lesson, words};

/// Returns the first mistake in a lesson, or the reason why the file cannot be read. `None` if the lesson has no
/// mistake.
fn mistake(path: &str) -> Option<String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(why) => return Some(format!("{path}: {why}")),
    };
    Lesson::read(&text).err().map(|mistake| format!("{path}:{}", words::mistake(&mistake)))
}

fn main() -> io::Result<ExitCode> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let mistakes: Vec<String> = paths.iter().filter_map(|path| mistake(path)).collect();
    for mistake in &mistakes {
        writeln!(io::stderr(), "{mistake}")?;
    }
    writeln!(io::stdout(), "{} of {} can be read", paths.len() - mistakes.len(), paths.len())?;
    Ok(if mistakes.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
