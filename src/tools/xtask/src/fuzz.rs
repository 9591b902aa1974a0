//! `cargo xtask fuzz`: coverage-guided fuzzing, with AFL++, of every entry point for untrusted text.
//!
//! The crate `fuzz` contains the entry points and checks what each entry point guarantees. The crate is not part of the
//! workspace, because no other crate needs the fuzzer.

use plain::OrEmpty;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::{env, thread};

use crate::process::{answer, step};
use crate::{Error, files, process, tools};

/// Name of the crate that turns a program into a fuzz target. The tool `cargo-afl` must have the same version as this
/// crate.
const AFL: &str = "afl";
/// Name of an entry point that breaks its guarantee on purpose. The fuzzer must find this fault, which tests the
/// fuzzer.
const BROKEN: &str = "broken";
/// Default number of seconds for which each entry point is fuzzed.
pub(crate) const SECONDS: u64 = 60;

/// Searches all entry points, or one entry point.
///
/// # Errors
/// Fails if the fuzzer cannot be installed, or an entry point breaks its guarantee. The message names the file that
/// reproduces the failure.
pub(crate) fn run(root: &Path, seconds: u64, seed: Option<u64>, target: Option<&str>) -> Result<(), Error> {
    let remedy = "it needs make and a C compiler, and cargo has to reach its registry";
    let fuzzer = step("AFL++", || Ok(Fuzzer::ensure(root)))?
        .map_err(|reason| Error::missing(&format!("cargo-afl ({reason})"), remedy))?;
    fuzzer.search(seed.unwrap_or_else(crate::clock_seed), seconds, target)
}

/// Returns the folder of built targets, seeds and findings.
fn folder(root: &Path) -> PathBuf {
    root.join("target").join("fuzz")
}

/// The fuzzer: the tool `cargo-afl` in the folder `.tools`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fuzzer<'a> {
    root: &'a Path,
}

impl<'a> Fuzzer<'a> {
    /// Finds the fuzzer, or builds it if possible.
    ///
    /// # Errors
    /// Fails if the fuzzer is missing and cannot be built. The error text states the reason, and the caller adds this
    /// text to a message.
    pub(crate) fn ensure(root: &'a Path) -> Result<Self, String> {
        let fuzzer = Self { root };
        if fuzzer.is_there() {
            return Ok(fuzzer);
        }
        let wanted = fuzzer.version().map_err(|error| error.to_string())?;
        tools::install(root, &format!("cargo-{AFL}@{wanted}")).map_err(|error| error.to_string())?;
        // If AFL++ itself cannot be built, cargo only warns.
        if fuzzer.is_there() { Ok(fuzzer) } else { Err("AFL++ cannot be built here".to_owned()) }
    }

    fn version(self) -> Result<String, Error> {
        tools::locked_version(&self.root.join("fuzz"), AFL)
    }

    fn is_there(self) -> bool {
        let said = answer(self.command().arg("--version")).or_empty();
        self.version().is_ok_and(|wanted| is_fitting(&said, &wanted))
    }

    /// Returns a command that runs the project's `cargo afl`.
    fn command(self) -> Command {
        let mut command =
            Command::new(tools::folder(self.root).join(format!("cargo-{AFL}{}", env::consts::EXE_SUFFIX)));
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        command
            .arg(AFL)
            .current_dir(self.root)
            .env("CARGO", cargo)
            .env("XDG_DATA_HOME", tools::folder(self.root).with_file_name("share"));
        command
    }

    fn program(self, name: &str) -> PathBuf {
        folder(self.root).join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// Builds the targets, and writes the seeds and dictionaries of the search.
    fn build(self) -> Result<(), Error> {
        step("building the entry points for AFL++", || {
            let mut build = self.command();
            build.args(["build", "--release", "--locked", "--manifest-path=fuzz/Cargo.toml", "--target-dir"]);
            process::run("building the entry points for AFL++", build.arg(folder(self.root)))?;
            let seeds = folder(self.root).join("seeds");
            let _ = fs::remove_dir_all(&seeds);
            let mut write = Command::new(self.program("seeds"));
            write.arg(seeds).env("CARGO_MANIFEST_DIR", self.root.join("fuzz"));
            process::run("writing what the search begins with", &mut write)
        })
    }

    /// Returns the names of the entry points without [`BROKEN`], which are the names of their seed folders.
    fn targets(self) -> Result<Vec<String>, Error> {
        let folders = files::list(&folder(self.root).join("seeds"))?.into_iter().filter(|path| path.is_dir());
        Ok(folders.map(|path| crate::file_name(&path)).filter(|name| name != BROKEN).collect())
    }

    fn known(self, target: &str) -> Result<(), Error> {
        let targets = self.targets()?;
        if targets.iter().any(|known| known == target) {
            return Ok(());
        }
        Err(Error::Failed(format!("there is no entry point {target}; the entry points are {}", targets.join(", "))))
    }

    /// Runs a search, which fuzzes each entry point for `seconds`, or only the entry point `only`. Before the search,
    /// AFL++ must find the fault of [`BROKEN`].
    ///
    /// # Errors
    /// Fails if an entry point breaks its guarantee or hangs. The message names the file that reproduces the failure.
    pub(crate) fn search(self, seed: u64, seconds: u64, only: Option<&str>) -> Result<(), Error> {
        self.build()?;
        only.map_or(Ok(()), |target| self.known(target))?;
        step("a faulty entry point", || {
            let found = self.tried(BROKEN, seed, SECONDS)?.filter(|broken| !broken.is_hang);
            let breaks = |broken: Broken| {
                let text = File::open(&broken.file).map_err(Error::io("read a finding"))?;
                let mut again = Command::new(self.program(BROKEN));
                let status = again.stdin(text).stdout(Stdio::null()).stderr(Stdio::null()).status();
                Ok(!status.map_err(Error::io("start the faulty entry point"))?.success())
            };
            if found.map_or(Ok(false), breaks)? {
                return Ok(());
            }
            Err(Error::Verdict("AFL++ does not find the faulty entry point".to_owned()))
        })?;
        let targets = only.map_or_else(|| self.targets(), |target| Ok(vec![target.to_owned()]))?;
        step(&format!("{seconds} s for each of {} from seed {seed}", targets.join(", ")), || {
            let (queue, found) = (Mutex::new(targets.iter()), Mutex::new(Vec::new()));
            let next = || queue.lock().ok()?.next();
            let work = || {
                while let Some(target) = next() {
                    let broken = self.tried(target, seed, seconds);
                    let told = broken.map(|broken| broken.map(|broken| self.told(target, &broken)));
                    found.lock().expect("a search does not panic").push(told);
                }
            };
            let n_workers = thread::available_parallelism().map_or(1, usize::from);
            thread::scope(|scope| (0..n_workers).for_each(|_| drop(scope.spawn(work))));
            let found = found.into_inner().expect("a search does not panic").into_iter();
            let told: Vec<String> = found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
            if told.is_empty() { Ok(()) } else { Err(Error::Verdict(told.join("\n"))) }
        })
    }

    /// Returns a sentence about a failure: entry point, kind, and the command that reproduces the failure.
    fn told(self, target: &str, broken: &Broken) -> String {
        let file = broken.file.strip_prefix(self.root).unwrap_or(&broken.file).display();
        let program = self.program(target);
        let program = program.strip_prefix(self.root).unwrap_or(&program).display();
        let does = if broken.is_hang { "hangs" } else { "breaks its promise" };
        format!("the entry point {target} {does}; `{program} < {file}` shows it again")
    }

    /// Fuzzes an entry point until `seconds` have passed or the entry point fails. Copies the text of a failure to a folder that later searches do not delete.
    fn tried(self, target: &str, seed: u64, seconds: u64) -> Result<Option<Broken>, Error> {
        let (home, out) = (folder(self.root), folder(self.root).join("out").join(target));
        files::renewed(&out)?;
        let log = File::create(out.join("log")).map_err(Error::io("write a log"))?;
        let mut search = self.command();
        search.args(["fuzz", "-s", &seed.to_string(), "-V", &seconds.to_string(), "-t", TIMEOUT_MS, "-i"]);
        search.arg(home.join("seeds").join(target)).arg("-x").arg(home.join("seeds").join(format!("{target}.dict")));
        search.arg("-o").arg(&out).arg("--").arg(self.program(target)).envs(ENVIRONMENT).stdin(Stdio::null());
        search.stderr(log.try_clone().map_err(Error::io("write a log"))?).stdout(log);
        process::run(&format!("the entry point {target}: {} says why", out.join("log").display()), &mut search)?;
        let first = |kind: &str| {
            let texts = files::list(&out.join("default").join(kind)).unwrap_or_default();
            texts.into_iter().find(|path| crate::file_name(path).starts_with("id"))
        };
        let crash = first("crashes");
        let is_hang = crash.is_none();
        let Some(from) = crash.or_else(|| first("hangs")) else { return Ok(None) };
        let file = home.join("found").join(format!("{target}-{seed}"));
        files::copy(&from, &file)?;
        Ok(Some(Broken { is_hang, file }))
    }
}

/// Milliseconds after which a call counts as a hang. The limit is high, because fuzz targets check overflow and count
/// branches, and the machine may be busy.
const TIMEOUT_MS: &str = "5000";

/// Environment variables of AFL++. With these values, the first failure ends the search, even a failure that a seed
/// causes. AFL++ also skips its check of the machine settings.
const ENVIRONMENT: [(&str, &str); 7] = [
    ("AFL_BENCH_UNTIL_CRASH", "1"),
    ("AFL_CRASHING_SEEDS_AS_NEW_CRASH", "1"),
    ("AFL_HANG_TMOUT", TIMEOUT_MS),
    ("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"),
    ("AFL_NO_AFFINITY", "1"),
    ("AFL_NO_UI", "1"),
    ("AFL_SKIP_CPUFREQ", "1"),
];

/// A text on which an entry point fails.
struct Broken {
    /// True if the entry point hangs, false if it breaks its guarantee.
    is_hang: bool,
    /// Path of the file with the text.
    file: PathBuf,
}

/// True if the version line of `cargo-afl` names the version `wanted` and an AFL++ for this compiler.
fn is_fitting(said: &str, wanted: &str) -> bool {
    said.contains(&format!("cargo-{AFL} {wanted} (AFL++ version "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_of_another_version_or_without_afl_does_not_fit() {
        assert!(is_fitting("cargo-afl 0.18.2 (AFL++ version 4.40c)", "0.18.2"));
        assert!(!is_fitting("cargo-afl 0.18.2", "0.18.2"));
        assert!(!is_fitting("cargo-afl 0.18.1 (AFL++ version 4.40c)", "0.18.2"));
    }

    #[test]
    fn the_tool_is_of_the_version_of_the_crate_that_the_entry_points_are_made_with() {
        let root = crate::root();
        let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
        let version = Fuzzer { root: &root }.version().unwrap();
        assert!(manifest.contains(&format!("{AFL} = \"={version}\"")), "{version}");
    }

    #[test]
    fn what_breaks_an_entry_point_is_told_in_one_line_with_a_way_to_see_it_again() {
        let told = |is_hang| {
            let file = PathBuf::from("p/target/fuzz/found/link-7");
            Fuzzer { root: Path::new("p") }.told("link", &Broken { is_hang, file })
        };
        let again = "; `target/fuzz/release/link < target/fuzz/found/link-7` shows it again";
        assert_eq!(told(false), format!("the entry point link breaks its promise{again}"));
        assert_eq!(told(true), format!("the entry point link hangs{again}"));
    }
}
