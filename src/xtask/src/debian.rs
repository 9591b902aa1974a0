//! Programs from Debian's packages, where there is Debian and it may be asked.

use std::path::Path;
use std::process::Command;

use crate::browser::is_root;
use crate::process::{find, run};

/// Those of `programs` that are missing, each named like its package, after an attempt to install them.
#[must_use]
pub(crate) fn ensure(programs: &[&'static str]) -> Vec<&'static str> {
    let missing = || programs.iter().copied().filter(|program| find(&[program]).is_none()).collect::<Vec<_>>();
    let wanted = missing();
    if wanted.is_empty() || !Path::new("/etc/debian_version").exists() || !is_root() {
        return wanted;
    }
    let mut install = Command::new("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive").args(["install", "-y", "--no-install-recommends"]).args(&wanted);
    let updated = run("apt-get update", Command::new("apt-get").arg("update"));
    // What cannot be installed is told as missing; a partial success is one for the others.
    match updated.and_then(|()| run(&format!("installing {}", wanted.join(", ")), &mut install)) {
        Ok(()) | Err(_) => missing(),
    }
}
