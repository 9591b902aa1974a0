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

use crate::process::{answer, find, step};
use crate::{Error, process, tools};

/// Name of the crate that turns a program into a fuzz target. The tool `cargo-afl` must have the same version as this
/// crate.
const AFL: &str = "afl";
/// Name of an entry point that breaks its guarantee on purpose. The fuzzer must find this fault, which tests the
/// fuzzer.
const BROKEN: &str = "broken";
/// Default number of seconds for which each entry point is fuzzed.
pub(crate) const SECONDS: u64 = 60;
/// Maximum number of bytes in a text that is printed with a failure. A longer text is only in its file.
const SHOWN_MAX: usize = 300;

/// Searches all entry points, or one entry point.
///
/// # Errors
/// Fails if the fuzzer cannot be installed, or an entry point breaks its guarantee. The message names the file that
/// reproduces the failure.
pub(crate) fn run(root: &Path, seconds: u64, seed: Option<u64>, target: Option<&str>) -> Result<(), Error> {
    found(root)?.search(seed.unwrap_or_else(crate::clock_seed), seconds, target)
}

/// Runs an entry point with the text of a file.
///
/// # Errors
/// Fails if the fuzzer cannot be installed, or the entry point breaks its guarantee.
pub(crate) fn again(root: &Path, target: &str, file: &Path) -> Result<(), Error> {
    let fuzzer = found(root)?;
    fuzzer.build()?;
    fuzzer.known(target)?;
    let broken = |_| Error::Verdict(format!("the entry point {target} breaks its promise"));
    process::run(target, &mut fuzzer.again(target, file)?).map_err(broken)
}

fn found(root: &Path) -> Result<Fuzzer<'_>, Error> {
    step("AFL++", || Ok(Fuzzer::ensure(root)))?.map_err(|reason| Error::Missing {
        what: format!("cargo-afl ({reason})"),
        remedy: "it needs make and a C compiler, and cargo has to reach its registry".to_owned(),
    })
}

/// Returns the folder of built targets, seeds and findings.
fn folder(root: &Path) -> PathBuf {
    root.join("target").join("fuzz")
}

/// Returns the number of entry points that are fuzzed at the same time: one per core.
fn workers() -> u64 {
    thread::available_parallelism().map_or(1, |n| n.get() as u64)
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
        for (names, what) in [(&["make"][..], "make"), (&["cc", "clang", "gcc"], "C compiler")] {
            if find(names).is_none() {
                return Err(format!("there is no {what}"));
            }
        }
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
        command.arg(AFL).current_dir(self.root).env("CARGO", cargo).env("XDG_DATA_HOME", tools::share(self.root));
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
        let entries = fs::read_dir(folder(self.root).join("seeds")).map_err(Error::io("list target/fuzz/seeds"))?;
        let folders = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir());
        let names = folders.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
        let mut names: Vec<String> = names.filter(|name| name != BROKEN).collect();
        names.sort();
        Ok(names)
    }

    fn known(self, target: &str) -> Result<(), Error> {
        let targets = self.targets()?;
        if target == BROKEN || targets.iter().any(|known| known == target) {
            return Ok(());
        }
        Err(Error::Usage(format!("there is no entry point {target}; the entry points are {}", targets.join(", "))))
    }

    /// Returns a command that runs an entry point's fuzz target with the text of `file` as input.
    fn again(self, target: &str, file: &Path) -> Result<Command, Error> {
        let text = File::open(file).map_err(Error::io(format!("read {}", file.display())))?;
        let mut again = Command::new(self.program(target));
        again.stdin(text);
        Ok(again)
    }

    /// Runs a search, which fuzzes each entry point for `seconds`. If `only` names an entry
    /// point, the search fuzzes only this entry point.
    ///
    /// 1. Build the targets.
    /// 2. Check that AFL++ finds the fault of [`BROKEN`].
    /// 3. Fuzz the entry points.
    ///
    /// # Errors
    /// Fails if an entry point breaks its guarantee or hangs. The message names the file that reproduces the failure.
    pub(crate) fn search(self, seed: u64, seconds: u64, only: Option<&str>) -> Result<(), Error> {
        self.build()?;
        if let Some(target) = only {
            self.known(target)?;
        }
        step("a faulty entry point", || {
            let breaks = |file: &Path| -> Result<bool, Error> {
                let mut again = self.again(BROKEN, file)?;
                let status = again.stdout(Stdio::null()).stderr(Stdio::null()).status();
                Ok(!status.map_err(Error::io("start the faulty entry point"))?.success())
            };
            match self.tried(BROKEN, seed, SECONDS)?.broken {
                Some(Broken { is_hang: false, file }) if breaks(&file)? => Ok(()),
                _ => Err(Error::Verdict("AFL++ does not find the faulty entry point".to_owned())),
            }
        })?;
        let targets = match only {
            Some(target) => vec![target.to_owned()],
            None => self.targets()?,
        };
        let name = format!("{seconds} s for each of {} from seed {seed}", targets.join(", "));
        step(&name, || {
            let queue = Mutex::new(targets.iter());
            let next = || queue.lock().ok()?.next();
            let work = || {
                let mut tried = Vec::new();
                while let Some(target) = next() {
                    let one = self.tried(target, seed, seconds);
                    if let Ok(one) = &one {
                        println!("      {target}: {}", one.figures);
                    }
                    tried.push((target, one));
                }
                tried
            };
            let tried: Vec<_> = thread::scope(|scope| {
                let workers: Vec<_> = (0..workers()).map(|_| scope.spawn(work)).collect();
                workers.into_iter().flat_map(|worker| worker.join().expect("a search does not panic")).collect()
            });
            let mut found = Vec::new();
            for (target, tried) in tried {
                found.extend(tried?.broken.map(|broken| self.told(target, &broken)));
            }
            if found.is_empty() { Ok(()) } else { Err(Error::Verdict(found.join("\n"))) }
        })
    }

    /// Returns a sentence about a failure: entry point, kind, text, and the command that reproduces the failure.
    fn told(self, target: &str, broken: &Broken) -> String {
        let file = broken.file.strip_prefix(self.root).unwrap_or(&broken.file).display();
        let text = fs::read(&broken.file).unwrap_or_default();
        let shown = if text.len() <= SHOWN_MAX { format!(" on \"{}\"", text.escape_ascii()) } else { String::new() };
        let does = if broken.is_hang { "hangs" } else { "breaks its promise" };
        format!("the entry point {target} {does}{shown}; `cargo xtask fuzz {target} {file}` shows it again")
    }

    /// Fuzzes an entry point until `seconds` have passed or the entry point fails.
    fn tried(self, target: &str, seed: u64, seconds: u64) -> Result<Tried, Error> {
        let out = folder(self.root).join("out").join(target);
        let _ = fs::remove_dir_all(&out);
        fs::create_dir_all(&out).map_err(Error::io(format!("create {}", out.display())))?;
        let log = out.join("log");
        let lines = File::create(&log).map_err(Error::io(format!("write {}", log.display())))?;
        let seeds = folder(self.root).join("seeds");
        let mut search = self.command();
        search
            .args(["fuzz", "-s", &seed.to_string(), "-V", &seconds.to_string(), "-t", TIMEOUT_MS])
            .arg("-i")
            .arg(seeds.join(target))
            .arg("-x")
            .arg(seeds.join(format!("{target}.dict")))
            .arg("-o")
            .arg(&out)
            .arg("--")
            .arg(self.program(target))
            .envs(ENVIRONMENT)
            .stdin(Stdio::null())
            .stderr(lines.try_clone().map_err(Error::io("write a log"))?)
            .stdout(lines);
        process::run(&format!("the entry point {target}: {} says why", log.display()), &mut search)?;
        let stats = fs::read_to_string(out.join("default/fuzzer_stats"));
        let stats = stats.map_err(Error::io(format!("read what AFL++ says of {target}")))?;
        let figures = figures(&stats).ok_or_else(|| Error::Malformed(format!("{target}: AFL++ says no numbers")))?;
        let first = |kind: &str| {
            let entries = fs::read_dir(out.join("default").join(kind)).ok()?;
            let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
            files.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("id"))).min()
        };
        let (crash, hang) = (first("crashes"), first("hangs"));
        let is_hang = crash.is_none();
        let broken = crash.or(hang).map(|from| self.kept(target, seed, &from, is_hang)).transpose()?;
        Ok(Tried { figures, broken })
    }

    /// Copies the text of a failure to a folder that later searches do not delete.
    fn kept(self, target: &str, seed: u64, from: &Path, is_hang: bool) -> Result<Broken, Error> {
        let found = folder(self.root).join("found");
        let file = found.join(format!("{target}-{seed}"));
        fs::create_dir_all(&found)
            .and_then(|()| fs::copy(from, &file))
            .map_err(Error::io(format!("write {}", file.display())))?;
        Ok(Broken { is_hang, file })
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

/// Result of fuzzing one entry point.
struct Tried {
    /// Statistics in words: number of texts, speed and coverage.
    figures: String,
    /// First text on which the entry point failed, if any.
    broken: Option<Broken>,
}

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

/// Returns the statistics of AFL++ in words, or `None` if a figure is missing.
fn figures(stats: &str) -> Option<String> {
    let of = |wanted: &str| {
        stats
            .lines()
            .find_map(|line| line.split_once(':').filter(|(name, _)| name.trim() == wanted))
            .map(|(_, n)| n.trim())
    };
    let (runs, pace, kept) = (of("execs_done")?, of("execs_per_sec")?, of("corpus_count")?);
    let (edges, coverage) = (of("edges_found")?, of("bitmap_cvg")?);
    Some(format!("{runs} texts, {pace} a second; {edges} branches taken ({coverage}), {kept} texts kept"))
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
    fn what_was_tried_is_said_in_a_line() {
        let stats = "execs_done        : 31989\nexecs_per_sec     : 1065.73\ncorpus_count      : 1272\n\
                     bitmap_cvg        : 11.69%\nedges_found       : 16238\n";
        let line = "31989 texts, 1065.73 a second; 16238 branches taken (11.69%), 1272 texts kept";
        assert_eq!(figures(stats).as_deref(), Some(line));
        assert_eq!(figures("start_time : 5\n"), None);
    }

    #[test]
    fn what_breaks_an_entry_point_is_told_in_one_line_with_a_way_to_see_it_again() {
        let folder = env::temp_dir().join(format!("fuzz-{}", std::process::id()));
        let file = folder.join("target/fuzz/found/link-7");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, b"rows=3\n\xff\"").unwrap();
        let told = Fuzzer { root: &folder }.told("link", &Broken { is_hang: false, file: file.clone() });
        let hangs = Fuzzer { root: &folder }.told("link", &Broken { is_hang: true, file });
        fs::remove_dir_all(&folder).unwrap();
        let again = "; `cargo xtask fuzz link target/fuzz/found/link-7` shows it again";
        assert_eq!(told, format!(r#"the entry point link breaks its promise on "rows=3\n\xff\""{again}"#));
        assert_eq!(hangs, format!(r#"the entry point link hangs on "rows=3\n\xff\""{again}"#));
    }
}
