//! Text of a report of the model estimates.

/// Title of a printed report.
pub const TITLE: &str = "Real models: a report";
/// Label of the button that prints the report.
pub const PRINT: &str = "Print";
/// Label of the button that prints the report with all details.
pub const PRINT_ALL: &str = "Print with all sources";
/// Label of the button that downloads the comparison as a picture.
pub const SVG: &str = "Download SVG";
/// File name of the comparison as a picture.
pub const SVG_NAME: &str = "systolic-model.svg";
/// Label of the button that downloads the comparison as CSV.
pub const CSV: &str = "Download CSV";
/// File name of the comparison as CSV.
pub const CSV_NAME: &str = "systolic-model.csv";
/// Label of the button that downloads the report as JSON.
pub const JSON: &str = "Download JSON";
/// File name of the report as JSON.
pub const JSON_NAME: &str = "systolic-model.json";
/// Heading of the list of all inputs in a printed report.
pub const INPUTS: &str = "Inputs";
/// Note in a printed report if the model comes from a file or a pasted list.
pub const OWN_FILE: &str = "The model comes from a file or a pasted list. The link does not contain this model.";
