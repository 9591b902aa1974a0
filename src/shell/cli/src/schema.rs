//! Name and version of each form of `--json` output. A program can identify the form of its input by this name and
//! version.
//!
//! The folder `docs/json` has a JSON Schema and an example for each form. The keys of a form keep their meaning and
//! unit. The version increases if a key is removed or changed.

use serde_json::{Map, Value as Json};

/// Adds to a report the name and version of the report's form.
pub(crate) fn stamped(command: &str, report: Map<String, Json>) -> Json {
    let form = ("schema".to_owned(), Json::String(format!("systolic-{command}/1")));
    Json::Object(core::iter::once(form).chain(report).collect())
}
