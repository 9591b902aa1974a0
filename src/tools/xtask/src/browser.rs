//! Browser for the tests: Chromium or Chrome, and its chromedriver.

use std::env;
use std::path::{Path, PathBuf};

use crate::process::find;
use crate::{Error, debian};

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
    /// Fails if the browser or the driver is missing.
    pub fn find() -> Result<Self, Error> {
        let remedy = "install Chromium and chromedriver of one version, or set CHROME and CHROMEDRIVER to them";
        let missing = |what: &str| Error::missing(what, remedy);
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
    pub(crate) fn shell() -> Option<PathBuf> {
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
    pub(crate) fn ensure() -> Result<Self, Error> {
        Self::find().or_else(|_| {
            debian::install(&["chromium", "chromium-driver"]);
            Self::find()
        })
    }
}

fn named(variable: &str) -> Option<PathBuf> {
    file(env::var_os(variable)?)
}

fn file(path: impl Into<PathBuf>) -> Option<PathBuf> {
    let path = path.into();
    path.is_file().then_some(path)
}
