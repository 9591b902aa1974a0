//! Name and version of the `--json` output, so that a reader of the output can identify its form.
//!
//! The folder `docs/json` has a JSON Schema and an example for each form. Names in a form keep their meaning and unit.
//! The version increases if a name is removed or changed.

use serde_json::{Map, Value as Json};

/// Adds the name and version of its form to a report.
pub(crate) fn stamped(command: &str, report: Map<String, Json>) -> Json {
    let form = ("schema".to_owned(), Json::String(format!("systolic-{command}/1")));
    Json::Object(core::iter::once(form).chain(report).collect())
}
