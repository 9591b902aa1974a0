//! Browsers for the tests: Chromium or Chrome with chromedriver, and Firefox with geckodriver, if it can be installed.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::process::{find, find_in};
use crate::{Error, debian, tools};

/// Package of Firefox's driver, which is built if no driver is found.
const GECKODRIVER: &str = "geckodriver@0.37.1";

/// Program names of Chromium's headless shell, which needs only half of Chromium's CPU time to show a page.
pub(crate) const SHELLS: [&str; 2] = ["chromium-headless-shell", "chrome-headless-shell"];

/// Browser engine that shows the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Blink, the engine of Chromium and Chrome.
    Chromium,
    /// Gecko, the engine of Firefox.
    Firefox,
}

/// Paths of a browser and of its driver.
#[derive(Clone, Debug)]
pub struct Found {
    /// Path of the driver.
    pub driver: PathBuf,
    /// Path of the browser.
    pub program: PathBuf,
}

impl Found {
    /// True if this browser is Chromium's headless shell.
    #[must_use]
    pub fn is_shell(&self) -> bool {
        SHELLS.iter().any(|shell| crate::file_name(&self.program) == *shell)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Chromium => "Chromium",
            Self::Firefox => "Firefox",
        })
    }
}

impl Engine {
    /// Returns the value of the variable ENGINE that selects this engine.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
        }
    }

    /// Returns the engine that the variable ENGINE names, or Chromium if ENGINE is not set.
    ///
    /// # Errors
    /// Fails if ENGINE names an unknown engine. The error is a message for the user.
    pub fn of_environment() -> Result<Self, String> {
        let Some(named) = env::var_os("ENGINE") else { return Ok(Self::Chromium) };
        let named = named.to_string_lossy();
        let found = [Self::Chromium, Self::Firefox].into_iter().find(|engine| engine.id() == named);
        found.ok_or_else(|| format!("ENGINE is {named}; chromium and firefox are allowed"))
    }

    /// Finds the browser and its driver on this machine: the programs that the variables CHROME and CHROMEDRIVER name,
    /// otherwise the programs on PATH.
    ///
    /// # Errors
    /// Fails if the browser or the driver is missing.
    pub fn find(self) -> Result<Found, Error> {
        let remedy = "install it and its driver of one version; CHROME and CHROMEDRIVER name those of Chromium";
        let missing = |what: &str| Error::missing(what, remedy);
        match self {
            Self::Chromium => {
                let program = env::var_os("CHROME")
                    .and_then(file)
                    .or_else(|| {
                        find(&["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"])
                    })
                    .or_else(|| file("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"));
                // Hosted build machines keep the matching driver in the folder CHROMEWEBDRIVER, outside PATH.
                let driver = env::var_os("CHROMEDRIVER")
                    .and_then(file)
                    .or_else(|| find(&["chromedriver"]))
                    .or_else(|| file(Path::new(&env::var_os("CHROMEWEBDRIVER")?).join("chromedriver")));
                let program = program.ok_or_else(|| missing("Chromium"))?;
                Ok(Found { driver: driver.ok_or_else(|| missing("chromedriver"))?, program })
            }
            Self::Firefox => {
                let program = find(&["firefox-esr", "firefox"]).ok_or_else(|| missing("Firefox"))?;
                let driver =
                    find(&["geckodriver"]).or_else(|| find_in(&[tools::folder(&crate::root())], "geckodriver"));
                Ok(Found { driver: driver.ok_or_else(|| missing("geckodriver"))?, program })
            }
        }
    }

    /// Finds the browser and its driver. Installs missing programs from Debian's packages and builds Firefox's driver,
    /// if possible.
    ///
    /// # Errors
    /// Fails if a program is missing and cannot be installed.
    pub(crate) fn ensure(self, root: &Path) -> Result<Found, Error> {
        self.find().or_else(|_| {
            match self {
                Self::Chromium => debian::install(&["chromium", "chromium-driver"]),
                Self::Firefox => {
                    debian::ensure(&["firefox-esr"]);
                    tools::install(root, GECKODRIVER)?;
                }
            }
            self.find()
        })
    }
}

fn file(path: impl Into<PathBuf>) -> Option<PathBuf> {
    let path = path.into();
    path.is_file().then_some(path)
}
