//! Browser for the tests: Chromium or Chrome, and its chromedriver.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;
use crate::process::{find, run};

/// Program names of Chromium's headless shell.
const SHELLS: [&str; 2] = ["chromium-headless-shell", "chrome-headless-shell"];

/// Paths of a browser and of its driver.
#[derive(Debug, Clone)]
pub struct Browser {
    /// Path of Chromium or Chrome.
    pub chromium: PathBuf,
    /// Path of the matching chromedriver.
    pub chromedriver: PathBuf,
}

impl Browser {
    /// Finds the browser on this machine: the programs that the variables CHROME and CHROMEDRIVER name, otherwise the
    /// programs on PATH.
    ///
    /// # Errors
    /// [`Error::Missing`] if the browser or the driver is missing.
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

    /// Returns the path of Chromium's headless shell. The quick tests use the headless shell, because it needs only
    /// half of the CPU time to show a page.
    #[must_use]
    pub fn shell() -> Option<PathBuf> {
        find(&SHELLS)
    }

    /// True if this browser is Chromium's headless shell.
    #[must_use]
    pub fn is_shell(&self) -> bool {
        self.chromium.file_name().is_some_and(|name| SHELLS.iter().any(|shell| name == *shell))
    }

    /// Finds the browser on this machine. If the browser is missing, installs it from Debian's packages, if possible.
    ///
    /// # Errors
    /// Fails if the browser is missing and cannot be installed.
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

/// True if the user is root. The function asks the operating system, because environment variables only describe the
/// login shell.
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
