//! Documents about links, generated from the table of link parameters in `studio`.

use serde_json::{Map, Value as Json, json};
use studio::{Allowed, Entry};
use words::link_table::{BACK, COLUMNS, LEAD, TITLE, about, group, takes};

use super::escaped;

/// Returns the JSON Schema of the values that a parameter accepts.
pub(super) fn kind(entry: Entry) -> Json {
    match entry.allowed() {
        Allowed::Whole { min, max: u64::MAX } => json!({ "type": "integer", "minimum": min }),
        Allowed::Whole { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Allowed::OneOf(names) => json!({ "enum": names }),
        Allowed::Some(names) => {
            let one = names.join("|");
            json!({ "type": "string", "pattern": format!("^(none|({one})([.,]({one}))*)$") })
        }
        Allowed::TileOrder => json!({ "type": "string", "pattern": r"^(up|down|second-half-first|[0-9]+(,[0-9]+)*)$" }),
        Allowed::Place => json!({ "type": "string", "pattern": r"^[0-9]+\.[0-9]+$" }),
        Allowed::Matrix | Allowed::Text => json!({ "type": "string" }),
    }
}

/// Returns the TypeScript type of the values that a parameter accepts.
pub(super) fn type_of(entry: Entry) -> String {
    match entry.allowed() {
        Allowed::Whole { .. } => "number".to_owned(),
        Allowed::OneOf(names) => names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" | "),
        Allowed::Some(_) | Allowed::TileOrder | Allowed::Place | Allowed::Matrix | Allowed::Text => "string".to_owned(),
    }
}

/// Returns the JSON Schema of a link as an object, with parameters by name.
#[must_use]
pub fn link_schema() -> Json {
    let properties: Map<String, Json> = Entry::all()
        .map(|entry| {
            let mut kind = kind(entry);
            kind["description"] = json!(about(entry));
            if let Some(usual) = entry.usual() {
                let number =
                    matches!(entry.allowed(), Allowed::Whole { .. }).then(|| usual.parse::<u64>().ok()).flatten();
                kind["default"] = number.map_or(json!(usual), |number| json!(number));
            }
            (entry.name().to_owned(), kind)
        })
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": TITLE,
        "description": LEAD,
        "type": "object",
        "properties": properties,
    })
}

/// Returns the TypeScript type of a link.
#[must_use]
pub fn link_types() -> String {
    let mut out = String::from("// Generated from the table of link parameters; a test compares them.\n\n");
    out.push_str("/** Link parameters. */\nexport interface LinkParameters {\n");
    for entry in Entry::all() {
        let usual = entry.usual().map_or_else(String::new, |usual| format!(" Default: {usual}."));
        out.push_str(&format!("  /** {}{usual} */\n  {}?: {};\n", about(entry), entry.name(), type_of(entry)));
    }
    out.push_str("}\n");
    out
}

/// Returns an example of a link with this parameter: the query and fragment, which follow the address of the page.
fn example(entry: Entry) -> String {
    let (query, fragment) = entry.example();
    let part = |mark: &str, text: &str| if text.is_empty() { String::new() } else { format!("{mark}{text}") };
    part("?", query) + &part("#", fragment)
}

/// Returns the parameters by group, each group with its heading.
fn groups() -> Vec<(&'static str, Vec<Entry>)> {
    let mut groups: Vec<(&str, Vec<Entry>)> = Vec::new();
    for entry in Entry::all() {
        match groups.last_mut() {
            Some((name, entries)) if *name == group(entry) => entries.push(entry),
            _ => groups.push((group(entry), vec![entry])),
        }
    }
    groups
}

/// Returns the reference of link parameters as Markdown.
#[must_use]
pub fn link_markdown() -> String {
    let mut out = format!("# {TITLE}\n\n{LEAD}\n");
    for (name, entries) in groups() {
        out.push_str(&format!("\n## {name}\n\n| {} |\n|---|---|---|---|---|\n", COLUMNS.join(" | ")));
        for entry in entries {
            let usual = entry.usual().map_or_else(String::new, |usual| format!("`{usual}`"));
            let (what, example) = (about(entry), example(entry));
            out.push_str(&format!("| `{}` | {} | {usual} | {what} | `{example}` |\n", entry.name(), takes(entry)));
        }
    }
    out
}

/// Returns the body of the page on link parameters. The build adds the HTML head and the styles.
#[must_use]
pub fn link_page() -> String {
    let mut out = format!("<h1>{TITLE}</h1>\n<p>{}</p>\n<p><a href=\"./\">{BACK}</a></p>\n", escaped(LEAD));
    for (name, entries) in groups() {
        out.push_str(&format!("<h2>{name}</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">\n<table>\n<thead><tr>"));
        for column in COLUMNS {
            out.push_str(&format!("<th scope=\"col\">{column}</th>"));
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for entry in entries {
            let usual = entry.usual().map_or_else(String::new, |usual| format!("<code>{usual}</code>"));
            let example = escaped(&example(entry));
            out.push_str(&format!(
                "<tr id=\"{0}\"><th scope=\"row\"><code>{0}</code></th><td>{1}</td><td>{usual}</td><td>{2}</td><td><a href=\"./{example}\"><code>{example}</code></a></td></tr>\n",
                entry.name(),
                escaped(&takes(entry)),
                escaped(about(entry)),
            ));
        }
        out.push_str("</tbody>\n</table>\n</div>\n");
    }
    out
}
