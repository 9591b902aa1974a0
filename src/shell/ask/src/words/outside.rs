//! Names of hardware and of software that the project does not model.

/// Names, one per line: `hardware` or `software` and the name, then the forms that a person writes; or `card`, its name,
/// its key, TFLOPS and GB/s.
pub(crate) const NAMES: &str = include_str!("../../outside.txt");

/// Returns a sentence on what a text names and the page does not model, and whether it is hardware.
pub(crate) fn says(text: &str) -> Option<(String, bool)> {
    let words = |text: &str| text.to_lowercase().replace(|sign: char| !sign.is_alphanumeric(), " ");
    let text = format!(" {} ", words(text).split_whitespace().collect::<Vec<_>>().join(" "));
    let has = |name: &str| text.contains(&format!(" {} ", words(name)));
    NAMES.lines().find_map(|line| {
        let (kind, names) = line.split_once('\t').filter(|(_, names)| names.split(',').any(has))?;
        let is_hardware = kind == "hardware";
        let verb = if is_hardware { "model" } else { "explain" };
        Some((format!("This page does not {verb} {}.", names.split(',').next()?), is_hardware))
    })
}

/// Title of an answer on what the page does not model.
pub(crate) const TITLE: &str = "Outside of what this page models";

/// Rest of the answer: what comes nearest.
pub(crate) const NEAREST: &str =
    " Its own documentation and issues do. Nearest here: a run of an array with its sizes, or the answers below.";
