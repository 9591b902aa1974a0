//! Errors of xtask commands. Each error prints as one sentence.

use std::process::ExitCode;
use std::{fmt, io};

/// Reason why an xtask command stopped.
#[derive(Debug)]
pub enum Error {
    /// Message of a command that could not run: a wrong value, a failed program or file, or unexpected data.
    Failed(String),
    /// Message about a failed check of the project: failing tests or too many bytes.
    Verdict(String),
}

impl Error {
    /// Returns a function that adds the failed action `doing`, such as "read dist/index.html", to an input or output
    /// error.
    pub fn io(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Failed(format!("cannot {doing}: {source}"))
    }

    /// Returns the error for a program or file that the command needs and cannot install, with advice for the user.
    pub fn missing(what: &str, remedy: &str) -> Self {
        Self::Failed(format!("{what} is missing: {remedy}"))
    }

    /// Returns the exit code: 1 if a check of the project failed, and 2 if the command itself could not run.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(if matches!(self, Self::Verdict(_)) { 1 } else { 2 })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Failed(what) | Self::Verdict(what)) = self;
        out.write_str(what)
    }
}

impl std::error::Error for Error {}
