//! Why a request cannot be answered.

use serde_json::{Value, json};

use crate::words;

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The version of the protocol is not supported.
    Version,
    /// No such method.
    Method,
    /// A parameter is missing, unknown or of the wrong kind.
    Params,
    /// A value is not allowed.
    Range,
    /// The link locks the setting.
    Locked,
    /// What would be made is too large.
    Size,
}

systolic::named! {
    exact Code {
        Version => "E_VERSION",
        Method => "E_METHOD",
        Params => "E_PARAMS",
        Range => "E_RANGE",
        Locked => "E_LOCKED",
        Size => "E_SIZE",
    }
}

/// A failure, with all that a host needs to say it in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its kind.
    pub code: Code,
    /// The method or parameter.
    pub path: String,
    /// What it was, cut when long.
    pub given: String,
    /// What is allowed.
    pub allowed: String,
    /// One sentence for a person.
    pub message: String,
}

/// Letters of a value that are said again.
const GIVEN_MAX: usize = 60;

impl Failure {
    /// A failure whose sentence follows from its parts.
    pub(crate) fn new(code: Code, path: &str, given: &str, allowed: &str) -> Self {
        let given: String = given.chars().filter(|letter| !letter.is_control()).take(GIVEN_MAX).collect();
        let message = words::failure(code, path, &given, allowed);
        Self { code, path: path.chars().take(GIVEN_MAX).collect(), given, allowed: allowed.to_owned(), message }
    }

    /// A protocol of another version.
    #[must_use]
    pub fn version(given: &Value) -> Self {
        Self::new(Code::Version, "sap", &given.to_string(), &crate::VERSION.to_string())
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({ "code": self.code.id(), "path": self.path, "given": self.given, "allowed": self.allowed,
                "message": self.message })
    }
}
