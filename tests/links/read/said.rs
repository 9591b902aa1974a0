//! Parameters of links, to check that the corpus has a link for each of them.

use estimate::{Entry, Query, Topic};
use report::form;
use studio::Channel;
use studio::{Field, Panel, Preset, Speed, Takes, Theme};
use systolic::Slot;
use words::bench;

use super::parts;

/// Parameters that the corpus must contain. A parameter with few choices is listed with each of its values. The name of
/// an entry of a question begins with the parameter of the question, such as `ask chips`.
#[must_use]
pub fn sayable() -> Vec<(String, Option<String>)> {
    let mut all = Vec::new();
    let names = |parameter: &str, values: &[&str]| -> Vec<(String, Option<String>)> {
        values.iter().map(|value| (parameter.to_owned(), Some((*value).to_owned()))).collect()
    };
    for field in Field::ALL {
        match field.takes() {
            Takes::OneOf | Takes::TileOrder | Takes::Chip => all.extend(names(field.id(), &field.names())),
            Takes::Whole { .. } | Takes::Matrix => all.push((field.id().to_owned(), None)),
        }
    }
    all.extend(names("ui", &["full", "embed", "workbench", "desk"]));
    all.extend(names("tool", &Panel::ALL.map(Panel::id)));
    all.extend(names("tool", &["none"]));
    all.extend(names("theme", &Theme::ALL.map(Theme::id)));
    all.extend(names("speed", &Speed::ALL.map(Speed::id)));
    all.extend(names("show", &Channel::ALL.map(Channel::id)));
    all.extend(names("break", &bench::DEFECTS.map(|(text, _)| text)[1..]));
    all.extend(names("cmp", &bench::COMPARISONS.map(|(text, _)| text)[1..]));
    all.extend(names("loop", &["fold"]));
    all.extend(names("class", &Slot::ALL.map(Slot::id)));
    for name in ["v", "t", "pe", "follow"] {
        all.push((name.to_owned(), None));
    }
    for topic in Topic::ALL {
        for entry in form(&Query::parse(topic, "")) {
            // The values of a custom chip are parts of one parameter.
            if matches!(entry.entry, Entry::Custom(_)) {
                continue;
            }
            let name = format!("{} {}", topic.parameter(), entry.entry.id());
            let chosen: Vec<&str> =
                entry.choices.iter().map(|(id, _)| id.as_ref()).filter(|id| !id.is_empty()).collect();
            // The prices depend on the chip.
            if chosen.is_empty() || entry.entry == Entry::Price {
                all.push((name, None));
            } else {
                all.extend(names(&name, &chosen));
            }
        }
    }
    all
}

/// Parameters and values that a link sets, with the names that [`sayable`] uses.
#[must_use]
pub fn said(text: &str) -> Vec<(String, String)> {
    let pairs =
        |text: &str| -> Vec<(String, String)> { form_urlencoded::parse(text.as_bytes()).into_owned().collect() };
    let (query, fragment) = parts(text);
    let mut all = Vec::new();
    for (name, value) in pairs(query).into_iter().chain(pairs(fragment)) {
        if Topic::ALL.iter().any(|topic| topic.parameter() == name) {
            all.extend(pairs(&value).into_iter().map(|(entry, value)| (format!("{name} {entry}"), value)));
        }
        all.push((name, value));
    }
    all
}

/// Returns the links of all presets.
#[must_use]
pub fn presets() -> Vec<String> {
    Preset::ALL.iter().map(|preset| format!("?{}", preset.query())).collect()
}
