//! The simulators and the synthesizer, as a user runs them. If a program is not installed, its checks say so and end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rtl::File;

/// Returns an empty folder inside cargo's folder for tests.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hardware").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder
}

pub(crate) fn write(folder: &Path, files: &[File]) {
    for file in files {
        let path = folder.join(&file.name);
        fs::write(&path, &file.text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// True if a program is installed. In the long suite, a missing program is a failure.
pub(crate) fn is_there(program: &str, version: &str) -> bool {
    let found = Command::new(program).arg(version).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_there = found.is_ok_and(|status| status.success());
    assert!(is_there || std::env::var_os("HARDWARE").is_none(), "{program} is not installed");
    if !is_there {
        println!("skipped: {program} is not installed, so nothing was checked here");
    }
    is_there
}

/// Output of a program, with both streams together.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) good: bool,
    pub(crate) text: String,
}

pub(crate) fn run(folder: &Path, program: &str, arguments: &[&str]) -> Said {
    let output = Command::new(program).current_dir(folder).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
    Said { good: output.status.success(), text }
}

/// Returns the SystemVerilog files of a folder.
pub(crate) fn sources(files: &[File]) -> Vec<&str> {
    files.iter().map(|file| file.name.as_str()).filter(|name| name.ends_with(".sv")).collect()
}

/// Compiles and runs the testbench of a design in Icarus, with its waveforms.
pub(crate) fn icarus(folder: &Path, files: &[File], prefix: &str) -> Said {
    let top = format!("{prefix}tb");
    let arguments = [&["-g2012", "-Wall", "-s", &top, "-o", "run"], &sources(files)[..]].concat();
    let built = run(folder, "iverilog", &arguments);
    if !built.good || !built.text.is_empty() {
        return Said { good: false, text: built.text };
    }
    run(folder, "vvp", &["run", &format!("+{prefix}vcd")])
}

/// Returns the three numbers of a testbench that passes: cycles, registers and results.
pub(crate) fn passed(text: &str) -> Option<[u64; 3]> {
    let line = text.lines().find_map(|line| line.strip_prefix("PASS: "))?;
    let numbers: Vec<u64> = line.split(", ").filter_map(|part| part.split(' ').next()?.parse().ok()).collect();
    numbers.try_into().ok()
}

/// Returns the rules that the design breaks, according to Verilator. A clean design breaks none.
pub(crate) fn lint(folder: &Path, files: &[File], prefix: &str) -> String {
    let top = format!("{prefix}tb");
    let arguments = [&["--lint-only", "--timing", "-Wall", "--top-module", &top], &sources(files)[..]].concat();
    let said = run(folder, "verilator", &arguments);
    if said.good { said.text } else { format!("it fails. {}", said.text) }
}

/// Builds a top module with Verilator, without optimization, because compiling takes longer than running.
pub(crate) fn verilated(folder: &Path, top: &str, sources: &[&str], plus: &[&str]) -> Said {
    let fixed = ["--binary", "--timing", "--trace", "-Wall", "-j", "2", "-CFLAGS", "-O0", "-MAKEFLAGS"];
    let fast = ["OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "--top-module", top];
    let built = run(folder, "verilator", &[&fixed[..], &fast, sources].concat());
    if !built.good {
        return built;
    }
    run(folder, &format!("./obj_dir/V{top}"), plus)
}
