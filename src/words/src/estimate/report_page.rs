//! What is said of a report.

/// Over the report.
pub const TITLE: &str = "Real models: a report";
/// Prints it.
pub const PRINT: &str = "Print";
/// Saves it.
pub const JSON: &str = "Download JSON";
/// Name of that file.
pub const JSON_NAME: &str = "systolic-model.json";
/// Over all that is set.
pub const INPUTS: &str = "Inputs";
/// Where a file was read, which no link holds.
pub const OWN_FILE: &str = "The model comes from a file or a pasted list, which the link does not contain.";
