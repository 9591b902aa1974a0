//! JSON as text, indented by two; names stay in their order.

use std::fmt::Write as _;

/// A value of JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// A number; what is not finite is written as null, like what is not known.
    Number(Option<f64>),
    /// A whole number.
    Whole(u64),
    /// True or false.
    Bool(bool),
    /// A text.
    Text(String),
    /// Values.
    List(Vec<Self>),
    /// Values by name.
    Object(Vec<(&'static str, Self)>),
}

impl From<f64> for Json {
    fn from(value: f64) -> Self {
        Self::Number(Some(value))
    }
}

impl From<Option<f64>> for Json {
    fn from(value: Option<f64>) -> Self {
        Self::Number(value)
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Self {
        Self::Whole(value)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Json {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl Json {
    /// A list of whatever becomes a value.
    pub fn list<T: Into<Self>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }

    /// The text, without a line break at its end.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0);
        text
    }

    fn write(&self, out: &mut String, depth: usize) {
        match self {
            // The shortest digits that read back as the same number.
            Self::Number(Some(value)) if value.is_finite() => {
                let _ = write!(out, "{value:?}");
            }
            Self::Number(_) => out.push_str("null"),
            Self::Whole(value) => out.push_str(&value.to_string()),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Text(text) => quoted(out, text),
            Self::List(values) => {
                let write = |out: &mut String, value: &Self| value.write(out, depth + 1);
                enclosed(out, depth, ['[', ']'], values.iter(), write);
            }
            Self::Object(pairs) => {
                enclosed(out, depth, ['{', '}'], pairs.iter(), |out, (name, value)| {
                    quoted(out, name);
                    out.push_str(": ");
                    value.write(out, depth + 1);
                });
            }
        }
    }
}

fn enclosed<T>(
    out: &mut String,
    depth: usize,
    [open, close]: [char; 2],
    values: impl ExactSizeIterator<Item = T>,
    write: impl Fn(&mut String, T),
) {
    out.push(open);
    let last = values.len();
    for (at, value) in values.enumerate() {
        indent(out, depth + 1);
        write(out, value);
        if at + 1 < last {
            out.push(',');
        }
    }
    if last > 0 {
        indent(out, depth);
    }
    out.push(close);
}

fn indent(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(core::iter::repeat_n("  ", depth));
}

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            control if control < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn values_are_written_by_the_rules_of_rfc_8259() {
        let json = Json::Object(vec![
            ("a \"b\" \\", Json::list([0.1, -1e300, 2.0, f64::NAN])),
            ("text", "line\nbreak\u{1}, 5 × 5".into()),
            ("none", Json::Number(None)),
            ("whole", u64::MAX.into()),
            ("yes", true.into()),
            ("empty", Json::List(Vec::new())),
        ]);
        let text = json.to_text();
        assert_eq!(
            text,
            "{\n  \"a \\\"b\\\" \\\\\": [\n    0.1,\n    -1e300,\n    2.0,\n    null\n  ],\n  \
             \"text\": \"line\\nbreak\\u0001, 5 × 5\",\n  \"none\": null,\n  \"whole\": 18446744073709551615,\n  \
             \"yes\": true,\n  \"empty\": []\n}"
        );
    }
}
