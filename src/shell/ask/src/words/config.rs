//! Sentences about a pasted configuration.

use display::number::grouped;

/// Returns the title of a configuration.
pub(crate) fn title(listed: Option<&str>, family: Option<&str>) -> String {
    match (listed, family) {
        (Some(title), _) => format!("{title}: a model of the list"),
        (None, Some(family)) => format!("config.json of {}", plain::quote(family)),
        (None, None) => "config.json of a model".to_owned(),
    }
}

/// Returns a sentence with the sizes of a configuration, and the next step.
pub(crate) fn says(sizes: &[(&str, u64)], is_listed: bool) -> String {
    let list: Vec<String> = sizes.iter().map(|(name, size)| format!("{name} {}", grouped(*size))).collect();
    let next = if is_listed { "has these sizes" } else { "opens; paste this text under “Paste or open your own”" };
    format!("Real models {next}: {}.", list.join(", "))
}
