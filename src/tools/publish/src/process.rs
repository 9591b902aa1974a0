//! Steps of a command with their durations, and other programs: finds them on PATH, shows their output, and checks
//! their exit status.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Error;

/// Prints `name`, does `work`, and prints the duration.
pub fn step<T>(name: &str, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    println!("{name} ...");
    let begun = Instant::now();
    let outcome = work();
    println!("      {} {}", if outcome.is_ok() { "done in" } else { "failed after" }, elapsed(begun.elapsed()));
    outcome
}

/// Formats a duration for a reader: "0.4 s", "2 min 5 s".
pub fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}

/// Returns the path of the first program of `names` that is in a folder of PATH.
#[must_use]
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    names.iter().find_map(|name| find_in(&folders, name))
}

/// Returns the path of the program `name` in the first folder of `folders` that contains this program.
pub fn find_in(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX))).find(|path| path.is_file())
}

/// Returns PATH with `folders` in front.
pub fn path_with(folders: &[PathBuf]) -> OsString {
    let rest = env::var_os("PATH").unwrap_or_default();
    let folders = folders.iter().cloned().chain(env::split_paths(&rest));
    env::join_paths(folders).unwrap_or(rest)
}

/// Returns a command that runs cargo in the project's top folder. The command uses the cargo that started xtask, if
/// there is one.
pub fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(arguments);
    command
}

/// Runs `command`, and shows its output.
///
/// # Errors
/// Fails if the program cannot be started, or ends with an error. The message has `name`.
pub fn run(name: &str, command: &mut Command) -> Result<(), Error> {
    let status = command.status().map_err(Error::io(format!("start {}", command.get_program().display())))?;
    if status.success() { Ok(()) } else { Err(Error::Failed(format!("this step failed: {name}"))) }
}

/// Returns the trimmed output of `command`, or `None` if it cannot be started or ends with an error.
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_reads_like_speech() {
        assert_eq!(elapsed(Duration::from_millis(420)), "0.4 s");
        assert_eq!(elapsed(Duration::from_secs(125)), "2 min 5 s");
    }
}
