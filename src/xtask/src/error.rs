//! Errors of xtask commands. Each error prints as one sentence.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// Reason why an xtask command stopped.
#[derive(Debug)]
pub enum Error {
    /// Command line with an unknown name or a wrong value.
    Usage(String),
    /// Failed operation on a file, folder, socket or process.
    Io {
        /// Failed action, such as "read dist/index.html".
        doing: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// Missing program or file that the command needs and cannot install.
    Missing {
        /// Name of the missing program or file.
        what: String,
        /// Advice for the user: the way to get the missing program or file.
        remedy: String,
    },
    /// Name of a step that failed. The output of the step shows the reason.
    Step(String),
    /// Message about data in an unexpected form.
    Malformed(String),
    /// Message about a failed check of the project: failing tests or too many bytes.
    Verdict(String),
}

impl Error {
    /// Returns a function that adds the failed action `doing` to an input or output error.
    pub fn io(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Io { doing, source }
    }

    /// Returns the exit code: 1 if a check of the project failed, and 2 if the command itself could not run.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Verdict(_) => ExitCode::from(1),
            Self::Usage(_) | Self::Io { .. } | Self::Missing { .. } | Self::Step(_) | Self::Malformed(_) => {
                ExitCode::from(2)
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { doing, source } => write!(out, "cannot {doing}: {source}"),
            Self::Missing { what, remedy } => write!(out, "{what} is missing: {remedy}"),
            Self::Step(name) => write!(out, "this step failed: {name}"),
            Self::Usage(what) | Self::Malformed(what) | Self::Verdict(what) => out.write_str(what),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
