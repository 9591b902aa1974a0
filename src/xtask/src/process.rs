//! Running other programs: found on PATH, shown to the reader, judged by how they end.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Error;

/// The first of `names` that is a file in a folder of PATH.
#[must_use]
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    names.iter().find_map(|name| find_in(&folders, name))
}

/// `name` as a file in one of `folders`.
#[must_use]
pub fn find_in(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX))).find(|path| path.is_file())
}

/// PATH with `folders` in front.
#[must_use]
pub fn path_with(folders: &[PathBuf]) -> OsString {
    let rest = env::var_os("PATH").unwrap_or_default();
    let folders = folders.iter().cloned().chain(env::split_paths(&rest));
    env::join_paths(folders).unwrap_or(rest)
}

/// A cargo call at the project's top folder, by the cargo that runs this chore when there is one.
#[must_use]
pub fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(arguments);
    command
}

/// Runs `command` with its output shown; a bad end is the failure of step `name`.
///
/// # Errors
/// The program cannot be started, or it ends with an error.
pub fn run(name: &str, command: &mut Command) -> Result<(), Error> {
    let status = command.status().map_err(Error::io(format!("start {}", program(command))))?;
    if status.success() { Ok(()) } else { Err(Error::Step(name.to_owned())) }
}

/// What `command` prints, trimmed; nothing when it cannot be started or ends with an error.
#[must_use]
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs `command`, shows every line of its output as it comes and hands it to `each`; true when it ends well.
///
/// # Errors
/// The program cannot be started or waited for.
pub fn tee(command: &mut Command, mut each: impl FnMut(&str)) -> Result<bool, Error> {
    let doing = format!("run {}", program(command));
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(Error::io(&doing))?;
    if let Some(output) = child.stdout.take() {
        let mut lines = BufReader::new(output);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).map_err(Error::io(&doing))? > 0 {
            let text = String::from_utf8_lossy(&line);
            print!("{text}");
            each(text.trim_end());
            line.clear();
        }
    }
    Ok(child.wait().map_err(Error::io(&doing))?.success())
}

fn program(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}
