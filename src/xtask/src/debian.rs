//! Programs from Debian's packages, where there is Debian and it may be asked.

use std::path::Path;
use std::process::Command;

use crate::browser::is_root;
use crate::process::{find, run};

/// The package that has a program: most are named like it.
fn package(program: &'static str) -> &'static str {
    if program == "tesseract" { "tesseract-ocr" } else { program }
}

/// Those of `programs` that are missing, after an attempt to install them.
#[must_use]
pub(crate) fn ensure(programs: &[&'static str]) -> Vec<&'static str> {
    let missing = || programs.iter().copied().filter(|program| find(&[program]).is_none()).collect::<Vec<_>>();
    install(&missing().into_iter().map(package).collect::<Vec<_>>());
    missing()
}

/// Attempts to install packages; where there is no Debian, or it may not be asked, nothing happens.
pub(crate) fn install(packages: &[&str]) {
    if packages.is_empty() || !Path::new("/etc/debian_version").exists() || !is_root() {
        return;
    }
    let mut install = Command::new("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive").args(["install", "-y", "--no-install-recommends"]).args(packages);
    // Whoever asked looks what is there now; a partial success is one for the others.
    let _ = run("apt-get update", Command::new("apt-get").arg("update"))
        .and_then(|()| run(&format!("installing {}", packages.join(", ")), &mut install));
}
