//! Runs the command as a user does.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) fn fed(arguments: &[&str], input: &str) -> Output {
    fed_bytes(arguments, input.as_bytes())
}

pub(crate) fn fed_bytes(arguments: &[&str], input: &[u8]) -> Output {
    run(Command::new(env!("CARGO_BIN_EXE_systolic")).args(arguments), input)
}

/// Runs the command in a folder.
pub(crate) fn fed_in(folder: &Path, arguments: &[impl AsRef<OsStr>], input: &str) -> Output {
    run(Command::new(env!("CARGO_BIN_EXE_systolic")).args(arguments).current_dir(folder), input.as_bytes())
}

fn run(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_owned();
    // A command that reads nothing closes the pipe early.
    let feeding = std::thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child.wait_with_output().expect("ends");
    feeding.join().expect("fed");
    output
}

pub(crate) fn systolic(arguments: &[&str]) -> Output {
    fed(arguments, "")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

pub(crate) fn told(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}
