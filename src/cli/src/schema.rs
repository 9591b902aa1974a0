//! The name and version of what `--json` writes, so that a reader knows what it has before it.
//!
//! Each form is written down in `docs/json`, as a JSON Schema and as an example. A name that is there stays, with its
//! meaning and its unit; a version grows when one goes or changes.

use serde_json::{Map, Value as Json};

/// A report with the name of its form.
pub(crate) fn stamped(command: &str, report: Map<String, Json>) -> Json {
    let form = ("schema".to_owned(), Json::String(format!("systolic-{command}/1")));
    Json::Object(core::iter::once(form).chain(report).collect())
}
