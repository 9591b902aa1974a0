//! WebDriver commands of Chromium for which the client library has no method.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use url::{ParseError, Url};

/// Reads the console's messages.
#[derive(Debug)]
pub(super) struct Log;

/// Sends a command of the DevTools protocol.
#[derive(Debug)]
pub(super) struct Cdp {
    /// The command and its parameters as JSON.
    pub(super) body: String,
}

impl WebDriverCompatibleCommand for Log {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        endpoint(base, session, "se/log")
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(r#"{"type":"browser"}"#.to_owned()))
    }
}

impl WebDriverCompatibleCommand for Cdp {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        endpoint(base, session, "goog/cdp/execute")
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.clone()))
    }
}

fn endpoint(base: &Url, session: Option<&str>, command: &str) -> Result<Url, ParseError> {
    base.join(&format!("session/{}/{command}", session.unwrap_or_default()))
}
