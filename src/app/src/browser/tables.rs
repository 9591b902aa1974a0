//! The tables of an answer. Those in sight follow every change; the others wait until changes rest, which they do before
//! anybody can get to them: most of the work of an answer, and of laying the page out, is in tables.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use leptos::html::Div;
use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle};
use leptos::prelude::*;
use studio::desk::{Answer, Table};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry};

use super::cells::{BODY, HEAD, Rows};
use super::document;

/// Changes rest when there was none for so long.
const RESTED: core::time::Duration = core::time::Duration::from_millis(200);

/// The titles of the tables in sight.
pub(crate) type Sight = RwSignal<Vec<&'static str>>;

/// A table on the page.
struct Shown {
    title: &'static str,
    parts: [Element; 2],
    scroll: Element,
    head: Element,
    body: Element,
    heads: Rows,
    rows: Rows,
}

fn element(within: &Element, tag: &str) -> Option<Element> {
    let element = document()?.create_element(tag).ok()?;
    within.append_child(&element).ok()?;
    Some(element)
}

impl Shown {
    fn new(place: &Element, title: &'static str) -> Option<Self> {
        let heading = element(place, "h3")?;
        heading.set_text_content(Some(title));
        // What scrolls sideways must be reached by keys, and then it needs a name.
        let scroll = element(place, "div")?;
        scroll.set_class_name("scroll");
        for (name, value) in [("tabindex", "0"), ("role", "group"), ("aria-label", title)] {
            scroll.set_attribute(name, value).ok()?;
        }
        let table = element(&scroll, "table")?;
        let (head, body) = (element(&table, "thead")?, element(&table, "tbody")?);
        let parts = [heading, scroll.clone()];
        Some(Self { title, parts, scroll, head, body, heads: Rows::default(), rows: Rows::default() })
    }

    fn say(&mut self, table: &Table) {
        self.heads.say(&self.head, &HEAD, core::iter::once((false, table.heads.iter().copied())));
        let rows = table.rows.iter().map(|(marked, cells)| (*marked, cells.iter().map(String::as_str)));
        self.rows.say(&self.body, &BODY, rows);
    }
}

/// Shows the tables of an answer, or of those only some.
fn say(all: &mut [Shown], answer: &Answer, which: impl Fn(&str) -> bool) {
    for (shown, table) in all.iter_mut().zip(&answer.tables).filter(|(_, table)| which(table.title)) {
        shown.say(table);
    }
}

/// Keeps the titles of what is in sight.
fn observer(sight: Sight) -> Option<IntersectionObserver> {
    let seen = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
        let Some(mut titles) = sight.try_get_untracked() else { return };
        for entry in entries.iter().filter_map(|entry| entry.dyn_into::<IntersectionObserverEntry>().ok()) {
            let title = entry.target().get_attribute("aria-label").unwrap_or_default();
            titles.retain(|other| *other != title);
            if let Some(title) = studio::words::estimate::TABLES.into_iter().find(|other| *other == title)
                && entry.is_intersecting()
            {
                titles.push(title);
            }
        }
        sight.try_set(titles);
    });
    let observer = IntersectionObserver::new(seen.as_ref().unchecked_ref()).ok()?;
    let kept = StoredValue::new_local(Some((observer.clone(), seen)));
    on_cleanup(move || {
        if let Some(Some((observer, _))) = kept.try_update_value(Option::take) {
            observer.disconnect();
        }
    });
    Some(observer)
}

/// Keeps the tables of an answer in an element. `answer` has those in sight; `whole` works out all of them.
pub(crate) fn follow(
    place: NodeRef<Div>,
    answer: Memo<Arc<Answer>>,
    sight: Sight,
    whole: impl Fn() -> Answer + Clone + 'static,
) {
    let all: Rc<RefCell<Vec<Shown>>> = Rc::default();
    let pending: Rc<Cell<Option<TimeoutHandle>>> = Rc::default();
    let observer = observer(sight);
    super::effect(Box::new(move || {
        let answer = answer.get();
        let Some(place) = place.get() else { return };
        if let Some(handle) = pending.take() {
            handle.clear();
        }
        let titles = || answer.tables.iter().map(|table| table.title);
        let mut shown = all.borrow_mut();
        if !titles().eq(shown.iter().map(|shown| shown.title)) {
            shown.drain(..).flat_map(|shown| shown.parts).for_each(|part| part.remove());
            shown.extend(titles().filter_map(|title| Shown::new(&place, title)));
            if let Some(observer) = &observer {
                shown.iter().for_each(|shown| observer.observe(&shown.scroll));
            }
            say(&mut shown, &whole(), |_| true);
            return;
        }
        let sight = sight.get_untracked();
        say(&mut shown, &answer, |title| sight.contains(&title));
        let (all, whole) = (Rc::clone(&all), whole.clone());
        let rest = move || say(&mut all.borrow_mut(), &whole(), |_| true);
        pending.set(set_timeout_with_handle(rest, RESTED).ok());
    }));
}
