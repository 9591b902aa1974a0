//! Runs steps in parallel lanes. The output of a step goes to a file, and is printed if the step fails.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use std::{env, io};

use crate::Error;
use crate::process::find;
use crate::steps::elapsed;
use crate::suite::{SKIPPED, Score, counts};

/// Shared results of all lanes.
#[derive(Debug)]
pub(crate) struct Board {
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

impl Board {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), begun: Instant::now(), done: Mutex::default(), score: Mutex::default() }
    }

    /// Records the reason for a skipped check.
    pub(crate) fn skip(&self, reason: String) {
        self.score.lock().expect("no lane panics here").skip(reason);
    }

    /// Runs all lanes to their ends, and prints the duration of each step and the total numbers of tests. A lane has a
    /// name, a niceness and its work.
    ///
    /// # Errors
    /// Returns the error of the first lane that failed.
    pub(crate) fn run(self, lanes: Vec<(&'static str, u8, Work<'_>)>) -> Result<(), Error> {
        let ends = thread::scope(|scope| {
            let running: Vec<_> = lanes
                .into_iter()
                .map(|(name, niceness, work)| {
                    let board = &self;
                    scope.spawn(move || work(&mut Lane { name, board, niceness, target: None, n_steps: 0 }))
                })
                .collect();
            let panicked = || Error::Step("a lane panicked".to_owned());
            running.into_iter().map(|lane| lane.join().unwrap_or_else(|_| Err(panicked()))).collect::<Vec<_>>()
        });
        println!("\n{:>8}  {:>8}  step", "began s", "took s");
        for (name, began, took) in self.done.lock().expect("all lanes have ended").iter() {
            println!("{:8.0}  {:8.1}  {name}", began.as_secs_f64(), took.as_secs_f64());
        }
        println!("all of it: {}", elapsed(self.begun.elapsed()));
        let end = ends.into_iter().collect::<Result<Vec<()>, Error>>().map(|_| ());
        let mut score = self.score.into_inner().expect("all lanes have ended");
        if let Err(error) = &end {
            println!("stopped: {error}");
            score.fail_at_least_once();
        }
        println!("{score}");
        end
    }
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

    /// Returns a command that runs a program in the project's top folder, with the niceness of the lane.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
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

    /// Returns a command that runs another xtask command with the settings of the lane.
    pub(crate) fn chore(&self, arguments: &[&str]) -> Result<Command, Error> {
        let chores = env::current_exe().map_err(Error::io("find the chores"))?;
        let mut command = self.command(chores);
        command.args(arguments);
        Ok(command)
    }

    /// Runs a step of tests.
    ///
    /// # Errors
    /// Fails if [`Lane::step`] fails, or no test ran. The number of tests is checked because a test runner that finds
    /// no tests succeeds.
    pub(crate) fn tests(&mut self, name: &str, command: &mut Command) -> Result<(), Error> {
        match self.step(name, command)? {
            0 => Err(Error::Verdict(format!("{}: {name}: no test ran", self.name))),
            _ => Ok(()),
        }
    }

    /// Runs a step, and returns the number of tests that its output reports.
    ///
    /// # Errors
    /// Fails if the program cannot be started, or ends with an error. If the program ends with an error, its output is
    /// printed.
    pub(crate) fn step(&mut self, name: &str, command: &mut Command) -> Result<u64, Error> {
        self.n_steps += 1;
        let folder = self.board.root.join("target").join("lanes");
        fs::create_dir_all(&folder).map_err(Error::io("make target/lanes"))?;
        let path = folder.join(format!("{}-{}.log", self.name, self.n_steps));
        let log = File::create(&path).map_err(Error::io(format!("write {}", path.display())))?;
        let other = log.try_clone().map_err(Error::io(format!("write {}", path.display())))?;
        let name = format!("{}: {name}", self.name);
        println!("{name} ...");
        let (began, begun) = (self.board.begun.elapsed(), Instant::now());
        let status = command.stdout(log).stderr(other).status().map_err(Error::io(format!("start {name}")))?;
        let took = begun.elapsed();
        self.board.done.lock().expect("no lane panics here").push((name.clone(), began, took));
        let said = fs::read(&path).map_err(Error::io(format!("read {}", path.display())))?;
        let said = String::from_utf8_lossy(&said);
        let (passed, failed) = self.board.score.lock().expect("no lane panics here").count(&said);
        said.lines()
            .filter_map(|line| line.strip_prefix(SKIPPED))
            .for_each(|reason| self.board.skip(reason.to_owned()));
        let tests = if passed + failed > 0 { format!(", {passed} passed, {failed} failed") } else { String::new() };
        let end = if status.success() { "done in" } else { "FAILED after" };
        // One write under a lock keeps the output of other lanes apart.
        let mut out = io::stdout().lock();
        let shown = if status.success() { String::new() } else { format!("{said}\n") };
        let _ = writeln!(out, "{shown}{name}: {end} {}{tests}", elapsed(took));
        if status.success() { Ok(passed + failed) } else { Err(Error::Verdict(format!("{name}: failed"))) }
    }
}

impl Score {
    /// Adds the tests that the output of a program reports, and returns the numbers of passed and failed tests.
    fn count(&mut self, said: &str) -> (u64, u64) {
        let found = said.lines().filter_map(counts);
        let (passed, failed) = found.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        self.add(passed, failed);
        (passed, failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(program: &'static str, arguments: &'static [&str]) -> (Result<(), Error>, usize) {
        let board = Board::new(&crate::root());
        let after = Mutex::new(0);
        let lane: Work<'_> = Box::new(|lane| {
            let mut command = lane.command(program);
            lane.step("a test of lanes", command.args(arguments))?;
            *after.lock().expect("one lane") += 1;
            Ok(())
        });
        let end = board.run(vec![("tests", 1, lane)]);
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
        let board = Board::new(&crate::root());
        let lane: Work<'_> = Box::new(|lane| {
            let mut version = lane.command("cargo");
            lane.tests("tests that are not there", version.arg("--version"))
        });
        let end = board.run(vec![("tests", 0, lane)]);
        assert!(end.unwrap_err().to_string().contains("no test ran"));
    }

    #[test]
    fn tests_of_every_runner_are_counted() {
        let mut score = Score::default();
        let said = "test result: ok. 3 passed; 1 failed; 0 ignored\n     Summary [  66.607s] 992 tests run: 990 passed (1 slow), 2 failed, 7 skipped\n";
        assert_eq!(score.count(said), (993, 3));
        assert_eq!(score.count("nothing"), (0, 0));
        assert_eq!(score.to_string(), "993 passed, 3 failed");
    }
}
