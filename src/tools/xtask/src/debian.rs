//! Installs programs from Debian's packages. The installation works only on Debian, and only if the user is root.

use std::path::Path;
use std::process::Command;

use crate::process::{answer, find, run};

/// Returns the name of the Debian package that contains a program. Most packages have the same name as their program.
fn package(program: &'static str) -> &'static str {
    match program {
        "tesseract" => "tesseract-ocr",
        "rsvg-convert" => "librsvg2-bin",
        program => program,
    }
}

/// Attempts to install missing programs, and returns the programs that are still missing.
pub(crate) fn ensure(programs: &[&'static str]) -> Vec<&'static str> {
    let missing = || programs.iter().copied().filter(|program| find(&[program]).is_none()).collect::<Vec<_>>();
    install(&missing().into_iter().map(package).collect::<Vec<_>>());
    missing()
}

/// Attempts to install packages. Does nothing if the system is not Debian or the user is not root.
pub(crate) fn install(packages: &[&str]) {
    // Environment variables only describe the login shell, so the operating system must say who the user is.
    let is_root = || answer(Command::new("id").arg("-u")).as_deref() == Some("0");
    if packages.is_empty() || !Path::new("/etc/debian_version").exists() || !is_root() {
        return;
    }
    let mut install = Command::new("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive").args(["install", "-y", "--no-install-recommends"]).args(packages);
    // The caller checks which programs are there now, so a partial success is useful.
    let _ = run("apt-get update", Command::new("apt-get").arg("update"))
        .and_then(|()| run(&format!("installing {}", packages.join(", ")), &mut install));
}
