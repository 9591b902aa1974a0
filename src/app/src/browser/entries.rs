//! The entries of a question on the page: what stands in them, what may be chosen and what is wrong follow the link, and
//! only what is different is touched.

use std::sync::Arc;

use estimate::desk::{Answer, Entry};
use leptos::ev::Event;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

use super::document;

/// An entry as it stands on the page.
struct Shown {
    /// An input, or a select: both have a value.
    control: HtmlInputElement,
    slider: Option<HtmlInputElement>,
    problem: Option<Element>,
    entry: Entry,
    wrong: String,
}

/// Writes into the input that an event comes from.
pub(crate) fn refill(event: &Event, text: &str) {
    event_target::<HtmlInputElement>(event).set_value(text);
}

fn choose(control: &Element, entry: &Entry) {
    control.set_text_content(None);
    for (id, name) in &entry.choices {
        let Some(option) = document().and_then(|document| document.create_element("option").ok()) else { return };
        // It fails for names that are none.
        let _ = option.set_attribute("value", id);
        option.set_text_content(Some(name));
        // It fails where a node would contain itself.
        let _ = control.append_child(&option);
    }
}

impl Shown {
    fn found(place: &Element, parameter: &str, name: &'static str) -> Option<Self> {
        let find = |part: &str| place.query_selector(&format!("#{parameter}-{name}{part}")).ok().flatten();
        let input = |part: &str| find(part).map(JsCast::unchecked_into::<HtmlInputElement>);
        let entry = Entry { name, ..Entry::default() };
        Some(Self {
            control: input("")?,
            slider: input("-slider"),
            problem: find("-problem"),
            entry,
            wrong: String::new(),
        })
    }

    fn say(&mut self, entry: Entry, wrong: &str) {
        let chosen_anew = self.entry.choices != entry.choices;
        if chosen_anew {
            choose(&self.control, &entry);
        }
        if self.entry.hint != entry.hint {
            self.control.set_placeholder(&entry.hint);
        }
        if chosen_anew || self.entry.text != entry.text {
            self.control.set_value(&entry.text);
            if let Some(slider) = &self.slider {
                slider.set_value(&entry.step().to_string());
                // It fails for names that are none.
                let _ = slider.set_attribute("aria-valuetext", &entry.text);
            }
        }
        if let Some(problem) = self.problem.as_ref().filter(|_| self.wrong != wrong) {
            problem.set_text_content(Some(wrong));
            self.wrong.replace_range(.., wrong);
        }
        self.entry = entry;
    }
}

/// Keeps the entries within an element.
pub(crate) fn follow(
    place: NodeRef<Div>,
    parameter: &'static str,
    entries: Box<dyn Fn() -> Vec<Entry>>,
    answer: Memo<Arc<Answer>>,
) {
    let mut all: Vec<Shown> = Vec::new();
    super::effect(Box::new(move || {
        let entries = entries();
        let Some(place) = place.get() else { return };
        if all.is_empty() {
            all = entries.iter().filter_map(|entry| Shown::found(&place, parameter, entry.name)).collect();
        }
        answer.with(|answer| {
            for (shown, entry) in all.iter_mut().zip(entries) {
                let wrong = answer.wrong.iter().find(|(of, _)| of == entry.name).map_or("", |(_, why)| why);
                shown.say(entry, wrong);
            }
        });
    }));
}
