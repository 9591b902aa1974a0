//! Documents about the protocol, generated from the table of methods and events.

use serde_json::{Map, Value as Json, json};
use studio::{Entry, Field};

use crate::table::Param;
use crate::{Code, EVENTS, Kind, METHODS, VERSION};

/// Fields of the current state, each with its JSON type.
const STATE: [(&str, &str); 5] =
    [("settings", "object"), ("cycle", "integer"), ("last", "integer"), ("playing", "boolean"), ("link", "string")];

fn kind(param: &Param) -> Json {
    match param.takes {
        Kind::Integer => json!({ "type": "integer" }),
        Kind::Text => json!({ "type": "string" }),
        Kind::OneOf(names) => json!({ "enum": names }),
        Kind::Settings => json!({ "$ref": "#/$defs/Settings" }),
    }
}

fn settings() -> Json {
    let properties: Map<String, Json> =
        Field::ALL.iter().map(|field| (field.id().to_owned(), super::link::kind(Entry::Setting(*field)))).collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

/// Returns the JSON Schema of a request.
#[must_use]
pub fn schema() -> Json {
    let methods: Vec<Json> = METHODS
        .iter()
        .map(|method| {
            let properties: Map<String, Json> =
                method.params.iter().map(|param| (param.name.to_owned(), kind(param))).collect();
            let required: Vec<&str> =
                method.params.iter().filter(|param| !param.is_optional).map(|param| param.name).collect();
            json!({
                "description": method.about,
                "properties": {
                    "id": {}, "method": { "const": method.name },
                    "params": { "type": "object", "additionalProperties": false, "properties": properties,
                                "required": required },
                },
                "required": ["id", "method"],
            })
        })
        .collect();
    let state: Map<String, Json> =
        STATE.iter().map(|(name, kind)| ((*name).to_owned(), json!({ "type": kind }))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("sap/{VERSION} request"),
        "type": "object",
        "oneOf": methods,
        "$defs": {
            "Settings": settings(),
            "State": { "type": "object", "properties": state, "required": STATE.map(|(name, _)| name) },
            "ErrorCode": { "enum": Code::ALL.map(Code::id) },
            "Event": { "enum": EVENTS.map(crate::Event::name) },
        },
    })
}

fn union(names: &[&str]) -> String {
    names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" | ")
}

/// Returns the TypeScript types of the protocol.
#[must_use]
pub fn types() -> String {
    let mut out = String::from("// Generated from the table of the protocol; a test compares them.\n\n");
    out.push_str("/** Settings by their names in a link. */\nexport interface Settings {\n");
    for field in Field::ALL {
        out.push_str(&format!("  {}?: {};\n", field.id(), super::link::type_of(Entry::Setting(field))));
    }
    out.push_str("}\n\n/** Current state of the page. */\nexport interface State {\n");
    for (name, kind) in STATE {
        let kind = match kind {
            "object" => "Settings",
            "integer" => "number",
            other => other,
        };
        out.push_str(&format!("  {name}: {kind};\n"));
    }
    out.push_str(
        "}\n\n/** PE-cycles of a run by class, and its utilization. */\nexport type Measures = Record<string, number>;\n\n",
    );
    out.push_str(&format!("export type ErrorCode = {};\n", union(&Code::ALL.map(Code::id))));
    out.push_str(&format!("export type EventName = {};\n\n", union(&EVENTS.map(crate::Event::name))));
    out.push_str("/** Fields of an error. */\nexport interface SapError extends Error {\n");
    out.push_str("  code: ErrorCode;\n  path: string;\n  given: string;\n  allowed: string;\n}\n\n");
    out.push_str("/** The methods, as promises. */\nexport interface Methods {\n");
    for method in METHODS {
        let params: Vec<String> = method
            .params
            .iter()
            .map(|param| {
                let takes = match param.takes {
                    Kind::Integer => "number".to_owned(),
                    Kind::Text => "string".to_owned(),
                    Kind::OneOf(names) => union(names),
                    Kind::Settings => "Settings".to_owned(),
                };
                format!("{}{}: {takes}", param.name, if param.is_optional { "?" } else { "" })
            })
            .collect();
        let given = if params.is_empty() { String::new() } else { format!("params: {{ {} }}", params.join("; ")) };
        out.push_str(&format!("  /** {} */\n  {}({given}): Promise<{}>;\n", method.about, method.name, method.gives));
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
    for method in METHODS {
        out.push_str(&format!("\n### {}\n\n{} Result: `{}`.\n", method.name, method.about, method.gives));
        for param in method.params {
            let takes = match param.takes {
                Kind::Integer => "a whole number".to_owned(),
                Kind::Text => "a text".to_owned(),
                Kind::OneOf(names) => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
                Kind::Settings => "an object".to_owned(),
            };
            out.push_str(&format!("\n- `{}`: {takes}. {}", param.name, param.about));
        }
        if !method.params.is_empty() {
            out.push('\n');
        }
        let example = format!("{{\"id\": 1, \"method\": \"{}\", \"params\": {}}}", method.name, method.example);
        out.push_str(&format!("\n```json\n{example}\n```\n"));
    }
    out.push_str("\n## Events\n\n| event | data |\n|---|---|\n");
    for event in EVENTS {
        out.push_str(&format!("| `{}` | {} |\n", event.name(), event.about()));
    }
    out.push_str("\n## Errors\n\nAn error has `code`, `path`, `given`, `allowed` and a sentence, `message`.\n\n| code | when |\n|---|---|\n");
    for code in Code::ALL {
        out.push_str(&format!("| `{}` | {} |\n", code.id(), super::when(code)));
    }
    out
}
