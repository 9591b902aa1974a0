//! Engines other than Chromium's: the core of the page's tests runs in Firefox, where it can be had.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{answer, find, find_in};
use crate::{debian, tools};

/// The driver of Firefox that is built when there is none.
const GECKODRIVER: &str = "geckodriver@0.37.1";
/// Steps of the core in Firefox: it is made present, then tested.
pub(crate) const STEPS: usize = 2;

/// Whose browser shows the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Blink, in Chromium or Chrome.
    Chromium,
    /// Gecko, in Firefox.
    Firefox,
}

/// A browser and the program that drives it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The driver.
    pub driver: PathBuf,
    /// The browser.
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
    /// Its name in the variable ENGINE.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
        }
    }

    /// The one that the variable ENGINE names; Chromium without it.
    ///
    /// # Errors
    /// It names none, in a sentence.
    pub fn of_environment() -> Result<Self, String> {
        let Some(named) = env::var_os("ENGINE") else { return Ok(Self::Chromium) };
        let named = named.to_string_lossy();
        let found = [Self::Chromium, Self::Firefox].into_iter().find(|engine| engine.id() == named);
        found.ok_or_else(|| format!("ENGINE is {named}; chromium and firefox are allowed"))
    }
}

/// Firefox and its driver on this machine.
///
/// # Errors
/// One clause that says what is missing.
pub fn firefox() -> Result<Found, String> {
    let missing = |what: &str| format!("the page in Firefox, for there is no {what}");
    let program = find(&["firefox-esr", "firefox"]).ok_or_else(|| missing("Firefox"))?;
    let driver = find(&["geckodriver"]).or_else(|| find_in(&[tools::folder(&crate::root())], "geckodriver"));
    Ok(Found { driver: driver.ok_or_else(|| missing("geckodriver"))?, program })
}

/// The same, Firefox installed from Debian's packages and its driver built, where that is possible.
///
/// # Errors
/// As [`firefox`].
pub(crate) fn ensure_firefox(root: &Path) -> Result<Found, String> {
    if find(&["firefox-esr", "firefox"]).is_none() {
        // Its absence is told below.
        let _missing = debian::ensure(&["firefox-esr"]);
    }
    let found = firefox();
    if found.is_ok() || find(&["firefox-esr", "firefox"]).is_none() {
        return found;
    }
    tools::install(root, GECKODRIVER).map_err(|error| format!("the page in Firefox: {error}"))?;
    firefox()
}

/// What it says of itself, as `Mozilla Firefox 153.7.0esr`.
pub(crate) fn version(found: &Found) -> Option<String> {
    answer(Command::new(&found.program).arg("--version"))
}

/// About how long each step takes on two cores.
pub(crate) fn estimates() -> [Duration; STEPS] {
    [if firefox().is_ok() { 0 } else { 150 }, 120].map(Duration::from_secs)
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
