//! Browser engines for the tests. The main tests of the page also run in Firefox, if Firefox can be installed.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{answer, find, find_in};
use crate::{debian, tools};

/// Package of Firefox's driver, which is built if no driver is found.
const GECKODRIVER: &str = "geckodriver@0.37.1";

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
}

/// Finds Firefox and its driver on this machine.
///
/// # Errors
/// Fails if Firefox or its driver is missing. The error text states why the check is skipped, for a message to the
/// user.
pub fn firefox() -> Result<Found, String> {
    let missing = |what: &str| format!("the page in Firefox, for there is no {what}");
    let program = find(&["firefox-esr", "firefox"]).ok_or_else(|| missing("Firefox"))?;
    let driver = find(&["geckodriver"]).or_else(|| find_in(&[tools::folder(&crate::root())], "geckodriver"));
    Ok(Found { driver: driver.ok_or_else(|| missing("geckodriver"))?, program })
}

/// Finds Firefox and its driver. If they are missing, installs Firefox from Debian's packages and builds the driver, if
/// possible.
///
/// # Errors
/// Fails if Firefox or its driver is missing and cannot be installed. The error text states why the check is skipped,
/// for a message to the user.
pub(crate) fn ensure_firefox(root: &Path) -> Result<Found, String> {
    if find(&["firefox-esr", "firefox"]).is_none() {
        debian::install(&["firefox-esr"]);
    }
    firefox().or_else(|missing| {
        find(&["firefox-esr", "firefox"]).ok_or(missing)?;
        tools::install(root, GECKODRIVER).map_err(|error| format!("the page in Firefox: {error}"))?;
        firefox()
    })
}

/// Returns the version line of the browser, for example `Mozilla Firefox 153.7.0esr`.
pub(crate) fn version(found: &Found) -> Option<String> {
    answer(Command::new(&found.program).arg("--version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said_and_what_is_there_has_a_version() {
        match firefox() {
            Err(reason) => assert!(reason.starts_with("the page in Firefox, for there is no "), "{reason}"),
            Ok(found) => {
                let version = version(&found).unwrap_or_default();
                assert!(
                    version.contains("Firefox") && version.contains(|sign: char| sign.is_ascii_digit()),
                    "{version}"
                );
            }
        }
    }
}
