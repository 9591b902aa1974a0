//! What can go wrong in a chore, one sentence each.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// Why a chore stopped.
#[derive(Debug)]
pub enum Error {
    /// The command line names something that does not exist.
    Usage(String),
    /// A file, a folder or a socket refused.
    Io {
        /// What was being done, as "read dist/index.html".
        doing: String,
        /// What the system answered.
        source: io::Error,
    },
    /// A program the chore needs is not there and cannot be installed from here.
    Missing {
        /// The program.
        what: String,
        /// What the reader can do about it.
        remedy: String,
    },
    /// A step ran and ended badly; its own output says why.
    Step(String),
    /// Data that has another form than the chore expects.
    Malformed(String),
    /// The project was checked and falls short: failing tests or too many bytes.
    Verdict(String),
}

impl Error {
    /// An input or output failure while `doing` something.
    pub fn io(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Io { doing, source }
    }

    /// 1 when the project was checked and falls short, 2 when the chore itself could not be done.
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
            Self::Usage(what) => write!(out, "{what}; `cargo xtask help` lists the commands"),
            Self::Io { doing, source } => write!(out, "cannot {doing}: {source}"),
            Self::Missing { what, remedy } => write!(out, "{what} is missing: {remedy}"),
            Self::Step(name) => write!(out, "this step failed: {name}"),
            Self::Malformed(what) | Self::Verdict(what) => out.write_str(what),
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
