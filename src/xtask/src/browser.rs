//! The browser that tests drive: Chromium or Chrome, and its chromedriver.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;
use crate::process::{find, run};

/// Names of Chromium's engine without its windows.
const SHELLS: [&str; 2] = ["chromium-headless-shell", "chrome-headless-shell"];

/// A browser and the program that drives it.
#[derive(Debug, Clone)]
pub struct Browser {
    /// Chromium or Chrome.
    pub chromium: PathBuf,
    /// The chromedriver that goes with it.
    pub chromedriver: PathBuf,
}

impl Browser {
    /// The browser on this machine: CHROME and CHROMEDRIVER when set, else what PATH holds.
    ///
    /// # Errors
    /// One of the two is not there.
    pub fn find() -> Result<Self, Error> {
        let missing = |what: &str| Error::Missing {
            what: what.to_owned(),
            remedy: "install Chromium and chromedriver of one version, or set CHROME and CHROMEDRIVER to them".into(),
        };
        let chromium = named("CHROME")
            .or_else(|| find(&["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]))
            .or_else(|| file("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"))
            .ok_or_else(|| missing("Chromium"))?;
        let chromedriver = named("CHROMEDRIVER")
            .or_else(|| find(&["chromedriver"]))
            // Hosted build machines keep the matching driver here, outside PATH.
            .or_else(|| env::var_os("CHROMEWEBDRIVER").and_then(|folder| file(Path::new(&folder).join("chromedriver"))))
            .ok_or_else(|| missing("chromedriver"))?;
        Ok(Self { chromium, chromedriver })
    }

    /// Chromium's engine without its windows: the same pages with half of the work, and the binary of the quick tests.
    #[must_use]
    pub fn shell() -> Option<PathBuf> {
        find(&SHELLS)
    }

    /// Whether it is the engine without its windows.
    #[must_use]
    pub fn is_shell(&self) -> bool {
        self.chromium.file_name().is_some_and(|name| SHELLS.iter().any(|shell| name == *shell))
    }

    /// The browser on this machine, installed from Debian's packages when it is missing and that is possible.
    ///
    /// # Errors
    /// There is no browser and it cannot be installed from here.
    pub fn ensure() -> Result<Self, Error> {
        let found = Self::find();
        if found.is_ok() || !Path::new("/etc/debian_version").exists() || !is_root() {
            return found;
        }
        run("apt-get update", Command::new("apt-get").arg("update"))?;
        let packages = ["install", "-y", "--no-install-recommends", "chromium", "chromium-driver"];
        run("installing Chromium", Command::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(packages))?;
        Self::find()
    }
}

/// Asks the system rather than the environment, which says what the login shell was.
pub(crate) fn is_root() -> bool {
    crate::process::answer(Command::new("id").arg("-u")).as_deref() == Some("0")
}

fn named(variable: &str) -> Option<PathBuf> {
    file(env::var_os(variable)?)
}

fn file(path: impl Into<PathBuf>) -> Option<PathBuf> {
    let path = path.into();
    path.is_file().then_some(path)
}
