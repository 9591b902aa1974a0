//! The entry fields of the model estimates. The values, choices and error texts of the fields follow the link. The
//! module writes only texts that differ from the shown texts.

use core::time::Duration;
use std::sync::Arc;

use estimate::Entry;
use leptos::ev::{ClipboardEvent, Event};
use leptos::html::Div;
use leptos::prelude::*;
use report::{Answer, FormEntry};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlTextAreaElement};

use super::{document, timer};

/// An entry field with its elements on the page.
struct Shown {
    /// An `input` or `select` element. Both kinds of element have a value.
    control: HtmlInputElement,
    slider: Option<HtmlInputElement>,
    problem: Option<Element>,
    shows: Option<FormEntry>,
    entry: Entry,
    problem_text: String,
    is_invalid: bool,
}

/// Calls `then` with the text of the area that received a paste.
pub(crate) fn after_paste(event: &ClipboardEvent, then: impl FnOnce(String) + 'static) {
    let area = event.target().and_then(|target| target.dyn_into::<HtmlTextAreaElement>().ok());
    // The area has the pasted text only after the event.
    let read = move || {
        if let Some(area) = area {
            then(area.value());
        }
    };
    timer::later(read, Duration::ZERO);
}

/// Writes a text into the input element that sent an event, unless a placeholder already shows a number.
pub(crate) fn refill(event: &Event, text: &str) {
    let input = event_target::<HtmlInputElement>(event);
    if input.get_attribute("placeholder").is_none_or(|text| text.is_empty()) {
        input.set_value(text);
    }
}

fn choose(control: &Element, entry: &FormEntry) {
    control.set_text_content(None);
    for (id, name) in &entry.choices {
        let Some(option) = document().and_then(|document| document.create_element("option").ok()) else { return };
        // Fails only for an invalid attribute name.
        let _ = option.set_attribute("value", id);
        option.set_text_content(Some(name));
        // Fails only if a node would contain itself.
        let _ = control.append_child(&option);
    }
}

impl Shown {
    fn found(place: &Element, parameter: &str, entry: Entry) -> Option<Self> {
        let name = entry.id();
        let find = |part: &str| place.query_selector(&format!("#{parameter}-{name}{part}")).ok().flatten();
        let input = |part: &str| find(part).map(JsCast::unchecked_into::<HtmlInputElement>);
        Some(Self {
            control: input("")?,
            slider: input("-slider"),
            problem: find("-problem"),
            shows: None,
            entry,
            problem_text: String::new(),
            is_invalid: false,
        })
    }

    fn show(&mut self, entry: FormEntry, problem: &str, is_invalid: bool) {
        let before = self.shows.as_ref();
        let chosen_anew = before.map_or(!entry.choices.is_empty(), |before| before.choices != entry.choices);
        let hinted_anew = before.map_or(!entry.hint.is_empty(), |before| before.hint != entry.hint);
        let set_anew = before.map_or(!entry.text.is_empty(), |before| before.text != entry.text);
        if chosen_anew {
            choose(&self.control, &entry);
        }
        if hinted_anew {
            self.control.set_placeholder(&entry.hint);
        }
        let is_idle = entry.is_idle;
        if before.map_or(is_idle, |before| before.is_idle != is_idle)
            && let Ok(Some(field)) = self.control.closest(".field")
        {
            // Fails only for an invalid attribute name.
            let _ = if is_idle { field.set_attribute("hidden", "") } else { field.remove_attribute("hidden") };
        }
        if chosen_anew || set_anew {
            self.control.set_value(&entry.text);
        }
        if let Some(slider) = self.slider.as_ref().filter(|_| hinted_anew || set_anew) {
            slider.set_value(&entry.step().to_string());
            let shown = if entry.text.is_empty() { &entry.hint } else { &entry.text };
            // Fails only for an invalid attribute name.
            let _ = slider.set_attribute("aria-valuetext", shown);
        }
        if let Some(element) = self.problem.as_ref().filter(|_| self.problem_text != problem) {
            element.set_text_content(Some(problem));
            element.set_class_name(if is_invalid { "problem" } else { "problem note" });
            self.problem_text.replace_range(.., problem);
        }
        if self.is_invalid != is_invalid {
            self.is_invalid = is_invalid;
            // Fails only for an invalid attribute name.
            let _ = if is_invalid {
                self.control.set_attribute("aria-invalid", "true")
            } else {
                self.control.remove_attribute("aria-invalid")
            };
        }
        self.shows = Some(entry);
    }
}

/// Updates the entry fields in an element when the entries change, or when the problems in the answer change.
pub(crate) fn follow(
    place: NodeRef<Div>,
    parameter: &'static str,
    entries: Box<dyn Fn() -> Vec<FormEntry>>,
    answer: Memo<Arc<Answer>>,
) {
    let mut all: Vec<Shown> = Vec::new();
    super::effect(move || {
        let entries = entries();
        let Some(place) = place.get() else { return };
        if all.is_empty() {
            all = entries.iter().filter_map(|entry| Shown::found(&place, parameter, entry.entry)).collect();
        }
        answer.with(|answer| {
            for (shown, entry) in all.iter_mut().zip(entries) {
                let is_invalid = answer.beside_entries.iter().any(|(of, _)| *of == shown.entry);
                let mut said = answer.beside_entries.iter().chain(&answer.notes);
                let problem = said.find(|(of, _)| *of == shown.entry).map_or("", |(_, why)| why);
                shown.show(entry, problem, is_invalid);
            }
        });
    });
}
