//! Documents about the protocol, generated from the table of methods and events.

use serde_json::{Map, Value as Json, json};
use studio::{Entry, Field};

use crate::table::{Moment, Param, VIEW};
use crate::{Code, Event, Kind, Method, VERSION};

/// A field of an answer: its name, its TypeScript type, and its description.
type Member = (&'static str, &'static str, &'static str);

/// Fields of the current state.
const STATE: [Member; 11] = [
    ("settings", "Settings", "Settings of the run. A and B are there if they are custom."),
    ("view", "View", "The view. A part that is not in use is null."),
    ("cycle", "number", "The cycle that the page shows."),
    ("last", "number", "The last cycle of the run."),
    ("playing", "boolean", "True during playback."),
    (
        "array_mfu_pct",
        "number | null",
        "MFU of the array on screen for the whole run. Null if the chip lacks the format.",
    ),
    ("array_usd_per_1e18", "number | null", "US dollars for 10¹⁸ useful multiplications, at the price of the chip."),
    ("array_mfu_so_far_pct", "number | null", "MFU of the array from the start of the run to the shown cycle."),
    (
        "array_usd_so_far_per_1e18",
        "number | null",
        "Cost up to the shown cycle. Null before the first useful PE-cycle.",
    ),
    ("link", "string", "The link of this state, from the question mark on."),
    ("notices", "string[]", "Sentences about parts of the link that could not be used."),
];

/// Fields of the measures of a run.
const MEASURES: [Member; 12] = [
    ("cycles", "number", "Cycles of the whole run."),
    ("folds", "number", "Folds of the run."),
    ("pe_cycles", "number", "PEs times cycles."),
    ("utilization_pct", "number", "Useful PE-cycles, in percent of all PE-cycles."),
    ("array_mfu_pct", "number | null", "MFU of the array on screen. Null if the chip lacks the format."),
    ("array_usd_per_1e18", "number | null", "US dollars for 10¹⁸ useful multiplications, at the price of the chip."),
    ("useful", "number", "PE-cycles with a useful product."),
    ("padding", "number", "PE-cycles of PEs without a useful product because of padding."),
    ("load", "number", "PE-cycles while the stationary operand is loaded."),
    ("fill", "number", "PE-cycles of PEs that wait for their first operand."),
    ("drain", "number", "PE-cycles of PEs that have finished their fold."),
    ("stall", "number", "PE-cycles while the array waits for memory."),
];

/// Fields of the registers of a PE at a cycle.
const REGISTERS: [Member; 12] = [
    ("cycle", "number", "The cycle."),
    ("row", "number", "Row of the PE, from 0."),
    ("col", "number", "Column of the PE, from 0."),
    ("a", "Scalar | null", "Element of A in the PE."),
    ("b", "Scalar | null", "Element of B in the PE."),
    ("psum", "Scalar | null", "Partial sum."),
    ("phase", "'padding' | 'load' | 'fill' | 'steady' | 'drain' | 'stall'", "Phase of the PE."),
    ("fold", "number", "The fold, from 0."),
    ("shadow?", "Scalar | null", "Stationary element of the next fold, with double buffering."),
    ("product?", "Scalar | null", "Product register, if the design has one."),
    ("passing?", "Scalar | null", "Second register on the way south, if the design has one."),
    ("drained?", "Scalar | null", "Finished sum that is leaving the array."),
];

fn interface(name: &str, about: &str, members: &[Member]) -> String {
    let lines: String =
        members.iter().map(|(name, kind, about)| format!("  /** {about} */\n  {name}: {kind};\n")).collect();
    format!("/** {about} */\nexport interface {name} {{\n{lines}}}\n\n")
}

/// Returns the JSON Schema of an answer with these fields.
fn answer(members: &[Member]) -> Json {
    let kind = |text: &str| match text {
        "Settings" | "View" | "Scalar" => json!({ "$ref": format!("#/$defs/{text}") }),
        "number" | "boolean" | "string" => json!({ "type": text }),
        "string[]" => json!({ "type": "array", "items": { "type": "string" } }),
        "Scalar | null" => json!({ "anyOf": [{ "$ref": "#/$defs/Scalar" }, { "type": "null" }] }),
        names => json!({ "enum": names.split(" | ").map(|name| name.trim_matches('\'')).collect::<Vec<_>>() }),
    };
    let properties: Map<String, Json> = members
        .iter()
        .map(|(name, text, about)| {
            let mut kind = kind(text);
            kind["description"] = json!(about);
            (name.trim_end_matches('?').to_owned(), kind)
        })
        .collect();
    let required: Vec<&str> = members.iter().map(|(name, ..)| *name).filter(|name| !name.ends_with('?')).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn rows(members: &[Member]) -> String {
    let row = |(name, kind, about): &Member| {
        format!("| `{}` | {} | {about} |\n", name.trim_end_matches('?'), kind.replace(" | ", ", "))
    };
    format!("| field | type | content |\n|---|---|---|\n{}", members.iter().map(row).collect::<String>())
}

fn kind(param: &Param) -> Json {
    match param.takes {
        Kind::Integer => json!({ "type": "integer" }),
        Kind::Text => json!({ "type": "string" }),
        Kind::OneOf(names) => json!({ "enum": names }),
        Kind::Settings => json!({ "$ref": "#/$defs/Settings" }),
        Kind::View => json!({ "$ref": "#/$defs/View" }),
    }
}

/// Returns the JSON Schema of an object with values by their names in a link. `null` stands for a default.
fn by_name(entries: impl Iterator<Item = Entry>) -> Json {
    let value = |entry| json!({ "anyOf": [super::link::kind(entry), { "type": "null" }] });
    let properties: Map<String, Json> = entries.map(|entry| (entry.name().to_owned(), value(entry))).collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

/// Returns the JSON Schema of a request.
#[must_use]
pub fn schema() -> Json {
    let methods: Vec<Json> = Method::ALL
        .into_iter()
        .map(|method| {
            let properties: Map<String, Json> =
                method.params().iter().map(|param| (param.name.to_owned(), kind(param))).collect();
            let required: Vec<&str> =
                method.params().iter().filter(|param| !param.is_optional).map(|param| param.name).collect();
            json!({
                "description": method.about(),
                "properties": {
                    "id": {}, "method": { "const": method.id() },
                    "params": { "type": "object", "additionalProperties": false, "properties": properties,
                                "required": required },
                },
                "required": ["id", "method"],
            })
        })
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("sap/{VERSION} request"),
        "type": "object",
        "oneOf": methods,
        "$defs": {
            "Settings": by_name(Field::ALL.into_iter().map(Entry::Setting)),
            "View": by_name(VIEW.into_iter()),
            "Scalar": { "anyOf": [{ "type": "number" }, { "enum": ["nan", "inf", "-inf"] }] },
            "State": answer(&STATE),
            "Measures": answer(&MEASURES),
            "Registers": answer(&REGISTERS),
            "ErrorCode": { "enum": Code::NAMES },
            "Event": { "enum": Event::NAMES },
        },
    })
}

fn union(names: &[&str]) -> String {
    names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" | ")
}

/// TypeScript type of the parameters of `seek`.
const SEEK: &str = "{ cycle: number; to?: undefined } | { cycle?: undefined; to: MOMENTS }";

/// TypeScript type of the parameters of `setState`, which needs `settings`, `view` or both.
const SET_STATE: &str = "{ settings: Settings; view?: View } | { settings?: Settings; view: View }";

/// Returns the TypeScript types of the protocol.
#[must_use]
pub fn types() -> String {
    let mut out = String::from("// Generated from the table of the protocol; a test compares them.\n\n");
    let members = |entries: &mut dyn Iterator<Item = Entry>| {
        entries
            .map(|entry| format!("  {}?: {} | null;\n", entry.name(), super::link::type_of(entry)))
            .collect::<String>()
    };
    out.push_str(
        "/** Settings by their names in a link. In a request, null sets a default. */\nexport interface Settings {\n",
    );
    out.push_str(&members(&mut Field::ALL.into_iter().map(Entry::Setting)));
    out.push_str("}\n\n/** Parts of the view by their names in a link. In a request, null sets a default. */\nexport interface View {\n");
    out.push_str(&members(&mut VIEW.into_iter()));
    out.push_str("}\n\n/** A value of a register. JSON has no numbers for the last three. */\nexport type Scalar = number | 'nan' | 'inf' | '-inf';\n\n");
    out.push_str(&interface("State", "Current state of the page.", &STATE));
    out.push_str(&interface("Measures", "PE-cycles of a run by class, and its utilization.", &MEASURES));
    out.push_str(&interface("Registers", "Registers of a PE at a cycle.", &REGISTERS));
    out.push_str(&format!("export type ErrorCode = {};\n", union(&Code::NAMES)));
    out.push_str(&format!("export type EventName = {};\n\n", union(&Event::NAMES)));
    out.push_str("/** Fields of an error. */\nexport interface SapError extends Error {\n");
    out.push_str("  code: ErrorCode;\n  path: string;\n  given: string;\n  allowed: string;\n}\n\n");
    out.push_str("/** The methods, as promises. */\nexport interface Methods {\n");
    for method in Method::ALL {
        let params: Vec<String> = method
            .params()
            .iter()
            .map(|param| {
                let takes = match param.takes {
                    Kind::Integer => "number".to_owned(),
                    Kind::Text => "string".to_owned(),
                    Kind::OneOf(names) => union(names),
                    Kind::Settings => "Settings".to_owned(),
                    Kind::View => "View".to_owned(),
                };
                format!("{}{}: {takes}", param.name, if param.is_optional { "?" } else { "" })
            })
            .collect();
        let mark = if method.params().iter().all(|param| param.is_optional) { "?" } else { "" };
        let given = match method {
            // A call has exactly one of the two parameters.
            Method::Seek => format!("params: {}", SEEK.replace("MOMENTS", &union(&Moment::NAMES))),
            Method::SetState => format!("params: {SET_STATE}"),
            _ if params.is_empty() => String::new(),
            _ => format!("params{mark}: {{ {} }}", params.join("; ")),
        };
        out.push_str(&format!(
            "  /** {} */\n  {}({given}): Promise<{}>;\n",
            method.about(),
            method.id(),
            method.gives()
        ));
    }
    out.push_str("}\n");
    out
}

/// Returns the reference of the protocol as Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut out = format!(
        "# sap/{VERSION}: steer the playground from another page\n\n\
         The host sends `{{sap: 1, type: \"hello\", nonce}}` to the frame, together with a `MessagePort`. The host repeats this\n\
         greeting until the frame answers on that port with\n\
         `{{type: \"welcome\", nonce, apiVersion, appVersion, features}}`. After that, the port carries requests\n\
         `{{id, method, params}}`, answers `{{id, ok: true, result}}` or `{{id, ok: false, error}}`, and events `{{event, data}}`.\n\
         The frame accepts only messages from its parent. Methods read and change only the state of the frame.\n\n\
         A greeting may list `keys` that the host wants to handle, such as `[\"PageDown\", \"PageUp\"]` in slides. The frame\n\
         sends these keys to the host as events. Keys that type a character stay with the frame.\n\n\
         ## Methods\n"
    );
    for method in Method::ALL {
        out.push_str(&format!("\n### {}\n\n{} Result: `{}`.\n", method.id(), method.about(), method.gives()));
        for param in method.params() {
            let takes = match param.takes {
                Kind::Integer => "a whole number".to_owned(),
                Kind::Text => "a text".to_owned(),
                Kind::OneOf(names) => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
                Kind::Settings | Kind::View => "an object".to_owned(),
            };
            out.push_str(&format!("\n- `{}`: {takes}. {}", param.name, param.about));
        }
        if !method.params().is_empty() {
            out.push('\n');
        }
        let example = format!("{{\"id\": 1, \"method\": \"{}\", \"params\": {}}}", method.id(), method.example());
        out.push_str(&format!("\n```json\n{example}\n```\n"));
    }
    out.push_str("\n## Answers\n");
    for (name, members) in [("State", &STATE[..]), ("Measures", &MEASURES), ("Registers", &REGISTERS)] {
        out.push_str(&format!("\n### {name}\n\n{}", rows(members)));
    }
    out.push_str(
        "\nA `Scalar` is a number, or one of the texts `nan`, `inf` and `-inf`, because JSON has no such numbers.\n",
    );
    out.push_str("\n## Events\n\n| event | data |\n|---|---|\n");
    for event in Event::ALL {
        out.push_str(&format!("| `{}` | {} |\n", event.id(), event.about()));
    }
    out.push_str("\n## Errors\n\nAn error has `code`, `path`, `given`, `allowed` and a sentence, `message`.\n\n| code | when |\n|---|---|\n");
    for code in Code::ALL {
        out.push_str(&format!("| `{}` | {} |\n", code.id(), super::when(code)));
    }
    out
}
