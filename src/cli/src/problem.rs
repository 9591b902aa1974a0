//! What went wrong, one sentence each.

use std::fmt;
use std::io;

use csv::StringRecord;
use estimate::InvalidEntry;
use estimate::words::invalid;
use plain::grouped;

/// Sentences for the error stream.
#[derive(Debug)]
pub(crate) struct Problems {
    sentences: Vec<String>,
    closed_pipe: bool,
}

impl Problems {
    pub(crate) fn one(sentence: impl Into<String>) -> Self {
        Self { sentences: vec![sentence.into()], closed_pipe: false }
    }

    /// Nothing when there is nothing to say.
    pub(crate) fn all(sentences: Vec<String>) -> Result<(), Self> {
        if sentences.is_empty() { Ok(()) } else { Err(Self { sentences, closed_pipe: false }) }
    }

    /// Nothing when every option can be used.
    pub(crate) fn of_options(invalid: &[InvalidEntry]) -> Result<(), Self> {
        Self::all(invalid.iter().map(invalid::option).collect())
    }

    pub(crate) const fn is_closed_pipe(&self) -> bool {
        self.closed_pipe
    }

    /// The same, said of a row of the input.
    pub(crate) fn in_row(self, row: u64) -> Vec<String> {
        self.sentences.into_iter().map(|sentence| format!("row {row}: {sentence}")).collect()
    }
}

/// A record of a table, or what is wrong with this row alone: bytes that are no text.
///
/// # Errors
/// What is wrong with the whole table.
pub(crate) fn record(read: Result<StringRecord, csv::Error>) -> Result<Result<StringRecord, Problems>, Problems> {
    match read {
        Ok(record) => Ok(Ok(record)),
        Err(error) if matches!(error.kind(), csv::ErrorKind::Utf8 { .. }) => {
            Ok(Err(Problems::one("there are bytes that are no text; allowed is UTF-8.")))
        }
        Err(error) => Err(error.into()),
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A sentence may quote a file, and it goes to a terminal.
        self.sentences.iter().try_for_each(|sentence| writeln!(f, "{}", plain::shown(sentence)))
    }
}

impl From<io::Error> for Problems {
    fn from(error: io::Error) -> Self {
        let closed_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self { sentences: vec![format!("The output cannot be written: {error}.")], closed_pipe }
    }
}

impl From<csv::Error> for Problems {
    fn from(error: csv::Error) -> Self {
        let text = error.to_string();
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Self::from(error),
            _ => Self::one(format!("The table cannot be read: {text}.")),
        }
    }
}

impl From<systolic::RangeError> for Problems {
    fn from(error: systolic::RangeError) -> Self {
        let systolic::RangeError { field, given, min, max } = error;
        let [given, min, max] = [given, min, max].map(grouped);
        Self::one(format!("{field} = {given}: allowed is {min} to {max}."))
    }
}
