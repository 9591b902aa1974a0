//! Runs steps in parallel lanes, and counts the tests of the steps. The output of a step goes to a file, and is printed
//! if the step fails.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fmt, io, thread};

use crate::Error;
use crate::process::{elapsed, find};

/// Beginning of the line about a skipped check. The reason follows this text.
const SKIPPED: &str = "1 check skipped: ";

/// Prints the reason for a check that this command skips, and succeeds. The suites list this reason at their end.
#[expect(clippy::unnecessary_wraps, reason = "commands end with this function")]
pub(crate) fn skipped(reason: &str) -> Result<(), Error> {
    println!("{SKIPPED}{reason}");
    Ok(())
}

/// Counts of passed and failed tests, and reasons of skipped checks.
#[derive(Debug, Default)]
struct Score {
    passed: u64,
    failed: u64,
    skipped: Vec<String>,
}

/// Shared results of all lanes.
#[derive(Debug)]
struct Board {
    root: PathBuf,
    begun: Instant,
    /// Lane and name of each step, with the time from the start of all lanes to the start of the step, and the
    /// duration.
    done: Mutex<Vec<(String, Duration, Duration)>>,
    score: Mutex<Score>,
}

/// A sequence of steps. The first step that fails ends the lane.
#[derive(Debug)]
pub(crate) struct Lane<'a> {
    name: &'static str,
    board: &'a Board,
    /// Niceness of the lane's processes, as the program `nice` defines it. A higher number is a lower priority.
    niceness: u8,
    /// Target folder of the lane's cargo calls. `None` is cargo's default.
    target: Option<PathBuf>,
    n_steps: usize,
}

/// Function that runs the steps of a lane.
pub(crate) type Work<'a> = Box<dyn FnOnce(&mut Lane<'_>) -> Result<(), Error> + Send + 'a>;

/// Runs one lane. The last line on the terminal is `N passed, M failed`.
pub(crate) fn run_one<'a>(
    root: &Path,
    name: &'static str,
    skipped: Vec<String>,
    work: impl FnOnce(&mut Lane<'_>) -> Result<(), Error> + Send + 'a,
) -> Result<(), Error> {
    run(root, skipped, vec![(name, 0, Box::new(work))])
}

/// Runs all lanes to their ends, and prints the duration of each step, the reasons for skipped checks, and the total
/// numbers of tests. The reasons come from `skipped` and from the steps. A lane has a name, a niceness and its work.
pub(crate) fn run(root: &Path, skipped: Vec<String>, lanes: Vec<(&'static str, u8, Work<'_>)>) -> Result<(), Error> {
    let score = Mutex::new(Score { skipped, ..Score::default() });
    let board = Board { root: root.to_owned(), begun: Instant::now(), done: Mutex::default(), score };
    let ends = thread::scope(|scope| {
        let lanes = lanes.into_iter().map(|(name, niceness, work)| {
            let board = &board;
            scope.spawn(move || work(&mut Lane { name, board, niceness, target: None, n_steps: 0 }))
        });
        let running: Vec<_> = lanes.collect();
        let panicked = || Error::Failed("a lane panicked".to_owned());
        running.into_iter().map(|lane| lane.join().unwrap_or_else(|_| Err(panicked()))).collect::<Vec<_>>()
    });
    println!("\n{:>8}  {:>8}  step", "began s", "took s");
    for (name, began, took) in board.done.lock().expect("all lanes have ended").iter() {
        println!("{:8.0}  {:8.1}  {name}", began.as_secs_f64(), took.as_secs_f64());
    }
    println!("all of it: {}", elapsed(board.begun.elapsed()));
    let end = ends.into_iter().collect::<Result<Vec<()>, Error>>().map(|_| ());
    let mut score = board.score.into_inner().expect("all lanes have ended");
    if let Err(error) = &end {
        println!("stopped: {error}");
        // A step can fail without a failed test, for example if the tests do not compile.
        score.failed = score.failed.max(1);
    }
    println!("{score}");
    end
}

impl Lane<'_> {
    /// Gives later cargo calls of the lane their own target folder, so that these calls do not wait for other lanes.
    pub(crate) fn build_apart(&mut self) {
        self.target = Some(self.board.root.join("target").join(self.name));
    }

    /// Gives later cargo calls of the lane the default target folder, so that they reuse the builds of other lanes.
    pub(crate) fn build_together(&mut self) {
        self.target = None;
    }

    /// Records the reason for a skipped check.
    pub(crate) fn skip(&self, reason: String) {
        self.board.score.lock().expect("no lane panics here").skipped.push(reason);
    }

    /// Returns a command that runs a program in the project's top folder, with the niceness of the lane.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = match find(&["nice"]).filter(|_| self.niceness > 0) {
            Some(nice) => {
                let mut command = Command::new(nice);
                command.arg("-n").arg(self.niceness.to_string()).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.current_dir(&self.board.root).stdin(Stdio::null());
        if let Some(target) = &self.target {
            command.env("CARGO_TARGET_DIR", target);
        }
        command
    }

    /// Returns a command that runs cargo with the settings of the lane.
    pub(crate) fn cargo(&self, arguments: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>) -> Command {
        let mut command = self.command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments);
        command
    }

    /// Runs another xtask command, with the settings of the lane, as a step.
    pub(crate) fn chore(&mut self, name: &str, arguments: &[&str]) -> Result<(), Error> {
        let mut command = self.command(env::current_exe().map_err(Error::io("find the chores"))?);
        self.step(name, command.args(arguments)).map(drop)
    }

    /// Runs a step of tests.
    ///
    /// # Errors
    /// Fails if [`Lane::step`] fails, or no test ran. The number of tests is checked because a test runner that finds
    /// no tests succeeds.
    pub(crate) fn tests(&mut self, name: &str, command: &mut Command) -> Result<(), Error> {
        let n_tests = self.step(name, command)?;
        if n_tests > 0 { Ok(()) } else { Err(Error::Verdict(format!("{}: {name}: no test ran", self.name))) }
    }

    /// Runs a step, and returns the number of tests that its output reports.
    ///
    /// # Errors
    /// Fails if the program cannot be started, or ends with an error. If the program ends with an error, its output is
    /// printed.
    pub(crate) fn step(&mut self, name: &str, command: &mut Command) -> Result<u64, Error> {
        self.n_steps += 1;
        let log = format!("{}-{}.log", self.name, self.n_steps);
        let name = format!("{}: {name}", self.name);
        println!("{name} ... (target/lanes/{log})");
        let (began, begun) = (self.board.begun.elapsed(), Instant::now());
        let (is_good, said) = logged(command, &self.board.root, &log)?;
        let took = begun.elapsed();
        self.board.done.lock().expect("no lane panics here").push((name.clone(), began, took));
        let (passed, failed) = self.board.score.lock().expect("no lane panics here").count(&said);
        let tests = if passed + failed > 0 { format!(", {passed} passed, {failed} failed") } else { String::new() };
        let end = if is_good { "done in" } else { "FAILED after" };
        // One write under a lock keeps the output of other lanes apart.
        let mut out = io::stdout().lock();
        let again = if is_good { String::new() } else { format!("{said}\n") };
        let _ = writeln!(out, "{again}{name}: {end} {}{tests}", elapsed(took));
        if is_good { Ok(passed + failed) } else { Err(Error::Verdict(format!("{name}: failed"))) }
    }
}

/// Runs a program with its output in a file of `target/lanes`. Returns a pair: true if the program succeeds, and its
/// output.
fn logged(command: &mut Command, root: &Path, name: &str) -> Result<(bool, String), Error> {
    let folder = root.join("target").join("lanes");
    let write = || Error::io(format!("write target/lanes/{name}"));
    fs::create_dir_all(&folder).map_err(write())?;
    let log = File::create(folder.join(name)).map_err(write())?;
    let other = log.try_clone().map_err(write())?;
    let status = command.stdout(log).stderr(other).status().map_err(Error::io(format!("start the step of {name}")))?;
    let said = fs::read(folder.join(name)).map_err(Error::io(format!("read target/lanes/{name}")))?;
    Ok((status.success(), String::from_utf8_lossy(&said).into_owned()))
}

impl Score {
    /// Adds the tests and the skipped checks that the output of a program reports. Returns the numbers of passed and
    /// failed tests.
    fn count(&mut self, said: &str) -> (u64, u64) {
        let found = said.lines().filter_map(counts);
        let (passed, failed) = found.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        (self.passed, self.failed) = (self.passed + passed, self.failed + failed);
        for reason in said.lines().filter_map(|line| line.strip_prefix(SKIPPED)) {
            // An xtask command prints the reasons for its skipped steps, so its output has them twice.
            if self.skipped.iter().all(|known| known != reason) {
                self.skipped.push(reason.to_owned());
            }
        }
        (passed, failed)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for reason in &self.skipped {
            writeln!(out, "{SKIPPED}{reason}")?;
        }
        write!(out, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Returns the numbers of passed and failed tests in a summary line, or `None` for any other line.
///
/// - cargo: `test result: ok. 3 passed; 0 failed; 0 ignored`
/// - cargo-nextest: `Summary [  1.5s] 4 tests run: 3 passed (1 slow), 1 failed, 0 skipped`
fn counts(line: &str) -> Option<(u64, u64)> {
    let number = |facts: &str, between: char, word: &str| -> Option<u64> {
        let words = |fact: &str| fact.trim().split_once(' ').map(|(n, rest)| (n.to_owned(), rest.to_owned()));
        let facts = facts.split(between).filter_map(words);
        facts.filter(|(_, rest)| rest.starts_with(word)).find_map(|(n, _)| n.parse().ok())
    };
    if let Some((_, facts)) = line.trim_start().strip_prefix("Summary [").and_then(|rest| rest.split_once(" run: ")) {
        return Some((number(facts, ',', "passed")?, number(facts, ',', "failed").unwrap_or(0)));
    }
    let (_, facts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    Some((number(facts, ';', "passed")?, number(facts, ';', "failed")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(program: &'static str, arguments: &'static [&str]) -> (Result<(), Error>, usize) {
        let after = Mutex::new(0);
        let lane: Work<'_> = Box::new(|lane| {
            let mut command = lane.command(program);
            lane.step("a test of lanes", command.args(arguments))?;
            *after.lock().expect("one lane") += 1;
            Ok(())
        });
        let end = super::run(&crate::root(), Vec::new(), vec![("tests", 1, lane)]);
        (end, after.into_inner().expect("ended"))
    }

    #[test]
    fn a_lane_ends_at_the_first_step_that_fails() {
        let (end, after) = run("cargo", &["--version"]);
        assert!(end.is_ok() && after == 1);
        let (end, after) = run("cargo", &["no-such-command"]);
        assert!(end.unwrap_err().to_string().contains("a test of lanes") && after == 0);
    }

    #[test]
    fn a_step_of_tests_in_which_none_ran_fails() {
        let end = run_one(&crate::root(), "tests", Vec::new(), |lane| {
            let mut version = lane.command("cargo");
            lane.tests("tests that are not there", version.arg("--version"))
        });
        assert!(end.unwrap_err().to_string().contains("no test ran"));
    }

    #[test]
    fn tests_of_every_runner_are_counted() {
        let mut score = Score::default();
        let said = "test result: ok. 3 passed; 1 failed; 0 ignored\n     Summary [  66.607s] 992 tests run: 990 passed (1 slow), 2 failed, 7 skipped\n";
        assert_eq!(score.count(said), (993, 3));
        assert_eq!(score.count("nothing\n1 check skipped: a reason\n"), (0, 0));
        assert_eq!(score.to_string(), "1 check skipped: a reason\n993 passed, 3 failed");
    }

    #[test]
    fn the_count_is_the_last_line_and_what_was_skipped_stands_above() {
        let score = Score { passed: 5, failed: 1, skipped: vec!["axe-core needs npm".into()] };
        assert_eq!(score.to_string(), "1 check skipped: axe-core needs npm\n5 passed, 1 failed");
    }

    #[test]
    fn result_lines_are_counted_and_others_are_not() {
        assert_eq!(counts("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured"), Some((12, 0)));
        assert_eq!(counts("test result: FAILED. 3 passed; 2 failed; 0 ignored"), Some((3, 2)));
        assert_eq!(
            counts("     Summary [  66.607s] 5 tests run: 3 passed (1 slow), 2 failed, 7 skipped"),
            Some((3, 2))
        );
        assert_eq!(counts("     Summary [   0.607s] 992 tests run: 992 passed, 0 skipped"), Some((992, 0)));
        assert_eq!(counts("test a_result ... ok"), None);
    }
}
