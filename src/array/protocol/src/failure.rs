//! Failures: the reasons why a request has no result.

use serde_json::{Value, json};

use crate::words;

systolic::named! {
    /// The kind of a failure.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Code {
        /// Version of the protocol that is not supported.
        Version => "E_VERSION",
        /// Unknown method.
        Method => "E_METHOD",
        /// Parameter that is missing, unknown or of the wrong type.
        Params => "E_PARAMS",
        /// Value that is not allowed.
        Range => "E_RANGE",
        /// Setting that the link locks.
        Locked => "E_LOCKED",
        /// Result that is too large for a message.
        Size => "E_SIZE",
    }
}

/// A failure, with all details that a host needs for its own error message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Kind of the failure.
    pub code: Code,
    /// Name of the method or parameter that failed.
    pub path: String,
    /// Value that the host sent, shortened if long.
    pub given: String,
    /// Values that are allowed.
    pub allowed: String,
    /// Sentence that explains the failure to a person.
    pub message: String,
}

/// Maximum length of a value or name that a failure repeats, in characters.
const GIVEN_MAX: usize = 60;

impl Failure {
    /// Returns a failure whose message is made from the arguments.
    pub(crate) fn new(code: Code, path: &str, given: &str, allowed: &str) -> Self {
        let short = |text: &str| text.chars().filter(|letter| !letter.is_control()).take(GIVEN_MAX).collect::<String>();
        let (path, given) = (short(path), short(given));
        let message = words::failure(code, &path, &given, allowed);
        Self { code, path, given, allowed: allowed.to_owned(), message }
    }

    /// Returns the failure for a file that the browser cannot make.
    #[must_use]
    pub fn not_made(file: export::File) -> Self {
        Self::new(Code::Params, "as", file.id(), words::MADE)
    }

    /// Returns the failure for a greeting with another version of the protocol.
    #[must_use]
    pub fn version(given: &Value) -> Self {
        Self::new(Code::Version, "sap", &crate::request::text(given), &crate::VERSION.to_string())
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({ "code": self.code.id(), "path": self.path, "given": self.given, "allowed": self.allowed,
                "message": self.message })
    }
}
